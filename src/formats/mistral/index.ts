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
import { type MistralParams, type MistralRequest, toSdk } from './sdk.ts';
import type { MistralPayload } from './wire.ts';

/** {@link MessageFormat} of Mistral, and the way into Mistral's own package. */
export interface MistralFormat extends MessageFormat<MistralPayload, MistralOptions> {
  /** What `chat.complete` and `chat.stream` of `@mistralai/mistralai` take: its keys are in camel case. */
  toSdk<Params extends MistralParams>(payload: MistralPayload, params: Params): MistralRequest<Params>;
}

/**
 * Mistral's chat completions.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { mistral } from 'message-store/formats/mistral';
 * mistral.encode(MessageStore.fromMessages('Hello!')).payload // => { messages: [{ role: 'user', content: 'Hello!' }] }
 */
export const mistral: MistralFormat = /* @__PURE__ */ Object.freeze<MistralFormat>({
  name: PROVIDER,
  capabilities: { roles: ['system', 'user', 'assistant', 'tool'], parts: PARTS_BY_ROLE, names: [] },
  encode,
  decode,
  toSdk,
});

export type { MistralOptions } from './options.ts';
export type { MistralParams, MistralRequest, MistralSdk, MistralSdkKey } from './sdk.ts';
export * from './wire.ts';
export type * from '../format.ts';
