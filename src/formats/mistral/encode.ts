import type { Message } from '../../model/message.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import { encodeWith } from '../encode-with.ts';
import type { Encoded, EncodeInput } from '../format.ts';
import { MessageEncoder } from './encode-message.ts';
import { MessageList } from './message-list.ts';
import type { MistralOptions } from './options.ts';
import { Request } from './request.ts';
import type { MistralMessage, MistralPayload } from './wire.ts';

/** The messages of a request. */
export function encode(input: EncodeInput, options: MistralOptions = {}): Encoded<MistralPayload> {
  return encodeWith(input, options, ({ messages, placeOf }, report) => {
    const request = new Request(report, options);
    const list = new MessageList(request);
    messages.forEach((message, index) => {
      const place = placeOf(index);
      const text = report.isTracing ? undefined : encodeText(message);
      const wire = text ?? new MessageEncoder(message, place, request).encode();
      if (wire === undefined) return;
      report.made(wire, index);
      list.add(wire, message, place);
    });
    return { messages: list.close() };
  });
}

/** Plain text, which most messages are; undefined for any other, and for what this wire could lose. */
function encodeText({ role, name, content, toolCalls, extra, origin }: Message): MistralMessage | undefined {
  const text = content.plainText;
  if (!text || origin !== undefined || extra !== NO_FIELDS || name !== '' || toolCalls.size > 0) return undefined;
  return role === 'tool' || role === 'developer' ? undefined : { role, content: text };
}
