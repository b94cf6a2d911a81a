import type { ContentPart } from '../../model/content-part.ts';
import { equalJson, isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss } from '../format.ts';
import type { CacheBreakpoint, ChatPart } from './wire.ts';

/** The provider of what was read from this wire. */
export const PROVIDER = 'openai-chat';

/** The part types that a message of each role may carry (openai package, ChatCompletionMessageParam). */
export const PARTS_BY_ROLE = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
} as const;

/** Marks a refusal part that stood beside the content, where it goes back to. */
export const REFUSAL_FIELD: Origin = /* @__PURE__ */ Object.freeze({ provider: PROVIDER, data: 'refusal' });

/** The text of a refusal that stands beside the content on the wire; undefined for any other part. */
export function refusalField(part: ContentPart): string | undefined {
  const refusal = part.get('refusal');
  if (part.type !== 'refusal' || typeof refusal !== 'string') return undefined;
  return equalJson(part.origin, REFUSAL_FIELD) ? refusal : undefined;
}

/** What becomes of a part: the wire's part if it has one, and what was lost. */
export interface EncodedPart {
  readonly part?: ChatPart;
  readonly losses: readonly Omit<Loss, 'path'>[];
}

/** A part as the wire spells it. Keys that the wire does not know are left out and reported. */
export function encodePart(part: ContentPart): EncodedPart {
  switch (part.type) {
    case 'text':
      return encodeText(part);
    case 'image_url':
      return encodeImage(part);
    case 'input_audio':
      return encodeAudio(part);
    case 'file':
      return encodeFile(part);
    case 'refusal':
      return encodeRefusal(part);
    default:
      return dropped(
        part.type === 'reasoning' ? 'reasoning' : 'part-type',
        `parts of type ${JSON.stringify(part.type)} have no place on this wire`,
      );
  }
}

function encodeText(part: ContentPart): EncodedPart {
  const { text: _, ...others } = part.fields;
  return part.hasText() ? sent({ type: 'text', text: part.toString() }, others) : without('text', part);
}

function encodeRefusal(part: ContentPart): EncodedPart {
  const { refusal, ...others } = part.fields;
  return typeof refusal === 'string' ? sent({ type: 'refusal', refusal }, others) : without('refusal', part);
}

/** A `detail` beside the payload is the legacy place: it wins. */
function encodeImage(part: ContentPart): EncodedPart {
  const { image_url: payload, detail: legacy, ...others } = part.fields;
  const { url, detail: given, ...unknown } = recordOf(payload);
  if (typeof url !== 'string') return without('url', part);
  const detail = (legacy ?? given) as 'auto' | undefined;
  return sent({ type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } }, others, unknown);
}

function encodeAudio(part: ContentPart): EncodedPart {
  const { input_audio: payload, ...others } = part.fields;
  const { data, format, ...unknown } = recordOf(payload);
  if (typeof data !== 'string') return without('data', part);
  if (format !== 'wav' && format !== 'mp3')
    return dropped('audio-format', `audio in the format ${JSON.stringify(format ?? '')}: only wav and mp3 are taken`);
  return sent({ type: 'input_audio', input_audio: { data, format } }, others, unknown);
}

function encodeFile(part: ContentPart): EncodedPart {
  const { file: payload, ...others } = part.fields;
  const { file_id, file_data, file_name: filename, ...unknown } = recordOf(payload);
  const file = Object.fromEntries(
    Object.entries({ file_id, file_data, filename }).filter(([, value]) => typeof value === 'string'),
  );
  if ('file_id' in file || 'file_data' in file) return sent({ type: 'file', file }, others, unknown);
  return typeof unknown['file_url'] === 'string'
    ? dropped('file-url', 'a file by URL: only data and file ids are taken')
    : without('data or id', part);
}

function recordOf(payload: JsonValue | undefined): JsonObject {
  return isRecord(payload) ? payload : {};
}

function without(what: string, { type }: ContentPart): EncodedPart {
  return dropped('part-shape', `${type} parts without ${what}`);
}

function dropped(rule: string, message: string): EncodedPart {
  return { losses: [{ rule, action: 'dropped', message: `${message}: left out` }] };
}

/** The part with its cache mark; other keys, also of its payload, are reported, private ones (`_origin`) are nobody's business. */
function sent(part: ChatPart, fields: JsonObject, inPayload: JsonObject = {}): EncodedPart {
  const { prompt_cache_breakpoint: mark, ...unmarked } = fields;
  const isMarked = mark !== undefined && part.type !== 'refusal';
  const unknown = [isMarked ? unmarked : fields, inPayload].flatMap(Object.keys).filter((key) => !key.startsWith('_'));
  return {
    part: isMarked ? { ...part, prompt_cache_breakpoint: mark as unknown as CacheBreakpoint } : part,
    losses: unknown.map((key) => ({
      rule: 'part-key',
      action: 'dropped',
      message: `${part.type} parts have no key ${JSON.stringify(key)} on this wire: left out`,
    })),
  };
}
