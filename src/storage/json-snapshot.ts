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
  checkJson(value, path, []);
  return JSON.stringify(value);
}

function checkJson(value: unknown, path: string, within: object[]): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      return Number.isFinite(value) ? undefined : refuse(path, 'a finite number', value);
    case 'object':
      return value === null ? undefined : checkNested(value, path, within);
    default:
      return refuse(path, 'a JSON value', value);
  }
}

function checkNested(value: object, path: string, within: object[]): void {
  if (within.includes(value)) refuse(path, 'a value without cycles', value);
  if (within.length >= MAX_DEPTH + AROUND) refuse(path.slice(0, 200), `nesting of at most ${MAX_DEPTH} levels`, value);
  within.push(value);
  if (hasToJSON(value)) checkJson(value.toJSON(), path, within);
  else if (Array.isArray(value)) value.forEach((item, at) => checkJson(item, `${path}[${at}]`, within));
  else checkFields(value, path, within);
  within.pop();
}

function checkFields(value: object, path: string, within: object[]): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) refuse(path, 'a JSON value', value);
  for (const key of Object.keys(value)) {
    const field: unknown = value[key as never];
    if (field !== undefined) checkJson(field, joinPath(path, key), within);
  }
}

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function refuse(path: string, expected: string, value: unknown): never {
  throw new StorageError('INVALID_DATA', `${path}: expected ${expected}, got ${preview(value)}`, { path, value });
}
