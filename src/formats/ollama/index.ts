/**
 * Ollama's `/api/chat`: the message list, both ways.
 *
 * @module
 */
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { encode, type OllamaOptions } from './encode.ts';
import { PARTS_BY_ROLE } from './encode-parts.ts';
import { PROVIDER } from './origin.ts';
import type { OllamaPayload } from './wire.ts';

/**
 * Ollama's own chat API. The OpenAI-compatible one on the same server (`/v1/chat/completions`) is another format.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { ollama } from 'message-store/formats/ollama';
 * ollama.encode(MessageStore.fromMessages('Hello!')).payload // => { messages: [{ role: 'user', content: 'Hello!' }] }
 */
export const ollama: MessageFormat<OllamaPayload, OllamaOptions> = /* @__PURE__ */ Object.freeze<
  MessageFormat<OllamaPayload, OllamaOptions>
>({
  name: PROVIDER,
  capabilities: { roles: ['system', 'user', 'assistant', 'tool'], parts: PARTS_BY_ROLE, names: [] },
  encode,
  decode,
});

export { accumulator } from './stream.ts';
export { encodeToolChoice, encodeTools } from './tools.ts';
export type { OllamaOptions } from './encode.ts';
export * from './wire.ts';
export type * from '../format.ts';
