import type { StorageErrorCode } from '../../errors.ts';
import { StorageError } from '../storage-error.ts';

/** What the system's words mean here, and what to do about it. */
const MEANINGS: Readonly<Record<string, readonly [StorageErrorCode, string]>> = {
  ENOSPC: ['NO_SPACE', 'the disk is full. Free some space and try again.'],
  EDQUOT: ['NO_SPACE', 'the quota is used up. Free some space and try again.'],
  EFBIG: ['NO_SPACE', 'the file may not grow further. Raise the limit, or begin another session.'],
  EACCES: ['PERMISSION', 'it is not allowed. Give this user the rights to the file and its folder.'],
  EPERM: ['PERMISSION', 'it is not allowed. Give this user the rights to the file and its folder.'],
  EROFS: ['READ_ONLY', 'the file system is read-only. Mount it so that it can be written.'],
  EMFILE: ['BUSY', 'too many files are open in this process. Close some, or raise its limit, and try again.'],
  ENFILE: ['BUSY', 'too many files are open in the system. Try again later.'],
  EBUSY: ['BUSY', 'it is in use. Try again later.'],
  ETXTBSY: ['BUSY', 'it is in use. Try again later.'],
  ENOENT: ['NOT_FOUND', 'it is not there. Make the folder, or create the session first.'],
  ENOTDIR: ['NOT_FOUND', 'a part of its path is no folder. Give the path of a folder.'],
  ELOOP: ['DAMAGED', 'it is a symbolic link, which is not followed. Put the file itself there.'],
  EISDIR: ['DAMAGED', 'it is a folder. Move it away.'],
};

/** Whether an error is one that the system gave, with this word. */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** An error of the system as the storage says it; every other error as it is. */
export function fileError(path: string, doing: string, cause: unknown): unknown {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || cause instanceof StorageError) return cause;
  const [kind, meaning] = MEANINGS[code] ?? unknownMeaning(doing, code);
  return new StorageError(kind, `${path}: cannot be ${doing}: ${meaning}`, { path, cause });
}

function unknownMeaning(doing: string, code: string): readonly [StorageErrorCode, string] {
  return doing === 'read'
    ? ['DAMAGED', `the system says ${code}. Look at the disk.`]
    : ['OUTCOME_UNKNOWN', `the system says ${code}. Look at the disk, and make the same call again.`];
}

/** Runs what may fail in the system; its errors come out as those of the storage. */
export function guarded<T>(path: string, doing: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw fileError(path, doing, cause);
  }
}

/** {@link guarded} for what takes its time. */
export async function guardedAsync<T>(path: string, doing: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw fileError(path, doing, cause);
  }
}
