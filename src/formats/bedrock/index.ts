/**
 * Amazon Bedrock Converse: instructions and messages, both ways.
 *
 * @module
 */
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { withBytes } from './bytes.ts';
import { PARTS_BY_ROLE } from './encode-part.ts';
import type { BedrockOptions } from './options.ts';
import { PROVIDER } from './origin.ts';
import type { BedrockPayload } from './wire.ts';

/** {@link MessageFormat} of Bedrock, and the way into Amazon's own package. */
export interface BedrockFormat extends MessageFormat<BedrockPayload, BedrockOptions> {
  /**
   * What `ConverseCommand` and `ConverseStreamCommand` of `@aws-sdk/client-bedrock-runtime` take: bytes stand there where
   * the wire has base64. What the payload has wins over `params`.
   */
  toSdk<Params extends object>(
    payload: BedrockPayload,
    params: Params,
  ): Omit<Params, keyof BedrockPayload> & BedrockPayload<Uint8Array>;
}

/**
 * Amazon Bedrock Converse.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { bedrock } from 'message-store/formats/bedrock';
 * bedrock.encode(MessageStore.fromMessages('Hello!')).payload // => { messages: [{ role: 'user', content: [{ text: 'Hello!' }] }] }
 */
export const bedrock: BedrockFormat = /* @__PURE__ */ Object.freeze<BedrockFormat>({
  name: PROVIDER,
  capabilities: { roles: ['system', 'user', 'assistant', 'tool'], parts: PARTS_BY_ROLE, names: [] },
  encode,
  decode,
  toSdk: (payload, params) => ({ ...params, ...(withBytes(payload) as BedrockPayload<Uint8Array>) }),
});

export type { BedrockOptions } from './options.ts';
export type * from './wire.ts';
export type * from '../format.ts';
