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
import { type GeminiParams, type GeminiRequest, toSdk } from './to-sdk.ts';
import type { GeminiPayload } from './wire.ts';

/** {@link MessageFormat} of Gemini, and the way into Google's own package. */
export interface GeminiFormat extends MessageFormat<GeminiPayload, GeminiOptions> {
  /** What `models.generateContent` of `@google/genai` takes: the instructions stand in `config` there. */
  toSdk<Params extends GeminiParams>(payload: GeminiPayload, params: Params): GeminiRequest<Params>;
}

const MEDIA = ['text', 'image_url', 'input_audio', 'file'] as const;

/**
 * Gemini generateContent, of the Gemini API and of Vertex AI.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { gemini } from 'message-store/formats/gemini';
 * gemini.encode(MessageStore.fromMessages('Hello!')).payload // => { contents: [{ role: 'user', parts: [{ text: 'Hello!' }] }] }
 */
export const gemini: GeminiFormat = /* @__PURE__ */ Object.freeze<GeminiFormat>({
  name: PROVIDER,
  capabilities: {
    roles: ['system', 'user', 'assistant', 'tool'],
    parts: { system: ['text'], user: MEDIA, assistant: [...MEDIA, 'reasoning'], tool: MEDIA },
    names: [],
  },
  encode,
  decode,
  toSdk,
});

export type { GeminiOptions } from './options.ts';
export type { GeminiParams, GeminiRequest } from './to-sdk.ts';
export * from './wire.ts';
export type * from '../format.ts';
