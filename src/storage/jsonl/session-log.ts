import { type LoggedOp, type LogEntry, type PlannedEntry, SessionState, type StateSummary } from '../session-state.ts';
import type { SessionHead } from '../storage.ts';
import { type FileSystem, readAt } from './files.ts';
import type { Header } from './header.ts';
import { type Line, linesOf } from './lines.ts';
import { PlainLines } from './plain-lines.ts';
import { type LineRecord, readRecord } from './read-record.ts';
import { isOfNodes } from './write-record.ts';

/** What is found while the lines of a log are taken; the problems of a session are told from it. */
export interface LogWitness {
  /** A line, what it says, and whether a commit was accepted. Called before the commit is applied. */
  line(line: Line, record: LineRecord, isAccepted: boolean, state: SessionState): void;
}

/** A place in a log, and what the session was there, without its nodes. */
export interface LogIndex {
  readonly epoch: string;
  readonly offset: number;
  /** The bytes before the offset, in base64. */
  readonly mark: string;
  readonly ignored: readonly number[];
  readonly summary: StateSummary;
}

/** How a log is to be read. */
export interface LogOptions {
  readonly witness?: LogWitness;
  /** Where to begin. */
  readonly index?: LogIndex | undefined;
}

/** As many bytes before a place as tell whether a file is still the same up to there. */
const MARK = 64;

/**
 * A session as its file says: its lines are taken in their order, and a commit counts when its version is greater than
 * that before it and its id is new. All readers do the same, so all see the same session.
 */
export class SessionLog {
  readonly header: Header;
  readonly state: SessionState;
  /** All before this place has been taken. */
  offset = 0;
  /** Whether the file ends in a line without an end. */
  endsOpen = false;
  /** Where the commits begin that do not count. */
  readonly ignored: number[];
  /** How far an index of it reaches. */
  indexedTo: number;
  /** Whether its nodes were left out that are older than the index. */
  readonly isPartial: boolean;
  /** Whether the state is right, also without those nodes. */
  isSound = true;
  /** Where nodes can be copied from as they are. */
  readonly plainLines = new PlainLines();
  readonly #fs: FileSystem;
  readonly #witness: LogWitness | undefined;
  /** The bytes before the offset. */
  #mark: Buffer;
  /** Whether the last line that was taken had no end. */
  #isLastOpen = false;

  constructor(fs: FileSystem, header: Header, { witness, index }: LogOptions = {}) {
    this.#fs = fs;
    this.header = header;
    this.state = index ? SessionState.restore(header.birth, index.summary) : new SessionState(header.birth);
    this.#witness = witness;
    this.isPartial = index !== undefined;
    this.ignored = [...(index?.ignored ?? [])];
    this.offset = this.indexedTo = index?.offset ?? 0;
    this.#mark = Buffer.from(index?.mark ?? '', 'base64');
  }

  /** What a later reader can go on from. */
  index(): LogIndex {
    const { offset, ignored, state } = this;
    return { epoch: state.birth.epoch, offset, mark: this.#mark.toString('base64'), ignored, summary: state.summary() };
  }

  head(): SessionHead {
    return { ...this.state.head(), format: this.header.format };
  }

  /**
   * Takes what was appended to the file. Another file, or one that was cut or changed before the offset, is not taken:
   * false. O(what was appended).
   */
  catchUp(fd: number, size: number): boolean {
    if (!this.#fits(fd, size)) return false;
    this.endsOpen = this.#isLastOpen;
    if (size === this.offset) return true;
    for (const line of linesOf(this.#fs, fd, this.offset, size)) {
      if (this.#isLastOpen && line.bytes.length > 0) return false;
      this.#take(line);
    }
    this.#mark = readAt(this.#fs, fd, Math.max(0, this.offset - MARK), Math.min(MARK, this.offset));
    return true;
  }

  /** Takes a commit that was just written behind all that has been taken. */
  add(entry: PlannedEntry, line: Buffer): void {
    this.state.apply(entry);
    if (isOfNodes(entry) && entry.nodes.length === entry.ops.length)
      this.plainLines.note(entry, { start: this.offset, bytes: line.subarray(0, -1) });
    this.offset += line.length;
    this.#mark = line.length >= MARK ? line.subarray(-MARK) : Buffer.concat([this.#mark, line]).subarray(-MARK);
  }

  #fits(fd: number, size: number): boolean {
    const { length } = this.#mark;
    return size >= this.offset && readAt(this.#fs, fd, this.offset - length, length).equals(this.#mark);
  }

  /** A last line without an end counts when it is whole; else it may still grow, and is looked at again. */
  #take(line: Line): void {
    const record = readRecord(line.bytes);
    const isAccepted = record.kind === 'commit' && this.#isNext(record.entry);
    this.#witness?.line(line, record, isAccepted, this.state);
    this.#isLastOpen = !line.isEnded && record.kind !== 'bad';
    this.endsOpen = !line.isEnded;
    if (isAccepted) this.#apply(record.entry);
    else if (record.kind === 'commit') this.ignored.push(line.start);
    if (isAccepted && record.isPlain) this.plainLines.note(record.entry, line);
    if (line.isEnded || this.#isLastOpen) this.offset = line.end;
  }

  #isNext({ id, version }: { readonly id: string; readonly version: number }): boolean {
    return version > this.state.version && !this.state.has(id);
  }

  /** A leaf that is nowhere, which only a damaged log has, is the last node instead. */
  #apply(entry: LogEntry): void {
    const { state, isPartial } = this;
    if (entry.seq <= state.seq || (isPartial && entry.ops.some(needsNodes))) this.isSound = false;
    state.apply(entry);
    if (isPartial || state.leaf === null || state.byId.has(state.leaf)) return;
    state.leaf = state.order.at(-1)?.id ?? null;
    this.isSound = false;
  }
}

function needsNodes({ op }: LoggedOp): boolean {
  return op === 'drop' || op === 'place';
}
