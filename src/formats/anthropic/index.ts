/**
 * Anthropic Messages: instructions and messages, both ways.
 *
 * @module
 */
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { type AnthropicOptions, encode } from './encode.ts';
import { PARTS_BY_ROLE } from './encode-part.ts';
import { PROVIDER } from './origin.ts';
import type { AnthropicPayload } from './wire.ts';

/**
 * Anthropic Messages.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { anthropic } from 'message-store/formats/anthropic';
 * anthropic.encode(MessageStore.fromMessages('Hello!')).payload // => { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello!' }] }] }
 */
export const anthropic: MessageFormat<AnthropicPayload, AnthropicOptions> = /* @__PURE__ */ Object.freeze<
  MessageFormat<AnthropicPayload, AnthropicOptions>
>({
  name: PROVIDER,
  capabilities: { roles: ['system', 'user', 'assistant', 'tool'], parts: PARTS_BY_ROLE, names: [] },
  encode,
  decode,
});

export { accumulator } from './stream.ts';
export { encodeToolChoice, encodeTools } from './tools.ts';
export type { AnthropicOptions } from './encode.ts';
export * from './wire.ts';
export type * from '../format.ts';
