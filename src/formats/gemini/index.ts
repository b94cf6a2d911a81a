/**
 * Gemini generateContent: contents and system instruction, both ways.
 *
 * @module
 */
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import type { GeminiOptions } from './options.ts';
import { PROVIDER } from './origin.ts';
import type { GeminiPayload } from './wire.ts';

const MEDIA = ['text', 'image_url', 'input_audio', 'file'] as const;

/**
 * Gemini generateContent, of the Gemini API and of Vertex AI.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { gemini } from 'message-store/formats/gemini';
 * gemini.encode(MessageStore.fromMessages('Hello!')).payload // => { contents: [{ role: 'user', parts: [{ text: 'Hello!' }] }] }
 */
export const gemini: MessageFormat<GeminiPayload, GeminiOptions> = /* @__PURE__ */ Object.freeze<
  MessageFormat<GeminiPayload, GeminiOptions>
>({
  name: PROVIDER,
  capabilities: {
    roles: ['system', 'user', 'assistant', 'tool'],
    parts: { system: ['text'], user: MEDIA, assistant: [...MEDIA, 'reasoning'], tool: MEDIA },
    names: [],
  },
  encode,
  decode,
});

export { accumulator } from './stream.ts';
export { encodeToolChoice, encodeTools } from './tools.ts';
export type { GeminiOptions } from './options.ts';
export { type GeminiParams, type GeminiRequest, toSdk } from './to-sdk.ts';
export * from './wire.ts';
export type * from '../format.ts';
