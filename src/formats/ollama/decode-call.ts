import { reject } from '../../errors.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { isCallId } from '../../schema/ids.ts';
import { copyJsonObject, isRecord, type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Fields } from './fields.ts';
import { CALL_KEYS, FUNCTION_KEYS } from './keys.ts';
import type { LinkedCall } from './link-answers.ts';
import { originOf } from './origin.ts';

/** The origin of a call that came without an id. */
const UNNAMED: Origin = /* @__PURE__ */ Object.freeze(originOf(Object.freeze({ id: null })));

/**
 * A call, and where it stands.
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function decodeCall({ call, id, givenId }: LinkedCall, path: () => string): ToolCall {
  if (!isRecord(call)) return reject(path(), 'a tool call with a function', call);
  const isBare = !isRecord(call['function']);
  const inner = isBare ? call : (call['function'] as Fields);
  const { name, arguments: given } = inner;
  const args = isRecord(given) ? JSON.stringify(given) : given;
  // Nearly all calls are a name and arguments, and nothing else.
  const isBarest = Object.keys(call).length === 1 && Object.keys(inner).length === 2;
  if (isBarest && args !== given && typeof name === 'string' && isCallId(id))
    return ToolCall.owning({ id, name, arguments: args as string, _origin: UNNAMED });
  const others = unread(call, (key) => CALL_KEYS.has(key) || (isBare && FUNCTION_KEYS.has(key)));
  const nested = isBare ? NO_FIELDS : unread(inner, (key) => FUNCTION_KEYS.has(key));
  const _origin = originByCall(call, inner, givenId);
  return ToolCall.from(
    { ...others, ...(nested !== NO_FIELDS && { function: nested }), id, name, arguments: args, _origin },
    path(),
  );
}

/** The origin of a call, with what it had on the wire that has no other place here. */
function originByCall({ type }: Fields, { index }: Fields, givenId: string): Origin {
  if (type === undefined && index === undefined) return givenId === '' ? UNNAMED : originOf();
  return originOf(copyJsonObject({ ...(givenId === '' && { id: null }), type, index }));
}

/** The fields of a record that are not read. */
export function unread(fields: Fields, isRead: (key: string) => boolean): JsonObject {
  let others: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(fields)) if (!isRead(key)) setOwn((others ??= {}), key, fields[key] as JsonValue);
  return others ?? NO_FIELDS;
}
