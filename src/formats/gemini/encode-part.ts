import type { ContentPart } from '../../model/content-part.ts';
import { isRecord, NO_FIELDS } from '../../schema/json.ts';
import { isAddress, isFilled, isKnownAddress, typeOfAddress } from './media.ts';
import { copyOf, type Fields, keptOf, withKept } from './origin.ts';
import type { Source } from './source.ts';
import type { GeminiPart } from './wire.ts';

/** The types of media, and what they are taken for where they do not tell it. */
const MEDIA: Fields = { image_url: 'image/jpeg', input_audio: 'audio/wav', file: 'application/octet-stream' };

/** Where media can be. */
const SOURCES = ['url', 'data', 'file_data', 'file_url', 'file_id'];

const PAYLOAD_KEYS = [...SOURCES, 'format', 'mime_type', 'file_name'];

/** What stands before the bytes of a `data:` URL, with its type. */
const DATA_URL = /^data:([^;,]*)[^,]*;base64,/i;

/** A part as the wire spells it, with what it brought along from there; undefined where the wire has no place for it. */
export function encodePart(part: ContentPart, source: Source, at: number): GeminiPart | undefined {
  const { type } = part;
  if (type === 'text' || type === 'reasoning' || type === 'refusal') return encodeText(part, source, at);
  return Object.hasOwn(MEDIA, type) ? encodeMedia(part, source, at) : encodeOther(part, source, at);
}

/** Thoughts go back to the one who thought them (ai.google.dev, Thought signatures); others have no use for them. */
function encodeText({ type, origin, fields }: ContentPart, source: Source, at: number): GeminiPart | undefined {
  const kept = keptOf(origin);
  const key = type === 'refusal' ? type : 'text';
  const text = fields[key];
  const isThought = type === 'reasoning';
  if (isThought && kept === undefined) return source.drop(at, type, 'reasoning of another provider');
  if (typeof text !== 'string') return source.drop(at, 'part-shape', 'an empty part');
  if (key !== 'text') source.lose(at, type, 'degraded', 'a refusal goes out as text');
  source.dropKeys(at, fields, [key]);
  return withKept(isThought ? { text, thought: true } : { text }, kept);
}

/** Media by what they hold: a data URL becomes data, an address stays one. The wire wants a type with both. */
function encodeMedia({ type, fields, origin }: ContentPart, source: Source, at: number): GeminiPart | undefined {
  const payload = (isRecord(fields[type]) ? fields[type] : NO_FIELDS) as Fields;
  const given = SOURCES.map((key) => payload[key]).find(isFilled);
  if (given === undefined) return source.drop(at, 'part-shape', 'an empty part');
  const { file_name: displayName, format, mime_type } = payload;
  const isAudio = type === 'input_audio';
  const [start, named] = DATA_URL.exec(given) ?? [];
  const isData = isAudio || start !== undefined;
  if (!isData && !isAddress(given)) return source.drop(at, 'file-id', 'an id of another provider');
  if (!isData && source.making.options.urls === 'drop' && !isKnownAddress(given))
    return source.drop(at, 'media-url', 'an address');
  const spoken = isAudio && isFilled(format) ? `audio/${format}` : undefined;
  const told =
    [named, spoken, mime_type, fields['mime_type']].find(isFilled) ?? (isData ? undefined : typeOfAddress(given));
  const mimeType = (told ?? (MEDIA[type] as string)).replace('/jpg', '/jpeg');
  if (told === undefined) source.lose(at, 'mime-type', 'degraded', `media go out as ${mimeType}`);
  source.dropKeys(at, fields, [type, 'mime_type']);
  source.dropKeys(at, payload, PAYLOAD_KEYS);
  const media = { mimeType, ...(isFilled(displayName) && { displayName }) };
  const wire = isData
    ? { inlineData: { ...media, data: given.slice(start?.length) } }
    : { fileData: { ...media, fileUri: given } };
  return withKept(wire, keptOf(origin));
}

/** What this wire alone has goes back to it as it came. */
function encodeOther({ type, origin, fields }: ContentPart, source: Source, at: number): GeminiPart | undefined {
  const kept = keptOf(origin);
  const isOwn = kept !== undefined && type in fields && !/^function(Call|Response)$/.test(type);
  return isOwn
    ? withKept({ [type]: copyOf(fields[type]) }, kept)
    : source.drop(at, 'part-type', `a part of type ${JSON.stringify(type)}`);
}
