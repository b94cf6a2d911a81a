import { preview } from '../internal/preview.ts';
import { ID_EXPECTED, isId } from '../schema/ids.ts';
import { StorageError } from './storage-error.ts';

const MAX_NAME = 128;
/** Control characters; and a byte order mark at the start, which some clients of databases drop without a word. */
const REFUSED = /[\u0000-\u001f]|^\uFEFF/; // oxlint-disable-line no-control-regex -- refusing these is the purpose

/**
 * An id of a session, node or commit.
 *
 * @throws StorageError `INVALID_ID`
 */
export function checkId(id: unknown, path: string): string {
  return isId(id) && !REFUSED.test(id) ? id : refuse(path, ID_EXPECTED, id);
}

/**
 * A name of a section or parameter, or a label: 0 to 128 UTF-16 code units; databases cannot hold NUL or half a surrogate pair.
 *
 * @throws StorageError `INVALID_ID`
 */
export function checkName(name: unknown, path: string): string {
  return typeof name === 'string' && name.length <= MAX_NAME && name.isWellFormed() && !REFUSED.test(name)
    ? name
    : refuse(path, `a name: text of at most ${MAX_NAME} characters without control characters`, name);
}

function refuse(path: string, expected: string, value: unknown): never {
  throw new StorageError('INVALID_ID', `${path}: expected ${expected}, got ${preview(value)}`, { path, value });
}
