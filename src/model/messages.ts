import { MessageStoreError, reject } from '../errors.ts';
import { isMessageShape } from '../input/message.ts';
import { PersistentList } from '../internal/persistent-list.ts';
import type { Segment } from '../internal/vector.ts';
import { copyList } from '../schema/copy-list.ts';
import { isMessageJSON, type MessageJSON, messageSchema } from '../schema/message.ts';
import { Collection } from './collection.ts';
import { Content } from './content.ts';
import type { ContentPart } from './content-part.ts';
import { ContentParts } from './content-parts.ts';
import { type Exchange, exchangesOf } from './exchange.ts';
import { Message, type MessageInput } from './message.ts';
import { MessageRole } from './message-role.ts';
import { mergeRuns, type MergeOptions } from './merge-runs.ts';
import { type CanProvideMessages, providesMessages } from './providers.ts';
import { readItem } from './read-item.ts';
import { joinTexts, type MessageLike, renderText } from './render-text.ts';

/** What can stand for messages: messages, one message, or a list of them; in a list, text is a user message. */
export type MessagesInput = Messages | CanProvideMessages | MessageInput | readonly MessageInput[];

/** An immutable list of messages. Appending costs the same however long the list is, and every version stays usable. */
export class Messages extends Collection<Message> {
  readonly #list: PersistentList<Message>;
  /** How many messages are blank; undefined until it is asked for. */
  #blanks: number | undefined;

  private constructor(list: PersistentList<Message>, blanks: number | undefined) {
    super();
    this.#list = list;
    this.#blanks = blanks;
    Object.freeze(this);
  }

  static readonly #none = new Messages(PersistentList.empty(), 0);

  /** The shared empty list. */
  static empty(): Messages {
    return Messages.#none;
  }

  /** These messages. */
  static of(...messages: readonly Message[]): Messages {
    return Messages.owning(messages);
  }

  /**
   * Messages from anything that can stand for them; messages themselves are returned unchanged. A role or a name
   * is given to what is no list.
   *
   * @throws InvalidInputError naming the index of what cannot be read
   * @example
   * Messages.from(['Hi', { role: 'assistant', content: 'Hello' }]).map((m) => m.role) // => ['user', 'assistant']
   */
  static from(input: MessagesInput, role?: MessageRole | '' | null, name?: string, path = ''): Messages {
    if (input instanceof Messages) return input;
    if (Array.isArray(input)) return Messages.#fromList(input as readonly MessageInput[], path);
    if (providesMessages(input) && !(input instanceof Message)) return input.toMessages();
    return Messages.of(Message.from(input as MessageInput, role, name, path));
  }

