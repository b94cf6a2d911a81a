import { constants } from 'node:fs';
import { StorageError } from '../storage-error.ts';
import { guarded } from './file-error.ts';

/** The functions of `node:fs` that the storage calls; those that tests replace in order to make them fail. */
export type FileSystem = Pick<
  typeof import('node:fs'),
  | 'closeSync'
  | 'fdatasync'
  | 'fstatSync'
  | 'fsync'
  | 'fsyncSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readdirSync'
  | 'readSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'writeSync'
>;

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;
/** Not known everywhere. */
const O_NOFOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

/** How a file is opened; never through a symbolic link. */
export const HOW = {
  read: O_RDONLY | O_NOFOLLOW,
  append: O_RDWR | O_APPEND | O_NOFOLLOW,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
} as const;

/** Who may read a session: its owner. */
const FILE_MODE = 0o600;

/** An open file; {@link HOW} says for what. */
export function openFile(fs: FileSystem, path: string, how: keyof typeof HOW): number {
  return fs.openSync(path, HOW[how], FILE_MODE);
}

/** Opens a file, uses it, and closes it. */
export function withFile<T>(fs: FileSystem, path: string, how: keyof typeof HOW, use: (fd: number) => T): T {
  const doing = how === 'read' ? 'read' : 'written';
  return guarded(path, doing, () => {
    const fd = openFile(fs, path, how);
    try {
      return use(fd);
    } finally {
      fs.closeSync(fd);
    }
  });
}

/** {@link withFile} for reading that takes its time. */
export async function whileOpen<T>(fs: FileSystem, path: string, use: (fd: number) => Promise<T>): Promise<T> {
  const fd = guarded(path, 'read', () => openFile(fs, path, 'read'));
  try {
    return await use(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** The bytes from a place on; fewer where the file ends. */
export function readAt(fs: FileSystem, fd: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readInto(fs, fd, from, buffer));
}

/** Fills a buffer with the bytes from a place on; says how many there were. */
export function readInto(fs: FileSystem, fd: number, from: number, buffer: Buffer): number {
  let done = 0;
  while (done < buffer.length) {
    const count = fs.readSync(fd, buffer, done, buffer.length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Writes all bytes, in as many goes as it takes: only for a file that nobody else writes to. */
export function writeAll(fs: FileSystem, fd: number, path: string, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) {
    const count = fs.writeSync(fd, bytes, done, bytes.length - done);
    if (count === 0) throw noSpace(path);
    done += count;
  }
}

/** Brings a file's bytes to the disk, with all that is known of it, or only what is needed to find them. */
export function sync(fs: FileSystem, fd: number, what: 'fsync' | 'fdatasync'): Promise<void> {
  return new Promise((resolve, reject) => {
    fs[what](fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Brings a folder's list of files to the disk, where the system can do that. */
export async function syncFolder(fs: FileSystem, path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const fd = fs.openSync(path, O_RDONLY);
  try {
    await sync(fs, fd, 'fsync');
  } finally {
    fs.closeSync(fd);
  }
}

/** The error of a write that the disk took only a part of. */
export function noSpace(path: string): StorageError {
  return new StorageError(
    'NO_SPACE',
    `${path}: cannot be written: the disk took only a part of it, as a full one does. Free some space and try again.`,
    { path },
  );
}
