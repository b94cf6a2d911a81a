import type { Encoded, EncodeInput, EncodeOptions } from '../format.ts';
import { encodeWith } from '../encode-with.ts';
import { encodeFrequent } from './encode-frequent.ts';
import { MessageEncoder } from './encode-message.ts';
import type { ReasoningField } from './reasoning-field.ts';
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
  /**
   * The field in which the server takes reasoning, of whatever provider; `'none'` leaves it out. OpenAI itself has none.
   * Default: reasoning goes back into the field that it was read from, and other reasoning is left out.
   */
  readonly reasoningField?: ReasoningField | 'none';
}

/** The messages of a request. */
export function encode(input: EncodeInput, options: OpenAIChatOptions = {}): Encoded<OpenAIChatPayload> {
  return encodeWith(input, options, ({ messages: valid, placeOf }, report) => {
    const messages: ChatMessage[] = [];
    valid.forEach((message, index) => {
      const encoded =
        (report.isTracing ? undefined : encodeFrequent(message, options)) ??
        new MessageEncoder(message, placeOf(index), report, options).encode();
      if (encoded === undefined) return;
      report.made(encoded, index);
      messages.push(encoded);
    });
    return { messages };
  });
}
