import type { ContentPart } from '../../model/content-part.ts';
import { type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import { copyOf, copyWithout, fieldsOf, isForeign, keptOf, toWire } from './origin.ts';
import { dropped, loseKeys, type Source, tell } from './source.ts';
import type { ResponsesInputPart, ResponsesOutputPart } from './wire.ts';

const INPUT = ['text', 'image_url', 'file'] as const;
const OUTPUT = ['text', 'refusal', 'reasoning'] as const;

/** The part types that a message of each role may carry (`openai` package, ResponseInputContent and ResponseOutputMessage). */
export const PARTS_BY_ROLE = { system: INPUT, developer: INPUT, user: INPUT, assistant: OUTPUT, tool: INPUT } as const;

/** The types of parts that have a meaning here. */
export const KNOWN: readonly string[] = [...INPUT, ...OUTPUT];

/** What parts are called on the wire that is given to the model. */
const TYPES: Readonly<Record<string, string>> = { text: 'input_text', image_url: 'input_image', file: 'input_file' };

/** What the provider can be asked to fetch, or is given. */
const ADDRESS = /^(https?|data):/i;
const DATA = /^data:[^/;,]*\/?(\w*)/i;
const CARRIED = ['url', 'file_data', 'file_url', 'file_id', 'mime_type', 'detail'];

/** A part of what is not the assistant's; undefined where it does not go out. One from here goes out as it came. */
export function encodeInput(part: ContentPart, at: number, source: Source): ResponsesInputPart | undefined {
  const { type, fields, origin } = part;
  const isKept = keptOf(origin)?.isPart;
  const wireType = Object.hasOwn(TYPES, type) ? TYPES[type] : isKept && type;
  if (!wireType) return droppedPart(part, at, source);
  const sent = isKept ? copyWithout(fields, '_origin') : sentOf(part, at, source);
  if (sent === undefined) return undefined;
  const { [type]: payload, ...others } = sent;
  const media = wireType === type || type === 'text' ? sent : { ...toWire(payload as JsonObject), ...others };
  return { ...media, type: wireType } as unknown as ResponsesInputPart;
}

/** As much of any other part as the wire takes. */
function sentOf(part: ContentPart, at: number, source: Source): JsonObject | undefined {
  const { type, fields } = part;
  const payload = type === 'text' ? part.toString() : mediaOf(part, at, source);
  if (payload === undefined) return undefined;
  const mark = fieldsOf(fields['prompt_cache_breakpoint']);
  const isMarked = mark?.['mode'] === 'explicit';
  loseKeys(fields, isMarked ? [type, 'prompt_cache_breakpoint'] : [type], at, source);
  return { [type]: payload, ...(isMarked && { prompt_cache_breakpoint: copyOf(mark) }) };
}

/** What the assistant said; undefined where it does not go out. */
export function encodeOutput(part: ContentPart, at: number, source: Source): ResponsesOutputPart | undefined {
  const { type, fields, origin } = part;
  const { [type]: words, annotations } = fields;
  const isText = type === 'text';
  if (typeof words !== 'string' || !(isText || type === 'refusal')) return droppedPart(part, at, source);
  const kept = keptOf(origin);
  const cited = isText && { annotations: kept && Array.isArray(annotations) ? copyOf(annotations) : [] };
  loseKeys(fields, kept ? [type, 'annotations'] : [type], at, source);
  const said = { ...copyWithout(kept?.output, 'parsed'), type: isText ? 'output_text' : type, [type]: words, ...cited };
  return said as unknown as ResponsesOutputPart;
}

function droppedPart({ type }: ContentPart, at: number, source: Source): undefined {
  return dropped(source, at, 'part-type', `a ${type} part`);
}

/** Media at an address, data included, or under an id of this provider, with what the wire wants to know of them. */
function mediaOf({ type, fields, origin }: ContentPart, at: number, source: Source): JsonObject | undefined {
  const { message } = source;
  const payload = fieldsOf(fields[type]) ?? NO_FIELDS;
  const { url, file_data, file_url, file_id, file_name, detail } = payload;
  const isImage = type === 'image_url';
  const address = isImage ? url : (file_data ?? file_url);
  const isAddress = typeof address === 'string';
  if (isAddress ? !ADDRESS.test(address) : typeof file_id !== 'string')
    return dropped(source, at, 'address', 'no address');
  if (!isAddress && isForeign(origin ?? message.origin)) return dropped(source, at, 'file-id', 'an id');
  const kind = isAddress ? DATA.exec(address)?.[1] : undefined;
  // "Mutually exclusive parameters … Ensure you are only providing one of: 'file_id' or 'filename'", also with an address.
  const isNamed = !isImage && kind !== undefined;
  loseKeys(payload, isNamed ? [...CARRIED, 'file_name'] : CARRIED, at, source);
  const key = isImage ? 'url' : kind === undefined ? 'file_url' : 'file_data';
  // Required in messages, not in answers (`openai` package, ResponseInputImage and ResponseInputImageContent).
  const seen = detail ?? (isImage && !message.isTool() ? 'auto' : undefined);
  const name = isNamed ? (file_name ?? madeName(kind, at, source)) : undefined;
  return {
    ...(name !== undefined && { file_name: name }),
    ...(seen !== undefined && { detail: seen }),
    ...(isAddress ? { [key]: address } : { file_id: file_id as string }),
  };
}

/** Inline data need a name: "Missing required parameter: 'input[0].content[0].filename'". */
function madeName(kind: string, at: number, source: Source): string {
  const name = `file.${kind || 'bin'}`;
  tell(source, at, 'file-name', 'added', `"${name}" goes out`);
  return name;
}
