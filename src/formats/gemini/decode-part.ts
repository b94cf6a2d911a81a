import { ContentPart } from '../../model/content-part.ts';
import { equalJson, isRecord } from '../../schema/json.ts';
import { encodePart } from './encode-part.ts';
import { isKnownAddress } from './media.ts';
import { type Fields, kindOf, originOf } from './origin.ts';

/** A part of the wire in our words. */
type Read = readonly [type: string, fields: Fields];

/**
 * A part that goes out again as it came: one of ours where that is so, with what that has no place for in its origin;
 * any other as it is.
 */
export function decodePart(wire: Fields): ContentPart {
  const kind = kindOf(wire);
  const { [kind]: value, ...sides } = wire;
  if (kind === 'text' && typeof value === 'string' && Object.keys(sides).length === 0) return ContentPart.plain(value);
  const part = partLike(wire, readAs(kind, value, sides));
  const isExact = part !== undefined && equalJson(encode(part), wire);
  return isExact ? part : ContentPart.of(kind, { [kind]: value, _origin: originOf(sides, true) });
}

/** A part of ours for one of the wire, with what would not come back from its fields alone. */
function partLike(wire: Fields, read: Read | undefined): ContentPart | undefined {
  if (read === undefined) return undefined;
  const [type, fields] = read;
  const isThought = type === 'reasoning';
  const kept = lackingIn(encode(ContentPart.of(type, { ...fields, _origin: originOf({}, isThought) })), wire);
  return ContentPart.of(type, { ...fields, _origin: originOf(kept, isThought) });
}

function encode(part: ContentPart): unknown {
  return encodePart(part, () => {});
}

/** What the one lacks that the other has; also in the records that both have. */
function lackingIn(one: unknown, other: Fields, isInner = false): Fields {
  const has: Fields = isRecord(one) ? one : {};
  const lacking = Object.entries(other).filter(([key, value]) => !equalJson(has[key], value));
  return Object.fromEntries(
    lacking.map(([key, value]) => [key, isRecord(value) && !isInner ? lackingIn(has[key], value, true) : value]),
  );
}

function readAs(kind: string, value: unknown, { thought }: Fields): Read | undefined {
  if (kind === 'text') return [thought === true ? 'reasoning' : 'text', { text: value }];
  if (!isRecord(value) || typeof value['mimeType'] !== 'string') return undefined;
  const { mimeType, data, fileUri, displayName } = value;
  const [family, format] = mimeType.split('/', 2);
  if (kind === 'inlineData') {
    const url = `data:${mimeType};base64,${String(data)}`;
    if (family === 'audio') return ['input_audio', { input_audio: { data, format } }];
    return family === 'image'
      ? ['image_url', { image_url: { url } }]
      : ['file', { file: { file_data: url, file_name: displayName } }];
  }
  if (kind !== 'fileData' || typeof fileUri !== 'string') return undefined;
  return family === 'image' && !isKnownAddress(fileUri)
    ? ['image_url', { image_url: { url: fileUri, mime_type: mimeType } }]
    : ['file', { file: { file_url: fileUri, mime_type: mimeType, file_name: displayName } }];
}
