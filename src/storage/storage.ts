/// <reference lib="esnext.disposable" preserve="true" />
import type { JsonObject, JsonValue } from '../schema/json.ts';

/** What survives what: nothing but the process, a crash of the process, or a loss of power. */
export type Durability = 'memory' | 'process-crash' | 'power-loss';

/** One record of a session's tree, as a caller gives it. */
export interface NodeRecord {
  /** Made by the caller; unique in its session. 1 to 255 UTF-8 bytes of well-formed Unicode without control characters, as every id. */
  readonly id: string;
  /** The node that it hangs below; null: it is a root; undefined: below the node before it in the commit, the first one below the leaf. */
  readonly parentId?: string | null;
  /** The section that it stands in. */
  readonly section: string;
  /** `message`, or what the caller defines; unknown types are kept. */
  readonly type: string;
  /** The caller's clock, ISO 8601: to be shown, never used for order. */
  readonly at: string;
  /** Any JSON; it comes back with the same JSON text. */
  readonly data: JsonValue;
}

/** A record as it is kept. */
export interface StoredNode extends NodeRecord {
  readonly parentId: string | null;
  /** Its place in the order of the session: given by the storage, strictly increasing, with gaps. */
  readonly seq: number;
  /** How many nodes lie above it. */
  readonly depth: number;
  /** The length of its data's JSON text, in UTF-16 code units. */
  readonly bytes: number;
}

/** One change of a session. */
export type Op =
  /** Appends a node; the leaf moves to it unless the commit says `keepLeaf`. A draft of its id is gone. */
  | { readonly op: 'node'; readonly node: NodeRecord }
  /** Keeps a node aside that is still growing, instead of an earlier draft of its id; null discards the draft. */
  | { readonly op: 'draft'; readonly id: string; readonly node: NodeRecord | null }
  /** Moves the leaf: null is before the first node. */
  | { readonly op: 'leaf'; readonly to: string | null }
  /** One label a node; null removes it. */
  | { readonly op: 'label'; readonly target: string; readonly label: string | null }
  /** Declares a section, in order: empty sections live by it. What is left out of a policy or extra fields stays. */
  | { readonly op: 'section'; readonly name: string; readonly policy?: JsonObject; readonly extra?: JsonObject }
  /** The node stands in this section too, behind what is there. */
  | { readonly op: 'place'; readonly id: string; readonly section: string }
  /** Removes these nodes, save those that one which stays hangs below; a leaf among them moves up. Unknown ids are left alone. */
  | { readonly op: 'drop'; readonly ids: readonly string[] }
  /** Starts anew: no node, section, label, draft or parameter from before can be reached. */
  | { readonly op: 'reset' }
  /** Sets a parameter; undefined removes it. */
  | { readonly op: 'param'; readonly key: string; readonly value: JsonValue | undefined }
  /** Sets entries of the session's own metadata (title, tags …); null removes one. */
  | { readonly op: 'meta'; readonly patch: JsonObject };

/** What the caller has read, and expects still to be so. */
export interface Expectation {
  /** The incarnation of the session: another one was deleted and created again. */
  readonly epoch?: string;
  readonly version?: number;
  readonly leaf?: string | null;
}

/** Changes that are made all or none. */
export interface Commit {
  /** The idempotency key of the whole batch: the same commit again changes nothing. */
  readonly id: string;
  readonly ops: readonly Op[];
  readonly expect?: Expectation;
  /** New nodes do not move the leaf. */
  readonly keepLeaf?: boolean;
}

/** Where a node of a commit came to stand. */
export type NodePlace = Pick<StoredNode, 'id' | 'parentId' | 'seq' | 'depth'>;

/** What became of a commit. */
export interface CommitResult {
  /** `duplicate`: the commit had been made before, and this is what it did then. */
  readonly status: 'applied' | 'duplicate';
  /** The number of accepted commits, this one included. */
  readonly version: number;
  readonly leaf: string | null;
  /** What was really reached. */
  readonly durable: Durability;
  /** Where its nodes stand, in the order of its operations; of a duplicate those that are still there. */
  readonly nodes: readonly NodePlace[];
}

/** What a session was forked from. */
export interface ForkOrigin {
  readonly session: string;
  readonly node: string | null;
}

/** What is known of a session without reading its nodes. */
export interface SessionHead {
  readonly id: string;
  /** Another one for each time that the id is created. */
  readonly epoch: string;
  /** The number of accepted commits. */
  readonly version: number;
  readonly leaf: string | null;
  /** The highest place in the order that was given. */
  readonly seq: number;
  /** The storage's clock, ISO 8601 in UTC with milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the storage may remove it by itself; null: never. The storages of this library never do. */
  readonly expiresAt: string | null;
  /** The version of the storage's own format. */
  readonly format: number;
  readonly nodeCount: number;
  /** The sum of its nodes' `bytes`. */
  readonly bytes: number;
  readonly forkedFrom: ForkOrigin | null;
  readonly meta: JsonObject;
}

/** What a new session begins with. */
export interface SessionInit {
  readonly meta?: JsonObject;
  readonly params?: JsonObject;
  readonly forkedFrom?: ForkOrigin | null;
}

/** One page of a list, and where the next one begins: null at the end. */
export interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

/** Something that was found in a storage and cannot be read as it should. It stays where it is. */
export interface Problem {
  readonly kind: 'torn' | 'syntax' | 'schema' | 'unknown-type' | 'orphan' | 'cycle' | 'duplicate-id' | 'newer-format';
  /** Where: a file with line and byte offset, a table with key. */
  readonly where: string;
  /** What stands there, cut at 64 KiB; null where there is nothing to show. */
  readonly raw: string | null;
  readonly detail: string;
}

