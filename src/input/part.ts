import { joinPath } from '../internal/path.ts';
import { reject, unreadable } from '../errors.ts';
import { copyJsonObject, isRecord, type JsonObject, type JsonValue, wellFormed } from '../schema/json.ts';
import { isBytes, toBase64, toDataUri } from './bytes.ts';

/** A part read from the outside: its type, and its fields in the canonical nested shape. */
export interface PartRecord {
  readonly type: string;
  readonly fields: JsonObject;
}

type Fields = Record<string, unknown>;

/** Reads one part object; flat legacy fields (`url`, `file_data`, `data` …) move to where they belong. */
export function readPart(input: Fields, path: string): PartRecord {
  try {
    return readRecord(input, path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function readRecord({ type, ...fields }: Fields, path: string): PartRecord {
  const kind = readType(type, joinPath(path, 'type'));
  const normalize = NORMALIZERS.get(kind);
  if (normalize === undefined) return { type: kind, fields: copyJsonObject(fields, path) };
  return { type: kind, fields: dropAbsent(copyJsonObject(normalize(fields), path)) };
}

function readType(type: unknown, path: string): string {
  if (type === undefined || type === null) return 'text';
  return typeof type === 'string' ? wellFormed(type, path) : reject(path, 'a string', type);
}

/** Without the fields that are null or an empty list: such a field is no field. */
export function dropAbsent(fields: JsonObject): JsonObject {
  const kept = Object.entries(fields).filter(([, value]) => !isAbsent(value));
  return kept.length === Object.keys(fields).length ? fields : Object.freeze(Object.fromEntries(kept));
}

function isAbsent(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

const NORMALIZERS: ReadonlyMap<string, (fields: Fields) => Fields> = /* @__PURE__ */ new Map([
  ['text', (fields: Fields) => fields],
  ['image_url', normalizeImage],
  ['file', normalizeFile],
  ['input_audio', normalizeAudio],
]);

function normalizeImage({ url, ...fields }: Fields): Fields {
  const { image_url: inner } = fields;
  const address = inner ?? url;
  if (isAddress(address)) return { ...fields, image_url: withDataUri({ url: address }, 'url', fields) };
  if (isRecord(inner)) {
    const payload = 'url' in inner ? inner : { ...inner, ...present({ url }) };
    return { ...fields, image_url: withDataUri(payload, 'url', fields) };
  }
  return inner === undefined || inner === null ? { ...fields, ...present({ url }) } : fields;
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' || isBytes(value);
}

function normalizeFile({ file_data, file_name, filename, file_id, ...fields }: Fields): Fields {
  const inner = payloadIn(fields['file'], 'file_data');
  if (inner !== undefined && inner !== null && !isRecord(inner)) {
    return { ...fields, ...present({ file_data, file_name, filename, file_id }) };
  }
  const { filename: alias, ...payload } = inner ?? {};
  const merged = {
    ...payload,
    ...present({
      file_data: payload['file_data'] ?? file_data,
      file_name: payload['file_name'] ?? alias ?? file_name ?? filename,
      file_id: payload['file_id'] ?? file_id,
    }),
  };
  return nested(fields, 'file', withDataUri(merged, 'file_data', fields));
}

function normalizeAudio({ data, format, ...fields }: Fields): Fields {
  const inner = payloadIn(fields['input_audio'], 'data');
  if (inner !== undefined && inner !== null && !isRecord(inner)) return { ...fields, ...present({ data, format }) };
  const payload = inner ?? {};
  const merged = {
    ...payload,
    ...present({ data: payload['data'] ?? data, format: payload['format'] ?? format }),
  };
  const bytes = merged.data;
  return nested(fields, 'input_audio', isBytes(bytes) ? { ...merged, data: toBase64(bytes) } : merged);
}

/** A payload as given; bytes alone are one that holds nothing but its data. */
function payloadIn(value: unknown, key: string): unknown {
  return isBytes(value) ? { [key]: value } : value;
}

/** `fields` with the payload under `key`, or without it when it holds nothing. */
function nested(fields: Fields, key: string, payload: Fields): Fields {
  const { [key]: _given, ...rest } = fields;
  return Object.keys(payload).length === 0 ? rest : { ...rest, [key]: payload };
}

/** Bytes under `key` become a `data:` URI of the `mime_type` that the payload names, or the part around it. */
function withDataUri(payload: Fields, key: string, part: Fields): Fields {
  const bytes = payload[key];
  if (!isBytes(bytes)) return payload;
  const mimeType = payload['mime_type'] ?? part['mime_type'];
  return {
    ...payload,
    [key]: toDataUri(bytes, typeof mimeType === 'string' ? mimeType : 'application/octet-stream'),
  };
}

function present<T extends Fields>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Partial<T>;
}
