import type { PathQuery, ScanQuery, SessionStorage, StoredNode } from './storage.ts';
import { noMessage, noSession } from './storage-error.ts';

const PAGE = 10_000;

/** All nodes that a scan finds, page by page, or the first `limit` of them. */
export async function scanAll(
  storage: SessionStorage,
  session: string,
  query: Omit<ScanQuery, 'limit'>,
  limit = Infinity,
): Promise<StoredNode[]> {
  const items: StoredNode[] = [];
  const bound = query.dir === 'desc' ? 'before' : 'after';
  for (let next: number | undefined = query[bound]; items.length < limit;) {
    const from = next === undefined ? {} : { [bound]: next };
    const page = await storage.scan(session, { ...query, ...from, limit: Math.min(PAGE, limit - items.length) });
    items.push(...page.items);
    if (page.next === null) break;
    next = Number(page.next);
  }
  return items;
}

/** A path of any length, from the root downwards, and whether there is more above. */
export async function pathAll(
  storage: SessionStorage,
  session: string,
  query: PathQuery = {},
): Promise<{ readonly items: StoredNode[]; readonly truncated: boolean }> {
  const { limit = Infinity } = query;
  const pieces: StoredNode[][] = [];
  let missing = limit;
  for (let to = query.to; ;) {
    const from = to === undefined ? {} : { to };
    const { items, truncated } = await storage.path(session, { ...query, ...from, limit: Math.min(PAGE, missing) });
    pieces.unshift(items);
    missing -= items.length;
    const above = truncated && missing > 0 ? await parentOf(storage, session, items[0]) : undefined;
    if (above === undefined) return { items: pieces.flat(), truncated };
    to = above;
  }
}

/** The parent where there is one to go on from. */
async function parentOf(
  storage: SessionStorage,
  session: string,
  node: StoredNode | undefined,
): Promise<string | undefined> {
  const parentId = node?.parentId ?? undefined;
  if (parentId === undefined) return undefined;
  const [parent] = await storage.nodes(session, [parentId]);
  return parent && parent.seq < (node as StoredNode).seq ? parentId : undefined;
}

/**
 * A node that must be there.
 *
 * @throws StorageError `NOT_FOUND`
 */
export async function nodeAt(storage: SessionStorage, session: string, id: string): Promise<StoredNode> {
  const [node] = await storage.nodes(session, [id]);
  if (node) return node;
  throw noMessage(session, id);
}

/**
 * The head of a session that must be there.
 *
 * @throws StorageError `NOT_FOUND`
 */
export async function headOf(storage: SessionStorage, session: string) {
  const head = await storage.head(session);
  if (head === null) throw noSession(session);
  return head;
}
