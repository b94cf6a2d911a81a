import { ContentPart } from '../../model/content-part.ts';
import type { ContentPartJSON } from '../../schema/content.ts';
import { isRecord, type JsonObject } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import { isAddress, isFilled, isKnownAddress } from './media.ts';
import { type Fields, kindOf, originOf, OWN } from './origin.ts';

/** A part of the wire, its characters whole: one of ours where it goes out again as it came, any other as it is. */
export function decodePart(wire: Fields): ContentPart {
  const text = plainTextOf(wire);
  if (text !== undefined) return ContentPart.plain(text);
  const kind = kindOf(wire);
  const { [kind]: value, ...sides } = wire;
  if (kind === 'text' && typeof value === 'string') return decodeText(value, sides);
  const media = isRecord(value) ? decodeMedia(kind, value, sides) : undefined;
  return media ?? ContentPart.of(kind, { [kind]: value, _origin: originOf(sides) ?? OWN });
}

/** The text of a part that has nothing else. */
export function plainTextOf(part: Fields): string | undefined {
  for (const key in part) if (key !== 'text') return undefined;
  return typeof part['text'] === 'string' ? part['text'] : undefined;
}

/** Text that the model thought always has an origin: it is told from the thoughts of others by that. */
function decodeText(text: string, { thought, ...sides }: Fields): ContentPart {
  return thought === true
    ? madePart({ type: 'reasoning', text }, originOf(sides) ?? OWN)
    : madePart({ type: 'text', text }, originOf({ thought, ...sides }));
}

function madePart(fields: ContentPartJSON, _origin: Origin | undefined): ContentPart {
  return ContentPart.owning({ ...fields, ...(_origin && { _origin }) } as ContentPartJSON);
}

/** Media with a type, by data or by an address; undefined for others, which have no form of ours that goes back. */
function decodeMedia(kind: string, media: Fields, sides: Fields): ContentPart | undefined {
  if (kind !== 'inlineData' && kind !== 'fileData') return undefined;
  const { mimeType, [kind === 'fileData' ? 'fileUri' : 'data']: source, displayName, ...others } = media;
  if (!isFilled(mimeType) || !isFilled(source)) return undefined;
  const read = kind === 'fileData' ? readAddress(source, mimeType) : readData(source, mimeType);
  if (read === undefined) return undefined;
  const [type, payload] = read;
  const isNamed = type === 'file' && isFilled(displayName);
  const kept = {
    ...others,
    ...(/;|\/jpg/.test(mimeType) && { mimeType }),
    ...(!isNamed && displayName !== undefined && { displayName }),
  };
  const value = isNamed ? { ...payload, file_name: displayName } : payload;
  return madePart({ type, [type]: value }, originOf({ ...sides, [kind]: kept }));
}

function readAddress(url: string, mime_type: string): readonly [string, JsonObject] | undefined {
  if (!isAddress(url)) return undefined;
  return mime_type.startsWith('image/') && !isKnownAddress(url)
    ? ['image_url', { url, mime_type }]
    : ['file', { file_url: url, mime_type }];
}

function readData(data: string, mimeType: string): readonly [string, JsonObject] | undefined {
  const [, format] = /^audio\/(.+)/s.exec(mimeType) ?? [];
  if (format !== undefined) return data.startsWith('data:') ? undefined : ['input_audio', { data, format }];
  const url = `data:${mimeType};base64,${data}`;
  if (mimeType.includes(',')) return undefined;
  return mimeType.startsWith('image/') ? ['image_url', { url }] : ['file', { file_data: url }];
}
