import { checkLimit } from './check-query.ts';
import type { SessionState } from './session-state.ts';
import type { NodePath, Page, PathQuery, ScanQuery, StoredNode } from './storage.ts';
import { StorageError } from './storage-error.ts';

/** Nodes of a session in memory, in order. O(log n) and what is returned; with `parent` or `leaves` what is looked through. */
export function scanState(state: SessionState, query: ScanQuery = {}): Page<StoredNode> {
  const { after = -Infinity, before = Infinity, dir = 'asc' } = query;
  const limit = checkLimit(query.limit, 'nodes');
  const nodes = candidates(state, query);
  const fits = ({ id }: StoredNode): boolean => query.leaves !== true || (state.childIds.get(id) ?? []).length === 0;
  const [from, to] = [firstBehind(nodes, after), firstBehind(nodes, before, true)];
  const items: StoredNode[] = [];
  const step = dir === 'asc' ? 1 : -1;
  let at = dir === 'asc' ? from : to - 1;
  for (; at >= from && at < to && items.length < limit; at += step) {
    const node = nodes[at] as StoredNode;
    if (fits(node)) items.push(node);
  }
  const isMore = at >= from && at < to;
  return { items, next: isMore ? String((nodes[at - step] as StoredNode).seq) : null };
}

function candidates(state: SessionState, { section, parent }: ScanQuery): readonly StoredNode[] {
  if (parent === undefined) return section === undefined ? state.order : (state.sections.get(section)?.nodes ?? []);
  if (section !== undefined)
    return (state.sections.get(section)?.nodes ?? []).filter((node) => node.parentId === parent);
  return (state.childIds.get(parent) ?? []).map((id) => state.byId.get(id) as StoredNode);
}

/** The index of the first node behind a place, or at it. */
function firstBehind(nodes: readonly StoredNode[], seq: number, isAtToo = false): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const own = (nodes[middle] as StoredNode).seq;
    if (own > seq || (isAtToo && own === seq)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * A path of a session in memory. O(length of the path that is looked at).
 *
 * @throws StorageError `NOT_FOUND` when its end is not in the session
 */
export function pathOfState(state: SessionState, query: PathQuery = {}): NodePath {
  const { to = state.leaf, stopAt } = query;
  const limit = checkLimit(query.limit, 'path');
  const stands = standsIn(state, query.section);
  const items: StoredNode[] = [];
  let at = to === null ? undefined : endOfPath(state, to);
  while (at !== undefined && at.id !== stopAt && items.length < limit) {
    if (stands(at)) items.push(at);
    if (at.parentId === null || at.parentId === stopAt) return { items: items.toReversed(), truncated: false };
    at = parentOf(state, at);
  }
  return { items: items.toReversed(), truncated: to !== null && (at === undefined || at.id !== stopAt) };
}

function endOfPath(state: SessionState, id: string): StoredNode {
  return state.byId.get(id) ?? missing(id);
}

/** A parent is always older: what a file edited by hand says otherwise ends the path. */
function parentOf(state: SessionState, { parentId, seq }: StoredNode): StoredNode | undefined {
  const parent = state.byId.get(parentId as string);
  return parent !== undefined && parent.seq < seq ? parent : undefined;
}

function standsIn(state: SessionState, section: string | undefined): (node: StoredNode) => boolean {
  if (section === undefined) return () => true;
  const placed = state.sections.get(section)?.placed;
  return (node) => node.section === section || placed?.has(node.id) === true;
}

function missing(id: string): never {
  throw new StorageError('NOT_FOUND', `node ${JSON.stringify(id)} is not in the session.`, { path: id, value: id });
}
