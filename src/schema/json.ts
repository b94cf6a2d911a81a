import { reject, unreadable } from '../errors.ts';
import { joinPath } from '../internal/path.ts';

/** Any value that JSON text can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A map of JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** How deep one value may nest: deeper than any real one, and far from where `JSON.stringify` runs out of stack. */
export const MAX_DEPTH = 1000;
/** How deep a document may nest: its values, and the records around them (store, sections, section, messages …). */
const MAX_DOCUMENT_DEPTH = MAX_DEPTH + 8;

/** An empty object that can be shared. */
export const NO_FIELDS: JsonObject = Object.freeze({});

/** Whether a value is an object that holds its data in fields: no list, no Map, no Date, no bytes. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && holdsFields(value);
}

/** Plain objects do, and those of the caller's own classes; the built-in classes have a tag of their own. */
function holdsFields(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * A frozen deep copy that is JSON and nothing else. As `JSON.stringify` does, `undefined` fields are left
 * out and objects with `toJSON` (a Date) are replaced by its result; what JSON would lose or change (functions,
 * symbols, BigInt, NaN, infinities, invalid Dates, class instances, cycles, lone surrogates) and what cannot
 * be read (a getter that throws, a revoked proxy) is refused with its path.
 *
 * @throws InvalidInputError naming the path
 */
export function copyJson(value: unknown, path = ''): JsonValue {
  return copy(value, path, { within: [], maxDepth: MAX_DOCUMENT_DEPTH });
}

/** {@link copyJson} for one value of a document, which must be an object. */
export function copyJsonObject(value: unknown, path = ''): JsonObject {
  if (typeof value !== 'object') reject(path, 'an object', value);
  const copied = copy(value, path, { within: [], maxDepth: MAX_DEPTH });
  return isRecord(copied) ? copied : reject(path, 'an object', value);
}

/** What a copy stands in: the lists and objects around it, and how many there may be. */
interface Place {
  readonly within: object[];
  readonly maxDepth: number;
}

function copy(value: unknown, path: string, place: Place): JsonValue {
  switch (typeof value) {
    case 'string':
      return wellFormed(value, path);
    case 'number':
      return finite(value, path);
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : copyNested(value, path, place);
    default:
      return reject(path, 'a JSON value', value);
  }
}

/** Text that every receiver can read; it is refused where half a surrogate pair stands alone. */
export function wellFormed(text: string, path: string): string {
  return text.isWellFormed() ? text : reject(path, 'well-formed Unicode (no lone surrogates)', text);
}

function finite(value: number, path: string): number {
  if (!Number.isFinite(value)) reject(path, 'a finite number', value);
  return value === 0 ? 0 : value;
}

function copyNested(value: object, path: string, place: Place): JsonValue {
  const { within, maxDepth } = place;
  if (within.includes(value)) reject(path, 'a value without cycles', value);
  if (within.length >= maxDepth) reject(path.slice(0, 200), `nesting of at most ${maxDepth} levels`, value);
  within.push(value);
  try {
    return copyByKind(value, path, place);
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    within.pop();
  }
}

function copyByKind(value: object, path: string, place: Place): JsonValue {
  if (Array.isArray(value)) return copyList(value, path, place);
  if (value instanceof Date && Number.isNaN(value.getTime())) reject(path, 'a valid Date', value);
  return hasToJSON(value) ? copy(value.toJSON(), path, place) : copyObject(value, path, place);
}

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function copyList(list: readonly unknown[], path: string, place: Place): JsonValue {
  const out: JsonValue[] = [];
  const { length } = list;
  for (let at = 0; at < length; at++) {
    const itemPath = `${path}[${at}]`;
    out.push(copy(readField(list, at, itemPath), itemPath, place));
  }
  return Object.freeze(out);
}

function copyObject(value: object, path: string, place: Place): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && !isForeignPlain(prototype)) {
    reject(path, 'a JSON value', value);
  }
  const out: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const fieldPath = joinPath(path, wellFormed(key, path));
    const field = readField(value, key, fieldPath);
    if (field !== undefined) setOwn(out, key, copy(field, fieldPath, place));
  }
  return Object.freeze(out);
}

/** A field of foreign data, whose getter may throw. */
export function readField(value: object, key: string | number, path: string): unknown {
  try {
    return value[key as never];
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** The `Object.prototype` of another realm (a worker, a vm context, an iframe). */
function isForeignPlain(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty');
}

/** Sets an own field, whatever its name: `__proto__` is a key like any other. */
export function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/**
 * Freezes JSON that the library parsed itself, in place. Stops at frozen values: everything that the
 * library hands around is frozen to the bottom.
 */
export function freezeJson<T extends JsonValue>(value: T, depth = 0): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (depth >= MAX_DEPTH) reject('', `nesting of at most ${MAX_DEPTH} levels`, value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) freezeJson(value[at] as JsonValue, depth + 1);
  } else {
    const fields = value as JsonObject;
    for (const key in fields) freezeJson(fields[key] as JsonValue, depth + 1);
  }
  return Object.freeze(value);
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => equalJson(item, b[at]));
  return !Array.isArray(b) && equalObjects(a, b);
}

function equalObjects(a: object, b: object): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key as never], b[key as never]))
  );
}
