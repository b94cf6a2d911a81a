import type { ContentPart } from '../../model/content-part.ts';
import type { JsonObject, JsonValue } from '../../schema/json.ts';
import { recordOf } from './kind.ts';
import { formatOfAddress, formatOfData, isBase64, isFormat, type MediaFormat, readDataUri } from './media.ts';
import { asText, dropped, loseKeys, type PartContext, saidKeys, unknownKey } from './part-context.ts';
import type { BedrockBlock, BedrockDocumentBlock, BedrockSource, BedrockTextBlock } from './wire.ts';

/** Media as the wire takes them: what they are, and where. */
interface Media extends MediaFormat {
  readonly source: BedrockSource;
}

/** The keys of payloads that are carried, or say what the wire is told otherwise. */
const CARRIED = ['url', 'file_data', 'file_url', 'mime_type', 'data', 'format'];

/** An image, a file or audio as data or in S3. Media that the wire does not take leave a note, so that the model knows that there was something. */
export function encodeMedia(part: ContentPart, context: PartContext): BedrockBlock | undefined {
  const payload = recordOf(part.get(part.type));
  const media = part.type === 'input_audio' ? audioOf(payload, context) : mediaOf(payload, context);
  if (media === undefined || 'text' in media) return media;
  const { kind, format, source } = media;
  if (context.role === 'tool' && kind === 'audio') return dropped(context, 'part-role', 'audio in an answer');
  if (kind !== 'document') {
    loseRest(part, payload, CARRIED, [], context);
    return { [kind]: { format, source } } as unknown as BedrockBlock;
  }
  const further = documentFields(part.fields);
  loseRest(part, payload, [...CARRIED, 'file_name'], Object.keys(further), context);
  const document = { format, name: documentName(payload, format, context), source, ...further };
  return { document } as BedrockDocumentBlock;
}

function audioOf({ data, format }: JsonObject, context: PartContext): Media | BedrockTextBlock | undefined {
  if (typeof data !== 'string' || typeof format !== 'string' || !isBase64(data))
    return dropped(context, 'address', 'audio without data');
  if (isFormat('audio', format)) return { kind: 'audio', format, source: { bytes: data } };
  return asText(context, 'media-type', `${format} audio`, `[${format} audio, not sent]`);
}

function mediaOf(payload: JsonObject, context: PartContext): Media | BedrockTextBlock | undefined {
  const { url, file_data, file_url, file_id, file_name } = payload;
  const address = url ?? file_data ?? file_url;
  if (address === undefined && file_id !== undefined) return dropped(context, 'file-id', 'the id of a file');
  if (typeof address !== 'string') return unknownAddress(context);
  if (/^https?:/i.test(address)) return asText(context, 'address', 'media of the web', `[not sent: ${address}]`);
  if (address.startsWith('s3://')) {
    const format = formatOfAddress(address);
    return format ? { ...format, source: { s3Location: { uri: address } } } : unknownAddress(context);
  }
  const uri = readDataUri(address);
  if (uri === undefined) return unknownAddress(context);
  const format = formatOfData(uri, typeof file_name === 'string' ? file_name : '');
  if (format !== undefined) return { ...format, source: { bytes: uri.data } };
  return asText(context, 'media-type', `${uri.mediaType} media`, `[${uri.mediaType} media, not sent]`);
}

function unknownAddress(context: PartContext): undefined {
  return dropped(context, 'address', 'an unknown address');
}

/** The name of a document, which the wire wants, once in a request. */
function documentName({ file_name }: JsonObject, format: string, { documents, report, path }: PartContext): string {
  const own = typeof file_name === 'string' ? file_name : '';
  const name = documents.of(own);
  if (own !== '' && own !== name && own !== `${name}.${format}`)
    report.repair(path, 'document-name', 'rewritten', `${JSON.stringify(own)} goes out as ${JSON.stringify(name)}`);
  return name;
}

/** What else is said of a document, and fits the wire. */
function documentFields({
  context,
  citations,
}: JsonObject): Pick<BedrockDocumentBlock['document'], 'context' | 'citations'> {
  const { enabled, ...others }: Readonly<Record<string, JsonValue | undefined>> = recordOf(citations);
  return {
    ...(typeof context === 'string' && context !== '' && { context }),
    ...(typeof enabled === 'boolean' && Object.keys(others).length === 0 && { citations: { enabled } }),
  };
}

function loseRest(
  part: ContentPart,
  payload: JsonObject,
  ofPayload: readonly string[],
  ofPart: readonly string[],
  context: PartContext,
): void {
  for (const key of saidKeys(payload, ofPayload))
    context.report.lose(context.path, 'part-key', 'dropped', unknownKey(key));
  loseKeys(part, [part.type, ...ofPart], context);
}
