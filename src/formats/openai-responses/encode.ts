import { encodeWith } from '../encode-with.ts';
import type { Encoded, EncodeInput, EncodeOptions } from '../format.ts';
import { RequestBuilder } from './request-builder.ts';
import type { OpenAIResponsesPayload } from './wire.ts';

/** Options of this format. */
export interface OpenAIResponsesOptions extends EncodeOptions {
  /** What becomes of reasoning that cannot go back: it is left out, or goes out as text. Default: it is left out. */
  readonly foreignReasoning?: 'drop' | 'text';
  /** Where a first system message goes: into `instructions`, or into the input as any other. Default: `'top'`. */
  readonly instructions?: 'top' | 'input';
  /** Whether cache marks go out; models before `gpt-5.6`, and most servers that speak as OpenAI's, refuse them. Default: yes. */
  readonly cacheMarks?: boolean;
}

/** The instructions and the input of a request. */
export function encode(input: EncodeInput, options: OpenAIResponsesOptions = {}): Encoded<OpenAIResponsesPayload> {
  return encodeWith(
    input,
    options,
    ({ messages, placeOf }, report) => {
      const builder = new RequestBuilder(report, options);
      messages.forEach((message, index) => builder.add(message, index, placeOf(index)));
      return builder.close();
    },
    options.cacheMarks === false ? 'none' : 'prompt_cache_breakpoint',
  );
}
