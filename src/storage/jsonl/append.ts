import { timeText } from '../../internal/ids.ts';
import type { CheckedCommit } from '../check-commit.ts';
import type { CommitOptions, CommitResult, Durability } from '../storage.ts';
import { checkSignal, StorageError } from '../storage-error.ts';
import { fileError } from './file-error.ts';
import { type FileSystem, noSpace } from './files.ts';
import { expectWritable } from './header.ts';
import type { OpenFile } from './open-files.ts';
import type { SessionLog } from './session-log.ts';
import { commitLine } from './write-record.ts';

/** A session's file, open for appending, and what has been read of it. */
export interface OpenLog {
  readonly fs: FileSystem;
  readonly path: string;
  readonly file: OpenFile;
  readonly log: SessionLog;
}

/** What is said of a write until it has been brought to the disk. */
const WRITTEN: Durability = 'process-crash';
const NEWLINE = Buffer.from('\n');

/**
 * Appends a commit behind all that has been read, with one write, and looks whether its line was the first one of its
 * version; undefined where another writer's was, and nothing has changed.
 *
 * @throws StorageError what `SessionStorage.commit` says
 */
export function append(
  open: OpenLog,
  commit: CheckedCommit,
  signal: CommitOptions['signal'],
): CommitResult | undefined {
  const { path, log } = open;
  expectWritable(log.header, path);
  const made = madeBefore(open, commit);
  if (made !== undefined) return made;
  const entry = log.state.entryFor(commit, timeText());
  const line = commitLine(entry);
  checkSignal(signal);
  if (log.endsOpen) endLine(open);
  const isWhole = write(open, line);
  const size = sizeOf(open);
  if (isWhole && size === log.offset + line.length) log.add(entry, line);
  else readBack(open, size);
  const result = log.state.made(commit, WRITTEN);
  if (!isWhole && result === undefined) throw noSpace(path);
  if (!isWhole && log.endsOpen) throw unknownOutcome(path, undefined);
  return result && { ...result, status: result.version === entry.version ? 'applied' : 'duplicate' };
}

/** A commit whose line has no end yet could still be spoiled by another writer: it gets one first. */
function madeBefore(open: OpenLog, commit: CheckedCommit): CommitResult | undefined {
  const made = open.log.state.made(commit, WRITTEN);
  if (made === undefined || !open.log.endsOpen) return made;
  endLine(open);
  readBack(open, sizeOf(open));
  return open.log.state.made(commit, WRITTEN);
}

/** Ends what a writer left unfinished, so that it does not take the next line with it. */
function endLine(open: OpenLog): void {
  if (open.fs.writeSync(open.file.fd, NEWLINE) === 0) throw noSpace(open.path);
}

/** Whether all of it was written. What was not is never written later: it would not be one line any more. */
function write(open: OpenLog, line: Buffer): boolean {
  if (open.fs.writeSync(open.file.fd, line) === line.length) return true;
  try {
    endLine(open);
  } catch {
    // The next writer does it.
  }
  return false;
}

function readBack({ file: { fd }, log, path }: OpenLog, size: number): void {
  if (!log.catchUp(fd, size)) throw unknownOutcome(path, undefined);
}

/**
 * How long the file is now, if it is still the one that its name leads to. Where it was untouched that has just been
 * looked at, and whoever deletes or replaces it takes its name away.
 */
function sizeOf({ fs, file, path }: OpenLog): number {
  const { nlink, ino, size, mtimeMs } = fs.fstatSync(file.fd);
  const isNamed = file.isUntouched || fs.lstatSync(path, { throwIfNoEntry: false })?.ino === ino;
  if (nlink === 0 || !isNamed) throw replaced(path);
  [file.size, file.mtime] = [size, mtimeMs];
  return size;
}

function replaced(path: string): StorageError {
  const message = `${path}: it was deleted or replaced while it was written to. Open it again.`;
  return new StorageError('DELETED', message, { path });
}

/** The error of a write of which nobody can say whether it lasts. */
export function unknownOutcome(path: string, cause: unknown): StorageError {
  const said = fileError(path, 'written', cause);
  const why = said instanceof Error ? ` (${said.message})` : '';
  return new StorageError(
    'OUTCOME_UNKNOWN',
    `${path}: it is not known whether the commit lasts${why}. Make the same commit again, with the same id: that tells, and doubles nothing.`,
    { path, cause },
  );
}
