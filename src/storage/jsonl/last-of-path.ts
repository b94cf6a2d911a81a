import { checkLimit } from '../check-query.ts';
import type { LoggedOp } from '../session-state.ts';
import { storedNode } from '../state-nodes.ts';
import type { NodePath, PathQuery, StoredNode } from '../storage.ts';
import type { FileSystem } from './files.ts';
import { linesBackwards } from './lines.ts';
import { readRecord } from './read-record.ts';
import type { SessionLog } from './session-log.ts';

/** How far back a path is followed, in bytes: after that the whole file is read, and kept in memory. */
const MAX_BYTES = 8 * 2 ** 20;

/**
 * The newest nodes of a path of a session in part, found from the end of the file; undefined where that would not be enough. O(what lies
 * behind the oldest of them).
 */
export function lastOfPath(fs: FileSystem, fd: number, log: SessionLog, query: PathQuery = {}): NodePath | undefined {
  const walk = new Walk(log, query);
  const ignored = new Set(log.ignored);
  for (const { bytes, start } of linesBackwards(fs, fd, log.offset)) {
    if (walk.found !== undefined || walk.isLost || start < log.offset - MAX_BYTES) break;
    const record = ignored.has(start) ? undefined : readRecord(bytes);
    if (record?.kind === 'commit') walk.take(record.entry.ops, record.entry.seq);
  }
  return walk.found;
}

class Walk {
  found: NodePath | undefined;
  /** Whether the node that is looked for cannot come any more, or only the whole session tells where it stands. */
  isLost: boolean;
  #wanted: string | null;
  readonly #limit: number;
  readonly #section: string | undefined;
  readonly #stopAt: string | undefined;
  readonly #items: StoredNode[] = [];

  constructor({ state }: SessionLog, { to = state.leaf, limit, section, stopAt }: PathQuery) {
    this.#wanted = to;
    this.#limit = checkLimit(limit, 'path');
    this.#section = section;
    this.#stopAt = stopAt;
    this.isLost = section !== undefined && state.hasPlaces;
    if (to === null || to === stopAt) this.isLost = true;
  }

  /** The changes of a commit, from the last to the first. */
  take(ops: readonly LoggedOp[], firstSeq: number): void {
    let seq = firstSeq + ops.filter(takesPlace).length;
    for (const op of ops.toReversed()) {
      if (takesPlace(op)) seq--;
      if (op.op === 'node' && op.node.id === this.#wanted) this.#add(storedNode(op.node, seq));
      if (op.op === 'reset' || (op.op === 'drop' && op.ids.includes(this.#wanted as string))) this.isLost = true;
      if (this.found !== undefined || this.isLost) return;
    }
  }

  #add(node: StoredNode): void {
    const { section, parentId } = node;
    if (this.#section === undefined || section === this.#section) this.#items.push(node);
    this.#wanted = parentId;
    if (parentId === null || parentId === this.#stopAt) this.#finish(false);
    else if (this.#items.length === this.#limit) this.#finish(true);
  }

  #finish(truncated: boolean): void {
    this.found = { items: this.#items.toReversed(), truncated };
  }
}

/** Whether a change is given a place in the session's order. */
function takesPlace({ op }: LoggedOp): boolean {
  return op === 'node' || op === 'place';
}
