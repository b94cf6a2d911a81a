import { freezeJson, type JsonObject, type JsonValue, setOwn } from '../schema/json.ts';
import type { CheckedCommit, CheckedNode } from './check-commit.ts';
import { checkExpectation, planCommit, type PlannedNode, type PlannedOp, type SessionView } from './plan-commit.ts';
import type {
  CommitResult,
  Durability,
  NodeRecord,
  SessionExtras,
  SessionHead,
  SectionRecord,
  StoredNode,
} from './storage.ts';
import { draftOf, StoredAsKnown, storedNode } from './state-nodes.ts';
import { StorageError } from './storage-error.ts';

/** A node whose data is text, as it was planned, or parsed already, as a log has it. */
export type Logged<Node extends { readonly text: string }> = Node | (Omit<Node, 'text'> & { readonly data: JsonValue });

/** A change as an entry has it. */
export type LoggedOp =
  | Exclude<PlannedOp, { readonly op: 'node' | 'draft' }>
  | { readonly op: 'node'; readonly node: Logged<PlannedNode> }
  | { readonly op: 'draft'; readonly id: string; readonly node: Logged<CheckedNode> | null };

/** An entry that is about to be written. */
export type PlannedEntry = LogEntry & { readonly ops: readonly PlannedOp[] };

/** A commit that was accepted: enough to make the same change again. */
export interface LogEntry {
  readonly id: string;
  readonly version: number;
  /** The place in the order that its first node or place gets; each further one gets the next. */
  readonly seq: number;
  /** The storage's clock. */
  readonly at: string;
  readonly fingerprint: string;
  readonly ops: readonly LoggedOp[];
  readonly leaf: string | null;
  /** The ids of all its nodes in order, also of those that were there already. */
  readonly nodes: readonly string[];
}

/** What a session begins as. */
export type SessionBirth = Pick<SessionHead, 'id' | 'epoch' | 'createdAt' | 'forkedFrom' | 'meta'> & {
  readonly params: JsonObject;
};

/** What a session holds beside its nodes, as JSON: enough to go on without them, save for drops and places. */
export interface StateSummary extends Pick<
  SessionHead,
  'version' | 'leaf' | 'seq' | 'updatedAt' | 'bytes' | 'nodeCount' | 'meta'
> {
  readonly labels: readonly (readonly [string, string])[];
  readonly params: readonly (readonly [string, JsonValue])[];
  readonly sections: readonly SectionRecord[];
  readonly drafts: readonly NodeRecord[];
  readonly hasPlaces: boolean;
}

type Made = Pick<LogEntry, 'version' | 'leaf' | 'fingerprint' | 'nodes'>;

/** A section of a session in memory. */
export interface SectionState {
  readonly record: SectionRecord;
  /** What stands in it, in order; a node that stands here a second time has the place's seq. */
  readonly nodes: StoredNode[];
  /** The ids of those that stand here a second time. */
  readonly placed: Set<string>;
}

/** A session in memory: what its commits made of it. Reads are in `session-reads.ts`. */
export class SessionState {
  readonly birth: SessionBirth;
  version = 0;
  leaf: string | null = null;
  seq = 0;
  updatedAt: string;
  bytes = 0;
  /** How many nodes had an id that was there already, or a parent that was not: only a damaged log has such. */
  flaws = 0;
  /** How many nodes of a restored state are not in it. */
  #absent = 0;
  #hasAbsentPlaces = false;
  /** All nodes in order. */
  order: StoredNode[] = [];
  readonly byId = new Map<string, StoredNode>();
  readonly sections = new Map<string, SectionState>();
  /** Made when it is asked for first, and kept up from then on: most sessions are read and written without it. */
  #childIds: Map<string | null, string[]> | undefined;
  readonly #labels = new Map<string, string>();
  readonly #params = new Map<string, JsonValue>();
  readonly #drafts = new Map<string, NodeRecord>();
  readonly #commits = new Map<string, Made>();
  #meta: JsonObject;

  constructor(birth: SessionBirth) {
    this.birth = birth;
    this.updatedAt = birth.createdAt;
    this.#meta = freezeJson(birth.meta);
    for (const key of Object.keys(birth.params)) this.#params.set(key, freezeJson(birth.params[key] as JsonValue));
  }

  /** A state that goes on from a summary. */
  static restore(birth: SessionBirth, { labels, params, sections, drafts, ...fields }: StateSummary): SessionState {
    const state = new SessionState({ ...birth, params: {} });
    const { version, leaf, seq, updatedAt, bytes } = fields;
    Object.assign(state, { version, leaf, seq, updatedAt, bytes });
    state.#absent = fields.nodeCount;
    state.#hasAbsentPlaces = fields.hasPlaces;
    state.#meta = freezeJson(fields.meta);
    for (const [target, label] of labels) state.#labels.set(target, label);
    for (const [key, value] of params) state.#params.set(key, freezeJson(value));
    for (const record of sections) state.#declare({ op: 'section', ...record });
    for (const draft of drafts) state.#drafts.set(draft.id, { ...draft, data: freezeJson(draft.data) });
    return state;
  }

