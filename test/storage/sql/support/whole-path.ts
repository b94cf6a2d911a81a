import type { SessionStorage, StoredNode } from '../../../../src/index.ts';

/** The whole path of a session, read page by page from the leaf. */
export async function wholePath(storage: SessionStorage, session: string, limit = 10_000): Promise<StoredNode[]> {
  const pages: StoredNode[][] = [];
  for (let to: string | null | undefined; to !== null;) {
    const { items, truncated } = await storage.path(session, { limit, ...(to !== undefined && { to }) });
    pages.push(items);
    to = truncated ? (items[0]?.parentId ?? null) : null;
  }
  return pages.toReversed().flat();
}
