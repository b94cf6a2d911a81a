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

const OFFICE = 'vnd.openxmlformats-officedocument.';

/** The formats that media types and names of files call otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  plain: 'txt',
  markdown: 'md',
  msword: 'doc',
  [`${OFFICE}wordprocessingml.document`]: 'docx',
  'vnd.ms-excel': 'xls',
  [`${OFFICE}spreadsheetml.sheet`]: 'xlsx',
  json: 'txt',
  quicktime: 'mov',
  '3gpp': 'three_gp',
  matroska: 'mkv',
  jpg: 'jpeg',
};

/** How base64 of each image begins: models compare the bytes with the format that is told. */
const BEGINNINGS = [
  ['jpeg', '/9j/'],
  ['png', 'iVBORw0KGgo'],
  ['gif', 'R0lGOD'],
  ['webp', 'UklGR'],
] as const;

const DATA_URI = /^data:([^;,]*)[^,]*;base64,/i;
const NO_BASE64 = /[^A-Za-z0-9+/=]|=(?!=?$)/;

/** The media type, in small letters, and the base64 of a `data:` URI, not empty; undefined for any other text. */
export function readDataUri(uri: string): readonly [mediaType: string, base64: string] | undefined {
  const [head, mediaType = ''] = DATA_URI.exec(uri.slice(0, 1000)) ?? [];
  const base64 = uri.slice(head?.length);
  const isBase64 = base64 !== '' && base64.length % 4 === 0 && !NO_BASE64.test(base64);
  return head !== undefined && isBase64 ? [mediaType.toLowerCase(), base64] : undefined;
}

/**
 * What data are: images by their bytes, all else by the media type or, without one, by the file's name. Any kind of text
 * is plain text. Undefined for what the wire does not take.
 */
export function formatOfData(mediaType: string, base64: string, fileName: string): MediaFormat | undefined {
  const [major = '', minor = 'octet-stream'] = mediaType.split('/');
  if (minor === 'octet-stream') return formatOfAddress(fileName);
  const kind = major in FORMATS ? (major as MediaKind) : 'document';
  const seen = kind === 'image' && BEGINNINGS.find(([, beginning]) => base64.startsWith(beginning));
  const format = (seen ? seen[0] : undefined) ?? formatCalled(kind, minor) ?? (major === 'text' && 'txt');
  return format ? { kind, format } : undefined;
}

/** What an address tells by its end; undefined where it tells nothing. */
export function formatOfAddress(address: string): MediaFormat | undefined {
  const end = address.toLowerCase().split('.').at(-1) as string;
  for (const kind of Object.keys(FORMATS) as MediaKind[]) {
    const format = formatCalled(kind, end);
    if (format) return { kind, format };
  }
  return undefined;
}

/** A format of a kind as the wire calls it; undefined where it has none of this name. */
function formatCalled(kind: MediaKind, name: string): string | undefined {
  const formats = FORMATS[kind].split(' ');
  if (kind === 'audio' && name === 'mpeg') return 'mp3';
  if (formats.includes(name)) return name;
  const format = name.replace(/^x-(ms-)?/, '');
  return formats.find((one) => one === format || (Object.hasOwn(NAMES, format) && NAMES[format] === one));
}

/** The media type of a format. */
export function mediaTypeOf(kind: MediaKind, format: string): string {
  const name = Object.keys(NAMES).find((one) => NAMES[one] === format && one !== 'jpg') ?? format;
  const major = /^(plain|markdown|csv|html)$/.test(name) ? 'text' : 'application';
  return `${kind === 'document' ? major : kind}/${name}`;
}
