import type { Encoded, EncodeInput, EncodeOptions } from '../format.ts';
import { OpenReport } from '../open-report.ts';
import { prepare } from '../prepare.ts';
import { encodeFrequent } from './encode-frequent.ts';
import { MessageEncoder } from './encode-message.ts';
import type { ChatMessage, OpenAIChatPayload } from './wire.ts';

/** Options of this format. */
export interface OpenAIChatOptions extends EncodeOptions {
  /**
   * The one role in which instructions go out: reasoning models of OpenAI want `developer`, other servers know
   * only `system`. Default: each in the role that it has.
   */
  readonly instructionRole?: 'system' | 'developer';
  /**
   * What stands beside tool calls where nothing is said: `''` for servers that refuse null, or null. Default: null where
   * the turn has no content, `''` where its text is empty.
   */
  readonly emptyContent?: 'text' | 'null';
  /** What goes out for arguments that are no JSON object: `{}`, which is reported, or the text as it is. Default: `{}`. */
  readonly malformedArguments?: 'empty' | 'verbatim';
}

/** The messages of a request. */
export function encode(input: EncodeInput, options: OpenAIChatOptions = {}): Encoded<OpenAIChatPayload> {
  const messages: ChatMessage[] = [];
  const { messages: valid, repairs, placeOf } = prepare(input, options);
  const report = new OpenReport(repairs, options);
  valid.forEach((message, index) => {
    const encoded =
      encodeFrequent(message, options) ?? new MessageEncoder(message, placeOf(index), report, options).encode();
    if (encoded !== undefined) messages.push(encoded);
  });
  return { payload: { messages }, report: report.close() };
}
