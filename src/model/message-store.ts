import { parseJsonText } from '../internal/json-text.ts';
import { MessageStoreError, reject, unreadable } from '../errors.ts';
import { readExtra } from '../input/extra.ts';
import { explain } from '../schema/explain.ts';
import { copyJson, equalJson, isRecord, type JsonObject, NO_FIELDS } from '../schema/json.ts';
import type { MessageJSON } from '../schema/message.ts';
import { isStoreJSON, type MessageStoreJSON, isStoreKey, storeSchema } from '../schema/store.ts';
import { STORE_VERSION, upgradeStore } from '../schema/version.ts';
import { mergeFields, ownExtra } from './extra.ts';
import type { Messages, MessagesInput } from './messages.ts';
import { Metadata, type MetadataInput } from './metadata.ts';
import { ParameterOperator } from './parameter-operator.ts';
import type { CanStoreMessages } from './providers.ts';
import { Section, type SectionInput } from './section.ts';
import { SectionOperator } from './section-operator.ts';
import { Sections, type SectionsInput } from './sections.ts';
import {
  patchParts,
  type StoreDraft,
  type StoreParts,
  type StorePatch,
  updateParts,
  updatePartsWithPatches,
} from './store-draft.ts';

/** What can stand for a store: a store, an object with sections, or messages for one section `messages`. */
export type MessageStoreInput =
  | MessageStore
  | Sections
  | MessageStoreJSON
  | MessagesInput
  | Readonly<Record<string, unknown>>;

/** The fields of a store. */
export interface MessageStoreFields {
  readonly sections?: SectionsInput;
  readonly parameters?: MetadataInput;
}

/**
 * Named sections of messages, and parameters: the conversation as one immutable value. Every change gives a
 * new store that shares what is unchanged; a change that changes nothing gives the same store.
 *
 * @example
 * const store = MessageStore.empty()
 *   .section('system').appendMessages({ role: 'system', content: 'Be brief.' })
 *   .section('chat').appendMessages('Hello!');
 * store.select(['chat', 'system']).toMessages().map(String) // => ['Hello!', 'Be brief.']
 */
export class MessageStore {
  readonly sections: Sections;
  private readonly params: Metadata;
  /** Fields of the stored document that have no meaning here. */
  readonly extra: JsonObject;

  private constructor(sections: Sections, params: Metadata, extra: JsonObject) {
    this.sections = sections;
    this.params = params;
    this.extra = extra;
    Object.freeze(this);
  }

  static readonly #none = new MessageStore(Sections.empty(), Metadata.empty(), NO_FIELDS);

  /** The shared empty store. */
  static empty(): MessageStore {
    return MessageStore.#none;
  }

  /** A store of these sections and parameters. */
  static of({ sections = [], parameters = {} }: MessageStoreFields = {}): MessageStore {
    return new MessageStore(
      sections instanceof Sections ? sections : Sections.of(...sections.map((section) => Section.from(section))),
      Metadata.from(parameters, 'parameters'),
      NO_FIELDS,
    );
  }

  /**
   * A store of these sections.
   *
   * @throws MessageStoreError `duplicate_section` when two have one name
   */
  static fromSections(...sections: readonly Section[]): MessageStore {
    return MessageStore.of({ sections: Sections.of(...sections) });
  }

  /** A store of one section. */
  static fromMessages(messages: MessagesInput, section = 'messages'): MessageStore {
    return MessageStore.fromSections(Section.of(section, messages));
  }

  /**
   * A store from anything that can stand for one: an object with sections (messages in any form, sections of one
   * name are joined), sections, or messages for one section named `messages`. A store itself is returned unchanged.
   *
   * @throws InvalidInputError naming the path of what cannot be read
   */
  static from(input: MessageStoreInput): MessageStore {
    if (input instanceof MessageStore) return input;
    if (input instanceof Sections) return MessageStore.of({ sections: input });
    if (isRecord(input) && ('sections' in input || 'parameters' in input)) return MessageStore.#read(input);
    return isNothing(input) ? MessageStore.empty() : MessageStore.fromMessages(input as MessagesInput);
  }

