import { reject } from '../errors.ts';
import { oneOf } from '../schema/explain.ts';

/** The types of content parts that have a meaning here; parts of any other type are kept as they are. */
export type ContentType = 'text' | 'image_url' | 'file' | 'input_audio';

const VALUES: readonly ContentType[] = /* @__PURE__ */ Object.freeze([
  'text',
  'image_url',
  'file',
  'input_audio',
] as const);

/** The content types by name, and what can be asked of them. */
export const ContentType = /* @__PURE__ */ Object.freeze({
  Text: 'text',
  Image: 'image_url',
  File: 'file',
  Audio: 'input_audio',

  /** All content types, in their order of declaration. */
  values: VALUES,

  /**
   * The content type that a value is.
   *
   * @throws InvalidInputError when it is none
   */
  from(value: unknown): ContentType {
    return ContentType.tryFrom(value) ?? reject('type', oneOf(VALUES), value);
  },

  /** The content type that a value is; undefined when it is none. */
  tryFrom(value: unknown): ContentType | undefined {
    return VALUES.find((type) => type === value);
  },

  /** Whether two content types are the same. */
  is(type: ContentType, other: ContentType): boolean {
    return type === other;
  },
} as const);
