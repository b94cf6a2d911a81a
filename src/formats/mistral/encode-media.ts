import type { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import { isOwn } from './origin.ts';
import { drop, type PartContext, tellOthers } from './part-context.ts';
import type { MistralChunk } from './wire.ts';

/** Addresses that the server fetches, and data that it reads. */
export const ADDRESS = /^(https?:\/\/|data:)/i;
/** Where media can be. */
const SOURCES = ['url', 'data', 'file_data', 'file_url', 'file_id'];

type MediaType = 'image_url' | 'input_audio' | 'file';

/** An image, audio or a file by its address, as data, or by its id at this provider. The wire does not tell a format. */
export function encodeMedia(part: ContentPart, type: MediaType, context: PartContext): MistralChunk | undefined {
  const payload = payloadOf(part, type);
  const source = SOURCES.map((key) => payload[key]).find(isFilled) ?? '';
  const { file_name: name, detail = part.get('detail') } = payload;
  const isAddress = ADDRESS.test(source);
  const tell = (...more: readonly string[]): void =>
    tellOthers({ ...part.fields, ...payload }, [...SOURCES, type, 'mime_type', 'format', ...more], context);
  if (type === 'input_audio' && source !== '') {
    tell();
    return { type, input_audio: source };
  }
  if (type === 'image_url' && isAddress) {
    tell(isDetail(detail) ? 'detail' : '');
    return { type, image_url: isDetail(detail) ? { url: source, detail } : source };
  }
  if (type !== 'file' || source === '') return drop(context, 'address', 'media without an address');
  if (isAddress) {
    tell('file_name');
    return { type: 'document_url', document_url: source, ...(isFilled(name) && { document_name: name }) };
  }
  if (source !== payload['file_id'] || isForeign(part.origin ?? context.origin))
    return drop(context, 'file-id', 'a foreign id');
  tell();
  return { type, file_id: source };
}

function payloadOf(part: ContentPart, type: MediaType): JsonObject {
  const payload = part.get(type);
  return isRecord(payload) ? payload : NO_FIELDS;
}

/** `@mistralai/mistralai`, ImageDetail. */
function isDetail(value: unknown): value is 'low' | 'auto' | 'high' {
  return value === 'low' || value === 'auto' || value === 'high';
}

function isForeign(origin: Origin | undefined): boolean {
  return origin !== undefined && !isOwn(origin);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
