import type { AnthropicDocumentSource, AnthropicImageSource } from './wire.ts';

/** What is needed of the platform, declared structurally; all of them provide it. */
const platform = globalThis as unknown as { atob(base64: string): string };

const DATA_URI = /^data:([^;,]*)[^,]*;base64,(?=.)/i;
const WEB_URL = /^https?:/i;

/** What a `data:` URI holds. */
export interface DataUri {
  /** In small letters; `''` where it names none. */
  readonly mediaType: string;
  /** Base64; never empty. */
  readonly data: string;
}

/** The parts of a `data:` URI with base64 in it; undefined for any other text. */
export function readDataUri(uri: string): DataUri | undefined {
  const [head, mediaType = ''] = DATA_URI.exec(uri) ?? [];
  return head === undefined ? undefined : { mediaType: mediaType.toLowerCase(), data: uri.slice(head.length) };
}

/** Whether the provider can be asked to fetch this. */
export function isWebUrl(url: unknown): url is string {
  return typeof url === 'string' && WEB_URL.test(url);
}

type ImageType = Extract<AnthropicImageSource, { type: 'base64' }>['media_type'];

/** How base64 of each type that the wire takes begins: the API compares the bytes with the type that is told. */
const IMAGE_TYPES: readonly (readonly [ImageType, RegExp])[] = [
  ['image/jpeg', /^\/9j\//],
  ['image/png', /^iVBORw0KGgo/],
  ['image/gif', /^R0lGOD[dl]h/],
  ['image/webp', /^UklGR.{6}XRUJQ/],
];

/** An image as data, with the type that its bytes have, else the one that it tells; undefined where the wire takes no such type. */
export function imageSource({ mediaType, data }: DataUri): AnthropicImageSource | undefined {
  const told = mediaType.replace('/jpg', '/jpeg');
  const [media_type] =
    IMAGE_TYPES.find(([, start]) => start.test(data)) ?? IMAGE_TYPES.find(([type]) => type === told) ?? [];
  return media_type && { type: 'base64', media_type, data };
}

/** A document as data: a PDF as it is, any kind of text as plain text; undefined for what the wire does not take. */
export function documentSource({ mediaType, data }: DataUri): AnthropicDocumentSource | undefined {
  if (mediaType === 'application/pdf') return { type: 'base64', media_type: mediaType, data };
  const text = /^text\/|^application\/json/.test(mediaType) ? textIn(data) : undefined;
  return text === undefined ? undefined : { type: 'text', media_type: 'text/plain', data: text };
}

/** The text in base64 of UTF-8; undefined where it is none. */
function textIn(base64: string): string | undefined {
  try {
    const bytes = platform.atob(base64);
    return decodeURIComponent(
      bytes.replaceAll(/[^]/g, (byte) => `%${(0x100 + byte.charCodeAt(0)).toString(16).slice(1)}`),
    );
  } catch {
    return undefined;
  }
}
