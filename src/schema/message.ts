import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { type ContentJSON, contentSchema, isContentJSON } from './content.ts';
import { ID_EXPECTED, isId } from './ids.ts';
import { isRecord, isSound, isText, type JsonObject } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { type Origin, originFieldSchema } from './origin.ts';
import { isRole, type MessageRole, ROLES } from './role.ts';
import { isStoredTime, TIME_EXPECTED } from './time.ts';
import { isToolCallJSON, type ToolCallJSON, toolCallSchema } from './tool-call.ts';
import { isToolResultJSON, type ToolResultJSON, toolResultSchema } from './tool-result.ts';

/** Says that a message's stream was cut, and why; its calls must not be executed. */
export interface Incomplete {
  readonly reason: string;
}

/** A message as stored. Keys that are not named here are kept beside them. */
export interface MessageJSON {
  readonly id: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly createdAt: string;
  readonly parentId?: string;
  readonly role: MessageRole;
  readonly name?: string;
  readonly content: ContentJSON;
  readonly tool_calls?: readonly ToolCallJSON[];
  readonly tool_result?: ToolResultJSON;
  readonly _metadata?: JsonObject;
  readonly _origin?: Origin;
  readonly incomplete?: Incomplete;
}

const idSchema = () => z.string().check(z.refine(isId, ID_EXPECTED));

/** The zod schema of a {@link MessageJSON}. */
export const messageSchema = lazy(
  () =>
    z.looseObject({
      id: idSchema(),
      createdAt: z.string().check(z.refine(isStoredTime, TIME_EXPECTED)),
      parentId: z.exactOptional(idSchema()),
      role: z.literal(ROLES as [MessageRole, ...MessageRole[]]),
      name: z.exactOptional(z.string()),
      content: contentSchema(),
      tool_calls: z.exactOptional(z.array(toolCallSchema())),
      tool_result: z.exactOptional(toolResultSchema()),
      _metadata: z.exactOptional(jsonObjectSchema()),
      _origin: originFieldSchema(),
      incomplete: z.exactOptional(z.looseObject({ reason: z.string() })),
    }) satisfies z.ZodMiniType<MessageJSON>,
);

/** Whether a key is one of {@link MessageJSON}, `_origin` left out; others are kept as extra. */
export function isMessageKey(key: string): boolean {
  return isRequired(key) || ['parentId', 'name', 'tool_calls', 'tool_result', '_metadata', 'incomplete'].includes(key);
}

/**
 * Whether JSON is a message as stored: the schema by hand, since it runs for every message that is loaded. It goes from
 * key to key: asking for each possible field of objects of many shapes costs several times as much.
 */
export function isMessageJSON(value: unknown): value is MessageJSON {
  if (!isRecord(value)) return false;
  let required = 0;
  for (const key in value) {
    if (!isField(key, value[key])) return false;
    if (isRequired(key)) required++;
  }
  return required === 4;
}

function isRequired(key: string): boolean {
  return key === 'id' || key === 'createdAt' || key === 'role' || key === 'content';
}

/** Whether a field can have this value; those that are not known can have any that is sound. */
function isField(key: string, value: unknown): boolean {
  switch (key) {
    case 'id':
    case 'parentId':
      return isId(value);
    case 'createdAt':
      return isStoredTime(value);
    case 'role':
      return isRole(value);
    case 'content':
      return isContentJSON(value);
    case 'name':
      return isText(value);
    case 'tool_calls':
      return Array.isArray(value) && value.every(isToolCallJSON);
    case 'tool_result':
      return isToolResultJSON(value);
    case '_metadata':
      return isRecord(value) && isSound(value);
    case 'incomplete':
      return isIncomplete(value) && isSound(value);
    default:
      return key.isWellFormed() && isSound(value);
  }
}

/** Whether a value is the mark of a cut stream. */
export function isIncomplete(value: unknown): value is Incomplete {
  return isRecord(value) && typeof value['reason'] === 'string';
}
