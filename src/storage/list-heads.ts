import { equalJson } from '../schema/json.ts';
import { checkLimit, readCursor } from './check-query.ts';
import type { ListQuery, Page, SessionHead } from './storage.ts';

/** Where a session stands in a list. */
export type ListKey = readonly [time: string, id: string];

/** One page of sessions whose heads are at hand. O(n log n). */
export function listHeads(heads: readonly SessionHead[], query: ListQuery = {}): Page<SessionHead> {
  const limit = checkLimit(query.limit, 'sessions');
  const keyOf = listKey(query);
  const behind = readListCursor(query.cursor);
  const found = heads
    .filter((head) => fits(head, query) && (behind === undefined || compareKeys(keyOf(head), behind) > 0))
    .toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? listCursor(items.at(-1) as SessionHead, query) : null };
}

/** Where the page behind a session begins. */
export function listCursor(last: SessionHead, query: ListQuery): string {
  return JSON.stringify(listKey(query)(last));
}

/** The time and id that a cursor of {@link listCursor} says. */
export function readListCursor(cursor: string | undefined): ListKey | undefined {
  return readCursor(cursor, (json) => (isKey(json) ? json : undefined));
}

function isKey(json: unknown): json is ListKey {
  return Array.isArray(json) && json.length === 2 && json.every((part) => typeof part === 'string');
}

function listKey({ order = 'updated' }: ListQuery): (head: SessionHead) => ListKey {
  return order === 'updated' ? ({ updatedAt, id }) => [updatedAt, id] : ({ createdAt, id }) => [createdAt, id];
}

/** The newest first, those of one time by their ids. */
function compareKeys([time, id]: ListKey, [otherTime, otherId]: ListKey): number {
  if (time !== otherTime) return time > otherTime ? -1 : 1;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}

function fits(head: SessionHead, { prefix = '', meta = {} }: ListQuery): boolean {
  return (
    head.id.startsWith(prefix) &&
    Object.keys(meta).every((key) => Object.hasOwn(head.meta, key) && equalJson(head.meta[key], meta[key]))
  );
}
