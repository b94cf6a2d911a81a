import { pathAll, scanAll } from './read-nodes.ts';
import type { SectionRecord, SessionHead, SessionStorage, StoredNode } from './storage.ts';

/**
 * What stands in each section of the nodes of a path, in the section's order; what stands there a second time has the
 * place's `seq`. O(the nodes) for each section, and O(the section) where one stands there a second time.
 */
export async function sectionsOfPath(
  storage: SessionStorage,
  head: SessionHead,
  nodes: readonly StoredNode[],
  sections: readonly SectionRecord[],
): Promise<ReadonlyMap<string, readonly StoredNode[]>> {
  const found = new Map<string, readonly StoredNode[]>();
  for (const { name } of sections) {
    const own = nodes.filter(({ section }) => section === name);
    const hasMore = mayHavePlaces(head, sections) && (await countStanding(storage, head.id, nodes, name)) > own.length;
    found.set(name, hasMore ? await standing(storage, head, nodes, name) : own);
  }
  return found;
}

/** Nodes and places share one order, so where it is no longer than there are nodes, there are no places. */
function mayHavePlaces({ seq, nodeCount }: SessionHead, sections: readonly SectionRecord[]): boolean {
  return seq > nodeCount && sections.length > 1;
}

async function countStanding(
  storage: SessionStorage,
  session: string,
  nodes: readonly StoredNode[],
  section: string,
): Promise<number> {
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const bound = first.parentId === null ? {} : { stopAt: first.parentId };
  return (await pathAll(storage, session, { to: last.id, section, ...bound })).items.length;
}

async function standing(
  storage: SessionStorage,
  { id, seq }: SessionHead,
  nodes: readonly StoredNode[],
  section: string,
): Promise<StoredNode[]> {
  const ids = new Set(nodes.map((node) => node.id));
  const all = await scanAll(storage, id, { section, after: (nodes[0] as StoredNode).seq - 1, before: seq + 1 });
  return all.filter((node) => ids.has(node.id));
}
