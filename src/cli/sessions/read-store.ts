import { headOf } from '../../storage/read-nodes.ts';
import type { ListQuery, Page, ScanQuery, SessionHead, SessionStorage, StoredNode } from '../../storage/storage.ts';
import { Failure } from '../failure.ts';

const PAGE = 500;

/** The nodes that a scan finds, a page at a time, so that a session may be longer than the memory. */
export async function* nodePages(
  storage: SessionStorage,
  id: string,
  query: Omit<ScanQuery, 'limit' | 'dir'> = {},
): AsyncGenerator<readonly StoredNode[], void, undefined> {
  let { after } = query;
  for (;;) {
    const from = after === undefined ? {} : { after };
    const page: Page<StoredNode> = await storage.scan(id, { ...query, ...from, limit: PAGE });
    yield page.items;
    if (page.next === null) return;
    after = Number(page.next);
  }
}

/** The sessions, newest first, a page at a time. */
export async function* headPages(
  storage: SessionStorage,
  query: ListQuery = {},
): AsyncGenerator<readonly SessionHead[], void, undefined> {
  let cursor: string | undefined;
  let missing = query.limit ?? Infinity;
  while (missing > 0) {
    const from = cursor === undefined ? {} : { cursor };
    const page = await storage.list({ ...query, ...from, limit: Math.min(100, missing) });
    yield page.items;
    missing -= page.items.length;
    if (page.next === null) return;
    cursor = page.next;
  }
}

/** The ids that are named, all of them there; all sessions where none is named. */
export async function* idsOf(
  storage: SessionStorage,
  named: readonly string[],
): AsyncGenerator<string, void, undefined> {
  for (const id of named) await headOf(storage, id);
  yield* named;
  if (named.length === 0) for await (const heads of headPages(storage)) for (const { id } of heads) yield id;
}

/**
 * The id of a message that is named by its id or by its label.
 *
 * @throws Failure when there is none, or when several have the label
 */
export async function messageNamed(storage: SessionStorage, session: string, name: string): Promise<string> {
  const [node] = name === '' ? [null] : await storage.nodes(session, [name]);
  if (node) return node.id;
  const { labels } = await storage.extras(session);
  const [found, ...others] = Object.keys(labels).filter((target) => labels[target] === name);
  const place = `session ${JSON.stringify(session)}`;
  if (found === undefined) throw new Failure(place, `there is no message or label ${JSON.stringify(name)}`);
  if (others.length === 0) return found;
  const all = [found, ...others].map((id) => JSON.stringify(id)).join(', ');
  throw new Failure(place, `several messages have the label ${JSON.stringify(name)}: ${all}`);
}
