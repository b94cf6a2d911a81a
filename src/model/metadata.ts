import { reject } from '../errors.ts';
import {
  copyJsonObject,
  equalJson,
  freezeJson,
  isRecord,
  type JsonObject,
  type JsonValue,
  NO_FIELDS,
} from '../schema/json.ts';
import { edited } from './recipe.ts';

/** What can stand for metadata. */
export type MetadataInput = Metadata | Readonly<Record<string, unknown>>;

/** JSON that may be changed inside a recipe. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Draft<T[Key]> }
    : T;

/** An immutable map from keys to JSON values. Own keys only: `constructor` and `__proto__` are keys like any other. */
export class Metadata implements Iterable<[string, JsonValue]> {
  private readonly data: JsonObject;

  private constructor(data: JsonObject) {
    this.data = data;
    Object.freeze(this);
  }

  static readonly #none = new Metadata(NO_FIELDS);

  /** The shared empty metadata. */
  static empty(): Metadata {
    return Metadata.#none;
  }

  /**
   * Metadata with these entries, copied; `undefined` entries are left out.
   *
   * @throws InvalidInputError where a value is not JSON, naming its path
   */
  static of(entries: Readonly<Record<string, unknown>>): Metadata {
    return Metadata.from(entries);
  }

  /** Metadata from entries; metadata itself is returned as it is. */
  static from(input: MetadataInput | null | undefined, path = ''): Metadata {
    if (input instanceof Metadata) return input;
    if (input === null || input === undefined || isEmptyList(input)) return Metadata.empty();
    return Metadata.owning(copyJsonObject(input, path));
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): Metadata {
    return isRecord(json) ? Metadata.from(json) : reject('', 'an object', json);
  }

  /** @internal Over JSON that nobody else holds. */
  static owning(data: JsonObject): Metadata {
    return Object.keys(data).length === 0 ? Metadata.empty() : new Metadata(freezeJson(data));
  }

  /** The number of entries. */
  get size(): number {
    return Object.keys(this.data).length;
  }

  /** Whether there is no entry. */
  isEmpty(): boolean {
    return this === Metadata.#none;
  }

  /** The keys: integer-like ones first in ascending order, the rest as they were added. */
  keys(): string[] {
    return Object.keys(this.data);
  }

  /** Whether there is an entry of this key; null counts. */
  hasKey(key: string): boolean {
    return Object.hasOwn(this.data, key);
  }

  /** The value of a key; `fallback` when the key is missing or its value is null. */
  get(key: string): JsonValue | undefined;
  get<T>(key: string, fallback: T): JsonValue | T;
  get(key: string, fallback?: unknown): unknown {
    const value = Object.hasOwn(this.data, key) ? this.data[key] : undefined;
    return value === null ? (fallback ?? null) : (value ?? fallback);
  }

  /** With one entry more or another value for it; null is a value. */
  withKeyValue(key: string, value: unknown): Metadata {
    return this.withMergedData({ [key]: value });
  }

  /** Without one entry. */
  withoutKey(key: string): Metadata {
    if (!this.hasKey(key)) return this;
    return Metadata.owning(Object.fromEntries(Object.entries(this.data).filter(([name]) => name !== key)));
  }

  /** With the entries of another map; they win, keys that are here keep their place. */
  withMergedData(input: MetadataInput): Metadata {
    const added = Metadata.from(input);
    if (added.keys().every((key) => this.hasKey(key) && equalJson(this.data[key], added.data[key]))) return this;
    return this.isEmpty() ? added : Metadata.owning({ ...this.data, ...added.data });
  }

  /**
   * With what an immer recipe changes: the draft is the plain object.
   *
   * @example
   * Metadata.of({ tags: ['a'] }).update((draft) => { draft.tags = ['a', 'b']; }).get('tags') // => ['a', 'b']
   */
  update(recipe: (draft: Record<string, Draft<JsonValue>>) => void): Metadata {
    const next = copyJsonObject(edited(this.data, recipe));
    return equalJson(next, this.data) ? this : Metadata.owning(next);
  }

  /** The entries as a frozen plain object, not copied. */
  toJSON(): JsonObject {
    return this.data;
  }

  /** Whether both hold the same entries, in whatever order. */
  equals(other: Metadata): boolean {
    return this === other || equalJson(this.data, other.data);
  }

  /** The entries as pairs of key and value. */
  [Symbol.iterator](): IterableIterator<[string, JsonValue]> {
    return Object.entries(this.data)[Symbol.iterator]();
  }
}

/** PHP writes an empty map as an empty list. */
function isEmptyList(input: object): boolean {
  return Array.isArray(input) && input.length === 0;
}
