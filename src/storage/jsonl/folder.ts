import { randomUUID } from 'node:crypto';
import { dirname, join, resolve, sep } from 'node:path';
import { guarded, guardedAsync, isSystemError } from './file-error.ts';
import { fileName } from './file-name.ts';
import { type FileSystem, openFile, sync, syncFolder, whileOpen, withFile, writeAll } from './files.ts';

const ENDING = '.jsonl';
const INDEX_ENDING = '.index';
/** What no session's file begins with. */
const UNFINISHED = '.new-';
/** After this many milliseconds nobody is still at work on an unfinished file. */
const ABANDONED = 3_600_000;
const FOLDER_MODE = 0o700;
/** How systems say that they know no second name for a file. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/** What a file is to hold, piece by piece. May be asked for twice, where the first try came to nothing. */
export interface Content {
  readonly pieces: () => Iterable<Buffer>;
  /** Whether only the first piece has to survive a loss of power. */
  readonly isLoose?: boolean;
}

/** The folder of the sessions' files. */
export class Folder {
  readonly path: string;
  readonly fs: FileSystem;
  readonly #prefix: string;
  #isSwept = false;

  constructor(path: string, fs: FileSystem) {
    this.path = resolve(path);
    this.#prefix = join(this.path, sep);
    this.fs = fs;
  }

  /** The file of a session. */
  fileOf(id: string): string {
    return this.#prefix + fileName(id) + ENDING;
  }

  /** What is kept beside a session's file to find its end; it may be missing. */
  indexOf(file: string): string {
    return file.slice(0, -ENDING.length) + INDEX_ENDING;
  }

  /** The files of all sessions, and whatever else has such a name. */
  files(): string[] {
    try {
      const names = guarded(this.path, 'read', () => this.fs.readdirSync(this.path));
      return names.filter((name) => name.endsWith(ENDING)).map((name) => join(this.path, name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Makes a file that is there whole or not at all, and survives a loss of power; false where there is one already. */
  async create(path: string, content: Content): Promise<boolean> {
    return guardedAsync(path, 'created', async () => {
      await this.#make();
      this.#sweep();
      const isNew = await this.#write(content, (unfinished) => this.#publish(unfinished, path, content));
      if (isNew) await syncFolder(this.fs, this.path);
      return isNew;
    });
  }

  /** Puts a file in the place of another one, whole or not at all. */
  async replace(path: string, bytes: Buffer): Promise<void> {
    await guardedAsync(path, 'written', async () => {
      await this.#write({ pieces: () => [bytes] }, (unfinished) => this.fs.renameSync(unfinished, path));
      this.#unlink(this.indexOf(path));
      await syncFolder(this.fs, this.path);
    });
  }

  /** Removes a file for good; false where there is none. */
  async remove(path: string): Promise<boolean> {
    return guardedAsync(path, 'removed', async () => {
      if (!this.#unlink(path)) return false;
      this.#unlink(this.indexOf(path));
      await syncFolder(this.fs, this.path);
      return true;
    });
  }

  /** Writes what can be made again: without care for a loss of power, and not at all where it cannot be. */
  writeIndex(file: string, bytes: Buffer): void {
    const unfinished = join(this.path, UNFINISHED + randomUUID());
    const path = this.indexOf(file);
    try {
      withFile(this.fs, unfinished, 'create', (fd) => writeAll(this.fs, fd, unfinished, bytes));
      // A file that takes another one's place is brought to the disk first by some systems, which takes milliseconds.
      this.#unlink(path);
      this.fs.renameSync(unfinished, path);
      if (this.fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) this.#unlink(path);
    } catch {
      this.#discard(unfinished);
    }
  }

  #discard(path: string): void {
    try {
      this.#unlink(path);
    } catch {
      // It is swept up later.
    }
  }

  /** Uses the file of a session; `none` where there is none. */
  use<T, None>(path: string, use: (fd: number) => T, none: () => None): T | None {
    try {
      return withFile(this.fs, path, 'read', use);
    } catch (error) {
      if (isMissing(error)) return none();
      throw error;
    }
  }

  /** {@link use} for what takes its time. */
  async useWhile<T>(path: string, use: (fd: number) => Promise<T>, none: () => never): Promise<T> {
    try {
      return await whileOpen(this.fs, path, use);
    } catch (error) {
      if (isMissing(error)) return none();
      throw error;
    }
  }

  /** The folders that are made are brought to the disk, too. */
  async #make(): Promise<void> {
    const first = this.fs.mkdirSync(this.path, { recursive: true, mode: FOLDER_MODE });
    if (first === undefined) return;
    for (let at = this.path; at !== dirname(first); at = dirname(at)) await syncFolder(this.fs, dirname(at));
  }

  async #write<T>(content: Content, publish: (unfinished: string) => T): Promise<T> {
    const path = join(this.path, UNFINISHED + randomUUID());
    try {
      const fd = openFile(this.fs, path, 'create');
      try {
        await this.#fill(fd, path, content);
      } finally {
        this.fs.closeSync(fd);
      }
      return publish(path);
    } finally {
      this.#unlink(path);
    }
  }

  async #fill(fd: number, path: string, { pieces, isLoose = false }: Content): Promise<void> {
    let isSafe = false;
    for (const piece of pieces()) {
      writeAll(this.fs, fd, path, piece);
      if (!isLoose || isSafe) continue;
      await sync(this.fs, fd, 'fsync');
      isSafe = true;
    }
    if (!isSafe) await sync(this.fs, fd, 'fsync');
  }

  /** A second name is given only where there is none, so that of two creators one wins. */
  #publish(unfinished: string, path: string, content: Content): boolean {
    try {
      this.fs.linkSync(unfinished, path);
      return true;
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return false;
      if (isSystemError(error, ...NO_LINKS)) return this.#createInPlace(path, content);
      throw error;
    }
  }

  /** Where files cannot have two names: an end of the process right here leaves a file that is damaged. */
  #createInPlace(path: string, content: Content): boolean {
    const fd = this.#openNew(path);
    if (fd === undefined) return false;
    try {
      for (const piece of content.pieces()) writeAll(this.fs, fd, path, piece);
      this.fs.fsyncSync(fd);
      return true;
    } catch (error) {
      this.#unlink(path);
      throw error;
    } finally {
      this.fs.closeSync(fd);
    }
  }

  #openNew(path: string): number | undefined {
    try {
      return openFile(this.fs, path, 'create');
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return undefined;
      throw error;
    }
  }

  #unlink(path: string): boolean {
    try {
      this.fs.unlinkSync(path);
      return true;
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return false;
      throw error;
    }
  }

  /** Removes what processes left behind that were ended while they created. */
  #sweep(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    for (const name of this.fs.readdirSync(this.path)) {
      if (!name.startsWith(UNFINISHED)) continue;
      const path = join(this.path, name);
      const stat = this.fs.lstatSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && Date.now() - stat.mtimeMs > ABANDONED) this.#unlink(path);
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && isSystemError(error.cause, 'ENOENT');
}
