/** The kinds of media, and the formats that the wire takes of each (`@aws-sdk/client-bedrock-runtime`, enums). */
const FORMATS = {
  image: 'png jpeg gif webp',
  document: 'pdf csv doc docx xls xlsx html txt md',
  video: 'mkv mov mp4 webm flv mpeg mpg wmv three_gp',
  audio: 'mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm',
} as const;

/** A kind of media: the key of its block. */
export type MediaKind = keyof typeof FORMATS;

/** What media are, in the words of the wire. */
export interface MediaFormat {
  readonly kind: MediaKind;
  readonly format: string;
}

/** The formats whose name is not the second half of their media type. */
const NAMED: Readonly<Record<string, string>> = {
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/json': 'txt',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'image/jpg': 'jpeg',
  'video/quicktime': 'mov',
  'video/3gpp': 'three_gp',
  'audio/mpeg': 'mp3',
};

/** How base64 of each image that the wire takes begins: models compare the bytes with the format that is told. */
const BEGINNINGS: readonly (readonly [format: string, RegExp])[] = [
  ['jpeg', /^\/9j\//],
  ['png', /^iVBORw0KGgo/],
  ['gif', /^R0lGOD[dl]h/],
  ['webp', /^UklGR.{6}XRUJQ/],
];

const DATA_URI = /^data:([^;,]*)[^,]*;base64,/i;
const NO_BASE64 = /[^A-Za-z0-9+/=]|=(?!=?$)/;

/** What a `data:` URI holds. */
export interface DataUri {
  /** In small letters; `''` where it names none. */
  readonly mediaType: string;
  /** Base64; never empty. */
  readonly data: string;
}

/** The parts of a `data:` URI with base64 in it; undefined for any other text. */
export function readDataUri(uri: string): DataUri | undefined {
  const [head, mediaType = ''] = DATA_URI.exec(uri.slice(0, 1000)) ?? [];
  const data = uri.slice(head?.length);
  return head !== undefined && isBase64(data) ? { mediaType: mediaType.toLowerCase(), data } : undefined;
}

/** Whether text is base64 that every decoder takes: the standard alphabet, padded, not empty. */
export function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && !NO_BASE64.test(text);
}

/** Whether the wire has this format of a kind. */
export function isFormat(kind: MediaKind, format: string): boolean {
  return FORMATS[kind].split(' ').includes(format);
}

/**
 * What data are: images by their bytes, all else by the media type or, without one, by the file's name. Any kind of text
 * is plain text. Undefined for what the wire does not take.
 */
export function formatOfData({ mediaType, data }: DataUri, fileName: string): MediaFormat | undefined {
  const [seen] = BEGINNINGS.find(([, beginning]) => beginning.test(data)) ?? [];
  if (seen !== undefined) return { kind: 'image', format: seen };
  if (mediaType === '' || mediaType === 'application/octet-stream') return formatOfAddress(fileName);
  const [major = '', minor = ''] = mediaType.split('/');
  const kind = major === 'image' || major === 'video' || major === 'audio' ? major : 'document';
  const format = NAMED[mediaType] ?? minor.replace(/^x-(ms-)?/, '').replace('matroska', 'mkv');
  if (isFormat(kind, format)) return { kind, format };
  return major === 'text' ? { kind, format: 'txt' } : undefined;
}

/** What an address tells of itself by its end; undefined where it tells nothing. */
export function formatOfAddress(address: string): MediaFormat | undefined {
  const [, end = ''] = /\.(\w+)$/.exec(address.toLowerCase()) ?? [];
  const format = end === 'jpg' ? 'jpeg' : end === '3gp' ? 'three_gp' : end;
  const kind = (Object.keys(FORMATS) as MediaKind[]).find((one) => isFormat(one, format));
  return kind && { kind, format };
}

/** The media type of a format. */
export function mediaTypeOf(kind: MediaKind, format: string): string {
  const named = Object.keys(NAMED).findLast((type) => NAMED[type] === format && type !== 'image/jpg');
  return named ?? `${kind === 'document' ? (format === 'pdf' ? 'application' : 'text') : kind}/${format}`;
}
