import { reject } from '../../errors.ts';
import { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { KNOWN } from './encode-part.ts';
import { copyWithout, type Kept, originOf, toPayload } from './origin.ts';

/** The origin of parts, of which there are many. */
const OWN = /* @__PURE__ */ originOf(/* @__PURE__ */ Object.freeze({ isPart: true }));

/**
 * A part of a message or answer that is not the assistant's: one of ours, else the part as it is under its own type. It
 * is nobody else's to change. Media, and what has more than a text, have an origin: they go out again as they came.
 */
export function decodeInput(value: JsonValue, path: string): ContentPart {
  if (!isRecord(value)) return reject(path, 'a part', value);
  const { type, prompt_cache_breakpoint: mark } = value;
  const fields = copyWithout(value, 'type', 'prompt_cache_breakpoint');
  const more = { ...(mark !== undefined && { prompt_cache_breakpoint: mark }), _origin: OWN };
  if (type === 'input_text') {
    const isBare = mark === undefined && Object.keys(fields).length === 1;
    return ContentPart.owning({ type: 'text', ...fields, ...(!isBare && more) });
  }
  const media = type === 'input_image' ? 'image_url' : 'file';
  if (media === 'file' && type !== 'input_file') return rawPart(value, path, { isPart: true });
  return ContentPart.owning({ type: media, [media]: toPayload(fields), ...more });
}

/** Something of this wire that has no meaning here, under its own type. */
export function rawPart(value: JsonObject, path: string, kept?: Kept): ContentPart {
  const { type } = value;
  if (typeof type !== 'string' || KNOWN.includes(type) || type === 'tool_call')
    return reject(`${path}.type`, 'a type', type);
  return ContentPart.owning({ ...value, type, _origin: originOf(kept) });
}

/**
 * A part of the assistant's, with what else it had; undefined for what has no meaning here. One that `follows` others in
 * its message says so by an origin.
 */
export function decodeOutput(part: JsonValue, follows: boolean): ContentPart | undefined {
  if (!isRecord(part)) return undefined;
  const key = part['type'] === 'refusal' ? 'refusal' : 'text';
  const { type, [key]: words, annotations, ...output } = part;
  if (typeof words !== 'string' || (type !== 'output_text' && type !== 'refusal')) return undefined;
  const hasMore = Object.keys(output).length > 0;
  const isCited = Array.isArray(annotations) && annotations.length > 0;
  return ContentPart.owning({
    type: key,
    [key]: words,
    ...(isCited && { annotations }),
    ...((hasMore || follows || isCited) && { _origin: originOf(hasMore ? { output } : undefined) }),
  });
}
