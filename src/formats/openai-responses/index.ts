/**
 * OpenAI Responses: instructions and input items, both ways.
 *
 * @module
 */
import { ROLES } from '../../schema/role.ts';
import type { MessageFormat } from '../format.ts';
import { decode } from './decode.ts';
import { encode, type OpenAIResponsesOptions } from './encode.ts';
import { PARTS_BY_ROLE } from './encode-part.ts';
import { PROVIDER } from './origin.ts';
import type { OpenAIResponsesPayload } from './wire.ts';

/**
 * OpenAI Responses.
 *
 * @example
 * import { MessageStore } from 'message-store';
 * import { openaiResponses } from 'message-store/formats/openai-responses';
 * openaiResponses.encode(MessageStore.fromMessages('Hello!')).payload // => { input: [{ role: 'user', content: 'Hello!' }] }
 */
export const openaiResponses: MessageFormat<OpenAIResponsesPayload, OpenAIResponsesOptions> =
  /* @__PURE__ */ Object.freeze<MessageFormat<OpenAIResponsesPayload, OpenAIResponsesOptions>>({
    name: PROVIDER,
    capabilities: { roles: ROLES, parts: PARTS_BY_ROLE, names: [] },
    encode,
    decode,
  });

export { accumulator } from './stream.ts';
export { encodeToolChoice, encodeTools } from './tools.ts';
export type { OpenAIResponsesOptions } from './encode.ts';
export * from './wire.ts';
export type * from '../format.ts';
