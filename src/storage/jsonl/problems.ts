import { checkLimit, readCursor } from '../check-query.ts';
import type { LogEntry, SessionState } from '../session-state.ts';
import type { Page, Problem } from '../storage.ts';
import type { FileSystem } from './files.ts';
import { findHeader, type Header } from './header.ts';
import { KnownIds } from './known-ids.ts';
import type { Line } from './lines.ts';
import { isNewer, type LineRecord } from './read-record.ts';
import { type LogWitness, SessionLog } from './session-log.ts';

/** How much of a line is shown, in bytes. */
const MAX_RAW = 2 ** 16;

interface OpenFile {
  readonly fs: FileSystem;
  readonly path: string;
  readonly fd: number;
}

/** What cannot be read as it should in a session's file, in its order. O(size of the file). */
export function findProblems(
  { fs, path, fd }: OpenFile,
  id: string,
  query: { readonly limit?: number; readonly cursor?: string } = {},
): Page<Problem> {
  const limit = checkLimit(query.limit, 'problems');
  const from = readCursor(query.cursor, (json) => (Number.isSafeInteger(json) ? (json as number) : undefined)) ?? 0;
  const { size } = fs.fstatSync(fd);
  const header = findHeader(fs, fd, size, id);
  const search = new ProblemSearch(path, header);
  const log = new SessionLog(fs, header, { witness: search });
  log.catchUp(fd, size);
  const found = search.finish();
  const items = found.slice(from, from + limit);
  return { items, next: from + limit < found.length ? String(from + limit) : null };
}

/** A line and its number. */
type At = Line & { readonly number: number };

/** A node whose parent is missing, and which problem says so. */
interface Orphan {
  readonly index: number;
  readonly id: string;
}

class ProblemSearch implements LogWitness {
  readonly #path: string;
  readonly #header: Header;
  readonly #problems: Problem[] = [];
  /** The problems of nodes whose parents are missing: a cycle is only seen at the end. */
  readonly #orphans: Orphan[] = [];
  readonly #parents = new Map<string, string | null>();
  #lines = 0;
  #hasHeader = false;
  #isFirst = true;

  constructor(path: string, header: Header) {
    this.#path = path;
    this.#header = header;
  }

  line(line: Line, record: LineRecord, isAccepted: boolean, state: SessionState): void {
    this.#lines++;
    const at = { ...line, number: this.#lines };
    if (record.kind === 'bad') this.#add(record.problem, at, record.detail);
    if (record.kind === 'header') this.#takeHeader(record.format, at);
    if (record.kind === 'commit') this.#takeUnknown(record.unknown, at);
    if (record.kind === 'commit' && isAccepted) this.#takeCommit(record.entry, at, state);
    if (record.kind !== 'blank') this.#isFirst = false;
  }

  /** All that was found. */
  finish(): readonly Problem[] {
    for (const { index, id } of this.#orphans) if (this.#isInCycle(id)) this.#turnIntoCycle(index);
    if (!this.#hasHeader) this.#addToFront('schema', 'no header: the file does not say which session it holds');
    else if (this.#header.flaw === 'other-id')
      this.#addToFront('schema', `a header that names another session, ${JSON.stringify(this.#header.birth.id)}`);
    return this.#problems;
  }

  #takeHeader(format: number, at: At): void {
    if (this.#hasHeader) return this.#add('schema', at, 'a second header: the first one counts');
    this.#hasHeader = true;
    if (isNewer(format)) this.#add('newer-format', at, `format ${format}: a newer version of the library wrote it`);
    else if (!this.#isFirst) this.#add('schema', at, 'a header that does not stand in the first line');
  }

  #takeUnknown(names: readonly string[], at: At): void {
    for (const name of names) this.#add('unknown-type', at, `a change of the unknown kind ${JSON.stringify(name)}`);
  }

  #takeCommit({ ops, leaf }: LogEntry, at: At, state: SessionState): void {
    const known = new KnownIds(state);
    for (const op of ops) {
      if (op.op === 'node') this.#takeNode(op.node, at, known);
      known.take(op);
    }
    if (leaf !== null && !known.has(leaf))
      this.#add('schema', at, `a leaf that is nowhere, ${JSON.stringify(leaf)}: the last node is taken for it`);
  }

  #takeNode(
    { id, parentId }: { readonly id: string; readonly parentId: string | null },
    at: At,
    known: KnownIds,
  ): void {
    if (known.has(id))
      return this.#add('duplicate-id', at, `a second node of the id ${JSON.stringify(id)}: the first one counts`);
    this.#parents.set(id, parentId);
    if (parentId === null || known.has(parentId)) return;
    const detail = `the node ${JSON.stringify(id)}, whose parent ${JSON.stringify(parentId)} does not stand before it`;
    this.#orphans.push({ index: this.#problems.length, id });
    this.#add('orphan', at, detail);
  }

  #isInCycle(id: string): boolean {
    const seen = new Set<string>();
    let at = this.#parents.get(id);
    while (typeof at === 'string' && at !== id && !seen.has(at)) {
      seen.add(at);
      at = this.#parents.get(at);
    }
    return at === id;
  }

  #turnIntoCycle(index: number): void {
    const problem = this.#problems[index] as Problem;
    this.#problems[index] = { ...problem, kind: 'cycle', detail: `${problem.detail}, and below which that one hangs` };
  }

  #add(kind: Problem['kind'], { bytes, start, end, number }: At, detail: string): void {
    const where = `${this.#path}:${number} (bytes ${start} to ${end})`;
    this.#problems.push({ kind, where, raw: bytes.toString('utf8', 0, MAX_RAW), detail });
  }

  #addToFront(kind: Problem['kind'], detail: string): void {
    this.#problems.unshift({ kind, where: `${this.#path}:1`, raw: null, detail });
  }
}
