import { reject } from '../errors.ts';
import { copyJson, isRecord } from '../schema/json.ts';
import { isMessageJSON, type MessageJSON, messageSchema } from '../schema/message.ts';
import type { SectionJSON } from '../schema/section.ts';
import { explain } from '../schema/explain.ts';
import type { MessageStoreJSON } from '../schema/store.ts';
import { applyPatches, differences, type JsonPatch } from './json-patches.ts';
import { Message } from './message.ts';
import { Messages } from './messages.ts';
import { type Draft, Metadata } from './metadata.ts';
import { edited } from './recipe.ts';
import { Section } from './section.ts';
import { sectionPath, Sections } from './sections.ts';

type StoreDocument = Pick<MessageStoreJSON, 'sections' | 'parameters'>;

/** A list that a recipe edits. What is added may be a record as stored, such as `message.toJSON()`, or the value itself. */
export type DraftList<Item, Added> = Item[] & {
  /** Adds at the end. */
  push(...items: readonly Added[]): number;
  /** Adds in front. */
  unshift(...items: readonly Added[]): number;
  /** Takes items out, and adds others in their place. */
  splice(start: number, deleteCount: number, ...items: readonly Added[]): Item[];
};

/** A section that a recipe edits. */
export type SectionDraft = Omit<Draft<SectionJSON>, 'messages'> & {
  messages: DraftList<Draft<MessageJSON>, MessageJSON | Message>;
};

/** What a recipe edits: the store's JSON. */
export interface StoreDraft {
  sections: DraftList<SectionDraft, SectionJSON | Section>;
  parameters: Draft<MessageStoreJSON['parameters']>;
}

/** A change at one place of a store's JSON, itself JSON. */
export type StorePatch = JsonPatch;

/** The two parts of a store that a recipe can change. */
export interface StoreParts {
  readonly sections: Sections;
  readonly parameters: Metadata;
}

/** The JSON of a store's parts, and which value each piece of it stands for. */
class Snapshot {
  readonly document: StoreDocument;
  readonly #parts: StoreParts;
  readonly #values = new Map<unknown, unknown>();
  readonly #documents = new Map<unknown, unknown>();

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.document = this.documentOf(parts);
    this.#remember(this.document.sections, parts.sections);
  }

  /** The JSON of parts; what is the same value is the same JSON. */
  documentOf({ sections, parameters }: StoreParts): StoreDocument {
    return { sections: sections.map((section) => this.#sectionJSON(section)), parameters: parameters.toJSON() };
  }

  #sectionJSON(section: Section): SectionJSON {
    const known = this.#documents.get(section) as SectionJSON | undefined;
    if (known !== undefined) return known;
    const messages = section.messages.map((message) => this.#messageJSON(message));
    this.#remember(messages, section.messages);
    const { extra, name, policy } = section;
    return this.#remember({ ...extra, name, messages, ...(policy && { policy }) }, section);
  }

  #messageJSON(message: Message): MessageJSON {
    const known = this.#documents.get(message) as MessageJSON | undefined;
    return known ?? this.#remember(message.toJSON(), message);
  }

  #remember<Json>(json: Json, value: unknown): Json {
    this.#values.set(json, value);
    this.#documents.set(value, json);
    return json;
  }

  /** The values that changed JSON stands for; what is the same JSON is the same value. */
  revive(next: unknown): StoreParts {
    if (next === this.document) return this.#parts;
    if (!isRecord(next)) reject('', 'the store as an object', next);
    const { sections, parameters } = next;
    if (!Array.isArray(sections)) reject('sections', 'a list', sections);
    if (!isRecord(parameters)) reject('parameters', 'an object', parameters);
    return {
      sections:
        this.#known(sections) ??
        Sections.distinct(
          Array.from(sections, (section, at) => this.#reviveSection(section, sectionPath(section, 'sections', at))),
        ),
      parameters:
        parameters === this.document.parameters ? this.#parts.parameters : Metadata.from(parameters, 'parameters'),
    };
  }

  #known<Value>(json: unknown): Value | undefined {
    return this.#values.get(json) as Value | undefined;
  }

  #reviveSection(json: unknown, path: string): Section {
    const known = this.#known<Section>(json);
    if (known !== undefined) return known;
    if (!isRecord(json) || !Array.isArray(json['messages'])) reject(path, 'a section with messages', json);
    const messages =
      this.#known<Messages>(json['messages']) ??
      Messages.owning(
        Array.from(json['messages'], (message, at) => this.#reviveMessage(message, `${path}.messages[${at}]`)),
      );
    return Section.from({ ...json, messages }, path);
  }

  #reviveMessage(json: unknown, path: string): Message {
    const known = this.#known<Message>(json);
    if (known !== undefined) return known;
    const copied = copyJson(json, path);
    return isMessageJSON(copied) ? Message.owning(copied) : explain(messageSchema(), copied, path);
  }
}

/** The parts after a recipe; the same parts when it changed nothing. */
export function updateParts(parts: StoreParts, recipe: (draft: StoreDraft) => void): StoreParts {
  const snapshot = new Snapshot(parts);
  return snapshot.revive(edited(snapshot.document, recipe));
}

/**
 * {@link updateParts}, with the patches that lead there and back. They compare the JSON of the values, not what
 * the recipe wrote: a list of calls that it emptied is no list in a message.
 */
export function updatePartsWithPatches(
  parts: StoreParts,
  recipe: (draft: StoreDraft) => void,
): {
  readonly parts: StoreParts;
  readonly patches: readonly StorePatch[];
  readonly inversePatches: readonly StorePatch[];
} {
  const snapshot = new Snapshot(parts);
  const next = snapshot.revive(edited(snapshot.document, recipe));
  const document = snapshot.documentOf(next);
  const patches = differences(snapshot.document, document);
  return {
    parts: patches.length === 0 ? parts : next,
    patches,
    inversePatches: differences(document, snapshot.document),
  };
}

/**
 * The parts after patches.
 *
 * @throws MessageStoreError `invalid_patch` when a patch does not fit
 */
export function patchParts(parts: StoreParts, patches: readonly StorePatch[]): StoreParts {
  const snapshot = new Snapshot(parts);
  return snapshot.revive(applyPatches(snapshot.document, patches));
}
