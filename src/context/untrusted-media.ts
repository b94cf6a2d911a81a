import { isDataUri } from '../input/bytes.ts';
import { lazy } from '../internal/lazy.ts';
import { joinPath } from '../internal/path.ts';
import { preview } from '../internal/preview.ts';
import { isOneLine } from './one-line.ts';
import { type PlainFields, plainFields } from './plain-json.ts';
import { refuse, soundText } from './refusal.ts';

/** What may be said in the payload of a part with media. */
export interface MediaRules {
  readonly fileIds: boolean;
  /** Whether an address may be used. */
  accepts(url: string): boolean;
}

/** The types of parts with media. */
type MediaPart = 'image_url' | 'file' | 'input_audio';

/** Throws a refusal where a text may not stand in its field. */
type Check = (text: string, path: string, rules: MediaRules) => void;

interface Shape {
  /** What may stand in the payload. */
  readonly fields: ReadonlyMap<string, Check>;
  /** The fields of which one must be there. */
  readonly sources: readonly string[];
}

const BREAKS_URL = /[\s\\\p{Cc}]/u;
const NO_BASE64 = /[^A-Za-z0-9+/]/;
/** Bytes with their type: `data:image/png;base64,…`. */
const TYPED_BASE64 = /^data:([\w.+-]{1,64}\/[\w.+-]{1,64});base64,/i;
const WORD = /^[\w-]{1,32}$/;
/** How close a model is to look (OpenAI: ImageURL.detail, ResponseInputImage.detail). */
const DETAIL = /^(?:auto|low|high|original)$/;
const MIME_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;
const MAX_NAME = 255;
const MAX_HEAD = 160;
const HEAD_EXPECTED = 'expected a data: URI with a type and base64: data:image/png;base64,…';

const shapes = /* @__PURE__ */ lazy((): Readonly<Record<MediaPart, Shape>> => {
  const checkMimeType = matching(MIME_TYPE, 'a MIME type');
  const checkDetail = matching(DETAIL, '"auto", "low", "high" or "original"');
  const image = { url: addressOf(/^image\//i, 'an image'), detail: checkDetail, mime_type: checkMimeType };
  const checkFile = addressOf(/^/, 'a file');
  const file = {
    file_data: inline(checkFile),
    file_url: checkFile,
    file_id: checkFileId,
    file_name: checkFileName,
    filename: checkFileName,
    mime_type: checkMimeType,
  };
  const audio = { data: checkBase64, format: matching(WORD, 'a word') };
  return {
    image_url: shape(image, 'url'),
    file: shape(file, 'file_data', 'file_url', 'file_id'),
    input_audio: shape(audio, 'data'),
  };
});

function shape(checks: Readonly<Record<string, Check>>, ...sources: readonly string[]): Shape {
  return { fields: new Map(Object.entries(checks)), sources };
}

/** The payload of a part with media, checked and copied. */
export function readMedia(type: MediaPart, value: unknown, path: string, rules: MediaRules): Record<string, string> {
  const { fields, sources } = shapes()[type];
  const given = payloadFields(type, value) ?? refuse('invalid_part', path, 'expected a plain object');
  const payload: Record<string, string> = {};
  for (const [key, text] of given) {
    const check = fields.get(key) ?? refuse('part_key', path, 'the payload has a key that is not taken from a client');
    const at = joinPath(path, key);
    if (text === null) continue;
    if (typeof text !== 'string') refuse('invalid_part', at, 'expected text');
    check(soundText(text, at), at, rules);
    payload[key] = text;
  }
  if (!sources.some((key) => Object.hasOwn(payload, key)))
    refuse('invalid_part', path, `expected one of ${sources.join(', ')}`);
  return payload;
}

function payloadFields(type: MediaPart, value: unknown): PlainFields | undefined {
  return type === 'image_url' && typeof value === 'string' ? new Map([['url', value]]) : plainFields(value);
}

function matching(form: RegExp, expected: string): Check {
  return (text, path) => {
    if (!form.test(text)) refuse('invalid_part', path, `expected ${expected}`);
  };
}

/** Looks for what may not be there: a long text that has to match as a whole costs memory. */
function checkBase64(text: string, path: string): void {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text === '' || text.length % 4 !== 0 || NO_BASE64.test(text.slice(0, text.length - padding)))
    refuse('invalid_part', path, 'expected base64 with its padding');
}

/** Where something is, or its bytes, of one of these types. */
function addressOf(types: RegExp, what: string): Check {
  return (url, path, rules) => {
    if (BREAKS_URL.test(url) || !rules.accepts(url))
      refuse('url_not_allowed', path, 'the address is not one that may be used');
    if (!isDataUri(url)) return;
    const [head, type] = TYPED_BASE64.exec(url.slice(0, MAX_HEAD)) ?? refuse('invalid_part', path, HEAD_EXPECTED);
    if (!types.test(type as string)) refuse('invalid_part', path, `expected ${what}, got ${preview(type)}`);
    checkBase64(url.slice(head.length), path);
  };
}

function inline(check: Check): Check {
  return (text, path, rules) => {
    if (!isDataUri(text)) refuse('url_not_allowed', path, 'expected a data: URI');
    check(text, path, rules);
  };
}

function checkFileId(_id: string, path: string, { fileIds }: MediaRules): void {
  if (!fileIds) refuse('file_id_not_allowed', path, 'ids of files that a provider holds are not taken from a client');
}

function checkFileName(name: string, path: string): void {
  if (name.length > MAX_NAME || !isOneLine(name))
    refuse('invalid_part', path, `expected a name of at most ${MAX_NAME} characters without control characters`);
}

/** Whether an address has one of these schemes; `https:` needs a host. */
export function hasScheme(url: string, schemes: readonly string[]): boolean {
  const scheme = /^[a-z][a-z0-9+.-]{0,31}:/i.exec(url)?.[0].toLowerCase();
  if (scheme === undefined || !schemes.includes(scheme)) return false;
  return scheme === 'data:' ? isDataUri(url) : !/^https?:/.test(scheme) || /^https?:\/\/[^/?#]/i.test(url);
}
