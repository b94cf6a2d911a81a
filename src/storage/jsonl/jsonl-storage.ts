/* oxlint-disable typescript/require-await -- a method that fails must reject its promise, not throw */
import { setTimeout as pause } from 'node:timers/promises';
import { newId, timeText } from '../../internal/ids.ts';
import { checkCommit, type CheckedCommit, copyObject } from '../check-commit.ts';
import { checkLimit } from '../check-query.ts';
import { checkId, checkName } from '../check-names.ts';
import { forkOf, markedFork } from '../fork-state.ts';
import { listHeads } from '../list-heads.ts';
import { pathOfState, scanState } from '../session-reads.ts';
import { SessionState } from '../session-state.ts';
import type {
  Commit,
  CommitOptions,
  CommitResult,
  Durability,
  ForkRequest,
  ListQuery,
  NodePath,
  Page,
  PathQuery,
  Problem,
  ScanQuery,
  SessionExtras,
  SessionHead,
  SessionInit,
  SessionStorage,
  StorageCapabilities,
  StoredNode,
} from '../storage.ts';
import { checkVersion, closed, noSession, sessionExists, StorageError } from '../storage-error.ts';
import { append } from './append.ts';
import { Durable } from './durable.ts';
import { fileError, guarded, isSystemError } from './file-error.ts';
import type { FileSystem } from './files.ts';
import { type Content, Folder } from './folder.ts';
import { Blocks, forkLines } from './fork-lines.ts';
import { expectWritable } from './header.ts';
import { lastOfPath } from './last-of-path.ts';
import { Logs } from './logs.ts';
import { type OpenFile, OpenFiles } from './open-files.ts';
import { type JsonlStorageOptions, withDefaults } from './options.ts';
import { findProblems } from './problems.ts';
import { repairFile, type RepairResult } from './repair.ts';
import type { SessionLog } from './session-log.ts';
import { WriteQueue } from './write-queue.ts';
import { headerLine } from './write-record.ts';

/** How often a commit is tried against writers who are always faster. */
const MAX_ATTEMPTS = 1000;
/** The longest pause between two attempts, in milliseconds. */
const MAX_PAUSE = 20;

interface WriteHow {
  readonly signal: CommitOptions['signal'];
  readonly isSynced: boolean;
}

interface Written {
  readonly result: CommitResult;
  /** Settles when it is on the disk; undefined where nobody asks for that. */
  readonly synced: Promise<Durability> | undefined;
}

/** A storage in files, which can put damaged ones in order. */
export interface JsonlStorage extends SessionStorage {
  /**
   * What was done to make a session's file clean: lines that cannot be read and commits that do not count are left
   * out, a header that is missing is made, a leaf that is nowhere set right. The file as it was is copied first.
   * Records of unknown kinds stay, and nodes whose parents are lost. A clean file is not touched. O(size of the file),
   * in memory.
   *
   * Nobody else may write to the session meanwhile: what another process appends is lost from the clean file, and
   * that process is told so (`DELETED`).
   *
   * @throws StorageError `NOT_FOUND`, `NEWER_FORMAT`, `DAMAGED` (nothing in it is this session's), `NO_SPACE` …
   */
  repair(id: string): Promise<RepairResult>;
}

/**
 * A storage in a folder of files, one a session: each commit is one line of JSON behind the others. Several instances
 * and processes may use the folder at once, without locks, on a local disk; a network folder (NFS, SMB) is for one
 * process. A crash costs at most what was not acknowledged, and damaged lines are left out, kept and listed.
 *
 * Costs: the first read of a session, and the first commit to it, take its whole file, in about three times what
 * `JSON.parse` of it takes; after that only what was appended. `head`, `list`, `extras` and `path({ limit })` of a long
 * session read its end only, by way of an index beside the file. A commit is one write and, unless `sync` says
 * otherwise, one `fdatasync`. Reading and writing are done at once, which holds up the event loop for as long; syncing
 * does not. Up to 64 files stay open between commits, each for a second or two.
 *
 * Every error is a {@link StorageError} that names the file.
 *
 * @param directory where the files are, or will be; it is made when the first session is created
 */
export function jsonlStorage(directory: string, options: JsonlStorageOptions = {}): JsonlStorage {
  return new FolderStorage(directory, withDefaults(options));
}

