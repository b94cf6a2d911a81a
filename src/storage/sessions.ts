/// <reference lib="esnext.disposable" preserve="true" />
import { newId } from '../internal/ids.ts';
import type { MessageId, SessionId } from '../model/ids.ts';
import { Message, type MessageInput } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import { Metadata } from '../model/metadata.ts';
import type { CanStoreMessages } from '../model/providers.ts';
import type { JsonObject } from '../schema/json.ts';
import { type Branch, type BranchDiff, diffBranches, dropBranch, listBranches, siblingsOf } from './branches.ts';
import { type ForkOptions, forkSession } from './fork-session.ts';
import { Journal, type JournalOptions } from './journal.ts';
import { type LoadOptions, loadStore } from './load-store.ts';
import { messageOf, messagesOf, nodeOf } from './message-node.ts';
import { headOf, nodeAt, scanAll } from './read-nodes.ts';
import { Readings } from './readings.ts';
import { type MessagePath, type PathOptions, readPath, withoutStrayAnswers } from './read-path.ts';
import { idsOf, saveStore } from './save-store.ts';
import { Session } from './session.ts';
import type {
  CommitResult,
  ListQuery,
  Op,
  Page,
  Problem,
  SessionHead,
  SessionInit,
  SessionStorage,
} from './storage.ts';
import { StorageError } from './storage-error.ts';
import type { StoreMessagesResult } from './store-messages-result.ts';
import { write, type WriteOptions } from './write-options.ts';

/** How a store is saved: a conflict is always an error. */
export interface SaveOptions extends Omit<WriteOptions, 'onConflict' | 'expectLeaf'> {
  /** Saves a store that was loaded with a limit, too: what was not read is gone then. Default: false, it is refused. */
  readonly discardUnread?: boolean;
}

/** Which messages of a section. */
export interface SectionOptions {
  /** Whole exchanges only: answers whose call is behind the limit are left out. */
  readonly whole?: boolean;
}

/**
 * Conversations that last: sessions over a storage, each a tree of messages with a leaf where the next one goes.
 *
 * Every change is one commit: it happens wholly or not at all, and a retry with the same `commitId` changes nothing.
 * Failures are {@link StorageError}s; nothing is lost silently.
 *
 * @example
 * const sessions = new Sessions(memoryStorage());
 * const id = await sessions.createSession();
 * await sessions.append(id, 'chat', { role: 'user', content: 'Name a colour.' });
 * const answer = await sessions.append(id, 'chat', { role: 'assistant', content: 'Red.' });
 * await sessions.navigateBefore(id, answer.id);
 * await sessions.append(id, 'chat', { role: 'assistant', content: 'Blue.' });
 * (await sessions.getPath(id)).map(String); // => ['Name a colour.', 'Blue.']
 * (await sessions.siblings(id, answer.id)).map(String) // => ['Red.', 'Blue.']
 */
export class Sessions implements CanStoreMessages, AsyncDisposable {
  readonly storage: SessionStorage;
  readonly #readings = new Readings();

  constructor(storage: SessionStorage) {
    this.storage = storage;
  }

  /**
   * Makes an empty session; its id is a UUID v7 unless one is given, which is kept letter by letter.
   *
   * @throws StorageError `ALREADY_EXISTS`, `INVALID_ID`
   */
  async createSession(id?: string, init?: SessionInit): Promise<SessionId> {
    const { id: made } = await this.storage.create(id ?? newId(), init);
    return made as SessionId;
  }

  /** Whether there is a session of this id. */
  async hasSession(id: string): Promise<boolean> {
    return (await this.storage.head(id)) !== null;
  }

  /** What is known of a session without its messages; undefined where there is none. */
  async getHead(id: string): Promise<SessionHead | undefined> {
    return (await this.storage.head(id)) ?? undefined;
  }

  /** The sessions, newest first, in pages. */
  listSessions(query?: ListQuery): Promise<Page<SessionHead>> {
    return this.storage.list(query);
  }

  /** Removes a session with all it holds; false where there was none. */
  delete(id: string, options?: { readonly expectVersion?: number }): Promise<boolean> {
    return this.storage.delete(id, options);
  }

  /**
   * Everything in a session, all branches, as a store; with `pathOnly` the active branch alone.
   *
   * A store that comes from here, and what is made of it, is saved only where nobody else has written since.
   *
   * @throws StorageError `NOT_FOUND`, `DAMAGED`
   */
  async load(id: string, options?: LoadOptions): Promise<MessageStore> {
    const { store, head } = await loadStore(this.storage, id, options);
    const { version, epoch, nodeCount } = head;
    const isCut = options?.limit !== undefined && idsOf(store).size < nodeCount;
    this.#readings.add(store, { session: id, version, epoch, isCut });
    return store;
  }

