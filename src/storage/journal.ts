import { now } from '../internal/ids.ts';
import type { Message } from '../model/message.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import { nodeOf } from './message-node.ts';
import { headOf } from './read-nodes.ts';
import type { Op, SessionStorage } from './storage.ts';
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
   * whether it was written. Costs the whole message each time.
   */
  async write(growing: Growing): Promise<boolean> {
    const time = now();
    if (this.#writing !== undefined || time - this.#lastTime < this.#everyMs) return false;
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
    const { parentId = message.parentId ?? (await headOf(this.#storage, this.#session)).leaf } = {
      parentId: this.#parentId,
    };
    this.#parentId = parentId;
    const earlier = this.#draft;
    this.#draft = message.id;
    const node = nodeOf(message, this.#section, parentId);
    const growing = message.incomplete
      ? node
      : { ...node, data: { ...(node.data as object), incomplete: { reason: 'streaming' } } };
    await this.#commit([...discard(earlier, message.id), { op: 'draft', id: message.id, node: growing }]);
  }

  /** Stores what the stream ended in, as one commit: the partial message is gone. Returns the messages as they are stored. */
  async finish(messages: MessagesInput): Promise<Messages> {
    await this.#settled();
    const list = [...Messages.from(messages)];
    const parentId = this.#parentId;
    const ops = list.map((message, at): Op => {
      const under = at === 0 ? (parentId ?? message.parentId) : undefined;
      return { op: 'node', node: nodeOf(message, this.#section, at === 0 && parentId === null ? null : under) };
    });
    const { nodes } = await this.#commit([...discard(this.#draft, undefined), ...ops]);
    this.#draft = undefined;
    return Messages.owning(list.map((message, at) => message.withParentId(nodes[at]?.parentId)));
  }

  /** Takes the partial message away. */
  async discard(): Promise<void> {
    await this.#settled();
    const ops = discard(this.#draft, undefined);
    this.#draft = undefined;
    if (ops.length > 0) await this.#commit(ops);
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
