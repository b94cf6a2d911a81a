import { parseJsonText } from '../../internal/json-text.ts';
import type { Message } from '../../model/message.ts';
import { isRecord, type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';

/** An object of the wire that is being read. */
export type Fields = Readonly<Record<string, unknown>>;

/** The provider of what was read from this wire. */
export const PROVIDER = 'mistral';
/** As the data of a part's origin: its fields are the chunk as it came. */
export const AS_IT_CAME = 'chunk';

/** How a message stood on the wire, where that is not how it would go out by itself. It is the data of its origin. */
export interface Shape {
  /** Whether content was a list, null, or not there, where another form is usual. */
  readonly content?: 'list' | 'null' | 'none';
  readonly prefix?: boolean;
  /** Words of the user right behind an answer, or of the assistant at the very beginning, with nothing put between. */
  readonly apart?: true;
}

/** How a message stood on this wire; {@link NO_FIELDS} where there is nothing to tell. */
export function shapeOf({ origin }: Message): Shape {
  return keptOf(origin);
}

/** What only this wire's own brought along; {@link NO_FIELDS} for what is from elsewhere. */
export function keptOf(origin: Origin | undefined): JsonObject {
  return isOwn(origin) && isRecord(origin?.data) ? origin.data : NO_FIELDS;
}

/** Whether something was read from this wire. */
export function isOwn(origin: Origin | undefined): boolean {
  return origin?.provider === PROVIDER;
}

/** The origin of what was read here, by which model, and what it had that has no other place. */
export function originOf(kept: JsonObject, model?: string): Origin {
  return { provider: PROVIDER, ...(model !== undefined && { model }), ...(!isNone(kept) && { data: kept }) };
}

/** Whether an object has no fields. */
export function isNone(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** Unknown fields, as they go back to where they came from; those of others are told, as far as they say something. */
export function othersOf(
  fields: JsonObject,
  known: readonly string[],
  isSent: boolean,
  tell: (key: string, message: string) => void,
): JsonObject {
  if (fields === NO_FIELDS) return fields;
  const others: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(fields)) {
    // Private ones are nobody's business.
    if (key.startsWith('_') || known.includes(key)) continue;
    if (isSent) setOwn(others, key, copyOf(value));
    else if (isSaid(value)) tell(key, unknownKey(key));
  }
  return others;
}

/** Whether the value of an unknown key says something: null and an empty list do not. */
export function isSaid(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** What is said of a key that has no place. */
export function unknownKey(key: string): string {
  return `no place for the key ${JSON.stringify(key)}: left out`;
}

/** A fresh copy of JSON, which may be changed: payloads belong to the caller. */
export function copyOf<T>(value: T): T {
  return parseJsonText(JSON.stringify(value)) as T;
}
