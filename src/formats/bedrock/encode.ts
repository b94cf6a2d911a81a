import type { Encoded, EncodeInput } from '../format.ts';
import { OpenReport } from '../open-report.ts';
import { prepare } from '../prepare.ts';
import type { BedrockOptions } from './options.ts';
import { Request } from './request.ts';
import type { BedrockPayload } from './wire.ts';

/** The instructions and messages of a request. */
export function encode(input: EncodeInput, options: BedrockOptions = {}): Encoded<BedrockPayload> {
  const { messages, repairs, placeOf } = prepare(input, options);
  const report = new OpenReport(repairs, options);
  const request = new Request(options, report, placeOf);
  messages.forEach((message, index) => request.add(message, index));
  return { payload: request.close(), report: report.close() };
}
