import { joinPath } from '../internal/path.ts';
import { preview } from '../internal/preview.ts';
import { MAX_DEPTH } from '../schema/json.ts';
import { StorageError } from './storage-error.ts';

/** The records of a message around its values. */
const AROUND = 16;

/**
 * The JSON text of a value as it is now. What JSON would lose or change (undefined in lists, functions, symbols,
 * BigInt, NaN, infinities, maps and other instances, cycles) is refused; undefined fields are left out and objects with
 * `toJSON` replaced by its result, as `JSON.stringify` does. Any text is kept, lone surrogates too.
 *
 * @throws StorageError `INVALID_DATA` naming the path
 */
export function jsonSnapshot(value: unknown, path: string): string {
  if (typeof value !== 'string') new JsonCheck(path).check(value);
  return JSON.stringify(value);
}

/** One value being checked. It knows where it is, so that a path is only put together where something is wrong. */
class JsonCheck {
  readonly #root: string;
  /** The lists and objects around the current value. */
  readonly #within: object[] = [];
  /** The keys that lead from the root to the current value. */
  readonly #keys: (string | number)[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  check(value: unknown): void {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return;
      case 'number':
        return Number.isFinite(value) ? undefined : this.#refuse('a finite number', value);
      case 'object':
        return value === null ? undefined : this.#nested(value);
      default:
        return this.#refuse('a JSON value', value);
    }
  }

  #nested(value: object): void {
    const within = this.#within;
    if (within.includes(value)) this.#refuse('a value without cycles', value);
    if (within.length >= MAX_DEPTH + AROUND)
      refuse(this.#path().slice(0, 200), `nesting of at most ${MAX_DEPTH} levels`, value);
    within.push(value);
    if (hasToJSON(value)) this.check(value.toJSON());
    else if (Array.isArray(value)) this.#list(value);
    else this.#fields(value);
    within.pop();
  }

  /** Holes, which JSON makes null, are left alone. */
  #list(list: readonly unknown[]): void {
    list.forEach((item, at) => this.#inside(at, item));
  }

  #fields(value: object): void {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null)
      this.#refuse('a JSON value', value);
    for (const key of Object.keys(value)) {
      const field: unknown = value[key as never];
      if (field !== undefined) this.#inside(key, field);
    }
  }

  #inside(key: string | number, value: unknown): void {
    this.#keys.push(key);
    this.check(value);
    this.#keys.pop();
  }

  #path(): string {
    return this.#keys.reduce<string>(joinPath, this.#root);
  }

  #refuse(expected: string, value: unknown): never {
    return refuse(this.#path(), expected, value);
  }
}

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function refuse(path: string, expected: string, value: unknown): never {
  throw new StorageError('INVALID_DATA', `${path}: expected ${expected}, got ${preview(value)}`, { path, value });
}
