import { reject } from '../errors.ts';
import { wellFormed } from '../schema/json.ts';

/** Well-formed text. */
export function readString(value: unknown, path: string): string {
  return typeof value === 'string' ? wellFormed(value, path) : reject(path, 'a string', value);
}

/** {@link readString}; `''` for null and undefined. */
export function readOptionalString(value: unknown, path: string): string {
  return value === undefined || value === null ? '' : readString(value, path);
}