  static #fromList(items: readonly MessageInput[], path: string): Messages {
    return Messages.owning(Array.from(items, (item, at) => readItem(item, `${path}[${at}]`)));
  }

  /** Messages or what a provider provides; anything else as the text of one user message. */
  static fromInput(input: unknown): Messages {
    if (input instanceof Messages) return input;
    return providesMessages(input) ? input.toMessages() : Messages.of(Message.fromInput(input));
  }

  /**
   * Reads what `toJSON` wrote.
   *
   * @throws InvalidInputError naming the path of what is wrong
   */
  static fromJSON(json: unknown): Messages {
    return Messages.owningJSON(copyList(json, 'a list of messages', isMessageJSON, messageSchema));
  }

  /** @internal Over sound JSON that nobody else holds: the messages are built when one of them is first read. */
  static owningJSON(json: readonly MessageJSON[]): Messages {
    return Messages.#over(PersistentList.owning(() => json.map((message) => Message.owning(message)), json.length));
  }

  /** @internal Over an array that nobody else holds. */
  static owning(messages: readonly Message[]): Messages {
    return Messages.#over(PersistentList.owning(messages), countBlanks(messages));
  }

  /** @internal The messages of several lists one after another, without blank ones. Costs one copy. */
  static joined(lists: readonly Messages[]): Messages {
    const filled = lists.map((list) => list.withoutEmptyMessages()).filter((list) => list.size > 0);
    const [only] = filled;
    if (filled.length <= 1) return only ?? Messages.empty();
    return new Messages(PersistentList.joining(filled.map((list) => list.#list)), 0);
  }

  /** A list of messages as text, without reading it into values: see {@link Messages.toString}. */
  static asString(
    messages: Messages | readonly MessageLike[],
    separator = '\n',
    renderer?: (message: MessageLike) => string,
  ): string {
    return renderText(messages instanceof Messages ? messages.toJSON() : messages, separator, renderer);
  }

  /** Whether reading this would give messages that say nothing; a list with items in it never does. */
  static becomesEmpty(input: MessagesInput): boolean {
    if (Array.isArray(input)) return input.length === 0;
    return Messages.from(input).isEmpty();
  }

  /**
   * Whether reading these message objects would give a composite message.
   *
   * @throws InvalidInputError when an item is no message object
   */
  static becomesComposite(messages: readonly unknown[]): boolean {
    const items = messages.map((item, at) =>
      isMessageShape(item) ? item : reject(`[${at}]`, 'a message object', item),
    );
    return Messages.from(items).hasComposites();
  }

  get size(): number {
    return this.#list.size;
  }

  at(index: number): Message | undefined {
    return this.#list.at(index);
  }

  forEach(visit: (message: Message, index: number) => void): void {
    this.#list.forEach(visit);
  }

  [Symbol.iterator](): IterableIterator<Message> {
    return this.#list[Symbol.iterator]();
  }

  /** @internal The longest stretch in one array that begins at `index`, which must lie within: what it holds is never replaced. */
  segment(index: number): Segment<Message> {
    return this.#list.segment(index);
  }

  protected rebuild(messages: readonly Message[]): this {
    return Messages.#over(PersistentList.owning(messages)) as this;
  }

  static #over(list: PersistentList<Message>, blanks?: number): Messages {
    return list.size === 0 ? Messages.empty() : new Messages(list, blanks);
  }

  #countBlanks(): number {
    return (this.#blanks ??= countBlanks(this));
  }

  /** Whether no message says anything. */
  override isEmpty(): boolean {
    return this.#countBlanks() === this.size;
  }

  /** Whether some message says something. */
  notEmpty(): boolean {
    return !this.isEmpty();
  }

  /** Whether some message is more than one plain text. */
  hasComposites(): boolean {
    for (const message of this) if (message.isComposite()) return true;
    return false;
  }

  /** The first message, as a list of one or none. */
  headList(): Messages {
    return this.slice(0, 1);
  }

  /** The last message, as a list of one or none. */
  tailList(): Messages {
    return this.slice(-1);
  }

  /** The messages from `start` to `end` (exclusive); negative ones count from the end. Nothing is copied. */
  slice(start?: number, end?: number): Messages {
    const list = this.#list.slice(start, end);
    return list.size === this.size ? this : Messages.#over(list, this.#blanks === 0 ? 0 : undefined);
  }

  /**
   * The role of the first message.
   *
   * @throws MessageStoreError `no_messages` when no message says anything
   */
  firstRole(): MessageRole {
    return this.#required('first').role;
  }

  /**
   * The role of the last message.
   *
   * @throws MessageStoreError `no_messages` when no message says anything
   */
  lastRole(): MessageRole {
    return this.#required('last').role;
  }

  #required(which: 'first' | 'last'): Message {
    const message = this.isEmpty() ? undefined : this[which]();
    if (message !== undefined) return message;
    throw new MessageStoreError(
      'no_messages',
      `there is no ${which} message: the list is empty or all its messages are blank`,
    );
  }

  /** The newest message with this id; undefined when there is none. Looks from the end. */
  getById(id: string): Message | undefined {
    const at = this.#indexOf(id);
    return at < 0 ? undefined : this.at(at);
  }

  /** Whether there is a message with this id. Looks from the end. */
  hasId(id: string): boolean {
    return this.#indexOf(id) >= 0;
  }

  #indexOf(id: string): number {
    let at = this.size - 1;
    while (at >= 0 && this.#list.at(at)?.id !== id) at--;
    return at;
  }

  #requireIndex(id: string): number {
    const at = this.#indexOf(id);
    if (at >= 0) return at;
    throw new MessageStoreError(
      'missing_message',
      `there is no message with the id ${JSON.stringify(id)} among the ${this.size} here`,
      { value: id },
    );
  }

  /**
   * With another message in the place of the one with this id.
   *
   * @throws MessageStoreError `missing_message`
   */
  replaceById(id: string, message: MessageInput): Messages {
    const at = this.#requireIndex(id);
    const next = Message.from(message);
    return next === this.at(at) ? this : Messages.#over(this.#list.set(at, next));
  }

  /** Without the message with this id; itself when there is none. */
  removeById(id: string): Messages {
    const at = this.#indexOf(id);
    return at < 0 ? this : Messages.#over(this.#list.slice(0, at).concat(this.#list.slice(at + 1)));
  }

  /**
   * With messages after the one with this id. Costs the number of messages behind it.
   *
   * @throws MessageStoreError `missing_message`
   */
  insertAfter(id: string, messages: MessagesInput): Messages {
    const at = this.#requireIndex(id) + 1;
    const added = Messages.from(messages);
    if (added.size === 0) return this;
    return Messages.#over(this.#list.slice(0, at).concat(added.#list).concat(this.#list.slice(at)));
  }

  /** With a system message at the end; messages are appended as they are. */
  asSystem(content: MessagesInput, name?: string): Messages {
    return this.#appendAs('system', content, name);
  }

  /** With a developer message at the end; messages are appended as they are. */
  asDeveloper(content: MessagesInput, name?: string): Messages {
    return this.#appendAs('developer', content, name);
  }

  /** With a user message at the end; messages are appended as they are. */
  asUser(content: MessagesInput, name?: string): Messages {
    return this.#appendAs('user', content, name);
  }

  /** With an assistant message at the end; messages are appended as they are. */
  asAssistant(content: MessagesInput, name?: string): Messages {
    return this.#appendAs('assistant', content, name);
  }

  /** With a tool message at the end; messages are appended as they are. */
  asTool(content: MessagesInput, name?: string): Messages {
    return this.#appendAs('tool', content, name);
  }

  #appendAs(role: MessageRole, content: MessagesInput, name: string | undefined): Messages {
    if (content instanceof Messages) return this.appendMessages(content);
    return this.appendMessage(Message.from(content as MessageInput, role, name));
  }

  /** These messages instead. */
  withMessages(messages: MessagesInput): Messages {
    const next = Messages.from(messages);
    return next.equals(this) ? this : next;
  }

  /** With one message more at the end; a list of texts is one message. O(1) amortised. */
  appendMessage(message: MessageInput): Messages {
    const added = message instanceof Message ? message : Message.from(message);
    return new Messages(this.#list.push(added), sum(this.#blanks, added.isEmpty() ? 1 : 0));
  }

  /** With messages at the end, blank ones too; a list of texts is several messages. Costs their number. */
  appendMessages(messages: MessagesInput): Messages {
    if (messages instanceof Message) return this.appendMessage(messages);
    const added = Messages.from(messages);
    if (added.size === 0) return this;
    return this.size === 0 ? added : new Messages(this.#list.concat(added.#list), sum(this.#blanks, added.#blanks));
  }

  /** With messages in front. Costs their number. */
  prependMessages(messages: MessagesInput): Messages {
    const added = Messages.from(messages);
    if (added.size === 0) return this;
    return this.size === 0 ? added : new Messages(this.#list.prepend(added.#list), sum(this.#blanks, added.#blanks));
  }

  /** Without the first message. */
  removeHead(): Messages {
    return this.slice(1);
  }

  /** Without the last message. */
  removeTail(): Messages {
    return this.slice(0, -1);
  }

  /** With another last message; on an empty list it is appended. */
  replaceLast(message: MessageInput): Messages {
    const next = Message.from(message);
    if (this.size === 0) return Messages.of(next);
    return next === this.last() ? this : Messages.#over(this.#list.set(this.size - 1, next));
  }

  /** With a field on the last content part of the last message; an empty list gets a message to carry it. */
  appendContentField(key: string, value: unknown): Messages {
    const last = this.last() ?? Message.of({ content: Content.empty() });
    return this.replaceLast(last.withContent(last.content.appendContentField(key, value)));
  }

  /** The messages in one of these roles. */
  forRoles(roles: readonly MessageRole[]): Messages {
    const wanted = MessageRole.normalizeArray(roles);
    return this.filter((message) => wanted.includes(message.role));
  }

  /** The messages in none of these roles. */
  exceptRoles(roles: readonly MessageRole[]): Messages {
    const unwanted = MessageRole.normalizeArray(roles);
    return this.filter((message) => !unwanted.includes(message.role));
  }

  /** The messages at the start as long as they are in these roles. */
  headWithRoles(roles: readonly MessageRole[]): Messages {
    return this.slice(0, this.#leading(roles));
  }

  /** The messages after those at the start that are in these roles. */
  tailAfterRoles(roles: readonly MessageRole[]): Messages {
    return this.slice(this.#leading(roles));
  }

  #leading(roles: readonly MessageRole[]): number {
    const wanted = MessageRole.normalizeArray(roles);
    let count = 0;
    for (const message of this) {
      if (!wanted.includes(message.role)) break;
      count++;
    }
    return count;
  }

  /**
   * With roles replaced: `{ developer: 'system' }`.
   *
   * @throws InvalidInputError when a new role is none
   */
  remapRoles(mapping: Readonly<Partial<Record<MessageRole, MessageRole>>>): Messages {
    const remapped = this.map((message) => {
      const role = Object.hasOwn(mapping, message.role) ? mapping[message.role] : undefined;
      return role === undefined ? message : message.withRole(role);
    });
    return this.#unlessSame(remapped);
  }

  #unlessSame(messages: readonly Message[]): Messages {
    return messages.length === this.size && messages.every((message, at) => message === this.at(at))
      ? this
      : Messages.owning(messages);
  }

  /** All parts of all messages. */
  contentParts(): ContentParts {
    const parts: ContentPart[] = [];
    this.forEach((message) => message.content.parts.forEach((part) => parts.push(part)));
    return ContentParts.owning(parts);
  }

  /**
   * With neighbours of one role folded into the first of them, see {@link Message.withMergedFrom}. Tool results
   * are never merged, and signed reasoning is left as it is. `splitOnName` also keeps different names apart.
   * Itself when there is nothing to merge. Linear.
   *
   * @example
   * Messages.from(['a', 'b']).toMergedPerRole().map((m) => m.contentParts().size) // => [2]
   */
  toMergedPerRole(options: MergeOptions = {}): Messages {
    if (this.isEmpty()) return this;
    const merged = mergeRuns(this.#list.toArray(), options);
    return merged.length === this.size ? this : this.rebuild(merged);
  }

  /** The exchanges, one after another: see {@link Exchange}. Lazy; O(n) for all of them. */
  exchanges(): Generator<Exchange, void, undefined> {
    return exchangesOf(this);
  }

  /** In reverse order. */
  reversed(): Messages {
    return this.size < 2 ? this : Messages.owning(this.#list.toArray().toReversed());
  }

  /** Without the messages that say nothing. */
  withoutEmptyMessages(): Messages {
    return this.#countBlanks() === 0 ? this : this.filter((message) => !message.isEmpty());
  }

  /** The messages as JSON, blank ones too: what `fromJSON` reads back without loss. */
  toJSON(): MessageJSON[] {
    return this.map((message) => message.toJSON());
  }

  /**
   * The text of all messages that have some, each followed by the separator.
   *
   * @throws MessageStoreError `composite_text` when a message is more than one plain text
   */
  override toString(separator = '\n'): string {
    return joinTexts(this, separator);
  }
}

function countBlanks(messages: Iterable<Message>): number {
  let blanks = 0;
  for (const message of messages) if (message.isEmpty()) blanks++;
  return blanks;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
