import { reject } from '../../errors.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { isCallId } from '../../schema/ids.ts';
import { copyJsonObject, isRecord, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Fields } from './fields.ts';
import { CALL_KEYS, FUNCTION_KEYS } from './keys.ts';
import type { LinkedCall } from './link-answers.ts';
import { originOf } from './origin.ts';

/** What a call had that came without an id. */
const NO_ID: JsonObject = /* @__PURE__ */ Object.freeze({ id: null });

/**
 * The call that stands at `path`.
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function decodeCall({ call, id, givenId }: LinkedCall, path: string): ToolCall {
  if (!isRecord(call)) return reject(path, 'a tool call with a function', call);
  const isBare = !isRecord(call['function']);
  const inner = isBare ? call : (call['function'] as Fields);
  const { name, arguments: given } = inner;
  const args = isRecord(given) ? JSON.stringify(given) : given;
  const fields = { id, name, arguments: args, _origin: originOf(hadByCall(call, inner, givenId)) };
  const others = unread(call, (key) => CALL_KEYS.has(key) || (isBare && FUNCTION_KEYS.has(key)));
  const nested = isBare ? NO_FIELDS : unread(inner, (key) => FUNCTION_KEYS.has(key));
  if (others !== NO_FIELDS || nested !== NO_FIELDS || args === given || typeof name !== 'string' || !isCallId(id))
    return ToolCall.from({ ...others, ...(nested !== NO_FIELDS && { function: nested }), ...fields }, path);
  return ToolCall.owning({ id, name, arguments: args as string, _origin: fields._origin });
}

/** What a call had on the wire that has no other place here. */
function hadByCall({ type }: Fields, { index }: Fields, givenId: string): JsonObject {
  const id = givenId === '' ? NO_ID : NO_FIELDS;
  return type === undefined && index === undefined ? id : copyJsonObject({ ...id, type, index });
}

/** The fields of a record that are not read. */
export function unread(fields: Fields, isRead: (key: string) => boolean): Fields {
  const keys = Object.keys(fields).filter((key) => !isRead(key));
  return keys.length === 0 ? NO_FIELDS : Object.fromEntries(keys.map((key) => [key, fields[key]]));
}
