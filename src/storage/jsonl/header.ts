import type { SessionBirth } from '../session-state.ts';
import { StorageError } from '../storage-error.ts';
import type { FileSystem } from './files.ts';
import { linesOf } from './lines.ts';
import { isNewer, type LineRecord, readRecord } from './read-record.ts';
import { FORMAT } from './write-record.ts';

/** How a session's file begins. */
export interface Header {
  /** What the session began as; made up where the file does not say it. */
  readonly birth: SessionBirth;
  readonly format: number;
  /** Why nothing may be written to the file. */
  readonly flaw: 'missing' | 'other-id' | 'newer' | undefined;
}

type HeaderRecord = LineRecord & { readonly kind: 'header' };

const NO_TIME = '1970-01-01T00:00:00.000Z';

/** The header of a session's file. */
export function findHeader(fs: FileSystem, fd: number, size: number, id: string): Header {
  const record = firstHeader(fs, fd, size);
  if (record === undefined) return { birth: unknownBirth(id), format: FORMAT, flaw: 'missing' };
  const { birth, format } = record;
  const flaw = isNewer(format) ? 'newer' : birth?.id !== id ? 'other-id' : undefined;
  return { birth: birth ?? unknownBirth(id), format, flaw };
}

/** The first header of a file, usually its first line. O(1), and O(n) where there is none. */
export function firstHeader(fs: FileSystem, fd: number, size: number): HeaderRecord | undefined {
  for (const { bytes } of linesOf(fs, fd, 0, size)) {
    const record = readRecord(bytes);
    if (record.kind === 'header') return record;
  }
  return undefined;
}

function unknownBirth(id: string): SessionBirth {
  return { id, epoch: '', createdAt: NO_TIME, forkedFrom: null, meta: {}, params: {} };
}

/**
 * Refuses to write to a file that is not known to be the session's.
 *
 * @throws StorageError `DAMAGED`, `NEWER_FORMAT`
 */
export function expectWritable({ flaw, format, birth }: Header, path: string): void {
  if (flaw === undefined) return;
  if (flaw === 'newer') throw newerFormat(path, format);
  throw new StorageError('DAMAGED', `${path}: ${FLAWS[flaw](birth.id)}`, { path });
}

const FLAWS = {
  missing: () =>
    'it has no header, so nothing is written to it. See what problems(id) says; repair(id) makes a clean file of it.',
  'other-id': (id: string) =>
    `its header names the session ${JSON.stringify(id)}, so nothing is written to it. Give it the name of its session, or move it away.`,
};

/** The error of a file that a newer version of the library wrote. */
export function newerFormat(path: string, format: number): StorageError {
  return new StorageError(
    'NEWER_FORMAT',
    `${path}: expected format ${FORMAT}, got ${format}: a newer version of the library wrote it. Update the library.`,
    { path, value: format },
  );
}
