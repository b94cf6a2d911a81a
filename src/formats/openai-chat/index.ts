/**
 * OpenAI Chat Completions: the message list, both ways.
 *
 * @module
 */
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { encode, type OpenAIChatOptions } from './encode.ts';
import { PARTS_BY_ROLE, PROVIDER } from './parts.ts';
import type { OpenAIChatPayload } from './wire.ts';

/**
 * OpenAI Chat Completions, also spoken by many other servers.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { openaiChat } from 'message-store/formats/openai-chat';
 * openaiChat.encode(MessageStore.fromMessages('Hello!')).payload // => { messages: [{ role: 'user', content: 'Hello!' }] }
 */
export const openaiChat: MessageFormat<OpenAIChatPayload, OpenAIChatOptions> = /* @__PURE__ */ Object.freeze<
  MessageFormat<OpenAIChatPayload, OpenAIChatOptions>
>({
  name: PROVIDER,
  capabilities: {
    roles: ['system', 'developer', 'user', 'assistant', 'tool'],
    parts: PARTS_BY_ROLE,
    names: ['system', 'developer', 'user', 'assistant'],
  },
  encode,
  decode,
});

export { accumulator } from './stream.ts';
export { encodeToolChoice, encodeTools } from './tools.ts';
export type { OpenAIChatOptions } from './encode.ts';
export type { ReasoningField } from './reasoning-field.ts';
export * from './wire.ts';
export type * from '../format.ts';
