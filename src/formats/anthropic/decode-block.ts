import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { equalJson, isRecord, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import { OpenReport } from '../open-report.ts';
import { encodeMedia } from './encode-media.ts';
import { PROVIDER } from './origin.ts';
import { isCacheMark } from './part-context.ts';
import { reasoningOf } from './reasoning.ts';

/** The origin of what needs nothing more to go back, as a field of a part. */
const OWN = { provider: PROVIDER };

/** A block as a part or a call. */
export function decodeBlock(block: JsonObject, model: string | undefined, path: string): ContentPart | ToolCall {
  return block['type'] === 'tool_use' ? decodeCall(block, path) : decodePart(block, model);
}

/** Parts and calls in true order: a call that something follows is marked in its place; one without an id cannot be. */
export function inOrder(blocks: readonly (ContentPart | ToolCall)[]): { content: Content; toolCalls: ToolCalls } {
  const parts: ContentPart[] = [];
  const calls: ToolCall[] = [];
  let marked = 0;
  for (const block of blocks) {
    if (block instanceof ToolCall) calls.push(block);
    else {
      for (; marked < calls.length; marked++) {
        const id = calls[marked]?.id;
        if (id !== undefined) parts.push(ContentPart.of('tool_call', { id }));
      }
      parts.push(block);
    }
  }
  return { content: Content.owningParts(parts), toolCalls: ToolCalls.owning(calls) };
}

/**
 * A block as a part: one of ours where that goes out again as it came, else the block as it is, under its own type and
 * with its origin.
 */
function decodePart(block: JsonObject, model: string | undefined): ContentPart {
  const { type, ...fields } = block;
  switch (type) {
    case 'text':
      return partOf(type, fields);
    case 'image':
      return decodeMedia('image_url', 'url', 'url', block);
    case 'document':
      return decodeMedia('file', 'file_data', 'file_url', block);
    default:
      return isSigned(block) ? signed(block, model) : asItCame(block);
  }
}

function asItCame({ type, ...fields }: JsonObject): ContentPart {
  return ContentPart.owning({ ...fields, type: typeof type === 'string' ? type : '', _origin: OWN });
}

/** Whether this is thinking with its proof, which goes back to the model that made it. */
function isSigned({ type, thinking, signature, data }: JsonObject): boolean {
  if (type === 'thinking') return typeof thinking === 'string' && typeof signature === 'string';
  return type === 'redacted_thinking' && typeof data === 'string' && (thinking ?? signature) === undefined;
}

function signed({ type: _type, thinking = '', ...proof }: JsonObject, model: string | undefined): ContentPart {
  return reasoningOf(thinking as string, model, proof);
}

/** Our payload for a source: data as a `data:` URI, an address, or an id. */
function decodeMedia(type: string, dataKey: string, urlKey: string, block: JsonObject): ContentPart {
  const { type: _type, source, title, ...fields } = block;
  const { media_type, data, url, file_id } = isRecord(source) ? source : NO_FIELDS;
  const payload = {
    ...(title !== undefined && { file_name: title }),
    ...(file_id !== undefined && { file_id }),
    ...(typeof data === 'string' && { [dataKey]: `data:${media_type as string};base64,${data}` }),
    ...(url !== undefined && { [urlKey]: url }),
  };
  const part = partOf(type, { [type]: payload, ...fields });
  return goesBack(part, block) ? part : asItCame(block);
}

/** Whether media go out as this block: that depends on their bytes. */
function goesBack(part: ContentPart, block: JsonObject): boolean {
  const report = new OpenReport({ losses: [], repairs: [] }, {});
  return equalJson(encodeMedia(part, { role: 'user', origin: undefined, options: {}, report, path: '' }), block);
}

/** A part; its origin is told where it has keys of this wire, or the id of a file here. */
function partOf(type: string, fields: JsonObject): ContentPart {
  const payload = fields[type];
  const isPlain = Object.keys(fields).every(
    (key) => key === type || (key === 'cache_control' && isCacheMark(fields[key])),
  );
  const isBound = isRecord(payload) && 'file_id' in payload;
  return ContentPart.owning({ type, ...fields, ...((isBound || !isPlain) && { _origin: OWN }) });
}

/**
 * A tool call, with what else the block holds.
 *
 * @throws InvalidInputError where its id or input cannot be one
 */
function decodeCall(block: JsonObject, path: string): ToolCall {
  const { id, name, input } = block;
  if (Object.keys(block).length === 4 && isGivenId(id) && typeof name === 'string' && isRecord(input))
    return ToolCall.owning({ id, name, arguments: input });
  const { type: _type, input: _input, ...fields } = block;
  const { id: _id, name: _name, ...extra } = fields;
  const origin = Object.keys(extra).length > 0 && { _origin: OWN };
  return ToolCall.from({ ...fields, arguments: input, ...origin }, path);
}

/** The answer to a call, with what else the block holds. */
export function decodeResult(block: JsonObject, path: string): ToolResult {
  const { tool_use_id: id, content } = block;
  if (Object.keys(block).length === 3 && isGivenId(id) && typeof content === 'string')
    return ToolResult.owning({ content, call_id: id, tool_name: null, is_error: false });
  const { type: _type, tool_use_id: _id, ...extra } = block;
  return ToolResult.from({ ...extra, content: contentOf(content), call_id: id }, path);
}

/** Whether an id is one that reads as it is given: a blank one counts as none. */
function isGivenId(value: unknown): value is string {
  return isCallId(value) && value.trim() !== '';
}

/** The content of an answer. */
function contentOf(content: JsonValue | undefined): Content {
  if (typeof content === 'string') return Content.owning(content);
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [];
  return Content.owningParts(blocks.map((block) => decodePart(isRecord(block) ? block : NO_FIELDS, undefined)));
}
