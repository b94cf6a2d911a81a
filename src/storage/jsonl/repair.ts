import { createHash } from 'node:crypto';
import { newId } from '../../internal/ids.ts';
import { parseJsonText } from '../../internal/json-text.ts';
import type { LogEntry, SessionState } from '../session-state.ts';
import { StorageError } from '../storage-error.ts';
import { readAt, withFile } from './files.ts';
import type { Folder } from './folder.ts';
import { expectWritable, findHeader, type Header } from './header.ts';
import { KnownIds } from './known-ids.ts';
import type { Line } from './lines.ts';
import type { LineRecord } from './read-record.ts';
import { type LogWitness, SessionLog } from './session-log.ts';
import { headerLine, sealed } from './write-record.ts';

/** What was done to a session's file. */
export interface RepairResult {
  /** The file as it was before; null where nothing was to be done. */
  readonly backup: string | null;
  /** How many lines were left out: what cannot be read, and commits that do not count. */
  readonly removed: number;
  /** How many lines were changed: a node of an id that was there before was left out, or a leaf that is nowhere set right. */
  readonly changed: number;
}

const NEWLINE = Buffer.from('\n');
const NOTHING: RepairResult = { backup: null, removed: 0, changed: 0 };

/** Puts a clean file in the place of a session's, after the file as it was has been copied. */
export async function repairFile(folder: Folder, path: string, id: string): Promise<RepairResult> {
  const { before, cleaning, header } = withFile(folder.fs, path, 'read', (fd) => clean(folder, path, fd, id));
  const after = Buffer.concat(cleaning.lines(header));
  if (after.equals(before)) return NOTHING;
  const backup = `${path}.bad-${createHash('sha256').update(before).digest('hex').slice(0, 12)}`;
  await folder.create(backup, { pieces: () => [before] });
  await folder.replace(path, after);
  return { backup, removed: cleaning.removed, changed: cleaning.changed };
}

function clean({ fs }: Folder, path: string, fd: number, id: string) {
  const { size } = fs.fstatSync(fd);
  const header = findHeader(fs, fd, size, id);
  if (header.flaw !== 'missing') expectWritable(header, path);
  const cleaning = new Cleaning();
  const log = new SessionLog(fs, header, { witness: cleaning });
  log.catchUp(fd, size);
  if (header.flaw === 'missing' && log.state.version === 0) throw notOurs(path);
  return { before: readAt(fs, fd, 0, size), cleaning, header };
}

function notOurs(path: string): StorageError {
  const message = `${path}: nothing in it is a session's, so it is left as it is. Move it away.`;
  return new StorageError('DAMAGED', message, { path });
}

/** Gathers the lines that a clean file has. */
class Cleaning implements LogWitness {
  removed = 0;
  changed = 0;
  #header: Buffer | undefined;
  #firstTime: string | undefined;
  readonly #lines: Buffer[] = [];

  line({ bytes }: Line, record: LineRecord, isAccepted: boolean, state: SessionState): void {
    if (record.kind === 'header' && this.#header === undefined) this.#header = withoutMark(bytes);
    else if (record.kind === 'commit' && isAccepted) this.#take(bytes, record.entry, state);
    else if (record.kind === 'bad' && record.problem === 'unknown-type') this.#lines.push(bytes, NEWLINE);
    else if (record.kind !== 'blank') this.removed++;
  }

  /** All lines, their ends among them; a header that is missing is made up. */
  lines({ birth }: Header): Buffer[] {
    const createdAt = this.#firstTime ?? birth.createdAt;
    const header = this.#header ?? headerLine({ ...birth, epoch: newId(), createdAt }).subarray(0, -1);
    return [header, NEWLINE, ...this.#lines];
  }

  #take(bytes: Buffer, entry: LogEntry, state: SessionState): void {
    this.#firstTime ??= entry.at;
    const [kept, leaf] = sound(entry, state);
    const isSound = kept.size === entry.ops.length && leaf === entry.leaf;
    if (!isSound) this.changed++;
    this.#lines.push(isSound ? trimmedEnd(bytes) : rewritten(bytes, entry, kept, leaf), NEWLINE);
  }
}

/** The changes that count, and the leaf that there is. */
function sound({ ops, leaf }: LogEntry, state: SessionState): readonly [ReadonlySet<unknown>, string | null] {
  const known = new KnownIds(state);
  const kept = new Set<unknown>();
  let last = state.order.at(-1)?.id ?? null;
  for (const op of ops) {
    if (op.op === 'node' && known.has(op.node.id)) continue;
    kept.add(op);
    known.take(op);
    if (op.op === 'node') last = op.node.id;
  }
  const isThere = (id: string | null): boolean => id === null || known.has(id);
  return [kept, isThere(leaf) ? leaf : isThere(last) ? last : null];
}

/** A commit without the changes that do not count. What is not known in it stays. */
function rewritten(bytes: Buffer, entry: LogEntry, kept: ReadonlySet<unknown>, leaf: string | null): Buffer {
  const { h: _, ...json } = parseJsonText(bytes.toString()) as Record<string, unknown>;
  const gone = entry.ops.filter((op) => !kept.has(op)).map((op) => JSON.stringify(op));
  const ops = (json['ops'] as unknown[]).filter((op) => !isOneOf(gone, JSON.stringify(op)));
  return sealed(JSON.stringify({ ...json, leaf, ops }).slice(0, -1)).subarray(0, -1);
}

/** Whether a text is in a list, from which it is taken then. */
function isOneOf(texts: string[], text: string): boolean {
  const at = texts.lastIndexOf(text);
  if (at >= 0) texts.splice(at, 1);
  return at >= 0;
}

const BOM = Buffer.from('\uFEFF');

function withoutMark(bytes: Buffer): Buffer {
  return trimmedEnd(bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes);
}

/** Without the other half of a Windows line end. */
function trimmedEnd(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
}
