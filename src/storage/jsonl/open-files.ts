import { isSystemError } from './file-error.ts';
import { type FileSystem, openFile } from './files.ts';

/** How many files are kept open between commits. */
const MAX_KEPT = 64;
/** A file that nobody has written to for this long is closed, in milliseconds; for up to twice as long it stays open. */
const IDLE = 1000;

/** A file that is open for appending. */
export interface OpenFile {
  readonly fd: number;
  /** Which file it is: its name may lead to another one by now. */
  readonly ino: number;
  /** How long it is, and when it was last changed, as far as its last writer here has seen. */
  size: number;
  mtime: number;
  /** Whether it is as that writer left it, so that all of it has been read. */
  isUntouched: boolean;
  /** How many are still at work on it while others may have taken it. */
  holders: number;
  /** Whether the last of them closes it. */
  isDone: boolean;
}

/**
 * The files that were written to last, kept open for the next commit. Who takes one has it for himself, and keeps or
 * closes it; who holds one can go on with it meanwhile. Where the system has no file left to give, all that are kept are
 * closed first.
 */
export class OpenFiles {
  /** The functions that were given, save that opening makes room where there is none. */
  readonly fs: FileSystem;
  readonly #kept = new Map<string, OpenFile>();
  /** Those that were kept since the last look. */
  #recent = new Set<OpenFile>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(fs: FileSystem) {
    this.fs = { ...fs, openSync: (...how) => this.#open(fs, how) };
  }

  /** The file to which a name leads now. Throws what the system throws where there is none. */
  take(path: string): OpenFile {
    const file = this.#kept.get(path);
    if (file === undefined) return this.#openFile(path);
    this.#kept.delete(path);
    const stat = this.fs.lstatSync(path, { throwIfNoEntry: false });
    if (stat?.ino !== file.ino) {
      this.close(file);
      return this.#openFile(path);
    }
    file.isUntouched = stat.size === file.size && stat.mtimeMs === file.mtime;
    return file;
  }

  /** Keeps a file for the next one who takes it. */
  keep(path: string, file: OpenFile): void {
    this.#kept.set(path, file);
    this.#recent.add(file);
    if (this.#kept.size > MAX_KEPT) this.drop(this.#kept.keys().next().value as string);
    this.#timer ??= setInterval(() => this.#closeIdle(), IDLE).unref();
  }

  /** Closes a file as soon as nobody holds it. */
  close(file: OpenFile): void {
    if (file.holders === 0) this.fs.closeSync(file.fd);
    else file.isDone = true;
  }

  /** Leaves a file open, whoever closes it, until it is let go. */
  hold(file: OpenFile): void {
    file.holders++;
  }

  letGo(file: OpenFile): void {
    file.holders--;
    if (file.isDone) this.close(file);
  }

  /** Closes what is kept of one name. */
  drop(path: string): void {
    const file = this.#kept.get(path);
    if (file === undefined) return;
    this.#kept.delete(path);
    this.close(file);
  }

  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const path of this.#kept.keys()) this.drop(path);
  }

  #openFile(path: string): OpenFile {
    const fd = openFile(this.fs, path, 'append');
    try {
      const { ino } = this.fs.fstatSync(fd);
      return { fd, ino, size: 0, mtime: 0, isUntouched: false, holders: 0, isDone: false };
    } catch (error) {
      this.fs.closeSync(fd);
      throw error;
    }
  }

  #open(fs: FileSystem, how: Parameters<FileSystem['openSync']>): number {
    try {
      return fs.openSync(...how);
    } catch (error) {
      if (this.#kept.size === 0 || !isSystemError(error, 'EMFILE', 'ENFILE')) throw error;
      this.clear();
      return fs.openSync(...how);
    }
  }

  #closeIdle(): void {
    for (const [path, file] of this.#kept) if (!this.#recent.has(file)) this.drop(path);
    this.#recent = new Set();
    if (this.#kept.size === 0) this.clear();
  }
}
