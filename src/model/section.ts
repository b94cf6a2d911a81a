import { reject, unreadable } from '../errors.ts';
import { readExtra } from '../input/extra.ts';
import { readOptionalString, readString } from '../input/string.ts';
import { joinPath } from '../internal/path.ts';
import { explain } from '../schema/explain.ts';
import {
  copyJson,
  copyJsonObject,
  equalJson,
  freezeJson,
  isRecord,
  type JsonObject,
  NO_FIELDS,
} from '../schema/json.ts';
import { isSectionJSON, isSectionKey, type SectionJSON, type SectionPolicy, sectionSchema } from '../schema/section.ts';
import { mergeFields, ownExtra } from './extra.ts';
import type { Message } from './message.ts';
import { Messages, type MessagesInput } from './messages.ts';
import type { MergeOptions } from './merge-runs.ts';

/** What can stand for a section. */
export type SectionInput = Section | SectionJSON | Readonly<Record<string, unknown>>;

/** A named, ordered run of messages that can be edited on its own. */
export class Section implements Iterable<Message> {
  readonly name: string;
  readonly messages: Messages;
  /** How the section is treated when a prompt is assembled, as it is stored: a {@link SectionPolicy} once it is used. Undefined when nothing is said. */
  readonly policy: JsonObject | undefined;
  /** Fields of the stored section that have no meaning here. */
  readonly extra: JsonObject;

  private constructor(name: string, messages: Messages, policy?: JsonObject, extra = NO_FIELDS) {
    this.name = name;
    this.messages = messages;
    this.policy = policy;
    this.extra = extra;
    Object.freeze(this);
  }

  /** A section of this name; any text is a name, `''` too. */
  static of(name: string, messages: MessagesInput = Messages.empty()): Section {
    return new Section(readString(name, 'name'), Messages.from(messages, undefined, undefined, 'messages'));
  }

  /** A section without messages. */
  static empty(name: string): Section {
    return Section.of(name);
  }

  /**
   * A section from `{ name, messages, policy }`, each of which may be missing; a section itself is returned unchanged.
   *
   * @throws InvalidInputError naming the path
   */
  static from(input: SectionInput, path = ''): Section {
    if (input instanceof Section) return input;
    if (!isRecord(input)) return reject(path, 'a section: an object with a name and messages', input);
    try {
      return Section.#read(input, path);
    } catch (cause) {
      throw unreadable(path, cause);
    }
  }

  static #read(input: Record<string, unknown>, path: string): Section {
    const { name, messages, policy } = input;
    return new Section(
      readOptionalString(name, joinPath(path, 'name')),
      Messages.from(messages ?? [], undefined, undefined, joinPath(path, 'messages')),
      policy === undefined || policy === null ? undefined : copyJsonObject(policy, joinPath(path, 'policy')),
      readExtra(input, isSectionKey, path),
    );
  }

  /**
   * Reads what `toJSON` wrote.
   *
   * @throws InvalidInputError naming the path of what is wrong
   */
  static fromJSON(json: unknown): Section {
    const copied = copyJson(json);
    return isSectionJSON(copied) ? Section.owning(copied) : explain(sectionSchema(), copied);
  }

  /** @internal Over JSON that nobody else holds. */
  static owning(json: SectionJSON): Section {
    return new Section(
      json.name,
      Messages.owningJSON(json.messages),
      json.policy && freezeJson(json.policy),
      ownExtra(json, isSectionKey),
    );
  }

  /** The number of messages. */
  get size(): number {
    return this.messages.size;
  }

  /** Whether no message says anything. */
  isEmpty(): boolean {
    return this.messages.isEmpty();
  }

  /** The messages in order. */
  [Symbol.iterator](): IterableIterator<Message> {
    return this.messages[Symbol.iterator]();
  }

  /** With messages at the end. */
  appendMessages(messages: MessagesInput): Section {
    return this.#over(this.messages.appendMessages(messages));
  }

  /** With other messages instead of these. */
  withMessages(messages: MessagesInput): Section {
    return this.#over(this.messages.withMessages(messages));
  }

  /** With another name. */
  withName(name: string): Section {
    return name === this.name ? this : new Section(readString(name, 'name'), this.messages, this.policy, this.extra);
  }

  /** With another policy; undefined removes it. */
  withPolicy(policy: SectionPolicy | undefined): Section {
    const next = policy && copyJsonObject(policy, 'policy');
    return equalJson(next, this.policy) ? this : new Section(this.name, this.messages, next, this.extra);
  }

  /** With a field on the last content part of the last message. */
  appendContentField(key: string, value: unknown): Section {
    return this.#over(this.messages.appendContentField(key, value));
  }

  /** With neighbours of one role folded: see {@link Messages.toMergedPerRole}. */
  toMergedPerRole(options?: MergeOptions): Section {
    return this.#over(this.messages.toMergedPerRole(options));
  }

  /** Without the messages that say nothing. */
  withoutEmptyMessages(): Section {
    return this.#over(this.messages.withoutEmptyMessages());
  }

  /** With the messages of another section after these; where both have a policy, the other's keys win. */
  merge(other: Section): Section {
    const policy = mergePolicies(this.policy, other.policy);
    const extra = mergeFields(this.extra, other.extra);
    const merged = this.appendMessages(other.messages);
    return policy === this.policy && extra === this.extra
      ? merged
      : new Section(this.name, merged.messages, policy, extra);
  }

  #over(messages: Messages): Section {
    return messages === this.messages ? this : new Section(this.name, messages, this.policy, this.extra);
  }

  /** The section as one JSON object: what `fromJSON` reads back without loss. */
  toJSON(): SectionJSON {
    return {
      ...this.extra,
      name: this.name,
      messages: this.messages.toJSON(),
      ...(this.policy && { policy: this.policy }),
    };
  }

  /** The text of the messages: see {@link Messages.toString}. */
  toString(separator?: string): string {
    return this.messages.toString(separator);
  }

  /** Whether both have the same name and policy and equal messages. */
  equals(other: Section): boolean {
    return (
      this === other ||
      (this.name === other.name &&
        this.messages.equals(other.messages) &&
        equalJson(this.policy, other.policy) &&
        equalJson(this.extra, other.extra))
    );
  }
}

function mergePolicies(own: JsonObject | undefined, other: JsonObject | undefined): JsonObject | undefined {
  return own === undefined || other === undefined ? (own ?? other) : mergeFields(own, other);
}
