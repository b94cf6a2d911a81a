import { reject } from '../../errors.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { copyJsonObject, equalJson, isRecord, isText, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Repair } from '../format.ts';
import { wellFormed } from '../well-formed.ts';
import { withBase64 } from './bytes.ts';
import { encodePart } from './encode-part.ts';
import { mediaTypeOf } from './media.ts';
import { originOf, recordOf, wordsOf } from './origin.ts';
import type { PartContext } from './part-context.ts';

/**
 * The mark that a cache point sets on what stands before it, as other wires know it; undefined for what is none, or one
 * with unknown keys.
 */
export function markOf(block: unknown): JsonObject | undefined {
  if (!isRecord(block) || !('cachePoint' in block)) return undefined;
  const { type, ttl, ...others } = recordOf(block['cachePoint']);
  const isPlain = type === 'default' && Object.keys({ ...block, ...others }).length === 1;
  if (!isPlain || ![undefined, '5m', '1h'].includes(ttl as string)) return undefined;
  return { cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } };
}

/** How the parts of a history go out again, to whichever model. */
const BACK: Omit<PartContext, 'role'> = {
  options: { unsignedReasoning: 'send' },
  lose: () => undefined,
  nameOf: (fileName) => fileName.replace(/\.\w+$/, ''),
};

/** A copy that nobody else holds, with base64 for bytes and without halves of characters. */
export function ownCopy(block: unknown, repairs: Repair[], path: string): JsonObject {
  try {
    return copyJsonObject(block, path);
  } catch {
    return copyJsonObject(wellFormed(withBase64(block), repairs, path), path);
  }
}

/** What a block says, or the call that it is; a call of a tool that the provider runs is a part. */
export function decodeSaid(block: JsonObject, path: string, mark?: JsonObject): ContentPart | ToolCall {
  const { toolUse } = block;
  return toolUse !== undefined && recordOf(toolUse)['type'] === undefined
    ? decodeCall(toolUse, `${path}.toolUse`, mark)
    : decodePart(block, path, mark);
}

/** What was said in true order: a call that something follows leaves a mark in its place; one without an id cannot. */
export function inOrder(said: readonly (ContentPart | ToolCall)[]) {
  const parts: ContentPart[] = [];
  const calls: ToolCall[] = [];
  let marked = 0;
  for (const one of said) {
    if (one instanceof ToolCall) calls.push(one);
    else {
      for (; marked < calls.length; marked++) {
        const id = calls[marked]?.id;
        if (id !== undefined) parts.push(ContentPart.of('tool_call', { id }));
      }
      parts.push(one);
    }
  }
  return { content: Content.owningParts(parts), toolCalls: ToolCalls.owning(calls) };
}

/**
 * A block as a part: one of ours where that goes out again as it came, else a part that keeps the block in its origin,
 * and says what the block says in words.
 */
function decodePart(block: JsonObject, path: string, mark: JsonObject = NO_FIELDS): ContentPart {
  const [kind, other] = Object.keys(block);
  if (kind === undefined) reject(path, 'a block with one key', block);
  const { text } = block;
  if (text !== undefined && typeof text !== 'string') reject(`${path}.text`, 'text', text);
  const known = other === undefined && decodeKnown(kind, block[kind]);
  if (known) {
    const part = ContentPart.owning({ ...known, ...mark });
    const role = kind === 'reasoningContent' ? 'assistant' : 'user';
    if (kind === 'text' || equalJson(encodePart(part, { ...BACK, role }), block)) return part;
  }
  const words = wordsOf(block);
  // A mark and reasoning are something else here.
  const type = words ? 'text' : kind === 'tool_call' || kind === 'reasoning' ? 'block' : kind;
  return ContentPart.owning({ type, ...(words && { text: words }), ...mark, _origin: originOf(block) as never });
}

function decodeKnown(kind: string, value: unknown): (JsonObject & { readonly type: string }) | undefined {
  const { format, source, name, reasoningText, ...others } = recordOf(value);
  const { bytes, s3Location } = recordOf(source);
  if (kind === 'text') return { type: kind, text: value as string };
  if (kind === 'audio') return { type: 'input_audio', input_audio: { format: format ?? '', data: bytes ?? '' } };
  if (kind === 'reasoningContent') {
    const { text = '', ...proof } = recordOf(reasoningText);
    return { type: 'reasoning', text, _origin: originOf({ ...proof, ...others }) as never };
  }
  if (!/^(image|video|document)$/.test(kind) || typeof format !== 'string') return undefined;
  const { uri = `data:${mediaTypeOf(kind as 'image', format)};base64,${bytes as string}` } = recordOf(s3Location);
  if (kind === 'image') return { type: 'image_url', image_url: { url: uri } };
  const file_name = name !== undefined && { file_name: `${name as string}.${format}` };
  return { type: 'file', file: { [s3Location ? 'file_url' : 'file_data']: uri, ...file_name } };
}

/**
 * A tool call, with what else the block holds.
 *
 * @throws InvalidInputError where its id or input cannot be one
 */
function decodeCall(block: unknown, path: string, mark?: JsonObject): ToolCall {
  const fields = fieldsOf(block, path);
  const { toolUseId: id, name, input } = fields;
  // The usual call without the detour over all the forms that calls have elsewhere.
  if (!mark && Object.keys(fields).length === 3 && isGivenId(id) && isText(name) && isRecord(input))
    return ToolCall.owning({ id, name, arguments: input });
  if (typeof input === 'number' || typeof input === 'boolean') reject(`${path}.input`, 'an object', input);
  const { toolUseId: _id, input: _input, ...extra } = fields;
  const _origin = Object.keys(extra).length > 1 && originOf();
  return ToolCall.from({ ...extra, ...mark, id, arguments: input, ...(_origin && { _origin }) }, path);
}

/** The answer to a call, with what else the block holds. */
export function decodeResult(block: unknown, path: string, mark?: JsonObject): ToolResult {
  const fields = fieldsOf(block, path);
  const { toolUseId: call_id, content: list, status } = fields;
  if (!Array.isArray(list)) return reject(`${path}.content`, 'blocks', list, 'missing_content');
  const is_error = status === 'error';
  const text: unknown = list.length === 1 ? plainText(list[0]) : undefined;
  const isPlain = !mark && Object.keys(fields).length === (status === undefined ? 2 : 3);
  if (isPlain && isGivenId(call_id) && isText(text))
    return ToolResult.owning({ content: text, call_id, tool_name: null, is_error });
  const { toolUseId: _id, content: _content, status: _status, ...extra } = fields;
  const parts = list.map((item: unknown, at) => {
    const place = `${path}.content[${at}]`;
    return decodePart(fieldsOf(item, place), place);
  });
  return ToolResult.from({ ...extra, ...mark, content: Content.owningParts(parts), call_id, is_error }, path);
}

function fieldsOf(value: unknown, path: string): JsonObject {
  return isRecord(value) ? (value as JsonObject) : reject(path, 'an object', value);
}

/** The text in a block of nothing else; undefined for any other, and for what has to be repaired. */
export function plainText(block: unknown): string | undefined {
  if (!isRecord(block)) return undefined;
  for (const key in block) if (key !== 'text') return undefined;
  const { text } = block;
  return isText(text) ? text : undefined;
}

/** Whether an id is one that reads as it is given: a blank one counts as none. */
function isGivenId(value: unknown): value is string {
  return isCallId(value) && value.trim() !== '';
}
