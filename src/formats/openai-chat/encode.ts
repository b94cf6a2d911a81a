import { type Encoded, type EncodeInput, type EncodeOptions, type Loss, messagesOf, reportOf } from '../format.ts';
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
}

/** The messages of a request. */
export function encode(input: EncodeInput, options: OpenAIChatOptions = {}): Encoded<OpenAIChatPayload> {
  const losses: Loss[] = [];
  const messages: ChatMessage[] = [];
  messagesOf(input).forEach((message, index) => {
    const encoded =
      encodeFrequent(message, options) ?? new MessageEncoder(message, index, losses).encode(options.instructionRole);
    if (encoded !== undefined) messages.push(encoded);
  });
  return { payload: { messages }, report: reportOf(losses, options) };
}
