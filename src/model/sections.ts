import { MessageStoreError, reject } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import { copyList } from '../schema/copy-list.ts';
import { isSectionJSON, type SectionJSON, sectionSchema } from '../schema/section.ts';
import { ArrayCollection } from './collection.ts';
import { Messages } from './messages.ts';
import { Section, type SectionInput } from './section.ts';

/** As many are looked through faster than they are indexed. */
const FEW = 16;

/** What can stand for sections. */
export type SectionsInput = Sections | readonly SectionInput[];

/** The ordered, uniquely named sections of a store. */
export class Sections extends ArrayCollection<Section> {
  #flat: Messages | undefined;
  #places: ReadonlyMap<string, number> | undefined;

  private constructor(items: readonly Section[]) {
    super(items);
  }

  static readonly #none = new Sections([]);

  /** The shared empty list. */
  static empty(): Sections {
    return Sections.#none;
  }

  /**
   * These sections.
   *
   * @throws MessageStoreError `duplicate_section` when two have one name
   */
  static of(...sections: readonly Section[]): Sections {
    return Sections.distinct(sections);
  }

  /** @internal {@link Sections.of} for a list that may be long. */
  static distinct(sections: readonly Section[]): Sections {
    const names = new Set<string>();
    for (const { name } of sections) {
      if (names.has(name)) throw duplicate(name);
      names.add(name);
    }
    return Sections.#owning([...sections]);
  }

  /**
   * Sections from a list of what can stand for them; sections of one name are joined. Sections themselves are
   * returned unchanged.
   *
   * @throws InvalidInputError naming the path
   */
  static from(input: SectionsInput, path = 'sections'): Sections {
    if (input instanceof Sections) return input;
    if (!Array.isArray(input)) return reject(path, 'a list of sections', input);
    return Sections.joining(
      Array.from(input, (item: SectionInput, at) => Section.from(item, sectionPath(item, path, at))),
    );
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): Sections {
    const items = copyList(json, 'a list of sections', isSectionJSON, sectionSchema);
    return Sections.joining(items.map((item) => Section.owning(item)));
  }

  /** @internal Sections of one name joined into the first of them. */
  static joining(sections: readonly Section[]): Sections {
    return Sections.#owning([...joined(sections)]);
  }

  static #owning(sections: readonly Section[]): Sections {
    return sections.length === 0 ? Sections.empty() : new Sections(sections);
  }

  protected rebuild(sections: readonly Section[]): this {
    return Sections.#owning(sections) as this;
  }

  /** Whether there is a section of this name. */
  has(name: string): boolean {
    return this.#indexOf(name) >= 0;
  }

  /** The section of this name; undefined when there is none. */
  get(name: string): Section | undefined {
    return this.items[this.#indexOf(name)];
  }

  #indexOf(name: string): number {
    if (this.size <= FEW) return indexOfName(this.items, name);
    this.#places ??= new Map(this.items.map((section, at) => [section.name, at]));
    return this.#places.get(name) ?? -1;
  }

  /** The names, in order. */
  names(): string[] {
    return this.map((section) => section.name);
  }

  /**
   * With sections more at the end.
   *
   * @throws MessageStoreError `duplicate_section` when a name is taken
   */
  add(...sections: readonly Section[]): Sections {
    return sections.length === 0 ? this : Sections.distinct([...this.items, ...sections]);
  }

  /** With sections in the place of those with their names; new ones at the end. */
  set(...sections: readonly Section[]): Sections {
    return sections.reduce<Sections>((result, section) => result.#set(section), this);
  }

  #set(section: Section): Sections {
    const at = this.#indexOf(section.name);
    if (this.items[at] === section) return this;
    // A copy, since `with` is several times slower on a frozen array, and this runs for every appended message.
    const items = [...this.items];
    items[at < 0 ? this.size : at] = section;
    return new Sections(items);
  }

  /** The sections of these names in the order asked; missing ones are skipped, a repeated name counts once, `[]` is all. */
  select(names: readonly string[]): Sections {
    if (names.length === 0) return this;
    return this.#unlessSame(
      [...new Set(names)].map((name) => this.get(name)).filter((section) => section !== undefined),
    );
  }

  #unlessSame(sections: readonly Section[]): Sections {
    const isSame = sections.length === this.size && sections.every((section, at) => section === this.items[at]);
    return isSame ? this : Sections.#owning(sections);
  }

  /** Without the sections that `reject` accepts. */
  remove(matches: (section: Section) => boolean): Sections {
    return this.filter((section) => !matches(section));
  }

  /** With the sections of another list: those of one name are joined, the rest follows. */
  merge(other: Sections): Sections {
    return this.#unlessSame([...joined([...this.items, ...other.items])]);
  }

  /** Without messages that say nothing, then without sections that hold none. */
  withoutEmpty(): Sections {
    return this.#unlessSame(
      this.map((section) => section.withoutEmptyMessages()).filter((section) => section.size > 0),
    );
  }

  /** The messages of all sections in order, without those that say nothing. Remembered: the second call is free. */
  toMessages(): Messages {
    return (this.#flat ??= Messages.joined(this.map((section) => section.messages)));
  }

  /** The sections as JSON, without loss. */
  toJSON(): SectionJSON[] {
    return this.map((section) => section.toJSON());
  }
}

/** A loop, since `findIndex` is several times slower on a frozen array, and this runs for every appended message. */
function indexOfName(sections: readonly Section[], name: string): number {
  for (let at = 0; at < sections.length; at++) if (sections[at]?.name === name) return at;
  return -1;
}

/** Sections of one name joined into the first of them. */
function joined(sections: readonly Section[]): Iterable<Section> {
  const byName = new Map<string, Section>();
  for (const section of sections) byName.set(section.name, byName.get(section.name)?.merge(section) ?? section);
  return byName.values();
}

/** Where a section stands: by its name, `sections.chat`, where it has one. */
export function sectionPath(item: unknown, path: string, at: number): string {
  const name = nameOf(item);
  return typeof name === 'string' && name !== '' ? joinPath(path, name) : `${path}[${at}]`;
}

/** A section's name, only to tell where it stands: a field that throws says so when it is read. */
function nameOf(item: unknown): unknown {
  try {
    return typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined;
  } catch {
    return undefined;
  }
}

function duplicate(name: string): MessageStoreError {
  return new MessageStoreError(
    'duplicate_section',
    `there is a section ${JSON.stringify(name)} already: use set() to replace it, or merge() to join both`,
    { path: `sections.${name}`, value: name },
  );
}
