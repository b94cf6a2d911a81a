/**
 * Mistral's chat completions: the message list, both ways.
 *
 * @module
 */
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { PARTS_BY_ROLE } from './encode-part.ts';
import type { MistralOptions } from './options.ts';
import { PROVIDER } from './origin.ts';
import type { MistralPayload } from './wire.ts';

/**
 * Mistral's chat completions.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { mistral } from 'message-store/formats/mistral';
 * mistral.encode(MessageStore.fromMessages('Hello!')).payload // => { messages: [{ role: 'user', content: 'Hello!' }] }
 */
export const mistral: MessageFormat<MistralPayload, MistralOptions> = /* @__PURE__ */ Object.freeze<
  MessageFormat<MistralPayload, MistralOptions>
>({
  name: PROVIDER,
  capabilities: { roles: ['system', 'user', 'assistant', 'tool'], parts: PARTS_BY_ROLE, names: [] },
  encode,
  decode,
});

export { accumulator } from './stream.ts';
export { encodeToolChoice, encodeTools } from './tools.ts';
export { toSdk } from './to-sdk.ts';
export type { MistralOptions } from './options.ts';
export type { MistralParams, MistralRequest, MistralSdk, MistralSdkKey } from './to-sdk.ts';
export * from './wire.ts';
export type * from '../format.ts';
