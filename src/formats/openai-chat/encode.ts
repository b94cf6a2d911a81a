import { encodeWith } from '../encode-with.ts';
import type { Encoded, EncodeInput, EncodeOptions } from '../format.ts';
import type { ReasoningField } from './reasoning-field.ts';
import { RequestBuilder } from './request-builder.ts';
import type { OpenAIChatPayload } from './wire.ts';

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
  /**
   * The field in which the server takes reasoning, of whatever provider; `'none'` leaves it out. OpenAI itself has none.
   * Default: reasoning goes back into the field that it was read from, and other reasoning is left out.
   */
  readonly reasoningField?: ReasoningField | 'none';
  /** Whether neighbours of one role go out as one message, for servers whose templates want the roles to alternate. Default: no. */
  readonly alternate?: boolean;
  /**
   * Whether ids of calls longer than 64 characters, and names of tools that the API refuses, go out as they are, for
   * servers that made them so. Default: a hash stands for them.
   */
  readonly callNames?: 'legal' | 'verbatim';
  /** Whether cache marks go out; models before `gpt-5.6`, and most servers that speak as OpenAI's, refuse them. Default: yes. */
  readonly cacheMarks?: boolean;
}

/** The messages of a request. */
export function encode(input: EncodeInput, options: OpenAIChatOptions = {}): Encoded<OpenAIChatPayload> {
  return encodeWith(
    input,
    options,
    (prepared, report) => {
      const request = new RequestBuilder(prepared, report, options);
      prepared.messages.forEach((message, index) => request.add(message, index));
      return request.close();
    },
    options.cacheMarks === false ? 'none' : 'prompt_cache_breakpoint',
  );
}
