import { now } from '../internal/ids.ts';
import type { Message } from '../model/message.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import { messageOf, nodeOf } from './message-node.ts';
import { headOf } from './read-nodes.ts';
import type { CommitResult, Op, SessionStorage } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { write, type WriteOptions } from './write-options.ts';

/** How a journal writes. */
export interface JournalOptions extends Pick<WriteOptions, 'expectEpoch' | 'onWritten'> {
  /** The least time between two writes, in milliseconds; default: 1 000. */
  readonly everyMs?: number;
  /** What the message hangs below; default: the leaf at the first write. */
  readonly parentId?: string | null;
}

/** A message that grows: an accumulator of a format, or the message so far. */
export type Growing =
  | Message
  | {
      /** The message so far. */
      message(): Message;
    };

/**
 * Keeps a message that is still being streamed, so that a crash loses little of it: what was written last loads as an
 * incomplete message, whose calls must not be executed. `finish` makes it the final message in one commit.
 */
export class Journal {
  readonly #storage: SessionStorage;
  readonly #session: string;
  readonly #section: string;
  readonly #everyMs: number;
  readonly #options: WriteOptions;
  #parentId: string | null | undefined;
  #draft: string | undefined;
  #lastTime = -Infinity;
  #writing: Promise<unknown> | undefined;
  #isOver = false;

  /** @internal {@link Sessions.journal} makes one. */
  constructor(storage: SessionStorage, session: string, section: string, options: JournalOptions) {
    const { everyMs = 1000, parentId, ...writing } = options;
    this.#storage = storage;
    this.#session = session;
    this.#section = section;
    this.#everyMs = everyMs;
    this.#parentId = parentId;
    this.#options = writing;
  }

  /**
   * Writes the message as it is now, unless the last write was too short a time ago or is still going on. Resolves to
   * whether it was written; never once it was finished or discarded. Costs the whole message each time.
   */
  async write(growing: Growing): Promise<boolean> {
    const time = now();
    if (this.#isOver || this.#writing !== undefined || time - this.#lastTime < this.#everyMs) return false;
    this.#lastTime = time;
    const message = 'message' in growing ? growing.message() : growing;
    this.#writing = this.#keep(message);
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
    }
    return true;
  }

  async #keep(message: Message): Promise<void> {
    if (this.#parentId === undefined)
      this.#parentId = message.parentId ?? (await headOf(this.#storage, this.#session)).leaf;
    const earlier = this.#draft;
    this.#draft = message.id;
    const node = nodeOf(message, this.#section, this.#parentId);
    const growing = message.incomplete
      ? node
      : { ...node, data: { ...(node.data as object), incomplete: { reason: 'streaming' } } };
    await this.#commit([...discard(earlier, message.id), { op: 'draft', id: message.id, node: growing }]);
  }

  /**
   * Stores what the stream ended in, as one commit: the partial message is gone, also where a save by someone else has
   * made it a message of the session, unless others hang below it. Returns the messages as they are stored. Where it
   * fails it can be called again.
   */
  async finish(messages: MessagesInput): Promise<Messages> {
    await this.#end();
    const list = [...Messages.from(messages)];
    const ops = [...discard(this.#draft, undefined), ...this.#opsOf(list)];
    const { nodes } = await this.#commit(ops).catch((error: unknown) => this.#replace(ops, error));
    this.#draft = undefined;
    return Messages.owning(list.map((message, at) => message.withParentId(nodes[at]?.parentId)));
  }

  #opsOf(list: readonly Message[]): Op[] {
    const parentId = this.#parentId;
    return list.map((message, at): Op => {
      const under = at === 0 ? (parentId ?? message.parentId) : undefined;
      return { op: 'node', node: nodeOf(message, this.#section, at === 0 && parentId === null ? null : under) };
    });
  }

  /** Where a save has made the partial message one of the session, the final one takes its place. */
  async #replace(ops: readonly Op[], error: unknown): Promise<CommitResult> {
    const draft = this.#draft;
    if (!(error instanceof StorageError) || error.code !== 'ID_CONFLICT' || draft === undefined) throw error;
    const [node] = await this.#storage.nodes(this.#session, [draft]);
    if (!node || messageOf(node, () => undefined)?.incomplete === undefined) throw error;
    return this.#commit([{ op: 'drop', ids: [draft] }, ...ops]);
  }

  /** Takes the partial message away. Where it fails it can be called again. */
  async discard(): Promise<void> {
    await this.#end();
    const ops = discard(this.#draft, undefined);
    if (ops.length > 0) await this.#commit(ops);
    this.#draft = undefined;
  }

  /** Nothing is written any more but the end. */
  async #end(): Promise<void> {
    this.#isOver = true;
    await this.#settled();
  }

  /** A write that failed has told its caller. */
  async #settled(): Promise<void> {
    await this.#writing?.catch(() => undefined);
  }

  #commit(ops: readonly Op[]) {
    return write(this.#storage, this.#session, ops, this.#options);
  }
}

function discard(draft: string | undefined, next: string | undefined): Op[] {
  return draft === undefined || draft === next ? [] : [{ op: 'draft', id: draft, node: null }];
}
