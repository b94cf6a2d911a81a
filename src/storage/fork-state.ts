import { newId, timeText } from '../internal/ids.ts';
import type { PlannedOp } from './plan-commit.ts';
import type { LogEntry, SessionBirth, SessionState } from './session-state.ts';
import type { ForkRequest, Op, SectionRecord, SessionExtras, StoredNode } from './storage.ts';
import { noMessage } from './storage-error.ts';

/** What a fork begins as, and holds: the changes before its nodes, its nodes, and those behind. */
export interface Fork {
  readonly birth: SessionBirth;
  readonly before: readonly PlannedOp[];
  /** In the order of the session that they come from, with their parents. */
  readonly nodes: readonly StoredNode[];
  readonly behind: readonly PlannedOp[];
  readonly leaf: string | null;
}

/**
 * What goes into the fork of a session in memory; undefined where a node lacks its parent, which only a damaged log has.
 * O(what is copied).
 *
 * @throws StorageError `NOT_FOUND`
 */
export function forkOf(state: SessionState, request: ForkRequest): Fork | undefined {
  const { at: leaf = state.leaf, whole = false } = request;
  if (leaf !== null && !state.byId.has(leaf)) throw noMessage(state.birth.id, leaf);
  const nodes = state.flaws > 0 ? undefined : whole ? wholeTree(state) : pathTo(state, leaf);
  if (nodes === undefined) return undefined;
  const isIn = nodes.length === state.byId.size ? () => true : choiceOf(nodes);
  const extras = state.extras();
  const stands = (name: string): boolean => state.sections.get(name)?.nodes.some(({ id }) => isIn(id)) === true;
  const kept = extras.sections.filter((section) => whole || saysMore(section) || stands(section.name));
  return {
    birth: birthOf(state, request.id, leaf, extras),
    before: kept.map(declare),
    nodes,
    behind: [...placesOf(state, isIn), ...labelsOf(extras, isIn)],
    leaf,
  };
}

/** The entry of the metadata of a session that is still being copied: what is found with it was cut off. */
export const FORKING = 'forking';

/** A fork that is marked until its last change is there. */
export function markedFork({ birth, behind, ...fork }: Fork): Fork {
  const marked = { ...birth, meta: { ...birth.meta, [FORKING]: true } };
  const patch = { [FORKING]: birth.meta[FORKING] ?? null };
  return { ...fork, birth: marked, behind: [...behind, { op: 'meta', patch }] };
}

/** As the one entry of a new session. */
export function entryOf({ before, nodes, behind, leaf }: Fork): LogEntry {
  const ops = [...before, ...nodes.map((node) => ({ op: 'node', node }) as const), ...behind];
  return { id: newId(), version: 1, seq: 1, at: timeText(), fingerprint: '', ops, leaf, nodes: [] };
}

/** As they are now: more may come while they are copied. */
function wholeTree({ order, byId }: SessionState): StoredNode[] | undefined {
  const isThere = ({ parentId }: StoredNode): boolean => parentId === null || byId.has(parentId);
  return order.every(isThere) ? [...order] : undefined;
}

function pathTo({ byId }: SessionState, leaf: string | null): StoredNode[] | undefined {
  const path: StoredNode[] = [];
  for (let at = leaf; at !== null;) {
    const node = byId.get(at);
    if (node === undefined) return undefined;
    path.push(node);
    at = node.parentId;
  }
  return path.toReversed();
}

/** Whether a node goes into the fork. */
type Choice = (id: string) => boolean;

function choiceOf(nodes: readonly StoredNode[]): Choice {
  const ids = new Set(nodes.map(({ id }) => id));
  return (id) => ids.has(id);
}

function birthOf(state: SessionState, id: string, node: string | null, { params }: SessionExtras): SessionBirth {
  const forkedFrom = Object.freeze({ session: state.birth.id, node });
  return { id, epoch: newId(), createdAt: timeText(), forkedFrom, meta: state.head().meta, params };
}

/** What stands in a section a second time, in order. */
function placesOf({ sections, byId, hasPlaces }: SessionState, isIn: Choice): PlannedOp[] {
  if (!hasPlaces) return [];
  const all = Array.from(sections.values(), ({ nodes }) => nodes).flat();
  const again = all.filter(({ id, seq }) => isIn(id) && byId.get(id)?.seq !== seq);
  return again.toSorted((a, b) => a.seq - b.seq).map(({ id, section }) => ({ op: 'place', id, section }));
}

function labelsOf({ labels }: SessionExtras, isIn: Choice): PlannedOp[] {
  const own = Object.entries(labels).filter(([target]) => isIn(target));
  return own.map(([target, label]) => ({ op: 'label', target, label }));
}

/** Whether a section says something without a node that stands in it. */
export function saysMore({ policy, extra }: SectionRecord): boolean {
  return policy !== undefined || extra !== undefined;
}

/** A section as a change that declares it. */
export const declare = ({ name, policy, extra }: SectionRecord): Op & { readonly op: 'section' } => ({
  op: 'section',
  name,
  ...(policy && { policy }),
  ...(extra && { extra }),
});
