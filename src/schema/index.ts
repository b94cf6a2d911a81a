/**
 * The JSON shape of everything that is stored, as types and zod schemas (zod/mini).
 *
 * @module
 */
export { type ContentJSON, type ContentPartJSON, contentPartSchema, contentSchema } from './content.ts';
export type { JsonObject, JsonValue } from './json.ts';
export { type Incomplete, type MessageJSON, messageSchema } from './message.ts';
export { type Origin, originSchema } from './origin.ts';
export type { MessageRole } from './role.ts';
export { type SectionJSON, type SectionPolicy, sectionSchema } from './section.ts';
export { type MessageStoreJSON, storeSchema } from './store.ts';
export { type ToolCallJSON, type ToolCallKind, toolCallSchema } from './tool-call.ts';
export { type ToolResultJSON, type ToolResultStatus, toolResultSchema } from './tool-result.ts';
export { STORE_VERSION } from './version.ts';
