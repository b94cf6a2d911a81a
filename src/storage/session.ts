import type { MessageId, SessionId } from '../model/ids.ts';
import type { Message, MessageInput } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Messages, MessagesInput } from '../model/messages.ts';
import type { Metadata } from '../model/metadata.ts';
import type { Branch, BranchDiff } from './branches.ts';
import type { ForkOptions } from './fork-session.ts';
import type { Journal, JournalOptions } from './journal.ts';
import type { LoadOptions } from './load-store.ts';
import type { MessagePath, PathOptions } from './read-path.ts';
import type { SaveOptions, Sessions } from './sessions.ts';
import type { CommitResult, SessionHead } from './storage.ts';
import type { StoreMessagesResult } from './store-messages-result.ts';
import type { WriteOptions } from './write-options.ts';

/** What of a handle follows a write: all that it knows, where its leaf is, or neither. */
type Follows = 'all' | 'leaf' | 'nothing';

/**
 * One session, as it was read: a write is refused where someone else has written since, unless `onConflict` says what
 * happens then. Writes go one after another, in the order in which they were asked for. After a conflict `refresh` brings
 * it up to date.
 *
 * @example
 * const sessions = new Sessions(memoryStorage());
 * const session = await sessions.open(await sessions.createSession());
 * await session.append('chat', 'Hello!');
 * session.version; // => 1
 * (await session.toStore()).section('chat').messages().size // => 1
 */
export class Session {
  readonly id: SessionId;
  readonly #sessions: Sessions;
  #head: SessionHead;
  /** Whether it goes on beside the session's own leaf. */
  #isAside = false;
  #queue: Promise<unknown> = Promise.resolve();

  /** @internal {@link Sessions.open} makes one. */
  constructor(sessions: Sessions, head: SessionHead) {
    this.id = head.id as SessionId;
    this.#sessions = sessions;
    this.#head = head;
  }

  /** The number of accepted commits that this handle has seen. */
  get version(): number {
    return this.#head.version;
  }

