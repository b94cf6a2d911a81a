/**
 * Amazon Bedrock Converse: instructions and messages, both ways.
 *
 * @module
 */
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { PARTS_BY_ROLE } from './encode-part.ts';
import type { BedrockOptions } from './options.ts';
import { PROVIDER } from './origin.ts';
import type { BedrockPayload } from './wire.ts';

/**
 * Amazon Bedrock Converse.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { bedrock } from 'message-store/formats/bedrock';
 * bedrock.encode(MessageStore.fromMessages('Hello!')).payload // => { messages: [{ role: 'user', content: [{ text: 'Hello!' }] }] }
 */
export const bedrock: MessageFormat<BedrockPayload, BedrockOptions> = /* @__PURE__ */ Object.freeze<
  MessageFormat<BedrockPayload, BedrockOptions>
>({
  name: PROVIDER,
  capabilities: { roles: ['system', 'user', 'assistant', 'tool'], parts: PARTS_BY_ROLE, names: [] },
  encode,
  decode,
});

export { accumulator } from './stream.ts';
export { encodeToolChoice, encodeTools } from './tools.ts';
export { toSdk } from './to-sdk.ts';
export type { BedrockOptions } from './options.ts';
export type * from './wire.ts';
export type * from '../format.ts';
