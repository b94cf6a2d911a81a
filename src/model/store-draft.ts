import { enablePatches } from 'immer';
import { reject } from '../errors.ts';
import { copyJson, isRecord } from '../schema/json.ts';
import { isMessageJSON, messageSchema } from '../schema/message.ts';
import type { SectionJSON } from '../schema/section.ts';
import { explain } from '../schema/explain.ts';
import type { MessageStoreJSON } from '../schema/store.ts';
import { applyPatches, type JsonPatch } from './apply-patches.ts';
import { Message } from './message.ts';
import { Messages } from './messages.ts';
import { type Draft, Metadata } from './metadata.ts';
import { edited, editedWithPatches } from './recipe.ts';
import { Section } from './section.ts';
import { sectionPath, Sections } from './sections.ts';

/** What a recipe edits: the store's JSON. */
export type StoreDraft = Draft<Pick<MessageStoreJSON, 'sections' | 'parameters'>>;

/** A change of a store's JSON: an immer patch, itself JSON. */
export type StorePatch = JsonPatch;

/** The two parts of a store that a recipe can change. */
export interface StoreParts {
  readonly sections: Sections;
  readonly parameters: Metadata;
}

/** The JSON of a store's parts, and which value each piece of it stands for. */
class Snapshot {
  readonly base: Pick<MessageStoreJSON, 'sections' | 'parameters'>;
  readonly #parts: StoreParts;
  readonly #values = new Map<unknown, unknown>();

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.base = {
      sections: parts.sections.map((section) => this.#section(section)),
      parameters: parts.parameters.toJSON(),
    };
    this.#values.set(this.base.sections, parts.sections);
  }

  #section(section: Section): SectionJSON {
    const messages = section.messages.map((message) => this.#remember(message.toJSON(), message));
    this.#remember(messages, section.messages);
    const json = {
      ...section.extra,
      name: section.name,
      messages,
      ...(section.policy && { policy: section.policy }),
    };
    return this.#remember(json, section);
  }

  #remember<Json>(json: Json, value: unknown): Json {
    this.#values.set(json, value);
    return json;
  }

  /** The values that changed JSON stands for; what is the same JSON is the same value. */
  revive(next: unknown): StoreParts {
    if (next === this.base) return this.#parts;
    if (!isRecord(next)) reject('', 'the store as an object', next);
    const { sections, parameters } = next;
    if (!Array.isArray(sections)) reject('sections', 'a list', sections);
    if (!isRecord(parameters)) reject('parameters', 'an object', parameters);
    return {
      sections:
        this.#known(sections) ??
        Sections.of(
          ...sections.map((section, at) => this.#reviveSection(section, sectionPath(section, 'sections', at))),
        ),
      parameters:
        parameters === this.base.parameters ? this.#parts.parameters : Metadata.from(parameters, 'parameters'),
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
      Messages.of(...json['messages'].map((message, at) => this.#reviveMessage(message, `${path}.messages[${at}]`)));
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
  return snapshot.revive(edited(snapshot.base, recipe));
}

/** {@link updateParts}, with the patches that lead there and back. */
export function updatePartsWithPatches(
  parts: StoreParts,
  recipe: (draft: StoreDraft) => void,
): {
  readonly parts: StoreParts;
  readonly patches: readonly StorePatch[];
  readonly inversePatches: readonly StorePatch[];
} {
  enablePatches();
  const snapshot = new Snapshot(parts);
  const [next, patches, inversePatches] = editedWithPatches(snapshot.base, recipe);
  return {
    parts: snapshot.revive(next),
    patches: copyJson(patches) as unknown as readonly StorePatch[],
    inversePatches: copyJson(inversePatches) as unknown as readonly StorePatch[],
  };
}

/**
 * The parts after patches.
 *
 * @throws MessageStoreError `invalid_patch` when a patch does not fit
 */
export function patchParts(parts: StoreParts, patches: readonly StorePatch[]): StoreParts {
  const snapshot = new Snapshot(parts);
  return snapshot.revive(applyPatches(snapshot.base, patches));
}
