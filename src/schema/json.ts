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
  return typeof value === 'string' ? wellFormed(value, path) : new JsonCopy(path, MAX_DOCUMENT_DEPTH).of(value);
}

/** {@link copyJson} for one value of a document, which must be an object. */
export function copyJsonObject(value: unknown, path = ''): JsonObject {
  if (typeof value !== 'object') reject(path, 'an object', value);
  const copied = new JsonCopy(path, MAX_DEPTH).of(value);
  return isRecord(copied) ? copied : reject(path, 'an object', value);
}

/** Text that every receiver can read; it is refused where half a surrogate pair stands alone. */
export function wellFormed(text: string, path: string): string {
  return text.isWellFormed() ? text : reject(path, 'well-formed Unicode (no lone surrogates)', text);
}

/** Whether a value is text that every receiver can read. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

/** Whether parsed JSON is what {@link copyJson} would take: no lone surrogates anywhere, and not nested too deep. */
export function isSound(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  return Array.isArray(value)
    ? value.every((item) => isSound(item, depth + 1))
    : hasSoundFields(value, undefined, depth + 1);
}

/** Whether the fields of a record are {@link isSound sound}, each on its own; `except` is looked at elsewhere. */
export function hasSoundFields(record: object, except?: string, depth = 0): boolean {
  for (const key in record)
    if (key !== except && !(key.isWellFormed() && isSound(record[key as never], depth))) return false;
  return true;
}

/** One copy being made. It knows where it is, so that a path is only put together where something is wrong. */
class JsonCopy {
  readonly #root: string;
  readonly #maxDepth: number;
  /** The lists and objects around the current value. */
  readonly #within: object[] = [];
  /** The keys that lead from the root to the current value. */
  readonly #keys: (string | number)[] = [];

  constructor(root: string, maxDepth: number) {
    this.#root = root;
    this.#maxDepth = maxDepth;
  }

  of(value: unknown): JsonValue {
    try {
      return this.#copy(value);
    } catch (cause) {
      throw unreadable(this.#path(), cause);
    }
  }

  #path(): string {
    return this.#keys.reduce<string>(joinPath, this.#root);
  }

  #reject(expected: string, value: unknown): never {
    return reject(this.#path(), expected, value);
  }

  #copy(value: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
        return value.isWellFormed() ? value : wellFormed(value, this.#path());
      case 'number':
        if (!Number.isFinite(value)) this.#reject('a finite number', value);
        return value === 0 ? 0 : value;
      case 'boolean':
        return value;
      case 'object':
        return value === null ? null : this.#nested(value);
      default:
        return this.#reject('a JSON value', value);
    }
  }

  #nested(value: object): JsonValue {
    const within = this.#within;
    if (within.includes(value)) this.#reject('a value without cycles', value);
    if (within.length >= this.#maxDepth)
      reject(this.#path().slice(0, 200), `nesting of at most ${this.#maxDepth} levels`, value);
    within.push(value);
    const copied = this.#byKind(value);
    within.pop();
    return copied;
  }

  #byKind(value: object): JsonValue {
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Date && Number.isNaN(value.getTime())) this.#reject('a valid Date', value);
    return hasToJSON(value) ? this.#copy(value.toJSON()) : this.#object(value);
  }

  #list(list: readonly unknown[]): JsonValue {
    const out: JsonValue[] = [];
    const { length } = list;
    for (let at = 0; at < length; at++) {
      this.#keys.push(at);
      out.push(this.#copy(list[at]));
      this.#keys.pop();
    }
    return Object.freeze(out);
  }

  #object(value: object): JsonValue {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype && !isForeignPlain(prototype)) {
      this.#reject('a JSON value', value);
    }
    const out: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) {
      if (!key.isWellFormed()) wellFormed(key, this.#path());
      this.#keys.push(key);
      const field: unknown = value[key as never];
      if (field !== undefined) setOwn(out, key, this.#copy(field));
      this.#keys.pop();
    }
    return Object.freeze(out);
  }
}

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
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

/** Freezes sound JSON that the library parsed itself, in place. Stops at frozen values: everything that the library hands around is frozen to the bottom. */
export function freezeJson<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) freezeJson(value[at] as JsonValue);
  } else {
    const fields = value as JsonObject;
    for (const key in fields) freezeJson(fields[key] as JsonValue);
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
