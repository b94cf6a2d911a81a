import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import { equalJson } from '../schema/json.ts';
import type { MessageJSON } from '../schema/message.ts';
import { STORE_FIELDS } from './load-store.ts';
import { nodeOf } from './message-node.ts';
import type { Op, SessionExtras } from './storage.ts';
import { StorageError } from './storage-error.ts';

/** What a session knows of the messages that are to be saved. */
export interface KnownTree {
  /** The parents of those that it has. */
  readonly parents: ReadonlyMap<string, string | null>;
  readonly leaf: string | null;
  readonly extras: SessionExtras;
}

/**
 * The changes that make a session be exactly this store.
 *
 * Messages keep their parents. One without hangs where its section's order puts it: in a session without branches all
 * become one chain; in one with branches new messages go behind the leaf. The leaf stays where it is kept and nothing
 * new went behind it, else it is the last message.
 *
 * @throws StorageError `ID_CONFLICT` when one id stands for two messages
 */
export function opsOfStore(store: MessageStore, known: KnownTree): readonly Op[] {
  const tree = new TreeOfStore(store, known);
  return [
    { op: 'reset' },
    ...store.sections.map(({ name, policy, extra }): Op => ({ op: 'section', name, ...(policy && { policy }), extra })),
    ...tree.ops(),
    ...labelsOf(tree, known.extras),
    ...Object.entries(store.parameters().get().toJSON()).map(([key, value]): Op => ({ op: 'param', key, value })),
    { op: 'meta', patch: { [STORE_FIELDS]: Object.keys(store.extra).length === 0 ? null : store.extra } },
  ];
}

function labelsOf(tree: TreeOfStore, { labels, drafts }: SessionExtras): Op[] {
  return [
    ...Object.entries(labels)
      .filter(([target]) => tree.has(target))
      .map(([target, label]): Op => ({ op: 'label', target, label })),
    ...drafts.filter(({ id }) => !tree.has(id)).map((node): Op => ({ op: 'draft', id: node.id, node })),
  ];
}

/** The messages of one section, the next one first. */
interface Queue {
  readonly section: string;
  readonly messages: readonly Message[];
  next: number;
  /** What lies behind this is new, at the section's end. */
  readonly lastKnown: number;
}

/** The messages of a store put in an order in which parents come first and each section keeps its own. */
class TreeOfStore {
  readonly #known: KnownTree;
  readonly #byId = new Map<string, Message>();
  readonly #queues: readonly Queue[];
  readonly #isChain: boolean;
  readonly #written = new Set<string>();
  readonly #ops: Op[] = [];
  #last: string | null = null;
  /** Of those that the session does not know the last one without a parent, and the last one. */
  #lastNew: string | undefined;
  #lastAdded: string | undefined;

  constructor(store: MessageStore, known: KnownTree) {
    this.#known = known;
    for (const { messages } of store.sections) for (const message of messages) this.#take(message);
    this.#queues = store.sections.map(({ name, messages }) => this.#queue(name, [...messages]));
    this.#isChain = this.#checkChain();
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  #take(message: Message): void {
    const same = this.#byId.get(message.id) ?? message;
    if (!saysTheSame(same, message))
      throw new StorageError(
        'ID_CONFLICT',
        `message ${JSON.stringify(message.id)}: the store has two of this id with other content. Give one of them an id of its own.`,
        { path: message.id, value: message.id },
      );
    this.#byId.set(message.id, same);
  }

  #queue(section: string, messages: readonly Message[]): Queue {
    return { section, messages, next: 0, lastKnown: messages.findLastIndex((message) => !this.#isNew(message)) };
  }

  /** The parent that it has, be it given or known; undefined: it is new. */
  #parentOf({ id, parentId }: Message): string | null | undefined {
    return parentId ?? this.#known.parents.get(id);
  }

  #isNew(message: Message): boolean {
    return this.#parentOf(message) === undefined;
  }

  /** Whether no two messages hang below the same one, and the leaf is the end. */
  #checkChain(): boolean {
    const seen = new Set<string | null>();
    for (const message of this.#byId.values()) {
      const parent = this.#parentOf(message);
      if (parent === undefined) continue;
      if (seen.has(parent)) return false;
      seen.add(parent);
    }
    const { leaf } = this.#known;
    return leaf === null || !this.has(leaf) || !seen.has(leaf);
  }

  ops(): readonly Op[] {
    const open = () => this.#queues.find(({ next, messages }) => next < messages.length);
    for (let queue = open(); queue !== undefined; queue = open()) {
      const before = this.#ops.length;
      for (const each of this.#queues) this.#writeReady(each);
      if (before === this.#ops.length) this.#write(queue, this.#last);
    }
    const leaf = this.#leaf();
    return leaf === this.#last ? this.#ops : [...this.#ops, { op: 'leaf', to: leaf }];
  }

  #leaf(): string | null {
    if (this.#lastAdded !== undefined) return this.#isChain ? this.#last : this.#lastAdded;
    const { leaf } = this.#known;
    return leaf !== null && this.has(leaf) ? leaf : this.#last;
  }

  #writeReady(queue: Queue): void {
    while (queue.next < queue.messages.length) {
      const message = queue.messages[queue.next] as Message;
      if (!this.#isReady(message, queue)) return;
      this.#write(queue, this.#place(message));
    }
  }

  /** What is known waits for its parent; what is new at the end of its section waits for the leaf. */
  #isReady(message: Message, { next, lastKnown }: Queue): boolean {
    if (this.#written.has(message.id)) return true;
    const parent = this.#parentOf(message);
    if (parent !== undefined) return parent === null || !this.has(parent) || this.#written.has(parent);
    const { leaf } = this.#known;
    return (this.#isChain && next < lastKnown) || leaf === null || !this.has(leaf) || this.#written.has(leaf);
  }

  /** What a message hangs below. */
  #place(message: Message): string | null {
    if (this.#isChain) return this.#last;
    const parent = this.#parentOf(message);
    if (parent === null || (parent !== undefined && this.has(parent))) return parent;
    if (parent !== undefined) return this.#last;
    const { leaf } = this.#known;
    return this.#lastNew ?? (leaf !== null && this.has(leaf) ? leaf : this.#last);
  }

  #write(queue: Queue, parentId: string | null): void {
    const message = queue.messages[queue.next++] as Message;
    const { id } = message;
    if (this.#written.has(id)) {
      this.#ops.push({ op: 'place', id, section: queue.section });
      return;
    }
    this.#ops.push({ op: 'node', node: nodeOf(message, queue.section, parentId) });
    this.#written.add(id);
    this.#last = id;
    if (this.#isNew(message)) this.#lastNew = id;
    if (!this.#known.parents.has(id)) this.#lastAdded = id;
  }
}

/** Whether two are one message; when each was made, and what it hangs below, is the first one's to say. */
function saysTheSame(a: Message, b: Message): boolean {
  return a === b || equalJson(saidBy(a.toJSON()), saidBy(b.toJSON()));
}

function saidBy(json: MessageJSON): Omit<MessageJSON, 'createdAt' | 'parentId'> {
  const { createdAt: _at, parentId: _parent, ...said } = json;
  return said;
}