class FolderStorage implements JsonlStorage {
  readonly capabilities: StorageCapabilities;
  readonly #fs: FileSystem;
  readonly #isSynced: boolean;
  readonly #files: OpenFiles;
  readonly #folder: Folder;
  readonly #logs: Logs;
  readonly #durable: Durable;
  readonly #queue = new WriteQueue();
  readonly #writes = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(directory: string, options: Required<JsonlStorageOptions>) {
    const { maxCommitBytes, maxNodeBytes, sync, intervalMs } = options;
    const durability = sync === 'none' ? 'process-crash' : 'power-loss';
    this.capabilities = { multiProcess: true, durability, transactions: false, maxCommitBytes, maxNodeBytes };
    this.#isSynced = sync !== 'none';
    this.#files = new OpenFiles(options.fs);
    this.#fs = this.#files.fs;
    this.#folder = new Folder(directory, this.#fs);
    this.#logs = new Logs(this.#folder, options);
    this.#durable = new Durable(this.#files, sync === 'interval' ? intervalMs : 0);
  }

  async create(id: string, { meta = {}, params = {}, forkedFrom = null }: SessionInit = {}): Promise<SessionHead> {
    const path = this.#fileOf(id);
    for (const key of Object.keys(params)) checkName(key, 'params');
    const given = { meta: copyObject(meta, 'meta'), params: copyObject(params, 'params') };
    const birth = { id, epoch: newId(), createdAt: timeText(), forkedFrom, ...given };
    // Made before anything is waited for: what was given may change then.
    const header = headerLine(birth);
    await this.#createFile(id, path, { pieces: () => [header] });
    return new SessionState(birth).head();
  }

  async #createFile(id: string, path: string, content: Content): Promise<void> {
    if (!(await this.#track(this.#folder.create(path, content)))) return this.#refuseToCreate(id, path);
    this.#forget(path);
  }

  /** What is there is a session, or a file that only has its name. */
  #refuseToCreate(id: string, path: string): never {
    this.#read(id, ({ header }) => header.flaw !== 'newer' && expectWritable(header, path));
    throw sessionExists(id);
  }

  async head(id: string): Promise<SessionHead | null> {
    const path = this.#fileOf(id);
    return this.#folder.use(
      path,
      (fd) => this.#logs.glance(id, path, fd).head(),
      () => null,
    );
  }

  async list(query?: ListQuery): Promise<Page<SessionHead>> {
    this.#expectOpen();
    return listHeads(this.#logs.heads(), query);
  }

  async commit(id: string, commit: Commit, { signal, durability }: CommitOptions = {}): Promise<CommitResult> {
    const path = this.#fileOf(id);
    const checked = checkCommit(commit, this.capabilities);
    const how = { signal, isSynced: this.#isSynced || durability === 'power-loss' };
    // Nobody waits and nobody was faster: it is written right here, which spares the promises of waiting.
    const written = this.#queue.isFree(path) ? this.#attempt(id, path, checked, how) : undefined;
    if (written === undefined) return this.#track(this.#commit(id, path, checked, how));
    return written.synced === undefined ? written.result : this.#track(this.#acknowledge(path, written));
  }

  async #commit(id: string, path: string, commit: CheckedCommit, how: WriteHow): Promise<CommitResult> {
    const written = await this.#queue.run(path, () => this.#write(id, path, commit, how));
    return this.#acknowledge(path, written);
  }

  async nodes(id: string, ids: readonly string[]): Promise<(StoredNode | null)[]> {
    return this.#read(id, ({ state }) => ids.map((node) => state.byId.get(node) ?? null));
  }

  async scan(id: string, query?: ScanQuery): Promise<Page<StoredNode>> {
    checkLimit(query?.limit, 'nodes');
    return this.#read(id, ({ state }) => scanState(state, query));
  }

  async path(id: string, query: PathQuery = {}): Promise<NodePath> {
    checkLimit(query.limit, 'path');
    const ofWhole = ({ state }: SessionLog): NodePath => pathOfState(state, query);
    if (query.limit === undefined) return this.#read(id, ofWhole);
    const found = this.#glance(id, (log, fd) => (log.isPartial ? lastOfPath(this.#fs, fd, log, query) : ofWhole(log)));
    return found ?? this.#read(id, ofWhole);
  }

  async extras(id: string): Promise<SessionExtras> {
    return this.#glance(id, ({ state }) => state.extras());
  }

  async problems(id: string, query?: { readonly limit?: number; readonly cursor?: string }): Promise<Page<Problem>> {
    const path = this.#fileOf(id);
    return this.#folder.use(
      path,
      (fd) => findProblems({ fs: this.#fs, path, fd }, id, query),
      () => {
        throw noSession(id);
      },
    );
  }

  async delete(id: string, { expectVersion }: { readonly expectVersion?: number } = {}): Promise<boolean> {
    const path = this.#fileOf(id);
    return this.#track(this.#queue.run(path, () => this.#remove(id, path, expectVersion)));
  }

  async fork(id: string, request: ForkRequest): Promise<boolean> {
    const path = this.#fileOf(id);
    return this.#folder.useWhile(
      path,
      (fd) => this.#fork(this.#logs.current(id, path, fd), fd, request),
      () => {
        throw noSession(id);
      },
    );
  }

  async #fork({ state, plainLines }: SessionLog, fd: number, request: ForkRequest): Promise<boolean> {
    const path = this.#fileOf(request.id);
    const fork = forkOf(state, request);
    if (fork === undefined) return false;
    const pieces = () => forkLines(new Blocks(this.#fs, fd), plainLines, markedFork(fork));
    await this.#createFile(request.id, path, { pieces, isLoose: !this.#isSynced });
    return true;
  }

  async repair(id: string): Promise<RepairResult> {
    const path = this.#fileOf(id);
    this.#read(id, ({ header }) => header.flaw);
    this.#forget(path);
    return this.#track(this.#queue.run(path, () => repairFile(this.#folder, path, id)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#writes);
    this.#files.clear();
    this.#logs.clear();
  }

  async #remove(id: string, path: string, expectVersion: number | undefined): Promise<boolean> {
    const isThere = this.#folder.use(
      path,
      (fd) => {
        const log = this.#logs.current(id, path, fd);
        expectWritable(log.header, path);
        checkVersion(log.head(), expectVersion);
        return true;
      },
      () => false,
    );
    this.#forget(path);
    return isThere && this.#folder.remove(path);
  }

  /** Tries until the commit is the first one of its version. The file stays open for the next one. */
  async #write(id: string, path: string, commit: CheckedCommit, how: WriteHow): Promise<Written> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const written = this.#attempt(id, path, commit, how);
      if (written !== undefined) return written;
      if (attempt > 1) await pause(Math.random() * Math.min(attempt, MAX_PAUSE));
    }
    throw new StorageError('BUSY', `${path}: other writers were faster ${MAX_ATTEMPTS} times. Try again later.`, {
      path,
    });
  }

  #attempt(id: string, path: string, commit: CheckedCommit, { signal, isSynced }: WriteHow): Written | undefined {
    const file = this.#open(id, path);
    let result: CommitResult | undefined;
    try {
      result = guarded(path, 'written', () => {
        const log = this.#logs.writable(id, path, file);
        const made = append({ fs: this.#fs, path, file, log }, commit, signal);
        this.#logs.index(path, log);
        return made;
      });
    } finally {
      if (result === undefined) this.#files.close(file);
      else this.#files.keep(path, file);
    }
    if (result === undefined) return undefined;
    const isNew = result.status === 'applied';
    return { result, synced: isSynced ? this.#durable.reach(path, file, result.version, isNew) : undefined };
  }

  #open(id: string, path: string): OpenFile {
    try {
      return this.#files.take(path);
    } catch (cause) {
      if (isSystemError(cause, 'ENOENT')) throw noSession(id);
      throw fileError(path, 'written', cause);
    }
  }

  /** A commit is acknowledged when it is as durable as it is to be. */
  async #acknowledge(path: string, { result, synced }: Written): Promise<CommitResult> {
    if (synced === undefined) return result;
    try {
      return { ...result, durable: await synced };
    } catch (error) {
      this.#files.drop(path);
      this.#logs.forget(path);
      throw error;
    }
  }

  #read<T>(id: string, use: (log: SessionLog, fd: number) => T): T {
    const path = this.#fileOf(id);
    return this.#folder.use(
      path,
      (fd) => use(this.#logs.current(id, path, fd), fd),
      () => {
        throw noSession(id);
      },
    );
  }

  #glance<T>(id: string, use: (log: SessionLog, fd: number) => T): T {
    const path = this.#fileOf(id);
    return this.#folder.use(
      path,
      (fd) => use(this.#logs.glance(id, path, fd), fd),
      () => {
        throw noSession(id);
      },
    );
  }

  #fileOf(id: string): string {
    this.#expectOpen();
    return this.#folder.fileOf(checkId(id, 'session'));
  }

  #forget(path: string): void {
    this.#files.drop(path);
    this.#logs.forget(path);
    this.#durable.forget(path);
  }

  #expectOpen(): void {
    if (this.#isClosed) throw closed();
  }

  async #track<T>(write: Promise<T>): Promise<T> {
    this.#writes.add(write);
    try {
      return await write;
    } finally {
      this.#writes.delete(write);
    }
  }
}
