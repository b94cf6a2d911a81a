import { preview } from '../internal/preview.ts';
import { StorageError } from './storage-error.ts';

const PAGE = { sessions: [100, 1000], nodes: [1000, 10_000], path: [10_000, 10_000], problems: [100, 1000] } as const;

/**
 * How many are asked for, or the default.
 *
 * @throws StorageError `INVALID_DATA` unless it is a whole number from 1 to the most there can be
 */
export function checkLimit(limit: number | undefined, of: keyof typeof PAGE): number {
  const [usual, most] = PAGE[of];
  if (limit === undefined) return usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw new StorageError('INVALID_DATA', `limit: expected a whole number from 1 to ${most}, got ${preview(limit)}`, {
    path: 'limit',
    value: limit,
  });
}

/**
 * What a cursor of this storage says.
 *
 * @throws StorageError `INVALID_DATA`
 */
export function readCursor<T>(cursor: string | undefined, read: (json: unknown) => T | undefined): T | undefined {
  if (cursor === undefined) return undefined;
  const value = read(parsed(cursor));
  if (value !== undefined) return value;
  throw new StorageError('INVALID_DATA', `cursor: expected what a page's next says, got ${preview(cursor)}`, {
    path: 'cursor',
    value: cursor,
  });
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(cursor);
  } catch {
    return undefined;
  }
}
