import type { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import { refuse } from '../open-report.ts';
import { documentSource, imageSource, isWebUrl, readDataUri } from './media.ts';
import { isForeign } from './origin.ts';
import { asText, dropped, lose, type PartContext, takeKeys, unknownKey, withKeys } from './part-context.ts';
import type { AnthropicBlock, AnthropicDocumentBlock, AnthropicImageBlock, AnthropicTextBlock } from './wire.ts';

type MediaBlock = AnthropicImageBlock | AnthropicDocumentBlock;

/** The keys of payloads that are carried, or say what the wire can see for itself. */
const CARRIED = ['url', 'file_data', 'file_url', 'file_id', 'mime_type'];

/** An image or a file as data, by URL, or by its id at this provider. Data go out as what they are. */
export function encodeMedia(part: ContentPart, context: PartContext): AnthropicBlock | undefined {
  const block = mediaOf(part, context);
  if (block === undefined || block.type === 'text') return block;
  const isDocument = block.type === 'document';
  const { file_name: title } = payloadOf(part);
  const isTitled = isDocument && typeof title === 'string' && title !== '';
  const carried = isTitled ? [...CARRIED, 'file_name'] : CARRIED;
  for (const key of takeKeys({}, payloadOf(part), carried, () => false))
    lose(context, 'part-key', 'dropped', unknownKey(key));
  return withKeys(part, isTitled ? { ...block, title } : block, context, isDocument ? ['context', 'citations'] : []);
}

/** Media that the wire does not take leave a note, so that the model knows that there was something. */
function mediaOf(part: ContentPart, context: PartContext): MediaBlock | AnthropicTextBlock | undefined {
  const { url, file_data, file_url, file_id } = payloadOf(part);
  const type = part.type === 'file' ? 'document' : 'image';
  const address = url ?? file_data ?? file_url;
  if (isWebUrl(address)) return { type, source: { type: 'url', url: address } };
  if (typeof address !== 'string' && typeof file_id === 'string')
    return isForeign(part.origin ?? context.origin)
      ? dropped(context, 'file-id', 'an id of another provider')
      : { type, source: { type: 'file', file_id } };
  const uri = typeof address === 'string' ? readDataUri(address) : undefined;
  if (uri === undefined) return dropped(context, 'address', 'an unknown address');
  const image = imageSource(uri);
  if (image !== undefined) return { type: 'image', source: image };
  const source = documentSource(uri);
  if (source !== undefined) return { type: 'document', source };
  refuse(context.report, context.path, 'unsupported_media_type', `${uri.mediaType} is not taken`);
  return asText(context, 'media-type', `[${uri.mediaType} media, not sent]`);
}

function payloadOf(part: ContentPart): JsonObject {
  const payload = part.get(part.type);
  return isRecord(payload) ? payload : NO_FIELDS;
}