  static #read(input: Record<string, unknown>): MessageStore {
    try {
      return MessageStore.#readDocument(upgradeStore(input) as Record<string, unknown>);
    } catch (cause) {
      throw unreadable('', cause);
    }
  }

  static #readDocument(document: Record<string, unknown>): MessageStore {
    const { sections, parameters } = document;
    return new MessageStore(
      Sections.from((sections ?? []) as readonly SectionInput[]),
      Metadata.from(parameters as MetadataInput | null | undefined, 'parameters'),
      readExtra(document, isStoreKey, ''),
    );
  }

  /**
   * Reads what `toJSON` wrote, also by an older version of the library. Costs about as much as parsing the text
   * did, since all is copied: `parse` reads text without that.
   *
   * @throws InvalidInputError naming the path of what is wrong
   * @throws MessageStoreError `unsupported_version` when a newer version of the library wrote it
   */
  static fromJSON(json: unknown): MessageStore {
    return MessageStore.#owning(copyJson(json));
  }

  /**
   * Reads JSON text of a store: the fast door, for what `JSON.stringify(store)` wrote.
   *
   * @throws MessageStoreError `invalid_json` when the text is no JSON
   * @throws InvalidInputError naming the path of what is wrong
   * @example
   * const store = MessageStore.fromMessages('Hello!');
   * MessageStore.parse(JSON.stringify(store)).equals(store) // => true
   */
  static parse(text: string): MessageStore {
    return MessageStore.#owning(parseText(text));
  }

  /** Over JSON that nobody else holds. */
  static #owning(json: unknown): MessageStore {
    const document = upgradeStore(json);
    if (!isStoreJSON(document)) return explain(storeSchema(), document);
    return new MessageStore(
      Sections.joining(document.sections.map((section) => Section.owning(section))),
      Metadata.owning(document.parameters),
      ownExtra(document, isStoreKey),
    );
  }

  /** The store that a storage keeps under a session's id. */
  static fromStorage(storage: CanStoreMessages, sessionId: string): Promise<MessageStore> {
    return storage.load(sessionId);
  }

  /** Replaces what a storage keeps under a session's id by exactly this store. */
  toStorage<Storage extends CanStoreMessages>(storage: Storage, sessionId: string): ReturnType<Storage['save']> {
    return storage.save(sessionId, this) as ReturnType<Storage['save']>;
  }

  #with(sections: Sections, params: Metadata, extra: JsonObject = this.extra): MessageStore {
    return sections === this.sections && params === this.params && extra === this.extra
      ? this
      : new MessageStore(sections, params, extra);
  }

  /** One section by name, to ask about it and to change it. It need not exist. */
  section(name: string): SectionOperator {
    return new SectionOperator(this, name);
  }

  /** The parameters, to read and to change them. */
  parameters(): ParameterOperator {
    return new ParameterOperator(this.params, (params) => this.#with(this.sections, params));
  }

  /** With a section of this name, empty if it is new. */
  withSection(name: string): MessageStore {
    return this.sections.has(name) ? this : this.setSection(Section.empty(name));
  }

  /** With these sections instead. */
  withSections(sections: Sections): MessageStore {
    return this.#with(sections.equals(this.sections) ? this.sections : sections, this.params);
  }

  /** With a section in the place of the one with its name; a new one at the end. */
  setSection(section: Section): MessageStore {
    return this.#with(this.sections.set(section), this.params);
  }

  /** Without a section. */
  removeSection(name: string): MessageStore {
    return this.#with(
      this.sections.remove((section) => section.name === name),
      this.params,
    );
  }

  /** With only these sections, in the order asked: see {@link Sections.select}. One name is one section. */
  select(sections: string | readonly string[]): MessageStore {
    return this.#with(this.sections.select(typeof sections === 'string' ? [sections] : sections), this.params);
  }

  /** With the sections of another store, those of one name joined, and its parameters, which win. */
  merge(other: MessageStore): MessageStore {
    return this.#with(
      this.sections.merge(other.sections),
      this.params.withMergedData(other.params),
      mergeFields(this.extra, other.extra),
    );
  }

  /** Without messages that say nothing, then without sections that hold none. */
  withoutEmpty(): MessageStore {
    return this.#with(this.sections.withoutEmpty(), this.params);
  }

  /**
   * With what an immer recipe changes: the draft is the store's JSON. What the recipe does not touch keeps its
   * instances. Costs the JSON of the whole store; the operators are for the hot path.
   *
   * @throws InvalidInputError when what the recipe leaves is no store
   * @example
   * const store = MessageStore.fromMessages('Hello!', 'chat');
   * store.update((draft) => { draft.parameters.model = 'small'; }).parameters().get().get('model') // => 'small'
   */
  update(recipe: (draft: StoreDraft) => void): MessageStore {
    return this.#withParts(updateParts(this.#parts(), recipe));
  }

  /** {@link MessageStore.update}, with the JSON patches that lead there, and those that lead back. */
  updateWithPatches(recipe: (draft: StoreDraft) => void): {
    readonly store: MessageStore;
    readonly patches: readonly StorePatch[];
    readonly inversePatches: readonly StorePatch[];
  } {
    const { parts, patches, inversePatches } = updatePartsWithPatches(this.#parts(), recipe);
    return { store: this.#withParts(parts), patches, inversePatches };
  }

  /**
   * With patches replayed: undo, redo, sync.
   *
   * @throws MessageStoreError `invalid_patch` when a patch does not fit this store
   */
  applyPatches(patches: readonly StorePatch[]): MessageStore {
    return this.#withParts(patchParts(this.#parts(), patches));
  }

  #parts(): StoreParts {
    return { sections: this.sections, parameters: this.params };
  }

  #withParts({ sections, parameters }: StoreParts): MessageStore {
    return this.#with(sections, parameters);
  }

  /** What a function makes of this store: joins verbs in the order in which they happen. */
  pipe<Result>(verb: (store: MessageStore) => Result): Result {
    return verb(this);
  }

  /** The messages of all sections in order, without those that say nothing. Remembered: the second call is free. */
  toMessages(): Messages {
    return this.sections.toMessages();
  }

  /** {@link MessageStore.toMessages} as JSON. It is no request: a format makes one. */
  toFlatArray(): MessageJSON[] {
    return this.toMessages().toJSON();
  }

  /** The text of all messages: see {@link Messages.toString}. */
  toString(): string {
    return this.toMessages().toString();
  }

  /** The store as one JSON document: what `fromJSON` and `parse` read back without loss. */
  toJSON(): MessageStoreJSON {
    return {
      ...this.extra,
      version: STORE_VERSION,
      sections: this.sections.toJSON(),
      parameters: this.params.toJSON(),
    };
  }

  /** Whether both hold equal sections in the same order, and equal parameters. */
  equals(other: MessageStore): boolean {
    return (
      this === other ||
      (this.sections.equals(other.sections) && this.params.equals(other.params) && equalJson(this.extra, other.extra))
    );
  }
}

function parseText(text: string): unknown {
  if (typeof text !== 'string') reject('', 'JSON text', text);
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new MessageStoreError('invalid_json', `expected the JSON text of a store: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** An empty list or a plain object without fields: nothing to read. */
function isNothing(input: unknown): boolean {
  if (Array.isArray(input)) return input.length === 0;
  return isRecord(input) && Object.getPrototypeOf(input) === Object.prototype && Object.keys(input).length === 0;
}
