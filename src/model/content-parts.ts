import { reject } from '../errors.ts';
import { type ContentPartJSON, contentPartSchema, isContentPartJSON } from '../schema/content.ts';
import { copyList } from '../schema/copy-list.ts';
import { ArrayCollection } from './collection.ts';
import { ContentPart, type ContentPartInput } from './content-part.ts';

/** What can stand for a list of parts. */
export type ContentPartsInput = ContentParts | readonly ContentPartInput[];

/** An immutable list of content parts. */
export class ContentParts extends ArrayCollection<ContentPart> {
  private constructor(items: readonly ContentPart[]) {
    super(items);
  }

  static readonly #none = new ContentParts([]);

  /** The shared empty list. */
  static empty(): ContentParts {
    return ContentParts.#none;
  }

  /** These parts. */
  static of(...parts: readonly ContentPart[]): ContentParts {
    return ContentParts.owning(parts);
  }

  /** Parts from a list of what can stand for them; a list of parts itself is returned unchanged. */
  static from(input: ContentPartsInput, path = ''): ContentParts {
    if (input instanceof ContentParts) return input;
    if (!Array.isArray(input)) return reject(path, 'a list of content parts', input);
    return ContentParts.owning(
      Array.from(input, (item: ContentPartInput, at) => ContentPart.from(item, `${path}[${at}]`)),
    );
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): ContentParts {
    const items = copyList(json, 'a list of content parts', isContentPartJSON, contentPartSchema);
    return ContentParts.owning(items.map((item) => ContentPart.owning(item)));
  }

  /** @internal Over an array that nobody else holds. */
  static owning(parts: readonly ContentPart[]): ContentParts {
    return parts.length === 0 ? ContentParts.empty() : new ContentParts(parts);
  }

  protected rebuild(parts: readonly ContentPart[]): this {
    return ContentParts.owning(parts) as this;
  }

  /** With one part more at the end. */
  add(part: ContentPartInput): ContentParts {
    return ContentParts.owning([...this.items, ContentPart.from(part)]);
  }

  /** With another last part; on an empty list it is added. */
  replaceLast(part: ContentPartInput): ContentParts {
    return ContentParts.owning([...this.items.slice(0, -1), ContentPart.from(part)]);
  }

  /** Without the parts that say nothing. */
  withoutEmpty(): ContentParts {
    return this.filter((part) => !part.isEmpty());
  }

  /** The parts as JSON, without loss. */
  toJSON(): ContentPartJSON[] {
    return this.map((part) => part.toJSON());
  }

  /** The parts as they are shown to others; marks of tool calls are left out. */
  toExport(): ContentPartJSON[] {
    return this.items.filter((part) => !part.isMark()).map((part) => part.toExport());
  }

  /** The text of the parts that are not empty; a part without text counts as `''`. */
  override toString(separator = '\n'): string {
    return this.items
      .filter((part) => !part.isMark() && !part.isEmpty())
      .map(String)
      .join(separator);
  }
}
