import type { ContentPart } from '../../model/content-part.ts';
import { isRecord } from '../../schema/json.ts';
import type { Loss } from '../format.ts';
import { DATA_URL, isKnownAddress, typeOfAddress } from './media.ts';
import type { GeminiOptions } from './options.ts';
import { copyOf, type Fields, keptOf, withKept } from './origin.ts';
import type { GeminiPart } from './wire.ts';

/** Tells what of a part is lost. */
export type Lose = (rule: string, action: Loss['action'], message: string) => void;

/** The types of media, and what they are taken for where they do not tell it. */
const MEDIA: Fields = { image_url: 'image/jpeg', input_audio: 'audio/wav', file: 'application/octet-stream' };

/** Where media can be. */
const SOURCES = ['url', 'data', 'file_data', 'file_url', 'file_id'];

/** A part as the wire spells it, with what it brought along from there; undefined where the wire has no place for it. */
export function encodePart(part: ContentPart, lose: Lose, urls?: GeminiOptions['urls']): GeminiPart | undefined {
  const { type } = part;
  if (type === 'text' || type === 'reasoning' || type === 'refusal') return encodeText(part, lose);
  return Object.hasOwn(MEDIA, type) ? encodeMedia(part, lose, urls) : encodeOther(part, lose);
}

/** Thoughts go back to the one who thought them (ai.google.dev, Thought signatures); others have no use for them. */
function encodeText(part: ContentPart, lose: Lose): GeminiPart | undefined {
  const { type, origin, fields } = part;
  const kept = keptOf(origin);
  const key = type === 'refusal' ? type : 'text';
  const text = fields[key];
  const thought = type === 'reasoning';
  if (thought && kept === undefined) return drop(lose, type, 'reasoning of another provider');
  if (typeof text !== 'string') return drop(lose, 'part-shape', 'an empty part');
  if (key !== 'text') lose(type, 'degraded', 'a refusal goes out as text');
  dropKeys(fields, [key], lose);
  return withKept({ text, ...(thought && { thought }) }, kept);
}

/** Media by what they hold: a data URL becomes data, an address stays one. The wire wants a type with both. */
function encodeMedia(
  { type, fields, origin }: ContentPart,
  lose: Lose,
  urls?: GeminiOptions['urls'],
): GeminiPart | undefined {
  const inner = fields[type];
  const payload = isRecord(inner) ? inner : {};
  const { file_name: displayName, format, mime_type } = payload;
  const source = SOURCES.map((key) => payload[key]).find(isFilled);
  if (source === undefined) return drop(lose, 'part-shape', 'an empty part');
  const isAudio = type === 'input_audio';
  const [, named, data = isAudio ? source : undefined] = DATA_URL.exec(source) ?? [];
  const isAddress = data === undefined;
  if (isAddress && !/^(https?|gs):/i.test(source)) return drop(lose, 'file-id', 'an id of another provider');
  if (isAddress && urls === 'drop' && !isKnownAddress(source)) return drop(lose, 'media-url', 'an address');
  const spoken = isAudio && isFilled(format) ? `audio/${format}` : undefined;
  const told = [named, spoken, mime_type, fields['mime_type'], isAddress && typeOfAddress(source)].find(isFilled);
  const mimeType = (told ?? (MEDIA[type] as string)).replace('/jpg', '/jpeg');
  if (told === undefined) lose('mime-type', 'degraded', `media go out as ${mimeType}`);
  dropKeys(fields, [type, 'mime_type'], lose);
  dropKeys(payload, [...SOURCES, 'format', 'mime_type', 'file_name'], lose);
  const media = {
    mimeType,
    ...(isFilled(displayName) && { displayName }),
    ...(isAddress ? { fileUri: source } : { data }),
  };
  return withKept({ [isAddress ? 'fileData' : 'inlineData']: media }, keptOf(origin));
}

/** What this wire alone has goes back to it as it came. */
function encodeOther(part: ContentPart, lose: Lose): GeminiPart | undefined {
  const { type, origin, fields } = part;
  const kept = keptOf(origin);
  const isOwn = kept !== undefined && part.has(type) && !/^function(Call|Response)$/.test(type);
  return isOwn
    ? withKept({ [type]: copyOf(fields[type]) }, kept)
    : drop(lose, 'part-type', `a part of type ${JSON.stringify(type)}`);
}

/** Tells that something is left out. */
export function drop(lose: Lose, rule: string, what: string): undefined {
  lose(rule, 'dropped', `${what} has no place on this wire: left out`);
}

/** Tells the keys that the wire does not know; those that are null say nothing, private ones are nobody's business. */
export function dropKeys(fields: Fields, known: readonly string[], lose: Lose): void {
  for (const [key, value] of Object.entries(fields))
    if (!key.startsWith('_') && value !== null && !known.includes(key))
      drop(lose, 'key', `the key ${JSON.stringify(key)}`);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
