import { isRecord, type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';

/** The provider of what was read from this wire. */
export const PROVIDER = 'openai-responses';

/**
 * What something brought along from this wire, and goes back with. It is the data of its origin: of a message, a part,
 * a call.
 */
export interface Kept {
  /** What else the item had that begins here. */
  readonly item?: JsonObject;
  /** Whether the content of the item was a text, or the whole input was. Otherwise an item that brought something has a list. */
  readonly content?: 'text' | 'input';
  /** The id of the reasoning before the item, without which its own id is refused. */
  readonly after?: string;
  /** What else a text of the model had. */
  readonly output?: JsonObject;
  /** Whether this was a part of a message or answer, and goes out as it came. */
  readonly isPart?: true;
}

/** What something brought along from this wire; undefined for what is not from here. */
export function keptOf(origin: Origin | undefined): Kept | undefined {
  if (origin?.provider !== PROVIDER) return undefined;
  return fieldsOf(origin.data) ?? NO_FIELDS;
}

/** A value that holds fields; undefined for any other. */
export function fieldsOf(value: unknown): JsonObject | undefined {
  return isRecord(value) ? (value as JsonObject) : undefined;
}

/** The origin of what comes from here and brings this along; `model`: who made it. */
export function originOf(kept?: Kept, model?: string): Origin & JsonObject {
  return { provider: PROVIDER, ...(model !== undefined && { model }), ...(kept && { data: kept as JsonObject }) };
}

/** Whether ids of something are not OpenAI's. */
export function isForeign(origin: Origin | undefined): boolean {
  return origin !== undefined && origin.provider !== PROVIDER && origin.provider !== 'openai-chat';
}

/** A copy that may be changed: payloads belong to the caller. */
export function copyOf(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(copyOf) : copyWithout(value as JsonObject);
}

/** A copy without some keys. */
export function copyWithout(fields: JsonObject = NO_FIELDS, ...keys: readonly string[]): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(fields)) if (!keys.includes(key)) setOwn(copy, key, copyOf(fields[key] as JsonValue));
  return copy;
}

/** The payload of media under the names of the wire. */
export function toWire(payload: JsonObject = NO_FIELDS): JsonObject {
  return renamed(renamed(payload, 'url', 'image_url'), 'file_name', 'filename');
}

/** The fields of the wire's media as a payload. */
export function toPayload(fields: JsonObject): JsonObject {
  return renamed(renamed(fields, 'image_url', 'url'), 'filename', 'file_name');
}

function renamed(fields: JsonObject, from: string, to: string): JsonObject {
  if (!Object.hasOwn(fields, from)) return fields;
  const { [from]: value, ...others } = fields;
  return { [to]: value as JsonValue, ...others };
}
