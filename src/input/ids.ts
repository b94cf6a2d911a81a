import { reject } from '../errors.ts';
import { CALL_ID_EXPECTED, ID_EXPECTED, isCallId, isId, normalizeId } from '../schema/ids.ts';

/** A message or session id, UUIDs lower-cased. */
export function readId(value: unknown, path = 'id'): string {
  return isId(value) ? normalizeId(value) : reject(path, ID_EXPECTED, value);
}

/** {@link readId}; undefined for null and undefined. */
export function readOptionalId(value: unknown, path = 'id'): string | undefined {
  return value === undefined || value === null ? undefined : readId(value, path);
}

/** A tool call id; undefined for null, undefined, blank text and what is no text. */
export function readCallId(value: unknown, path = 'id'): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return isCallId(value) ? value : reject(path, CALL_ID_EXPECTED, value);
}
