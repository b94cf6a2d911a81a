import { encodeWith } from '../encode-with.ts';
import type { Encoded, EncodeInput } from '../format.ts';
import { MessageEncoder } from './encode-message.ts';
import { MessageList } from './message-list.ts';
import type { MistralOptions } from './options.ts';
import { Request } from './request.ts';
import type { MistralPayload } from './wire.ts';

/** The messages of a request. */
export function encode(input: EncodeInput, options: MistralOptions = {}): Encoded<MistralPayload> {
  return encodeWith(input, options, ({ messages, placeOf }, report) => {
    const request = new Request(report, options);
    const list = new MessageList(request);
    messages.forEach((message, index) => {
      const place = placeOf(index);
      const wire = new MessageEncoder(message, place, request).encode();
      if (wire === undefined) return;
      report.made(wire, index);
      list.add(wire, message, place);
    });
    return { messages: list.close() };
  });
}
