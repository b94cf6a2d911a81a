import type { CheckedCommit, CheckedNode, CheckedOp } from './check-commit.ts';
import type { SessionHead, StoredNode } from './storage.ts';
import { StorageError } from './storage-error.ts';

/** A node that is to be added, its place in the tree found. */
export type PlannedNode = Omit<StoredNode, 'seq' | 'data'> & { readonly text: string };

/** A change to be made as it stands: nothing is left to be looked up. */
export type PlannedOp =
  | Exclude<CheckedOp, { readonly op: 'node' | 'leaf' }>
  | { readonly op: 'node'; readonly node: PlannedNode };

/** What a commit does to a session. */
export interface Plan {
  readonly ops: readonly PlannedOp[];
  /** The leaf afterwards. */
  readonly leaf: string | null;
  /** The ids of all its nodes in order, also of those that were there already. */
  readonly nodes: readonly string[];
}

/** As much of a known node as a plan needs. */
export type KnownNode = Pick<StoredNode, 'parentId' | 'depth' | 'section' | 'type'> & { readonly text: string };

/** The session as it is, looked at while a commit is planned. */
export interface SessionView {
  readonly leaf: string | null;
  /** A node that is there. */
  node(id: string): KnownNode | undefined;
  /** The ids of the nodes directly below one. */
  children(id: string): Iterable<string>;
}

/**
 * What a commit is to do: every parent found, nodes that are there already left out.
 *
 * @throws StorageError `PARENT_NOT_FOUND`, `NOT_FOUND` (a leaf, label or place of no node), `ID_CONFLICT`
 */
export function planCommit(view: SessionView, commit: CheckedCommit): Plan {
  return new Planning(view, commit.keepLeaf).plan(commit.ops);
}

/**
 * Refuses a commit whose caller expected another state.
 *
 * @throws StorageError `DELETED`, `CONFLICT`
 */
export function checkExpectation(
  { epoch, version, leaf }: CheckedCommit['expect'],
  actual: Pick<SessionHead, 'id' | 'epoch' | 'version' | 'leaf'>,
): void {
  const where = `session ${JSON.stringify(actual.id)}`;
  if (epoch !== undefined && epoch !== actual.epoch)
    throw new StorageError('DELETED', `${where}: it was deleted and created again. Open it again.`, {
      path: actual.id,
    });
  const wrong = version !== undefined && version !== actual.version ? ['version', version, actual.version] : undefined;
  const [what, expected, got] =
    wrong ?? (leaf !== undefined && leaf !== actual.leaf ? ['leaf', leaf, actual.leaf] : []);
  if (what === undefined) return;
  throw new StorageError(
    'CONFLICT',
    `${where}: expected ${what} ${JSON.stringify(expected)}, got ${JSON.stringify(got)}: someone else has written. Load it again, or say onConflict: 'rebase' or 'fork'.`,
    { path: actual.id, value: expected, actual: { version: actual.version, leaf: actual.leaf } },
  );
}

class Planning {
  readonly #view: SessionView;
  readonly #keepLeaf: boolean;
  #leaf: string | null;
  /** What a node without a parent hangs below. */
  #tip: string | null;
  #isReset = false;
  readonly #added = new Map<string, KnownNode>();
  readonly #childrenAdded = new Map<string, string[]>();
  readonly #dropped = new Set<string>();
  readonly #ops: PlannedOp[] = [];
  readonly #nodes: string[] = [];

  constructor(view: SessionView, keepLeaf: boolean) {
    this.#view = view;
    this.#keepLeaf = keepLeaf;
    this.#leaf = view.leaf;
    this.#tip = view.leaf;
  }

  plan(ops: readonly CheckedOp[]): Plan {
    for (const op of ops) this.#take(op);
    return { ops: this.#ops, leaf: this.#leaf, nodes: this.#nodes };
  }

  #take(op: CheckedOp): void {
    switch (op.op) {
      case 'node':
        return this.#append(op.node);
      case 'leaf':
        if (op.to !== null) this.#expect(op.to, 'the leaf is to be');
        this.#leaf = this.#tip = op.to;
        return;
      case 'label':
        this.#expect(op.target, 'a label is for');
        break;
      case 'place':
        this.#expect(op.id, 'a place is for');
        break;
      case 'drop':
        return this.#drop(op.ids);
      case 'reset':
        this.#reset();
        break;
      default:
    }
    this.#ops.push(op);
  }