  /** What it holds beside its nodes. */
  summary(): StateSummary {
    const { version, leaf, seq, updatedAt, bytes, nodeCount, meta } = this.head();
    const fields = { version, leaf, seq, updatedAt, bytes, nodeCount, meta };
    return {
      ...fields,
      labels: [...this.#labels],
      params: [...this.#params],
      sections: Array.from(this.sections.values(), ({ record }) => record),
      drafts: [...this.#drafts.values()],
      hasPlaces: this.hasPlaces,
    };
  }

  /** Whether a node stands in a second section. */
  get hasPlaces(): boolean {
    return this.#hasAbsentPlaces || Array.from(this.sections.values()).some(({ placed }) => placed.size > 0);
  }

  /** What is known of it without its nodes. */
  head(): SessionHead {
    const { id, epoch, createdAt, forkedFrom } = this.birth;
    const { version, leaf, seq, updatedAt, bytes } = this;
    const [nodeCount, meta] = [this.#absent + this.byId.size, this.#meta];
    return {
      id,
      epoch,
      version,
      leaf,
      seq,
      createdAt,
      updatedAt,
      expiresAt: null,
      format: 1,
      nodeCount,
      bytes,
      forkedFrom,
      meta,
    };
  }

  /** Labels, parameters, sections and drafts. */
  extras(): SessionExtras {
    return {
      labels: recordOf(this.#labels) as Record<string, string>,
      params: recordOf(this.#params),
      sections: Array.from(this.sections.values(), ({ record }) => record),
      drafts: [...this.#drafts.values()],
    };
  }

  /** What an earlier commit of this id did; undefined where there was none. */
  made({ id, fingerprint }: CheckedCommit, durable: Durability): CommitResult | undefined {
    const made = this.#commits.get(id);
    if (made === undefined) return undefined;
    if (made.fingerprint === fingerprint) return this.#result('duplicate', made, durable);
    throw commitConflict(id);
  }

  /** Whether a commit of this id was accepted. */
  has(commitId: string): boolean {
    return this.#commits.has(commitId);
  }

  /** What an entry did that was just applied. */
  result(entry: LogEntry, durable: Durability): CommitResult {
    return this.#result('applied', entry, durable);
  }

  #result(status: CommitResult['status'], { version, leaf, nodes }: Made, durable: Durability): CommitResult {
    const places: CommitResult['nodes'][number][] = [];
    for (const id of nodes) {
      const node = this.byId.get(id);
      if (node === undefined) continue;
      const { parentId, seq, depth } = node;
      places.push({ id, parentId, seq, depth });
    }
    return { status, version, leaf, durable, nodes: places };
  }

  /**
   * What a commit is to do, as an entry to be written and applied.
   *
   * @throws StorageError `CONFLICT`, `DELETED`, and those of {@link planCommit}
   */
  entryFor(commit: CheckedCommit, at: string): PlannedEntry {
    const { id, epoch } = this.birth;
    checkExpectation(commit.expect, { id, epoch, version: this.version, leaf: this.leaf });
    const { ops, leaf, nodes } = planCommit(viewOf(this), commit);
    const { fingerprint } = commit;
    return { id: commit.id, version: this.version + 1, seq: this.seq + 1, at, fingerprint, ops, leaf, nodes };
  }

  /** Makes the changes of an accepted entry. */
  apply({ id, version, seq, at, fingerprint, ops, leaf, nodes }: LogEntry): void {
    this.seq = Math.max(this.seq, seq - 1);
    for (const op of ops) this.#make(op);
    this.version = version;
    this.leaf = leaf;
    this.updatedAt = at;
    this.#commits.set(id, { version, leaf, fingerprint, nodes });
  }

  #make(op: LoggedOp): void {
    switch (op.op) {
      case 'node':
        return this.#add(op.node);
      case 'draft':
        return setOrDelete(this.#drafts, op.id, op.node === null ? undefined : draftOf(op.node));
      case 'label':
        return setOrDelete(this.#labels, op.target, op.label ?? undefined);
      case 'section':
        return this.#declare(op);
      case 'place':
        return this.#place(op.id, op.section);
      case 'drop':
        return this.#drop(new Set(op.ids));
      case 'reset':
        return this.#reset();
      case 'param':
        return setOrDelete(this.#params, op.key, op.value === undefined ? undefined : freezeJson(op.value));
      case 'meta':
        this.#meta = patched(this.#meta, op.patch);
    }
  }

  /** Of two nodes with one id, which only a damaged log has, the first one counts. */
  #add(planned: Logged<PlannedNode>): void {
    if (this.byId.has(planned.id)) {
      this.flaws++;
      return;
    }
    const node = storedNode(planned, ++this.seq);
    if (!this.#isParentThere(node)) this.flaws++;
    if (this.#childIds !== undefined) this.#siblings(this.#childIds, node).push(node.id);
    this.order.push(node);
    this.byId.set(node.id, node);
    this.#section(node.section).nodes.push(node);
    this.bytes += node.bytes;
    this.#drafts.delete(node.id);
  }

  /** The ids of the nodes below each one, and below null those of the roots. */
  get childIds(): ReadonlyMap<string | null, readonly string[]> {
    return this.#allChildIds();
  }

  #allChildIds(): Map<string | null, string[]> {
    if (this.#childIds !== undefined) return this.#childIds;
    const all = (this.#childIds = new Map<string | null, string[]>());
    for (const node of this.order) this.#siblings(all, node).push(node.id);
    return all;
  }

  /** The ids below a node's parent; whose parent was missing when it came stands among the roots. */
  #siblings(all: Map<string | null, string[]>, { parentId, seq }: StoredNode): string[] {
    const parent = parentId === null ? undefined : this.byId.get(parentId);
    return listOf(all, parent !== undefined && parent.seq < seq ? parentId : null);
  }

  /** In a chain it is the last one, which spares looking it up. */
  #isParentThere({ parentId }: StoredNode): boolean {
    return parentId === null || parentId === this.order.at(-1)?.id || this.byId.has(parentId);
  }

  #section(name: string): SectionState {
    const known = this.sections.get(name);
    if (known !== undefined) return known;
    const section: SectionState = { record: Object.freeze({ name }), nodes: [], placed: new Set() };
    this.sections.set(name, section);
    return section;
  }

  #declare({ name, policy, extra }: PlannedOp & { readonly op: 'section' }): void {
    const section = this.#section(name);
    const { record } = section;
    const declared = {
      ...record,
      ...(policy && { policy: freezeJson(policy) }),
      ...(extra && { extra: freezeJson(extra) }),
    };
    this.sections.set(name, { ...section, record: Object.freeze(declared) });
  }

  #place(id: string, section: string): void {
    const seq = ++this.seq;
    const node = this.byId.get(id);
    if (node === undefined) return;
    const { nodes, placed } = this.#section(section);
    nodes.push(Object.freeze({ ...node, section, seq }));
    placed.add(id);
  }

  #drop(ids: ReadonlySet<string>): void {
    const stays = ({ id }: StoredNode): boolean => !ids.has(id);
    for (const id of ids) this.#forget(id);
    this.order = this.order.filter(stays);
    for (const [name, section] of this.sections) {
      for (const id of ids) section.placed.delete(id);
      this.sections.set(name, { ...section, nodes: section.nodes.filter(stays) });
    }
  }

  #forget(id: string): void {
    const node = this.byId.get(id);
    if (node === undefined) return;
    const childIds = this.#allChildIds();
    const siblings = this.#siblings(childIds, node);
    const at = siblings.indexOf(id);
    if (at >= 0) siblings.splice(at, 1);
    this.bytes -= node.bytes;
    this.byId.delete(id);
    childIds.delete(id);
    this.#labels.delete(id);
  }

  #reset(): void {
    this.order = [];
    this.bytes = this.#absent = 0;
    this.#hasAbsentPlaces = false;
    this.#childIds = undefined;
    for (const map of [this.byId, this.sections, this.#labels, this.#params, this.#drafts]) map.clear();
  }
}

/** What a plan asks of a session in memory. */
function viewOf(state: SessionState): SessionView {
  return {
    leaf: state.leaf,
    node: (id) => {
      const node = state.byId.get(id);
      return node && new StoredAsKnown(node);
    },
    children: (id) => state.childIds.get(id) ?? [],
  };
}

function setOrDelete<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function listOf<Key>(map: Map<Key, string[]>, key: Key): string[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const list: string[] = [];
  map.set(key, list);
  return list;
}

function recordOf(map: ReadonlyMap<string, JsonValue>): JsonObject {
  const record: Record<string, JsonValue> = {};
  for (const [key, value] of map) setOwn(record, key, value);
  return record;
}

/** With the entries of a patch; null removes one. */
export function patched(meta: JsonObject, patch: JsonObject): JsonObject {
  const entries = new Map(Object.entries(meta));
  for (const [key, value] of Object.entries(patch)) setOrDelete(entries, key, value ?? undefined);
  return freezeJson(recordOf(entries));
}

/** The error of a commit id that stands for another commit. */
export function commitConflict(id: string): StorageError {
  return new StorageError(
    'ID_CONFLICT',
    `commit ${JSON.stringify(id)}: another commit of this id was made. A retry gives the same messages, with their ids and times; else give each commit an id of its own.`,
    { path: id, value: id },
  );
}