  /**
   * Makes a session be exactly this store, as one commit: what is not in the store is gone. New messages go where their
   * section has them, and behind the leaf.
   *
   * @throws StorageError `NOT_FOUND`; `CONFLICT` when someone else has written since the store was loaded here: load
   * again, or append what is new instead; `INVALID_DATA` when the store was loaded with a limit, and there was more
   */
  async save(id: string, store: MessageStore, options: SaveOptions = {}): Promise<StoreMessagesResult> {
    const { version, epoch, isCut = false } = this.#readings.oldest(store, id) ?? {};
    if (isCut && options.discardUnread !== true) throw cutStore(id);
    const onWritten = (result: CommitResult): void => {
      this.#readings.add(store, { session: id, version: result.version, epoch, isCut: false });
      options.onWritten?.(result);
    };
    const expect = {
      ...(version !== undefined && { expectVersion: version }),
      ...(epoch !== undefined && { expectEpoch: epoch }),
    };
    return saveStore(this.storage, id, store, { ...expect, ...options, onWritten, isLoaded: version !== undefined });
  }

  /** @internal The version of a session that a store was loaded at; undefined where it was not loaded here. */
  versionOf(id: string, store: MessageStore): number | undefined {
    return this.#readings.oldest(store, id)?.version;
  }

  /**
   * A session to go on with: it knows what it has read, and refuses to write where someone else has written.
   *
   * @throws StorageError `NOT_FOUND`
   */
  async open(id: string): Promise<Session> {
    return new Session(this, await headOf(this.storage, id));
  }

  /**
   * Appends a message behind the leaf, wherever that is by then; below its parent where it names one. Returns it as it is
   * stored, with its parent.
   *
   * @throws StorageError `PARENT_NOT_FOUND`; `ID_CONFLICT` when the session has another message of this id
   */
  async append(id: string, section: string, message: MessageInput, options?: WriteOptions): Promise<Message> {
    const list = message instanceof Message ? [message] : Messages.from([message]);
    const [stored] = await this.#append(id, section, [...list], options);
    return stored as Message;
  }

  /** {@link Sessions.append} for several messages, one behind the other: all or none. */
  async appendMany(id: string, section: string, messages: MessagesInput, options?: WriteOptions): Promise<Messages> {
    const list = [...Messages.from(messages)];
    if (list.length === 0) return Messages.empty();
    return Messages.owning(await this.#append(id, section, list, options));
  }

  async #append(id: string, section: string, list: readonly Message[], options?: WriteOptions): Promise<Message[]> {
    const ops = list.map((message): Op => ({ op: 'node', node: nodeOf(message, section, message.parentId) }));
    const { nodes } = await this.write(id, ops, options);
    const parents = new Map(nodes.map((node) => [node.id, node.parentId]));
    return list.map((message) => message.withParentId(parents.get(message.id)));
  }

  /** @internal Makes changes as one commit. */
  write(id: string, ops: readonly Op[], options?: WriteOptions) {
    return write(this.storage, id, ops, options);
  }

  /** A message by its id; undefined where there is none. */
  async get(id: string, message: string): Promise<Message | undefined> {
    const [node] = await this.storage.nodes(id, [message]);
    return node ? messageOf(node) : undefined;
  }

  /** The messages of a section, all branches, in the order in which they were stored; with a limit the newest. */
  async getSection(
    id: string,
    section: string,
    limit?: number,
    { whole = false }: SectionOptions = {},
  ): Promise<Messages> {
    checkCount(limit);
    if (limit === 0) return Messages.empty();
    if (limit === undefined) return Messages.owning(messagesOf(await scanAll(this.storage, id, { section })));
    const newest = (await scanAll(this.storage, id, { section, dir: 'desc' }, limit)).toReversed();
    const messages = messagesOf(newest);
    return Messages.owning(whole && newest.length === limit ? withoutStrayAnswers(messages) : messages);
  }

  /** Where the next message goes; undefined: it becomes a root. */
  async getLeafId(id: string): Promise<MessageId | undefined> {
    return ((await headOf(this.storage, id)).leaf ?? undefined) as MessageId | undefined;
  }

  /**
   * Moves the leaf: the next message goes behind this one. Null: before the first one.
   *
   * @throws StorageError `NOT_FOUND`
   */
  async navigateTo(id: string, message: string | null, options?: WriteOptions): Promise<void> {
    await this.write(id, [{ op: 'leaf', to: message }], options);
  }

  /** Moves the leaf before a message: the next one becomes its sibling. */
  async navigateBefore(id: string, message: string, options?: WriteOptions): Promise<void> {
    await this.navigateTo(id, (await nodeAt(this.storage, id, message)).parentId, options);
  }

  /** The messages from the root to the leaf, or to another end; with a limit the newest. */
  async getPath(id: string, to?: string | null, options?: Omit<PathOptions, 'to'>): Promise<Messages> {
    return (await this.readPath(id, { ...options, ...(to !== undefined && { to }) })).messages;
  }

  /** {@link Sessions.getPath}, and whether there is more of it above, and whether its last turn waits for answers. */
  readPath(id: string, options: PathOptions = {}): Promise<MessagePath> {
    checkCount(options.limit);
    return readPath(this.storage, id, options);
  }

