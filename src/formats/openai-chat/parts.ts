import type { ContentPart } from '../../model/content-part.ts';
import { equalJson, isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss } from '../format.ts';
import type { AudioPart, ChatPart, FilePart, ImagePart, RefusalPart, TextPart } from './wire.ts';

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
    case 'reasoning':
      return dropped('reasoning', 'reasoning has no place on this wire');
    default:
      return dropped('part-type', `parts of type ${JSON.stringify(part.type)} have no place on this wire`);
  }
}

function encodeText(part: ContentPart): EncodedPart {
  if (!part.hasText()) return dropped('part-shape', 'a text part without text');
  return withKnownKeys<TextPart>(part, { type: 'text', text: part.toString() }, ['text']);
}

function encodeRefusal(part: ContentPart): EncodedPart {
  const refusal = part.get('refusal');
  if (typeof refusal !== 'string') return dropped('part-shape', 'a refusal part without its text');
  return withKnownKeys<RefusalPart>(part, { type: 'refusal', refusal }, ['refusal']);
}

/** A `detail` beside the payload is the legacy place: it wins. */
function encodeImage(part: ContentPart): EncodedPart {
  const payload = recordAt(part, 'image_url');
  const url = payload['url'];
  if (typeof url !== 'string') return dropped('part-shape', 'an image without a URL');
  const detail = part.get('detail') ?? payload['detail'];
  const image = { url, ...(detail !== undefined && { detail: detail as 'auto' }) };
  return withKnownKeys<ImagePart>(
    part,
    { type: 'image_url', image_url: image },
    ['image_url', 'detail'],
    unknownIn(payload, ['url', 'detail']),
  );
}

function encodeAudio(part: ContentPart): EncodedPart {
  const payload = recordAt(part, 'input_audio');
  const { data, format } = payload;
  if (typeof data !== 'string') return dropped('part-shape', 'audio without data');
  if (format !== 'wav' && format !== 'mp3')
    return dropped('audio-format', `audio in the format ${JSON.stringify(format ?? '')}: only wav and mp3 are taken`);
  return withKnownKeys<AudioPart>(
    part,
    { type: 'input_audio', input_audio: { data, format } },
    ['input_audio'],
    unknownIn(payload, ['data', 'format']),
  );
}

function encodeFile(part: ContentPart): EncodedPart {
  const payload = recordAt(part, 'file');
  const { file_id, file_data, file_name } = payload;
  if (typeof file_id !== 'string' && typeof file_data !== 'string') {
    return typeof payload['file_url'] === 'string'
      ? dropped('file-url', 'a file by URL: only data and file ids are taken')
      : dropped('part-shape', 'a file without data or id');
  }
  const file = {
    ...text('file_id', file_id),
    ...text('file_data', file_data),
    ...text('filename', file_name),
  };
  return withKnownKeys<FilePart>(
    part,
    { type: 'file', file },
    ['file'],
    unknownIn(payload, ['file_id', 'file_data', 'file_name']),
  );
}

function text<Key extends string>(key: Key, value: JsonValue | undefined): Partial<Record<Key, string>> {
  return typeof value === 'string' ? ({ [key]: value } as Partial<Record<Key, string>>) : {};
}

function recordAt(part: ContentPart, key: string): JsonObject {
  const value = part.get(key);
  return isRecord(value) ? value : {};
}

function dropped(rule: string, message: string): EncodedPart {
  return { losses: [{ rule, action: 'dropped', message: `${message}: left out` }] };
}

/** The part with its cache mark; other keys are reported, private ones (`_origin`) are nobody's business. */
function withKnownKeys<Part extends ChatPart>(
  source: ContentPart,
  part: Part,
  known: readonly string[],
  unknown: readonly string[] = [],
): EncodedPart {
  const { prompt_cache_breakpoint: mark } = source.fields;
  const marked =
    mark === undefined || part.type === 'refusal'
      ? part
      : { ...part, prompt_cache_breakpoint: mark as unknown as { mode: 'explicit' } };
  const others = [
    ...unknownIn(source.fields, [...known, ...(marked === part ? [] : ['prompt_cache_breakpoint'])]),
    ...unknown,
  ];
  return {
    part: marked,
    losses: others.map((key) => ({
      rule: 'part-key',
      action: 'dropped',
      message: `${source.type} parts have no key ${JSON.stringify(key)} on this wire: left out`,
    })),
  };
}

function unknownIn(fields: JsonObject, known: readonly string[]): string[] {
  return Object.keys(fields).filter((key) => !key.startsWith('_') && !known.includes(key));
}
