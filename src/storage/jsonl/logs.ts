import type { SessionHead } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import type { Folder } from './folder.ts';
import { findHeader, firstHeader, newerFormat } from './header.ts';
import { LogCache } from './log-cache.ts';
import { indexLine, readIndex } from './log-index.ts';
import type { OpenFile } from './open-files.ts';
import type { JsonlStorageOptions } from './options.ts';
import { SessionLog } from './session-log.ts';

/** By how many bytes a log grows before another index is written. Shorter ones have none: they are one file. */
const INDEX_EVERY = 2 ** 18;

interface Listed {
  /** Tells whether the file is still the same. */
  readonly stamp: string;
  readonly head: SessionHead | undefined;
}

/** The logs of a folder, those that were used last kept in memory. */
export class Logs {
  readonly #folder: Folder;
  readonly #readNewer: boolean;
  readonly #cache: LogCache;
  /** What the last list found, for as long as the files stay as they were. */
  #listed = new Map<string, Listed>();

  constructor(folder: Folder, { readNewer, cacheBytes }: Required<JsonlStorageOptions>) {
    this.#folder = folder;
    this.#readNewer = readNewer;
    this.#cache = new LogCache(cacheBytes);
  }

  /**
   * A session as its open file says now.
   *
   * @throws StorageError `NEWER_FORMAT`
   */
  current(id: string, path: string, fd: number): SessionLog {
    const { size } = this.#folder.fs.fstatSync(fd);
    const known = this.#cache.get(path);
    const log = known?.catchUp(fd, size) === true ? known : this.#load(id, path, fd, size);
    this.#cache.keep(path, log);
    this.index(path, log);
    return log;
  }

  /** {@link current} for a file that is about to be written to. */
  writable(id: string, path: string, { fd, isUntouched, size }: OpenFile): SessionLog {
    const known = isUntouched ? this.#cache.get(path) : undefined;
    if (known?.offset !== size || known.endsOpen) return this.current(id, path, fd);
    this.#cache.keep(path, known);
    return known;
  }

  /** A session without its older nodes, where that spares reading a long file; else {@link current}. */
  glance(id: string, path: string, fd: number): SessionLog {
    const partial = this.#cache.get(path) === undefined ? this.#resume(id, path, fd) : undefined;
    return partial ?? this.current(id, path, fd);
  }

  /** Writes an index of a log that has grown by much since the last one. */
  index(path: string, log: SessionLog): void {
    if (log.offset - log.indexedTo <= INDEX_EVERY || log.isPartial || !isRegular(log)) return;
    log.indexedTo = log.offset;
    this.#folder.writeIndex(path, indexLine(log.index()));
  }

  #resume(id: string, path: string, fd: number): SessionLog | undefined {
    const { fs } = this.#folder;
    const { size } = fs.fstatSync(fd);
    if (size <= INDEX_EVERY) return undefined;
    const header = findHeader(fs, fd, size, id);
    const index = header.flaw === undefined ? readIndex(fs, this.#folder.indexOf(path)) : undefined;
    if (index?.epoch !== header.birth.epoch) return undefined;
    const log = new SessionLog(fs, header, { index });
    return log.catchUp(fd, size) && log.isSound ? log : undefined;
  }

  /** The heads of all sessions in the folder. Files that are no sessions, or have another's name, are left out. */
  heads(): SessionHead[] {
    const listed = new Map<string, Listed>();
    for (const path of this.#folder.files()) {
      const found = this.#list(path);
      if (found !== undefined) listed.set(path, found);
    }
    this.#listed = listed;
    return Array.from(listed.values(), ({ head }) => head).filter((head) => head !== undefined);
  }

  #list(path: string): Listed | undefined {
    try {
      return this.#folder.use(
        path,
        (fd) => this.#look(path, fd),
        () => undefined,
      );
    } catch (error) {
      if (error instanceof StorageError && error.code === 'DAMAGED') return undefined;
      throw error;
    }
  }

  #look(path: string, fd: number): Listed {
    const { size, ino, mtimeMs } = this.#folder.fs.fstatSync(fd);
    const stamp = `${size} ${ino} ${mtimeMs}`;
    const known = this.#listed.get(path);
    return known?.stamp === stamp ? known : { stamp, head: this.#headOf(path, fd, size) };
  }

  #headOf(path: string, fd: number, size: number): SessionHead | undefined {
    const birth = firstHeader(this.#folder.fs, fd, size)?.birth;
    if (birth === undefined || this.#folder.fileOf(birth.id) !== path) return undefined;
    const partial = this.#resume(birth.id, path, fd);
    if (partial !== undefined) return partial.head();
    const header = findHeader(this.#folder.fs, fd, size, birth.id);
    if (header.flaw === 'newer' && !this.#readNewer) return new SessionLog(this.#folder.fs, header).head();
    const known = this.#cache.get(path);
    const log = known?.catchUp(fd, size) === true ? known : this.#load(birth.id, path, fd, size);
    this.index(path, log);
    return log.head();
  }

  #load(id: string, path: string, fd: number, size: number): SessionLog {
    const header = findHeader(this.#folder.fs, fd, size, id);
    if (header.flaw === 'newer' && !this.#readNewer) throw newerFormat(path, header.format);
    const log = new SessionLog(this.#folder.fs, header);
    log.catchUp(fd, size);
    log.indexedTo = this.#indexedTo(path, log);
    return log;
  }

  #indexedTo(path: string, log: SessionLog): number {
    if (log.offset <= INDEX_EVERY) return 0;
    const index = readIndex(this.#folder.fs, this.#folder.indexOf(path));
    return index?.epoch === log.header.birth.epoch && index.offset <= log.offset ? index.offset : 0;
  }

  forget(path: string): void {
    this.#cache.delete(path);
  }

  clear(): void {
    this.#cache.clear();
  }
}

function isRegular({ header, isSound, endsOpen, state }: SessionLog): boolean {
  return header.flaw === undefined && isSound && !endsOpen && state.flaws === 0;
}
