import { joinPath } from '../internal/path.ts';
import { reject } from '../errors.ts';
import { isMessageShape } from '../input/message.ts';
import { type ContentJSON, type ContentPartJSON, contentSchema, isContentJSON } from '../schema/content.ts';
import { explain } from '../schema/explain.ts';
import { copyJson, isRecord } from '../schema/json.ts';
import { ContentPart, type ContentPartInput } from './content-part.ts';
import { ContentParts } from './content-parts.ts';

/** What can stand for content: text, a part, a list of them, or nothing. */
export type ContentInput = Content | ContentParts | ContentPartInput | readonly ContentPartInput[] | null | undefined;

/** What a message says: an ordered list of parts. A single plain text part is text in and text out. */
export class Content {
  /** The text of a single plain text part, else the parts. */
  private readonly source: string | readonly ContentPart[];
  #parts: ContentParts | undefined;

  private constructor(source: string | readonly ContentPart[]) {
    this.source = source;
    Object.freeze(this);
  }

  static readonly #none = new Content(Object.freeze([]));
  static readonly #blank = new Content('');

  /** The shared content without parts. */
  static empty(): Content {
    return Content.#none;
  }

  /** These parts. */
  static of(...parts: readonly ContentPart[]): Content {
    return Content.owningParts(parts);
  }

  /** One text part. */
  static text(text: string): Content {
    return Content.#readText(text, 'text');
  }

  /** One text part for each text. */
  static texts(...texts: readonly string[]): Content {
    return Content.owningParts(texts.map((text) => ContentPart.text(text)));
  }

  /**
   * Content from anything that can stand for it: text, a part object, a list of texts and parts, a media
   * source, the content of a message object, nothing. Content itself is returned unchanged.
   *
   * @throws InvalidInputError naming the path of what cannot be read
   */
  static from(input: ContentInput, path = ''): Content {
    if (input instanceof Content) return input;
    if (typeof input === 'string') return Content.#readText(input, path);
    if (input === null || input === undefined) return Content.empty();
    if (input instanceof ContentPart) return Content.owningParts([input]);
    if (input instanceof ContentParts) return Content.#fromParts(input);
    if (Array.isArray(input)) return Content.#fromParts(ContentParts.from(input, path));
    return isRecord(input)
      ? Content.#fromObject(input, path)
      : reject(path, 'text or content parts (other values are unsupported)', input);
  }

  static #readText(text: string, path: string): Content {
    return text === '' ? Content.#blank : new Content(copyJson(text, path) as string);
  }

  static #fromObject(input: Readonly<Record<string, unknown>>, path: string): Content {
    if (isMessageShape(input)) return Content.from(input['content'] as ContentInput, joinPath(path, 'content'));
    return Object.keys(input).length === 0 && !('toContentPart' in input)
      ? Content.empty()
      : Content.owningParts([ContentPart.from(input, path)]);
  }

  static #fromParts(parts: ContentParts): Content {
    const content = Content.owningParts([...parts]);
    if (typeof content.source !== 'string' && parts.size > 0) content.#parts = parts;
    return content;
  }

  /** @internal Over an array that nobody else holds. */
  static owningParts(parts: readonly ContentPart[]): Content {
    const [first] = parts;
    if (first === undefined) return Content.empty();
    return parts.length === 1 ? Content.#ofPart(first) : new Content(Object.freeze(parts));
  }

  static #ofPart(part: ContentPart): Content {
    if (!part.isSimple() || !part.hasText()) return new Content(Object.freeze([part]));
    const content = new Content(part.toString());
    content.#parts = ContentParts.of(part);
    return content;
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): Content {
    const copied = copyJson(json);
    return isContentJSON(copied) ? Content.owning(copied) : explain(contentSchema(), copied);
  }

  /** @internal Over JSON that nobody else holds. */
  static owning(json: ContentJSON): Content {
    if (typeof json === 'string') return json === '' ? Content.#blank : new Content(json);
    return Content.owningParts(json.map((part) => ContentPart.owning(part)));
  }

  /** The parts. */
  get parts(): ContentParts {
    return (this.#parts ??=
      typeof this.source === 'string'
        ? ContentParts.of(ContentPart.plain(this.source))
        : ContentParts.owning(this.source));
  }

  /** The text when a single plain text part is all there is; undefined otherwise. */
  get plainText(): string | undefined {
    return typeof this.source === 'string' ? this.source : undefined;
  }

  /** Whether no part says anything. */
  isEmpty(): boolean {
    return typeof this.source === 'string'
      ? this.source === ''
      : this.source.every((part) => part.isMark() || part.isEmpty());
  }

  /** Whether this is more than one plain text: several parts, or one that is not plain text. */
  isComposite(): boolean {
    if (typeof this.source === 'string' || this.isEmpty()) return false;
    const parts = this.source.filter((part) => !part.isMark());
    return parts.length > 1 || !parts.every((part) => part.isSimple());
  }

  /** With one part more at the end. */
  addContentPart(part: ContentPartInput): Content {
    return Content.owningParts([...this.parts, ContentPart.from(part)]);
  }

  /** With a field on the last part; empty content gets a text part to carry it. */
  appendContentField(key: string, value: unknown): Content {
    const last = this.parts.last() ?? ContentPart.of('text');
    const next = last.withField(key, value);
    return next === last ? this : Content.#fromParts(this.parts.replaceLast(next));
  }

  /** Text where the content is plain, else the parts as they are shown to others. */
  normalized(): string | ContentPartJSON[] {
    return this.isComposite() ? this.toExport() : this.toString();
  }

  /** Text of a single plain text part, else the parts: what `fromJSON` reads back without loss. */
  toJSON(): ContentJSON {
    return typeof this.source === 'string' ? this.source : this.source.map((part) => part.toJSON());
  }

  /** The parts as they are shown to others: see {@link ContentPart.toExport}. */
  toExport(): ContentPartJSON[] {
    return this.parts.toExport();
  }

  /** The text of the parts, one a line. Reasoning is no text of the message. */
  toString(): string {
    if (typeof this.source === 'string') return this.source;
    return this.parts.filter((part) => part.type !== 'reasoning' && part.toString() !== '').toString();
  }

  /** Whether both hold equal parts in the same order. */
  equals(other: Content): boolean {
    if (this === other) return true;
    if (typeof this.source === 'string' || typeof other.source === 'string') return this.source === other.source;
    return this.parts.equals(other.parts);
  }
}
