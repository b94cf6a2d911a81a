import { type JsonValue, setOwn } from '../../schema/json.ts';

/** A copy that may be changed: payloads belong to the caller. */
export function fresh(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fresh);
  const copy: Record<string, JsonValue> = {};
  const fields = value as Readonly<Record<string, JsonValue>>;
  for (const key in fields) setOwn(copy, key, fresh(fields[key] as JsonValue));
  return copy;
}