/** Which sessions. */
export interface ListQuery {
  /** 1 to 1 000; default: 100. */
  readonly limit?: number;
  readonly cursor?: string;
  /** Only ids that begin with this text; no character has a meaning of its own. */
  readonly prefix?: string;
  /** The newest first by this time; default: `updated`. */
  readonly order?: 'updated' | 'created';
  /** Only sessions whose metadata has these entries. */
  readonly meta?: JsonObject;
}

/** Which nodes, in the order of the session. */
export interface ScanQuery {
  /** Only what stands in this section. What stands there a second time has the `seq` of that place. */
  readonly section?: string;
  /** Only what hangs directly below this node; null: only roots. */
  readonly parent?: string | null;
  /** Only nodes that none hangs below. */
  readonly leaves?: boolean;
  /** Only what comes behind this place. */
  readonly after?: number;
  /** Only what comes before this place. */
  readonly before?: number;
  /** 1 to 10 000; default: 1 000. */
  readonly limit?: number;
  readonly dir?: 'asc' | 'desc';
}

/** Which path from the root. */
export interface PathQuery {
  /** Its end; default: the leaf. Null: the empty path. */
  readonly to?: string | null;
  /** How many of the newest, counted after the section's choice: 1 to 10 000; default: 10 000. */
  readonly limit?: number;
  /** Only what stands in this section. */
  readonly section?: string;
  /** Begins behind this node. */
  readonly stopAt?: string;
}

/** A path from the root downwards. */
export interface NodePath {
  readonly items: StoredNode[];
  /** Whether there is more of the path above: behind the limit, or behind a parent that is missing. */
  readonly truncated: boolean;
}

/** A section as it was declared, or first used. */
export interface SectionRecord {
  readonly name: string;
  readonly policy?: JsonObject;
  readonly extra?: JsonObject;
}

/** What a session holds beside its nodes. */
export interface SessionExtras {
  readonly labels: Readonly<Record<string, string>>;
  readonly params: JsonObject;
  /** In the order of their first mention. */
  readonly sections: readonly SectionRecord[];
  /** Nodes that were growing when they were last written. */
  readonly drafts: readonly NodeRecord[];
}

/** What of a session goes into a new one. */
export interface ForkRequest {
  /** The id of the new session. */
  readonly id: string;
  /** The end of the path, and the new leaf; null: before the first node. Default: the leaf. */
  readonly at?: string | null;
  /** All branches instead of the path; default: false. */
  readonly whole?: boolean;
}

/** How a commit is written. */
export interface CommitOptions {
  /** Heeded until the write begins; after that the promise settles with what really happened. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown };
  /** Asks for more than the storage reaches by itself; heeded where it can be, `durable` of the result says what was reached. */
  readonly durability?: Durability;
}

/** What a storage can do, and how much it takes. */
export interface StorageCapabilities {
  /** Whether several processes may use it at once. */
  readonly multiProcess: boolean;
  readonly durability: Durability;
  /** Whether it keeps to the transactions of a database. */
  readonly transactions: boolean;
  /** The most that the data of one commit may take, in UTF-16 code units of JSON text. */
  readonly maxCommitBytes: number;
  /** The most that one node's data may take. */
  readonly maxNodeBytes: number;
}

/**
 * What the author of a storage writes: ten methods, one of which writes, and one more that may be left out. `storageConformance` in the testing kit
 * says whether it keeps its promises; {@link Sessions} is what programs use.
 *
 * Order is the storage's own, never a time. What is returned is fresh or frozen; what is given is copied. All errors
 * are {@link StorageError}.
 */
export interface SessionStorage extends AsyncDisposable {
  readonly capabilities: StorageCapabilities;
  /** Makes an empty session; `ALREADY_EXISTS` where the id is in use. */
  create(id: string, init?: SessionInit): Promise<SessionHead>;
  /** What is known of a session without its nodes; null where there is none. */
  head(id: string): Promise<SessionHead | null>;
  /** The sessions, newest first. */
  list(query?: ListQuery): Promise<Page<SessionHead>>;
  /**
   * Makes all changes or none. First a commit of this id is looked for, then what is expected: so a retry finds
   * what it did, however much happened since.
   */
  commit(id: string, commit: Commit, options?: CommitOptions): Promise<CommitResult>;
  /** Nodes by their ids, in that order; null for those that are not there. */
  nodes(id: string, ids: readonly string[]): Promise<(StoredNode | null)[]>;
  /** Nodes in the order of the session; the cursor `next` is the `after` (or `before`) of the next page. */
  scan(id: string, query?: ScanQuery): Promise<Page<StoredNode>>;
  /** The newest nodes of a path, from the root downwards. */
  path(id: string, query?: PathQuery): Promise<NodePath>;
  /** Labels, parameters, sections and drafts. */
  extras(id: string): Promise<SessionExtras>;
  /** What cannot be read as it should. */
  problems(id: string, query?: { readonly limit?: number; readonly cursor?: string }): Promise<Page<Problem>>;
  /** Removes a session with all it holds; false where there is none. */
  delete(id: string, options?: { readonly expectVersion?: number }): Promise<boolean>;
  /**
   * May be left out, then `Sessions` reads and writes what is copied. Copies a session inside the storage, so that
   * nobody ever sees a part of the copy: nodes with their ids, what else is on the path (labels, places, sections that
   * something stands in or that say something), all parameters and metadata; no drafts, and no commits. False, and
   * nothing is done, where it had rather be read and written.
   *
   * `NOT_FOUND` where the session or the node is missing, `ALREADY_EXISTS` where the new id is in use.
   */
  fork?(id: string, request: ForkRequest): Promise<boolean>;
}
