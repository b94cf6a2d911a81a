import { isRecord, type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';

/** The provider of what was read from this wire. */
export const PROVIDER = 'openai-responses';

/**
 * What something brought along from this wire, and goes back with. It is the data of its origin: of a message that is
 * one item, of a part, of a call.
 */
export interface Kept {
  /** What else the item had that begins here. */
  readonly item?: JsonObject;
  /** What else a part had that was given to the model. */
  readonly input?: JsonObject;
  /** What else a part had that the model gave. */
  readonly output?: JsonObject;
  /** Whether the content of the item was a text, or the whole input was. Otherwise an item that brought something has a list. */
  readonly content?: 'text' | 'input';
  /** The id of the reasoning before the item, without which its own id is refused. */
  readonly after?: string;
}

/** What something brought along from this wire; undefined for what is not from here. */
export function keptOf(origin: Origin | undefined): Kept | undefined {
  if (origin?.provider !== PROVIDER) return undefined;
  return isRecord(origin.data) ? origin.data : NO_FIELDS;
}

/** The other fields of what was kept, if they are some. */
export function fieldsOf(kept: JsonValue | undefined): JsonObject | undefined {
  return isRecord(kept) ? kept : undefined;
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
  if (Array.isArray(value)) return value.map(copyOf);
  return copyWithout(value as JsonObject);
}

/** A copy without some keys. */
export function copyWithout(fields: JsonObject, ...keys: readonly string[]): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(fields)) if (!keys.includes(key)) setOwn(copy, key, copyOf(fields[key] as JsonValue));
  return copy;
}
