import type { Encoded, EncodeInput, EncodeOptions } from '../format.ts';
import { OpenReport } from '../open-report.ts';
import { prepare } from '../prepare.ts';
import { RequestBuilder } from './request-builder.ts';
import type { OpenAIResponsesPayload } from './wire.ts';

/** Options of this format: what the model that is asked can take, and what the provider still has. */
export interface OpenAIResponsesOptions extends EncodeOptions {
  /**
   * The model that is asked: reasoning of another one is left out, as the API itself would do without a word. A name
   * without a date stands for all its dates. Default: all reasoning of this provider goes back.
   */
  readonly model?: string;
  /** What becomes of reasoning that cannot go back: it is left out, or goes out as text. Default: it is left out. */
  readonly foreignReasoning?: 'drop' | 'text';
  /**
   * Whether the provider still has its answers. Pass `false` where they were made with `store: false`: reasoning without
   * its encrypted content, and references to items, are left out then. Default: it has them.
   */
  readonly stored?: boolean;
  /** Where a first system message goes: into `instructions`, or into the input as any other. Default: `'top'`. */
  readonly instructions?: 'top' | 'input';
  /** The one role in which instructions in the input go out, for servers that know only one. Default: the role they have. */
  readonly instructionRole?: 'system' | 'developer';
}

/** The instructions and the input of a request. */
export function encode(input: EncodeInput, options: OpenAIResponsesOptions = {}): Encoded<OpenAIResponsesPayload> {
  const { messages, repairs, placeOf } = prepare(input, options);
  const report = new OpenReport(repairs, options);
  const builder = new RequestBuilder(report, options, placeOf);
  messages.forEach((message, index) => builder.add(message, index));
  return { payload: builder.close(), report: report.close() };
}