  /**
   * Stores another version of a message beside it, as a new message below the same parent; the branch of the old one
   * stays. The leaf is the new one.
   */
  async editMessage(id: string, message: string, next: MessageInput, options?: WriteOptions): Promise<Message> {
    const { parentId, section } = await nodeAt(this.storage, id, message);
    const { id: own, timestamp, ...fields } = Message.from(next);
    const edited = Message.of({ ...fields, ...(own !== message && { id: own, createdAt: timestamp }), parentId });
    await this.write(id, [{ op: 'node', node: nodeOf(edited, section, parentId) }], options);
    return edited;
  }

  /** The branches: one for each message that none hangs below. */
  listBranches(id: string): Promise<readonly Branch[]> {
    return listBranches(this.storage, id);
  }

  /** The messages below the same parent, this one among them, in the order in which they were stored. */
  siblings(id: string, message: string): Promise<Messages> {
    return siblingsOf(this.storage, id, message);
  }

  /** Where two branches part, and what each has behind that. */
  diff(id: string, left: string, right: string): Promise<BranchDiff> {
    return diffBranches(this.storage, id, left, right);
  }

  /**
   * Removes the end of a branch, up to where another one parts from it: nothing that another branch needs. The leaf moves
   * up where it was removed, and what was growing behind the end is gone with it. With a `commitId`, one that is gone is
   * taken for removed by it.
   *
   * @throws StorageError `NOT_FOUND`; `INVALID_DATA` when it is not the last message of a branch
   */
  deleteBranch(id: string, leaf: string, options?: WriteOptions): Promise<void> {
    return dropBranch(this.storage, id, leaf, options);
  }

  /** Copies a path, or all branches, into a session of its own; returns its id. */
  async fork(id: string, at?: string | null, options?: Omit<ForkOptions, 'at'>): Promise<SessionId> {
    return (await forkSession(this.storage, id, { ...options, ...(at !== undefined && { at }) })) as SessionId;
  }

  /**
   * Names a message: one label each, the last one given.
   *
   * @throws StorageError `NOT_FOUND`
   */
  async addLabel(id: string, message: string, label: string, options?: WriteOptions): Promise<void> {
    await this.write(id, [{ op: 'label', target: message, label }], options);
  }

  /** Takes the label of a message away; false where it had none. */
  async removeLabel(id: string, message: string, options?: WriteOptions): Promise<boolean> {
    if (!Object.hasOwn(await this.getLabels(id), message)) return false;
    await this.write(id, [{ op: 'label', target: message, label: null }], options);
    return true;
  }

  /** The labels by the ids of their messages. */
  async getLabels(id: string): Promise<Readonly<Record<string, string>>> {
    return (await this.storage.extras(id)).labels;
  }

  /** The messages that have this label. */
  async findByLabel(id: string, label: string): Promise<Messages> {
    const ids = Object.entries(await this.getLabels(id)).flatMap(([target, own]) => (own === label ? [target] : []));
    const nodes = await this.storage.nodes(id, ids);
    return Messages.owning(messagesOf(nodes.filter((node) => node !== null)));
  }

  /** The parameters of the session's store. */
  async getParameters(id: string): Promise<Metadata> {
    return Metadata.from((await this.storage.extras(id)).params);
  }

  /** Sets parameters of the session's store, the others stay; undefined removes one. */
  async setParameters(id: string, patch: Readonly<Record<string, unknown>>, options?: WriteOptions): Promise<void> {
    const ops = Object.entries(patch).map(([key, value]) => ({ op: 'param', key, value }) as Op);
    if (ops.length > 0) await this.write(id, ops, options);
  }

  /** Sets entries of the session's own metadata (title, tags …), the others stay; null removes one. */
  async setMeta(id: string, patch: JsonObject, options?: WriteOptions): Promise<void> {
    await this.write(id, [{ op: 'meta', patch }], options);
  }

  /** Keeps a message that is being streamed, so that a crash loses little of it. */
  journal(id: string, section: string, options: JournalOptions = {}): Journal {
    return new Journal(this.storage, id, section, options);
  }

  /** What a storage found that cannot be read as it should. */
  problems(id: string, query?: { readonly limit?: number; readonly cursor?: string }): Promise<Page<Problem>> {
    return this.storage.problems(id, query);
  }

  /** Closes the storage. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.storage[Symbol.asyncDispose]();
  }
}

function checkCount(limit: number | undefined): void {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 0)) return;
  throw new StorageError('INVALID_DATA', `limit: expected a whole number, 0 or more, got ${String(limit)}`, {
    path: 'limit',
    value: limit,
  });
}

function cutStore(id: string): StorageError {
  return new StorageError(
    'INVALID_DATA',
    `session ${JSON.stringify(id)}: the store holds only the newest messages that were loaded, and saving it would take away the others. Append what is new, load all of it, or say discardUnread.`,
    { path: id },
  );
}
