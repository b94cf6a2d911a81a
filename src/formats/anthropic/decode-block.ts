import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { equalJson, isRecord, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import { encodePart } from './encode-part.ts';
import { PROVIDER } from './origin.ts';

/** The origin of what needs nothing more to go back, as a field of a part. */
const OWN = { provider: PROVIDER };

/**
 * A block as a part: one of ours where that goes out again as it came, else the block as it is, under its own type and
 * with its origin.
 */
export function decodePart(block: JsonObject, model: string | undefined): ContentPart {
  const { type } = block;
  const part = decodeKnown(block, model);
  return part !== undefined && goesBack(part, block)
    ? part
    : ContentPart.owning({ ...block, type: typeof type === 'string' ? type : '', _origin: OWN });
}

/** Whether a part goes out as this block, to whichever model. */
function goesBack(part: ContentPart, block: JsonObject): boolean {
  const role = part.type === 'reasoning' ? 'assistant' : 'user';
  return equalJson(encodePart(part, { role, origin: undefined, options: {}, lose: () => {} }), block);
}

function decodeKnown({ type, ...fields }: JsonObject, model: string | undefined): ContentPart | undefined {
  switch (type) {
    case 'text':
      return partOf('text', fields);
    case 'image':
      return decodeMedia('image_url', 'url', 'url', fields);
    case 'document':
      return decodeMedia('file', 'file_data', 'file_url', fields);
    case 'thinking':
    case 'redacted_thinking': {
      const { thinking: text = '', ...data } = fields;
      return ContentPart.owning({
        type: 'reasoning',
        text,
        _origin: { ...OWN, ...(model !== undefined && { model }), data },
      });
    }
    default:
      return undefined;
  }
}

/** Our payload for a source: data as a `data:` URI, an address, or an id. */
function decodeMedia(
  type: string,
  dataKey: string,
  urlKey: string,
  { source, title, ...fields }: JsonObject,
): ContentPart {
  const { media_type, data, url, file_id } = isRecord(source) ? source : NO_FIELDS;
  const payload = {
    ...(title !== undefined && { file_name: title }),
    ...(file_id !== undefined && { file_id }),
    ...(typeof data === 'string' && { [dataKey]: `data:${media_type as string};base64,${data}` }),
    ...(url !== undefined && { [urlKey]: url }),
  };
  return partOf(type, { [type]: payload, ...fields });
}

/** A part; its origin is told where it has keys of this wire, or the id of a file here. */
function partOf(type: string, fields: JsonObject): ContentPart {
  const payload = fields[type];
  const isPlain = Object.keys(fields).every((key) => key === type || key === 'cache_control');
  const isBound = isRecord(payload) && 'file_id' in payload;
  return ContentPart.owning({ type, ...fields, ...((isBound || !isPlain) && { _origin: OWN }) });
}

/**
 * A tool call, with what else the block holds.
 *
 * @throws InvalidInputError where its id or input cannot be one
 */
export function decodeCall({ type: _type, input, ...block }: JsonObject, path: string): ToolCall {
  const { id: _id, name: _name, ...extra } = block;
  const origin = Object.keys(extra).length > 0 && { _origin: OWN };
  return ToolCall.from({ ...block, arguments: input, ...origin }, path);
}

/** The answer to a call, with what else the block holds. */
export function decodeResult({ type: _type, tool_use_id, content, ...extra }: JsonObject, path: string): ToolResult {
  return ToolResult.from({ ...extra, content: contentOf(content), call_id: tool_use_id }, path);
}

/** The content of an answer. */
function contentOf(content: JsonValue | undefined): Content {
  if (typeof content === 'string') return Content.owning(content);
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [];
  return Content.owningParts(blocks.map((block) => decodePart(isRecord(block) ? block : NO_FIELDS, undefined)));
}
