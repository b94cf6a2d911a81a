import { mimeTypeOf } from '../input/bytes.ts';
import type { ContentPart } from '../model/content-part.ts';
import { isRecord, type JsonValue } from '../schema/json.ts';

/**
 * An image of 1 megapixel or more. Anthropic asks about width × height / 750, and scales what would be more than about
 * 1600 down. OpenAI asks 85, and 170 for each tile of 512 × 512: 765 for a square image, 1445 for the largest. Gemini
 * asks 258 for each tile of 768 × 768.
 */
const IMAGE = 1600;
/** An image with the detail `low` at OpenAI. */
const IMAGE_OF_LOW_DETAIL = 85;
/** A second of audio: 32 at Gemini, 10 at OpenAI. */
const PER_SECOND = 32;
/** 16 kHz of 16 bits, which is what speech needs. */
const BYTES_PER_SECOND_PLAIN = 32_000;
/** 128 kbit/s, as MP3 often has. */
const BYTES_PER_SECOND_PACKED = 16_000;
/** Audio that is elsewhere: a minute. */
const AUDIO_ELSEWHERE = 60 * PER_SECOND;
/** A page of a document: Anthropic asks 1500 to 3000, Gemini 258. */
const PER_PAGE = 2000;
const BYTES_PER_PAGE = 100_000;
/** Files are cut or refused long before they fill a context. */
const MOST_PAGES = 25;
const BYTES_PER_TOKEN_OF_TEXT = 4;

type Fields = Readonly<Record<string, unknown>>;

/**
 * About how many tokens a part is that is no text.
 *
 * An image is 1600, or 85 where its `detail` is `low`, however large its data are. A second of audio is 32; its length is
 * told from its bytes. A file is one token for four bytes where its type is text, else 2000 for each 100 kB begun, which
 * stand for a page, up to 25 pages; images and audio in a file are counted as such. Of a part of another type its JSON
 * text is counted, in which base64 is as much as an image.
 */
export function mediaTokens(part: ContentPart, countText: (text: string) => number): number {
  const payload = part.fields[part.type];
  const fields: Fields = isRecord(payload) ? payload : part.fields;
  switch (part.type) {
    case 'image_url':
      return (fields['detail'] ?? part.fields['detail']) === 'low' ? IMAGE_OF_LOW_DETAIL : IMAGE;
    case 'input_audio':
      return audioTokens(textIn(fields, 'data'), textIn(fields, 'format'));
    case 'file':
      return fileTokens(textIn(fields, 'file_data'));
    default:
      return jsonTokens(part, countText);
  }
}

function textIn(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}

function audioTokens(base64: string, format: string): number {
  if (base64 === '') return AUDIO_ELSEWHERE;
  const isPlain = /wav|pcm|l16/i.test(format);
  const seconds = bytesOf(base64) / (isPlain ? BYTES_PER_SECOND_PLAIN : BYTES_PER_SECOND_PACKED);
  return Math.max(1, Math.round(seconds * PER_SECOND));
}

/** A file that is elsewhere is a page. */
function fileTokens(dataUri: string): number {
  const mimeType = mimeTypeOf(dataUri);
  const bytes = bytesOf(dataUri);
  if (mimeType.startsWith('image/')) return IMAGE;
  if (mimeType.startsWith('audio/')) return audioTokens(dataUri, mimeType);
  if (/^text\/|[/+](?:json|xml|yaml)$/.test(mimeType)) return Math.ceil(bytes / BYTES_PER_TOKEN_OF_TEXT);
  return PER_PAGE * Math.min(MOST_PAGES, Math.max(1, Math.ceil(bytes / BYTES_PER_PAGE)));
}

/** About how many bytes base64 holds, with or without what stands before it in a `data:` URI. */
function bytesOf(base64: string): number {
  return Math.ceil((base64.length * 3) / 4);
}

/** The fields that are shown to others are what is sent; what only this library knows (`_origin`) is not. */
function jsonTokens(part: ContentPart, countText: (text: string) => number): number {
  let blobs = 0;
  const json = JSON.stringify(part.toExport(), (_key, value: JsonValue) => {
    if (!isBlob(value)) return value;
    blobs += 1;
    return '';
  });
  return countText(json) + blobs * IMAGE;
}

const SHORTEST_BLOB = 512;
/** What base64, also that of URLs, and the beginning of a `data:` URI are written with, in one line or in those of MIME. */
const BLOB_BEGINNING = /^(?:[\w+/=:;,.-]{512}|(?:[\w+/=:;,.-]{60,}\r?\n){8})/;

/** Whether a value is a long text without spaces, of characters of base64 only: nobody wrote that. */
function isBlob(value: unknown): boolean {
  return typeof value === 'string' && value.length >= SHORTEST_BLOB && BLOB_BEGINNING.test(value);
}