  /** Where the next message goes; undefined: it becomes a root. */
  getLeafId(): MessageId | undefined {
    return (this.#head.leaf ?? undefined) as MessageId | undefined;
  }

  /** Looks what others wrote; returns the version. */
  refresh(): Promise<number> {
    return this.#inTurn(async () => {
      this.#head = (await this.#sessions.open(this.id)).#head;
      this.#isAside = false;
      return this.version;
    });
  }

  /** A write in its turn that goes where this handle's leaf is. */
  #append<T>(options: WriteOptions | undefined, run: (expected: WriteOptions) => Promise<T>): Promise<T> {
    return this.#inTurn(() => run(this.#expected({ expectLeaf: this.#head.leaf, ...options }, 'leaf')));
  }

  /** A write in its turn that does not care where the leaf is; this handle's leaf `follows` it or not. */
  #change<T>(
    options: WriteOptions | undefined,
    run: (expected: WriteOptions) => Promise<T>,
    follows: Follows = 'nothing',
  ): Promise<T> {
    return this.#inTurn(() => run(this.#expected(options, follows)));
  }

  #expected(options: WriteOptions = {}, follows: Follows): WriteOptions {
    const onWritten = (result: CommitResult): void => {
      this.#follow(result, follows, options.onConflict === 'fork');
      options.onWritten?.(result);
    };
    return { ...options, expectEpoch: this.#head.epoch, onWritten };
  }

  /**
   * Takes over what a write did, not what others did before it: that has not been read. Messages that were put aside as
   * a branch are where this handle goes on. A retry of what is known already tells what was long ago.
   */
  #follow({ version, leaf, nodes }: CommitResult, follows: Follows, isFork: boolean): void {
    const { version: seen, leaf: seenLeaf } = this.#head;
    if (version <= seen) return;
    const isNext = version === seen + 1;
    const own = (isFork ? nodes.at(-1)?.id : undefined) ?? leaf;
    const isMoved = follows !== 'nothing';
    this.#head = {
      ...this.#head,
      version: isNext || follows === 'all' ? version : seen,
      leaf: isMoved ? own : isNext && !this.#isAside ? leaf : seenLeaf,
    };
    if (isMoved) this.#isAside = own !== leaf;
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(run);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Appends a message behind the leaf that this handle knows; returns it as it is stored. */
  async append(section: string, message: MessageInput, options?: WriteOptions): Promise<Message> {
    const [stored] = await this.appendMany(section, [message], options);
    return stored as Message;
  }

  /** {@link Session.append} for several messages, one behind the other: all or none. */
  appendMany(section: string, messages: MessagesInput, options?: WriteOptions): Promise<Messages> {
    return this.#append(options, (expected) => this.#sessions.appendMany(this.id, section, messages, expected));
  }

  /** Everything, all branches, as a store. */
  load(options?: LoadOptions): Promise<MessageStore> {
    return this.#sessions.load(this.id, options);
  }

  /** The active branch as a store. */
  toStore(options?: Omit<LoadOptions, 'pathOnly'>): Promise<MessageStore> {
    return this.load({ ...options, pathOnly: true });
  }

  /**
   * Makes the session be exactly this store: see {@link Sessions.save}. Other branches than those in the store are gone.
   * A store that was loaded is refused where someone has written since, also if this handle knows what.
   */
  save(store: MessageStore, options?: SaveOptions): Promise<StoreMessagesResult> {
    return this.#change(
      options,
      (expected) => this.#sessions.save(this.id, store, { expectVersion: this.#seenBy(store), ...expected }),
      'all',
    );
  }

  /** What is known of the session where a store is saved: what was loaded, or what this handle has seen. */
  #seenBy(store: MessageStore): number {
    return this.#sessions.versionOf(this.id, store) ?? this.version;
  }

  /** A message by its id; undefined where there is none. */
  get(message: string): Promise<Message | undefined> {
    return this.#sessions.get(this.id, message);
  }

  /** The messages of a section, all branches: see {@link Sessions.getSection}. */
  getSection(section: string, limit?: number): Promise<Messages> {
    return this.#sessions.getSection(this.id, section, limit);
  }

  /** The messages from the root to the leaf that this handle knows, or to another end. */
  async getPath(to: string | null | undefined = this.#head.leaf, options?: Omit<PathOptions, 'to'>): Promise<Messages> {
    return this.#sessions.getPath(this.id, to, options);
  }

  /** {@link Session.getPath}, and whether there is more of it above, and whether its last turn waits for answers. */
  readPath(options?: PathOptions): Promise<MessagePath> {
    return this.#sessions.readPath(this.id, { to: this.#head.leaf, ...options });
  }

  /** Moves the leaf: the next message goes behind this one. */
  navigateTo(message: string | null, options?: WriteOptions): Promise<void> {
    return this.#change(options, (expected) => this.#sessions.navigateTo(this.id, message, expected), 'leaf');
  }

  /** Moves the leaf before a message: the next one becomes its sibling. */
  navigateBefore(message: string, options?: WriteOptions): Promise<void> {
    return this.#change(options, (expected) => this.#sessions.navigateBefore(this.id, message, expected), 'leaf');
  }

  /** Stores another version of a message beside it: see {@link Sessions.editMessage}. */
  editMessage(message: string, next: MessageInput, options?: WriteOptions): Promise<Message> {
    return this.#change(options, (expected) => this.#sessions.editMessage(this.id, message, next, expected), 'leaf');
  }

  /** The branches: one for each message that none hangs below. */
  listBranches(): Promise<readonly Branch[]> {
    return this.#sessions.listBranches(this.id);
  }

  /** The messages below the same parent, this one among them. */
  siblings(message: string): Promise<Messages> {
    return this.#sessions.siblings(this.id, message);
  }

  /** Where two branches part, and what each has behind that. */
  diff(left: string, right: string): Promise<BranchDiff> {
    return this.#sessions.diff(this.id, left, right);
  }

  /** Removes the end of a branch: see {@link Sessions.deleteBranch}. */
  deleteBranch(leaf: string, options?: WriteOptions): Promise<void> {
    return this.#change(options, (expected) => this.#sessions.deleteBranch(this.id, leaf, expected));
  }

  /** Copies a path, or all branches, into a session of its own. */
  async fork(at?: string | null, options?: Omit<ForkOptions, 'at'>): Promise<Session> {
    return this.#sessions.open(await this.#sessions.fork(this.id, at, options));
  }

  /** Names a message: one label each, the last one given. */
  addLabel(message: string, label: string, options?: WriteOptions): Promise<void> {
    return this.#change(options, (expected) => this.#sessions.addLabel(this.id, message, label, expected));
  }

  /** Takes the label of a message away; false where it had none. */
  removeLabel(message: string, options?: WriteOptions): Promise<boolean> {
    return this.#change(options, (expected) => this.#sessions.removeLabel(this.id, message, expected));
  }

  /** The labels by the ids of their messages. */
  getLabels(): Promise<Readonly<Record<string, string>>> {
    return this.#sessions.getLabels(this.id);
  }

  /** The parameters of the session's store. */
  getParameters(): Promise<Metadata> {
    return this.#sessions.getParameters(this.id);
  }

  /** Sets parameters of the session's store, the others stay; undefined removes one. */
  setParameters(patch: Readonly<Record<string, unknown>>, options?: WriteOptions): Promise<void> {
    return this.#change(options, (expected) => this.#sessions.setParameters(this.id, patch, expected));
  }

  /** Keeps a message that is being streamed, so that a crash loses little of it. */
  journal(section: string, options: JournalOptions = {}): Journal {
    const onWritten = (result: CommitResult): void => {
      this.#follow(result, result.nodes.length > 0 ? 'leaf' : 'nothing', false);
      options.onWritten?.(result);
    };
    const { leaf, epoch } = this.#head;
    return this.#sessions.journal(this.id, section, { parentId: leaf, expectEpoch: epoch, ...options, onWritten });
  }
}
