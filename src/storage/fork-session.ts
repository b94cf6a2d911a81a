import { newId } from '../internal/ids.ts';
import { declare, FORKING, saysMore } from './fork-state.ts';
import { sectionsOfPath } from './path-sections.ts';
import { headOf, nodeAt, pathAll, scanAll } from './read-nodes.ts';
import type { ForkRequest, Op, SessionExtras, SessionHead, SessionStorage, StoredNode } from './storage.ts';

/** What a fork takes along. */
export interface ForkOptions {
  /** The end of the path that is copied; default: the leaf. */
  readonly at?: string | null;
  readonly newId?: string;
  /** All branches instead of one path. */
  readonly whole?: boolean;
}

const OPS_A_COMMIT = 5000;

/**
 * Copies a path, or the whole tree, into a session of its own, which keeps the ids, the labels that lie on it and all
 * parameters. O(what is copied).
 *
 * @throws StorageError `NOT_FOUND`, `ALREADY_EXISTS`
 */
export async function forkSession(storage: SessionStorage, id: string, options: ForkOptions = {}): Promise<string> {
  const { newId: fork = newId(), ...what } = options;
  const request = { id: fork, ...what };
  if ((await storage.fork?.(id, request)) !== true) await copySession(storage, id, request);
  return fork;
}

/** For a storage that does not do it by itself: all of it is read, and written. */
export async function copySession(storage: SessionStorage, id: string, request: ForkRequest): Promise<void> {
  const { id: fork, whole = false } = request;
  const head = await headOf(storage, id);
  const at = request.at === undefined ? head.leaf : request.at;
  if (at !== null) await nodeAt(storage, id, at);
  const extras = await storage.extras(id);
  const ops = whole ? await opsOfTree(storage, head, extras) : await opsOfPath(storage, head, at, extras);
  const { [FORKING]: cut = null, ...meta } = head.meta;
  const init = { params: extras.params, meta: { ...meta, [FORKING]: true }, forkedFrom: { session: id, node: at } };
  await storage.create(fork, init);
  try {
    await writeAll(storage, fork, [...ops, { op: 'leaf', to: at }, { op: 'meta', patch: { [FORKING]: cut } }]);
  } catch (error) {
    await storage.delete(fork);
    throw error;
  }
}

async function opsOfPath(storage: SessionStorage, head: SessionHead, at: string | null, extras: SessionExtras) {
  const { items } = await pathAll(storage, head.id, { to: at });
  const bySection = await sectionsOfPath(storage, head, items, extras.sections);
  const sections = extras.sections.filter((section) => bySection.get(section.name)?.length !== 0 || saysMore(section));
  return [
    ...sections.map(declare),
    ...nodeOps(items),
    ...placeOps(items, bySection.values()),
    ...labelOps(items, extras),
  ];
}

async function opsOfTree(storage: SessionStorage, { id, seq }: SessionHead, extras: SessionExtras): Promise<Op[]> {
  const items = await scanAll(storage, id, { before: seq + 1 });
  const bySection: StoredNode[][] = [];
  for (const { name } of extras.sections)
    bySection.push(await scanAll(storage, id, { section: name, before: seq + 1 }));
  return [
    ...extras.sections.map(declare),
    ...nodeOps(items),
    ...placeOps(items, bySection),
    ...labelOps(items, extras),
  ];
}

/** What stands in a section a second time, in order. */
function placeOps(items: readonly StoredNode[], bySection: Iterable<readonly StoredNode[]>): Op[] {
  const own = new Map(items.map(({ id, seq }) => [id, seq]));
  const again = [...bySection].flat().filter(({ id, seq }) => own.get(id) !== seq);
  return again.toSorted((a, b) => a.seq - b.seq).map(({ id, section }) => ({ op: 'place', id, section }));
}

/** What hung below a message that is missing becomes a root. */
function nodeOps(items: readonly StoredNode[]): Op[] {
  const copied = new Set<string | null>(items.map(({ id }) => id));
  return items.map(({ id, parentId, section, type, at, data, bytes }): Op => {
    const node = { id, parentId: copied.has(parentId) ? parentId : null, section, type, at, data, bytes };
    return { op: 'node', node };
  });
}

function labelOps(items: readonly StoredNode[], { labels }: SessionExtras): Op[] {
  return items.flatMap(({ id }) =>
    Object.hasOwn(labels, id) ? [{ op: 'label', target: id, label: labels[id] as string }] : [],
  );
}

/** In several commits where it is much: the leaf comes with the last one. */
async function writeAll(storage: SessionStorage, id: string, ops: readonly Op[]): Promise<void> {
  for (const part of partsOf(ops, storage.capabilities.maxCommitBytes / 2))
    await storage.commit(id, { id: newId(), ops: part, keepLeaf: true });
}

function partsOf(ops: readonly Op[], maxBytes: number): readonly (readonly Op[])[] {
  const parts: Op[][] = [[]];
  let bytes = 0;
  for (const op of ops) {
    const size = op.op === 'node' ? (op.node as StoredNode).bytes : 0;
    const isFull = bytes + size > maxBytes || (parts.at(-1) as Op[]).length >= OPS_A_COMMIT;
    if (isFull) parts.push([]);
    bytes = isFull ? size : bytes + size;
    (parts.at(-1) as Op[]).push(op);
  }
  return parts;
}
