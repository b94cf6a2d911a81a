import { reject } from '../errors.ts';
import { dropAbsent, readPart } from '../input/part.ts';
import { type ContentPartJSON, contentPartSchema, isContentPartJSON } from '../schema/content.ts';
import { explain } from '../schema/explain.ts';
import {
  copyJson,
  copyJsonObject,
  equalJson,
  freezeJson,
  isRecord,
  type JsonObject,
  type JsonValue,
} from '../schema/json.ts';
import { isOrigin, type Origin } from '../schema/origin.ts';

/** Something that can give a content part: an image, a file, an audio source. */
export interface CanProvideContentPart {
  /** The content part. */
  toContentPart(): ContentPart;
}

/** What can stand for a content part: text, a part, a media source, or a part object. */
export type ContentPartInput = string | ContentPart | CanProvideContentPart | Readonly<Record<string, unknown>>;

const EXPECTED = 'text or a content part (other values are unsupported)';

/**
 * One piece of a message's content: a `type` and the fields of that type. Types that are not known here
 * are kept as they are.
 */
export class ContentPart {
  readonly type: string;
  /** The fields of this type, frozen. */
  readonly fields: JsonObject;

  private constructor(type: string, fields: JsonObject) {
    this.type = type;
    this.fields = fields;
    Object.freeze(this);
  }

  /**
   * A part with exactly these fields, copied. Fields that are null or an empty list are no fields; a field
   * named `type` gives way to the part's own type.
   *
   * @throws InvalidInputError where a field is not JSON, naming its path
   */
  static of(type: string, fields: Readonly<Record<string, unknown>> = {}): ContentPart {
    if (typeof type !== 'string') reject('type', 'a string', type);
    const { type: _type, ...own } = fields;
    return new ContentPart(copyJson(type, 'type') as string, dropAbsent(copyJsonObject(own)));
  }

  /**
   * A part from anything that can stand for one; a part itself is returned unchanged. Flat legacy fields
   * (`{ type: 'image_url', url }`) move to their canonical nested place.
   *
   * @throws InvalidInputError
   */
  static from(input: ContentPartInput, path = ''): ContentPart {
    if (input instanceof ContentPart) return input;
    if (typeof input === 'string') return ContentPart.#text(input, path);
    if (!isRecord(input)) return reject(path, EXPECTED, input);
    if (providesPart(input)) return input.toContentPart();
    const { type, fields } = readPart(input, path);
    return new ContentPart(type, fields);
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): ContentPart {
    const copied = copyJson(json);
    return isContentPartJSON(copied) ? ContentPart.owning(copied) : explain(contentPartSchema(), copied);
  }

  /** @internal Over JSON that nobody else holds. */
  static owning({ type, ...fields }: ContentPartJSON): ContentPart {
    return new ContentPart(type, freezeJson(fields));
  }

  /** @internal A text part of text that is known to be well-formed. */
  static plain(text: string): ContentPart {
    return new ContentPart('text', Object.freeze({ text }));
  }

  static #text(text: string, path: string): ContentPart {
    return ContentPart.plain(copyJson(text, path) as string);
  }

  /** A text part. */
  static text(text: string): ContentPart {
    return ContentPart.#text(text, 'text');
  }

  /** An image by its URL. */
  static imageUrl(url: string): ContentPart {
    return ContentPart.of('image_url', { image_url: { url } });
  }

  /** An image from its source. */
  static image(source: CanProvideContentPart): ContentPart {
    return source.toContentPart();
  }

  /** A file from its source. */
  static file(source: CanProvideContentPart): ContentPart {
    return source.toContentPart();
  }

  /** Audio from its source. */
  static audio(source: CanProvideContentPart): ContentPart {
    return source.toContentPart();
  }

  /** What a model thought before it answered. Its provider's proof of it goes into `origin.data`. */
  static reasoning(text: string, origin?: Origin): ContentPart {
    return ContentPart.of('reasoning', { text, _origin: origin });
  }

  /** A model's refusal to answer. */
  static refusal(refusal: string): ContentPart {
    return ContentPart.of('refusal', { refusal });
  }

  /** Where the part comes from, if it says so. */
  get origin(): Origin | undefined {
    const origin = this.fields['_origin'];
    return isOrigin(origin) ? origin : undefined;
  }

  /** Whether the part only marks the place of a tool call among the parts; such a mark is no content. */
  isMark(): boolean {
    return this.type === 'tool_call';
  }

  /** Whether the type is `text`. */
  isTextPart(): boolean {
    return this.type === 'text';
  }

  /** Whether there is a field `text`, and it is text. */
  hasText(): boolean {
    return typeof this.fields['text'] === 'string';
  }

  /** Whether this is a text part with its text and nothing else. */
  isSimple(): boolean {
    return this.type === 'text' && 'text' in this.fields && Object.keys(this.fields).length === 1;
  }

  /** Whether no field says anything: all are missing, null, `''` or an empty list. */
  isEmpty(): boolean {
    return Object.values(this.fields).every(isBlank);
  }

  /** Whether there is a field of this name. */
  has(key: string): boolean {
    return Object.hasOwn(this.fields, key);
  }

  /** The value of a field; `fallback` when it is missing. */
  get(key: string): JsonValue | undefined;
  get<T>(key: string, fallback: T): JsonValue | T;
  get(key: string, fallback?: unknown): unknown {
    return (Object.hasOwn(this.fields, key) ? this.fields[key] : undefined) ?? fallback;
  }

  /** With other fields instead of these. */
  withFields(fields: Readonly<Record<string, unknown>>): ContentPart {
    if (equalJson(fields, this.fields)) return this;
    const next = ContentPart.of(this.type, fields);
    return equalJson(next.fields, this.fields) ? this : next;
  }

  /** With one field more or another value for it; null removes it. */
  withField(key: string, value: unknown): ContentPart {
    if (key === 'type') return this;
    const given = dropAbsent(copyJsonObject({ [key]: value }));
    if (Object.hasOwn(given, key)) {
      const isSame = this.has(key) && equalJson(this.fields[key], given[key]);
      return isSame ? this : new ContentPart(this.type, Object.freeze({ ...this.fields, ...given }));
    }
    const { [key]: _removed, ...others } = this.fields;
    return this.has(key) ? new ContentPart(this.type, Object.freeze(others)) : this;
  }

  /** The type and all fields: what `fromJSON` reads back without loss. */
  toJSON(): ContentPartJSON {
    return { type: this.type, ...this.fields };
  }

  /** The part as it is shown to others: without null, `''` (save a text part's text), `[]` and `_private` fields. */
  toExport(): ContentPartJSON {
    const shown = Object.entries(this.fields).filter(([key, value]) => this.#isShown(key, value));
    return { type: this.type, ...Object.fromEntries(shown) };
  }

  #isShown(key: string, value: JsonValue): boolean {
    return !key.startsWith('_') && (!isBlank(value) || (value === '' && key === 'text' && this.type === 'text'));
  }

  /** The part's text; `''` where it has none. */
  toString(): string {
    const text = this.fields['text'];
    return typeof text === 'string' ? text : '';
  }

  /** Whether both have the same type and equal fields. */
  equals(other: ContentPart): boolean {
    return this === other || (this.type === other.type && equalJson(this.fields, other.fields));
  }
}

function providesPart(input: object): input is CanProvideContentPart {
  return 'toContentPart' in input && typeof input.toContentPart === 'function';
}

function isBlank(value: JsonValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
