import { reject } from '../../errors.ts';
import { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { type Kept, originOf } from './origin.ts';

/** The types that have a meaning here, under which nothing of the wire can be kept as it is. */
const OURS: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  'text',
  'image_url',
  'file',
  'input_audio',
  'refusal',
  'reasoning',
  'tool_call',
]);

/**
 * A part of a message or answer that is not the assistant's: one of ours, with what else it had, or the part as it is
 * under its own type. It is frozen, and nobody else holds it. A detail may be missing in answers only.
 */
export function decodeInput(part: JsonValue, path: string, isAnswer: boolean): ContentPart {
  if (!isRecord(part)) return reject(path, 'a part', part);
  const { type, prompt_cache_breakpoint: mark, ...fields } = part;
  const isMark = isRecord(mark) && mark['mode'] === 'explicit';
  const marked = isMark && { prompt_cache_breakpoint: mark };
  const own = isMark || mark === undefined ? fields : { ...fields, prompt_cache_breakpoint: mark };
  if (type === 'input_text' && typeof own['text'] === 'string') {
    const { text, ...others } = own;
    return partOf('text', { text, ...marked }, others);
  }
  if (type === 'input_image') return decodeImage(own, marked, isAnswer) ?? asIs(part, path);
  if (type === 'input_file') return decodeFile(own, marked) ?? asIs(part, path);
  return asIs(part, path);
}

type Fields = Readonly<Record<string, JsonValue>>;

function decodeImage(own: Fields, marked: Fields | false, isAnswer: boolean): ContentPart | undefined {
  const { image_url: url, file_id, detail, ...others } = own;
  const hasDetail = typeof detail === 'string';
  const beside = { ...others, ...(!hasDetail && detail !== undefined && { detail }) };
  const payload = hasDetail && { detail };
  const isPlain = hasDetail || isAnswer;
  if (typeof url === 'string') {
    const rest = file_id === undefined ? beside : { ...beside, file_id };
    return partOf('image_url', { image_url: { url, ...payload }, ...marked }, rest, isPlain);
  }
  if (typeof file_id !== 'string') return undefined;
  const rest = url === undefined ? beside : { ...beside, image_url: url };
  return partOf('image_url', { image_url: { file_id, ...payload }, ...marked }, rest, false);
}

function decodeFile(own: Fields, marked: Fields | false): ContentPart | undefined {
  const key = ['file_data', 'file_url', 'file_id'].find((one) => typeof own[one] === 'string');
  if (key === undefined) return undefined;
  const { [key]: place, filename, detail, ...others } = own;
  const isNamed = typeof filename === 'string';
  const hasDetail = typeof detail === 'string';
  const file = { [key]: place as string, ...(isNamed && { file_name: filename }), ...(hasDetail && { detail }) };
  const beside = {
    ...others,
    ...(!isNamed && filename !== undefined && { filename }),
    ...(!hasDetail && detail !== undefined && { detail }),
  };
  return partOf('file', { file, ...marked }, beside, key !== 'file_id' && (isNamed || key !== 'file_data'));
}

/** A part; its origin is told where it brought something along, or would not go out as it came without one. */
function partOf(type: string, fields: Fields, beside: Fields, isPlain = true): ContentPart {
  const hasMore = Object.keys(beside).length > 0;
  if (isPlain && !hasMore) return ContentPart.owning({ type, ...fields });
  return ContentPart.owning({ type, ...fields, _origin: originOf({ input: beside }) });
}

function asIs(part: JsonObject, path: string): ContentPart {
  return rawPart(part, path, { input: {} });
}

/** Something of this wire that has no meaning here, under its own type. */
export function rawPart(value: JsonObject, path: string, kept?: Kept): ContentPart {
  const { type } = value;
  if (typeof type !== 'string' || OURS.has(type)) return reject(`${path}.type`, 'a type of this wire', type);
  return ContentPart.owning({ ...value, type, _origin: originOf(kept) });
}

/**
 * A part of the assistant's, with what else it had; undefined for a type that has no meaning here. One that `follows`
 * others in its message says so by an origin.
 */
export function decodeOutput(part: JsonValue, follows: boolean): ContentPart | undefined {
  if (!isRecord(part)) return undefined;
  const { type, ...fields } = part;
  if (type === 'refusal' && typeof fields['refusal'] === 'string') {
    const { refusal, ...beside } = fields;
    return spoken('refusal', { refusal }, beside, follows);
  }
  if (type !== 'output_text' || typeof fields['text'] !== 'string') return undefined;
  const { text, annotations, ...beside } = fields;
  const isCited = Array.isArray(annotations) && annotations.length > 0;
  return spoken('text', { text, ...(isCited && { annotations }) }, beside, follows || isCited);
}

function spoken(type: string, fields: Fields, beside: Fields, isBound: boolean): ContentPart {
  const hasMore = Object.keys(beside).length > 0;
  if (!isBound && !hasMore) return ContentPart.owning({ type, ...fields });
  const origin = originOf(hasMore ? { output: beside } : undefined);
  return ContentPart.owning({ type, ...fields, _origin: origin });
}
