import type { Encoded, EncodeInput } from '../format.ts';
import { OpenReport } from '../open-report.ts';
import { prepare } from '../prepare.ts';
import { MessageEncoder } from './encode-message.ts';
import { MessageList } from './message-list.ts';
import type { MistralOptions } from './options.ts';
import { Request } from './request.ts';
import type { MistralPayload } from './wire.ts';

/** The messages of a request. */
export function encode(input: EncodeInput, options: MistralOptions = {}): Encoded<MistralPayload> {
  const { messages, repairs, placeOf } = prepare(input, options);
  const report = new OpenReport(repairs, options);
  const request = new Request(report, options);
  const list = new MessageList(request);
  messages.forEach((message, index) => {
    const place = placeOf(index);
    const wire = new MessageEncoder(message, place, request).encode();
    if (wire !== undefined) list.add(wire, message, place);
  });
  return { payload: { messages: list.close() }, report: report.close() };
}
