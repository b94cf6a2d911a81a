import { reject } from '../errors.ts';
import { isStoredTime, storedForm, TIME_EXPECTED, toStoredTime } from '../schema/time.ts';

/** A Date or ISO text as stored text; undefined for null and undefined. */
export function readTime(value: unknown, path = 'createdAt'): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isStoredTime(value)) return value;
  const stored =
    value instanceof Date ? storedForm(value) : typeof value === 'string' ? toStoredTime(value) : undefined;
  return stored ?? reject(path, TIME_EXPECTED, value);
}
