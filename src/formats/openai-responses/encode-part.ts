import type { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import { copyOf, copyWithout, fieldsOf, isForeign, keptOf } from './origin.ts';
import { dropped, loseKeys, type Source, tell } from './source.ts';
import type { ResponsesInputPart, ResponsesOutputPart } from './wire.ts';

const INPUT = ['text', 'image_url', 'file'] as const;

/** The part types that a message of each role may carry (`openai` package, ResponseInputContent and ResponseOutputMessage). */
export const PARTS_BY_ROLE = {
  system: INPUT,
  developer: INPUT,
  user: INPUT,
  assistant: ['text', 'refusal', 'reasoning'],
  tool: INPUT,
} as const;

/** What the provider can be asked to fetch, or is given. */
const ADDRESS = /^(https?:|data:)/i;
const DATA_URI = /^data:[^/;,]*\/?([a-z0-9]*)/i;
const DETAILS: readonly unknown[] = /* @__PURE__ */ Object.freeze(['auto', 'low', 'high', 'original']);

/** A part of what is not the assistant's; undefined where it does not go out. */
export function encodeInput(part: ContentPart, at: number, source: Source): ResponsesInputPart | undefined {
  const { type, fields } = part;
  const kept = fieldsOf(keptOf(part.origin)?.input);
  switch (type) {
    case 'text':
      if (!part.hasText()) return dropped(source, at, 'part-shape', 'a text part without text');
      return withMark(part, { ...beside(kept), type: 'input_text', text: part.toString() }, at, source);
    case 'image_url':
      return encodeImage(part, kept, at, source);
    case 'file':
      return encodeFile(part, kept, at, source);
    default:
      return kept === undefined
        ? droppedPart(part, at, source)
        : ({ type, ...copyWithout(fields, '_origin') } as unknown as ResponsesInputPart);
  }
}

/** What the assistant said; undefined where it does not go out. */
export function encodeOutput(part: ContentPart, at: number, source: Source): ResponsesOutputPart | undefined {
  const { type, fields } = part;
  const kept = keptOf(part.origin);
  const more = beside(fieldsOf(kept?.output));
  if (type === 'refusal') {
    const { refusal } = fields;
    if (typeof refusal !== 'string') return dropped(source, at, 'part-shape', 'a refusal part without its text');
    loseKeys(fields, ['refusal'], 'part-key', at, source);
    return { ...more, type, refusal };
  }
  if (type !== 'text') return droppedPart(part, at, source);
  if (!part.hasText()) return dropped(source, at, 'part-shape', 'a text part without text');
  const { annotations } = fields;
  const isCited = kept !== undefined && Array.isArray(annotations);
  loseKeys(fields, isCited ? ['text', 'annotations'] : ['text'], 'part-key', at, source);
  const cited = (isCited ? copyOf(annotations as JsonValue) : []) as never[];
  return { ...more, type: 'output_text', text: part.toString(), annotations: cited };
}

/** What came beside the known keys of a part, as it came. */
function beside(kept: JsonObject | undefined): JsonObject {
  return kept === undefined ? NO_FIELDS : copyWithout(kept, 'parsed');
}

function droppedPart({ type }: ContentPart, at: number, source: Source): undefined {
  const isKnown = Object.values(PARTS_BY_ROLE).some((types) => (types as readonly string[]).includes(type));
  const about = isKnown ? `${source.message.role} messages have no ${type} parts` : `this wire has no ${type} parts`;
  return dropped(source, at, isKnown ? 'part-role' : 'part-type', about);
}

function encodeImage(
  part: ContentPart,
  kept: JsonObject | undefined,
  at: number,
  source: Source,
): ResponsesInputPart | undefined {
  const payload = payloadOf(part);
  const place = placeOf(part, payload['url'], payload['file_id'], at, source);
  if (place === undefined) return undefined;
  const given = part.get('detail') ?? payload['detail'];
  // Required in messages, not in answers (`openai` package, ResponseInputImage and ResponseInputImageContent).
  const detail = DETAILS.includes(given) ? given : kept || source.message.role === 'tool' ? undefined : 'auto';
  loseKeys(
    payload,
    ['url', 'file_id', 'mime_type', ...(DETAILS.includes(given) ? ['detail'] : [])],
    'part-key',
    at,
    source,
  );
  const image = {
    ...beside(kept),
    type: 'input_image' as const,
    ...(detail !== undefined && { detail: detail as 'auto' }),
    ...(place.isAddress ? { image_url: place.value } : { file_id: place.value }),
  };
  return withMark(part, image, at, source, 'detail');
}

/** Inline data need a name: "Missing required parameter: 'input[0].content[0].filename'". */
function encodeFile(
  part: ContentPart,
  kept: JsonObject | undefined,
  at: number,
  source: Source,
): ResponsesInputPart | undefined {
  const payload = payloadOf(part);
  const { file_data, file_url, file_id, file_name } = payload;
  const place = placeOf(part, file_data ?? file_url, file_id, at, source);
  if (place === undefined) return undefined;
  const key = place.isAddress ? (/^data:/i.test(place.value) ? 'file_data' : 'file_url') : 'file_id';
  const isNamed = typeof file_name === 'string';
  const filename = isNamed ? file_name : key === 'file_data' && kept === undefined ? madeName(place.value) : undefined;
  if (!isNamed && filename !== undefined)
    tell(source, at, 'file-name', 'added', `inline files need a name: ${JSON.stringify(filename)}`);
  const { detail } = payload;
  const isDetailed = DETAILS.includes(detail) && detail !== 'original';
  const known = ['file_data', 'file_url', 'file_id', 'file_name', 'mime_type', ...(isDetailed ? ['detail'] : [])];
  loseKeys(payload, known, 'part-key', at, source);
  const file = {
    ...beside(kept),
    type: 'input_file' as const,
    ...(filename !== undefined && { filename }),
    ...(isDetailed && { detail: detail as 'auto' }),
    [key]: place.value,
  };
  return withMark(part, file, at, source);
}

function madeName(data: string): string {
  const [, kind = ''] = DATA_URI.exec(data) ?? [];
  return kind === '' ? 'file' : `file.${kind}`;
}

/** Where media are: at an address, data included, or under an id of this provider. */
function placeOf(
  part: ContentPart,
  address: JsonValue | undefined,
  id: JsonValue | undefined,
  at: number,
  source: Source,
): { readonly isAddress: boolean; readonly value: string } | undefined {
  if (typeof address === 'string' && ADDRESS.test(address)) return { isAddress: true, value: address };
  if (typeof id !== 'string' || typeof address === 'string')
    return dropped(source, at, 'address', 'media without data, URL or id');
  if (isForeign(part.origin ?? source.message.origin))
    return dropped(source, at, 'file-id', 'an id of another provider');
  return { isAddress: false, value: id };
}

function payloadOf(part: ContentPart): JsonObject {
  const payload = part.get(part.type);
  return isRecord(payload) ? payload : NO_FIELDS;
}

/** The part with its cache mark; other keys are told. */
function withMark(
  part: ContentPart,
  wire: ResponsesInputPart,
  at: number,
  source: Source,
  ...known: readonly string[]
): ResponsesInputPart {
  const { fields, type } = part;
  const mark = fields['prompt_cache_breakpoint'];
  const isMarked = isRecord(mark) && mark['mode'] === 'explicit';
  loseKeys(fields, [type, ...known, ...(isMarked ? ['prompt_cache_breakpoint'] : [])], 'part-key', at, source);
  return isMarked ? { ...wire, prompt_cache_breakpoint: copyOf(mark) as never } : wire;
}
