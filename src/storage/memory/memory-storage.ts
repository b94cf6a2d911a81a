/* oxlint-disable typescript/require-await -- a method that fails must reject its promise, not throw */
import { newId, timeText } from '../../internal/ids.ts';
import { checkCommit, copyObject, DEFAULT_LIMITS, type Limits } from '../check-commit.ts';
import { checkId, checkName } from '../check-names.ts';
import { checkLimit } from '../check-query.ts';
import { entryOf, forkOf } from '../fork-state.ts';
import { listHeads } from '../list-heads.ts';
import { pathOfState, scanState } from '../session-reads.ts';
import { SessionState } from '../session-state.ts';
import type {
  Commit,
  CommitOptions,
  CommitResult,
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
import { checkSignal, checkVersion, closed, noSession, sessionExists } from '../storage-error.ts';

/** How a storage in memory is to be. */
export type MemoryStorageOptions = Partial<Limits>;

/**
 * A storage in the memory of this process: everything is lost when it ends.
 *
 * @example
 * const sessions = new Sessions(memoryStorage());
 * const id = await sessions.createSession();
 * await sessions.append(id, 'chat', 'Hello!');
 * (await sessions.load(id)).toMessages().map(String) // => ['Hello!']
 */
export function memoryStorage(options: MemoryStorageOptions = {}): SessionStorage {
  return new MemoryStorage({ ...DEFAULT_LIMITS, ...options });
}

class MemoryStorage implements SessionStorage {
  readonly capabilities: StorageCapabilities;
  readonly #sessions = new Map<string, SessionState>();
  #isClosed = false;

  constructor(limits: Limits) {
    this.capabilities = { multiProcess: false, durability: 'memory', transactions: false, ...limits };
  }

  async create(id: string, { meta = {}, params = {}, forkedFrom = null }: SessionInit = {}): Promise<SessionHead> {
    this.#expectOpen();
    if (this.#sessions.has(checkId(id, 'session'))) throw sessionExists(id);
    for (const key of Object.keys(params)) checkName(key, 'params');
    const state = new SessionState({
      id,
      epoch: newId(),
      createdAt: timeText(),
      forkedFrom: forkedFrom && Object.freeze({ session: forkedFrom.session, node: forkedFrom.node }),
      meta: copyObject(meta, 'meta'),
      params: copyObject(params, 'params'),
    });
    this.#sessions.set(id, state);
    return state.head();
  }

  async head(id: string): Promise<SessionHead | null> {
    this.#expectOpen();
    return this.#sessions.get(checkId(id, 'session'))?.head() ?? null;
  }

  async list(query?: ListQuery): Promise<Page<SessionHead>> {
    this.#expectOpen();
    return listHeads(
      Array.from(this.#sessions.values(), (state) => state.head()),
      query,
    );
  }

  async commit(id: string, commit: Commit, { signal }: CommitOptions = {}): Promise<CommitResult> {
    this.#expectOpen();
    const checked = checkCommit(commit, this.capabilities);
    const state = this.#session(id);
    const made = state.made(checked, 'memory');
    if (made !== undefined) return made;
    const entry = state.entryFor(checked, timeText());
    checkSignal(signal);
    state.apply(entry);
    return state.result(entry, 'memory');
  }

  async nodes(id: string, ids: readonly string[]): Promise<(StoredNode | null)[]> {
    const { byId } = this.#session(id);
    return ids.map((node) => byId.get(node) ?? null);
  }

  async scan(id: string, query?: ScanQuery): Promise<Page<StoredNode>> {
    checkLimit(query?.limit, 'nodes');
    return scanState(this.#session(id), query);
  }

  async path(id: string, query?: PathQuery): Promise<NodePath> {
    checkLimit(query?.limit, 'path');
    return pathOfState(this.#session(id), query);
  }

  async extras(id: string): Promise<SessionExtras> {
    return this.#session(id).extras();
  }

  async problems(id: string, query: { readonly limit?: number } = {}): Promise<Page<Problem>> {
    checkLimit(query.limit, 'problems');
    this.#session(id);
    return { items: [], next: null };
  }

  async delete(id: string, { expectVersion }: { readonly expectVersion?: number } = {}): Promise<boolean> {
    this.#expectOpen();
    const state = this.#sessions.get(checkId(id, 'session'));
    if (state !== undefined) checkVersion(state.head(), expectVersion);
    return this.#sessions.delete(id);
  }

  async fork(id: string, request: ForkRequest): Promise<boolean> {
    const fork = forkOf(this.#session(id), request);
    if (fork === undefined) return false;
    if (this.#sessions.has(checkId(request.id, 'session'))) throw sessionExists(request.id);
    const state = new SessionState(fork.birth);
    state.apply(entryOf(fork));
    this.#sessions.set(request.id, state);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
  }

  #expectOpen(): void {
    if (this.#isClosed) throw closed();
  }

  #session(id: string): SessionState {
    this.#expectOpen();
    const state = this.#sessions.get(checkId(id, 'session'));
    if (state === undefined) throw noSession(id);
    return state;
  }
}