  #append(node: CheckedNode): void {
    const { id, parentId = this.#tip, section, type, at, text } = node;
    const known = this.#find(id);
    if (known !== undefined) {
      this.#expectSame(known, node);
      this.#ops.push({ op: 'draft', id, node: null });
    } else {
      const depth = parentId === null ? 0 : this.#parent(parentId, id).depth + 1;
      const added = { id, parentId, section, type, at, depth, bytes: text.length, text };
      this.#added.set(id, added);
      if (parentId !== null) childrenOf(this.#childrenAdded, parentId).push(id);
      this.#ops.push({ op: 'node', node: added });
    }
    this.#nodes.push(id);
    this.#tip = id;
    if (!this.#keepLeaf) this.#leaf = id;
  }

  #find(id: string): KnownNode | undefined {
    const added = this.#added.get(id);
    return added ?? (this.#isReset || this.#dropped.has(id) ? undefined : this.#view.node(id));
  }

  #parent(parentId: string, id: string): KnownNode {
    const parent = parentId === id ? undefined : this.#find(parentId);
    if (parent !== undefined) return parent;
    throw new StorageError(
      'PARENT_NOT_FOUND',
      `node ${JSON.stringify(id)}: its parent ${JSON.stringify(parentId)} is not in the session. Append the parent first.`,
      { path: id, value: parentId },
    );
  }

  #expectSame(known: KnownNode, { id, parentId = known.parentId, section, type, text }: CheckedNode): void {
    const isSame =
      known.parentId === parentId && known.section === section && known.type === type && known.text === text;
    if (isSame) return;
    throw new StorageError(
      'ID_CONFLICT',
      `node ${JSON.stringify(id)}: the session has one of this id with other content. What is stored is not changed: append another node instead.`,
      { path: id, value: id },
    );
  }

  #expect(id: string, what: string): void {
    if (this.#find(id) !== undefined) return;
    throw new StorageError('NOT_FOUND', `${what} ${JSON.stringify(id)}, which is not in the session.`, {
      path: id,
      value: id,
    });
  }

  #reset(): void {
    this.#isReset = true;
    this.#leaf = this.#tip = null;
    this.#added.clear();
    this.#childrenAdded.clear();
    this.#dropped.clear();
  }

  /** All that nothing which stays hangs below. */
  #drop(ids: readonly string[]): void {
    const waiting = new Set(ids.filter((id) => this.#find(id) !== undefined));
    const stays = new Set<string>();
    for (const id of waiting) if (this.#hasOtherChildren(id, waiting)) this.#keep(id, waiting, stays);
    const gone = new Set([...waiting].filter((id) => !stays.has(id)));
    this.#leaf = this.#above(this.#leaf, gone);
    this.#tip = this.#above(this.#tip, gone);
    for (const id of gone) {
      this.#added.delete(id);
      this.#dropped.add(id);
    }
    if (gone.size > 0) this.#ops.push({ op: 'drop', ids: [...gone] });
  }

  /** The node itself, or the nearest above it that stays. */
  #above(id: string | null, gone: ReadonlySet<string>): string | null {
    let at = id;
    while (at !== null && gone.has(at)) at = this.#find(at)?.parentId ?? null;
    return at;
  }

  #hasOtherChildren(id: string, waiting: ReadonlySet<string>): boolean {
    return [...this.#children(id)].some((child) => !waiting.has(child));
  }

  #children(id: string): Iterable<string> {
    const added = (this.#childrenAdded.get(id) ?? []).filter((child) => this.#added.get(child)?.parentId === id);
    if (this.#isReset) return added;
    return [...Array.from(this.#view.children(id)).filter((child) => !this.#dropped.has(child)), ...added];
  }

  /** A node that is needed keeps all above it. */
  #keep(id: string, waiting: ReadonlySet<string>, stays: Set<string>): void {
    for (let at: string | null = id; at !== null && waiting.has(at) && !stays.has(at);) {
      stays.add(at);
      at = this.#find(at)?.parentId ?? null;
    }
  }
}

function childrenOf(map: Map<string, string[]>, id: string): string[] {
  const known = map.get(id);
  if (known !== undefined) return known;
  const children: string[] = [];
  map.set(id, children);
  return children;
}
