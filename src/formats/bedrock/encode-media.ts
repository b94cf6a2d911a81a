import type { ContentPart } from '../../model/content-part.ts';
import type { JsonObject } from '../../schema/json.ts';
import { formatOfAddress, formatOfData, type MediaFormat, readDataUri } from './media.ts';
import { recordOf } from './origin.ts';
import { asText, loseKeys, type PartContext } from './part-context.ts';
import type { BedrockBlock, BedrockSource, BedrockTextBlock } from './wire.ts';

/** Media as the wire takes them: what they are, and where. */
interface Media extends MediaFormat {
  readonly source: BedrockSource;
}

/** The keys of payloads that are carried, or say what the wire is told otherwise. */
const CARRIED = ['url', 'file_data', 'file_url', 'mime_type', 'data', 'format'];

/**
 * An image, a file or audio as data or in S3. Media that the wire does not take leave a note, so that the model knows
 * that there was something.
 */
export function encodeMedia({ type, fields }: ContentPart, context: PartContext): BedrockBlock | undefined {
  const payload = recordOf(fields[type]);
  const media = mediaOf(payload, type === 'input_audio', context);
  if (media === undefined || 'text' in media) return media;
  const { kind, format, source } = media;
  if (context.role === 'tool' && kind === 'audio') return context.lose('part-role', 'dropped', kind);
  const isDocument = kind === 'document';
  const tell = (key: string): void => context.lose('part-key', 'dropped', key);
  loseKeys(payload, isDocument ? [...CARRIED, 'file_name'] : CARRIED, tell);
  loseKeys(fields, [type], tell);
  const name = isDocument && { name: context.nameOf(textAt(payload, 'file_name'), format) };
  return { [kind]: { format, ...name, source } } as unknown as BedrockBlock;
}

function textAt(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? value : '';
}

function mediaOf(payload: JsonObject, isAudio: boolean, context: PartContext): Media | BedrockTextBlock | undefined {
  const address = isAudio
    ? `data:audio/${textAt(payload, 'format')};base64,${textAt(payload, 'data')}`
    : (payload['url'] ?? payload['file_data'] ?? payload['file_url']);
  if (typeof address !== 'string') return context.lose(payload['file_id'] ? 'file-id' : 'address', 'dropped');
  if (/^https?:/i.test(address)) return asText(context, 'address', `[not sent: ${address}]`);
  const [mediaType, bytes] = readDataUri(address) ?? [];
  const isInS3 = address.startsWith('s3://');
  if (bytes === undefined && !isInS3) return context.lose('address', 'dropped');
  const media = bytes ? formatOfData(mediaType ?? '', bytes, textAt(payload, 'file_name')) : formatOfAddress(address);
  if (media) return { ...media, source: bytes ? { bytes } : { s3Location: { uri: address } } };
  return asText(context, 'media-type', `[not sent: ${bytes ? mediaType : address}]`);
}
