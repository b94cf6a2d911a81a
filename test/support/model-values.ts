import { expect } from 'vitest';

/** A caller's input, frozen to the bottom: whoever writes to it throws. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const key of Reflect.ownKeys(value)) deepFrozen(value[key as never]);
    Object.freeze(value);
  }
  return value;
}

/** Says where something that can be reached from a value is not frozen: fields, getters, and what iteration gives. */
export function unfrozenPlaces(root: unknown): string[] {
  const seen = new Set<unknown>();
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || value instanceof Date || seen.has(value)) return;
    seen.add(value);
    if (!Object.isFrozen(value)) found.push(path);
    for (const key of readableKeys(value)) walk(read(value, key), `${path}.${key}`);
    if (Symbol.iterator in value && !Array.isArray(value))
      [...(value as Iterable<unknown>)].forEach((item, at) =>
        walk(isEntry(value, item) ? item[1] : item, `${path}[${at}]`),
      );
  };
  walk(root, '$');
  return found;
}

export function expectFrozen(value: unknown): void {
  expect(unfrozenPlaces(value)).toEqual([]);
}

/** Own fields, and the getters of the class. */
function readableKeys(value: object): string[] {
  const prototype: unknown = Object.getPrototypeOf(value);
  const getters =
    prototype === null || prototype === Object.prototype || prototype === Array.prototype
      ? []
      : Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([, { get }]) => get !== undefined);
  return [...Object.keys(value), ...getters.map(([name]) => name)];
}

/** What a field holds; a getter that refuses (malformed arguments) holds nothing. */
function read(value: object, key: string): unknown {
  try {
    return value[key as never];
  } catch {
    return undefined;
  }
}

/** The pairs that a map's iteration makes for the occasion are the caller's own. */
function isEntry(owner: object, item: unknown): item is [string, unknown] {
  return 'keys' in owner && Array.isArray(item);
}

/** A value that knows its equals. */
export interface Equatable {
  equals(other: never): boolean;
}

/** Says in JSON where two values differ that should be equal. */
export function expectEqual<T extends Equatable>(value: T, expected: T): void {
  const isEqual = value.equals(expected as never) && expected.equals(value as never);
  expect(isEqual, `${JSON.stringify(value)} should equal ${JSON.stringify(expected)}`).toBe(true);
}

/** Changes all of a caller's own object that can be changed. */
export function scribbleOver(value: unknown): void {
  if (value instanceof Date) value.setTime(0);
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  for (const key of Object.keys(value)) {
    scribbleOver(value[key as never]);
    Object.defineProperty(value, key, { value: 'scribble' });
  }
  if (Array.isArray(value)) value.push('scribble');
  else Object.assign(value, { scribble: true });
}
