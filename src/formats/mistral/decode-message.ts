import { reject } from '../../errors.ts';
import { rejectRole } from '../../input/role.ts';
import { timeText } from '../../internal/ids.ts';
import { joinPath } from '../../internal/path.ts';
import { Content } from '../../model/content.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { isMessageKey } from '../../schema/message.ts';
import { isRole, type MessageRole } from '../../schema/role.ts';
import type { Loss } from '../format.ts';
import { decodeChunk } from './decode-chunk.ts';
import { isNone, isSaid, originOf, type Shape, unknownKey } from './origin.ts';

/** What has to be known of a message beside itself. */
export interface Reading {
  readonly losses: Loss[];
  /** When it is read. */
  readonly time: number;
  /** Who made it, where that is known. */
  readonly model?: string | undefined;
  /** Who spoke before in a history; `''` at the beginning of one. */
  readonly before?: MessageRole | '' | undefined;
  /** Whether it may have been cut, so that its calls must not be run. */
  readonly isCut?: boolean;
}

/**
 * A message of the wire, which stands at `path`, as one of ours. Keeps what it is given: sound JSON that nobody else
 * holds.
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function decodeMessage(item: JsonObject, path: string, reading: Reading): Message {
  const { role: given, content: said, tool_calls: list, tool_call_id, name } = item;
  const { model, time, isCut } = reading;
  const role = isRole(given) ? given : rejectRole(given, `${path}.role`);
  const chunks = typeof said === 'string' ? [] : listOf(said, `${path}.content`);
  const parts = chunks.map((chunk, at) => decodeChunk(chunk, `${path}.content[${at}]`, role, model));
  const content = typeof said === 'string' ? Content.owning(said) : Content.owningParts(parts);
  const calls = listOf(list, `${path}.tool_calls`);
  const toolCalls = ToolCalls.owning(calls.map((call, at) => decodeCall(call, `${path}.tool_calls[${at}]`)));
  const extra = unknownIn(item, role, path, reading.losses);
  const shape = shapeIn(item, content, toolCalls, isApart(role, reading.before)) as JsonObject;
  const result = { content, tool_call_id: givenId(tool_call_id), tool_name: name };
  return Message.of({
    role,
    content,
    toolCalls,
    extra,
    createdAt: timeText(time),
    ...(role === 'tool' && { toolResult: ToolResult.from(result, path) }),
    ...(role !== 'tool' && typeof name === 'string' && { name }),
    ...((model !== undefined || !isNone(shape) || !isNone(extra)) && { origin: originOf(shape, model) }),
    ...(isCut === true && toolCalls.size > 0 && { incomplete: { reason: 'length' } }),
  });
}

/** Whether a message stands where words of another are usually put before it. */
export function isApart(role: MessageRole, before: Reading['before']): boolean {
  return role === 'user' ? before === 'tool' : role === 'assistant' && before === '';
}

/** A list; an empty one where there is none. */
function listOf(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : reject(path, 'a list', value);
}

/** How a message stood on the wire, where it would not go out so by itself. */
function shapeIn(
  { content: said, prefix, role }: JsonObject,
  content: Content,
  calls: ToolCalls,
  stoodApart: boolean,
): Shape {
  const isOddList = Array.isArray(said) && (content.plainText !== undefined || content.parts.isEmpty());
  const isOddNull = said === null && calls.size === 0;
  const form = isOddList ? 'list' : isOddNull ? 'null' : said === undefined ? 'none' : undefined;
  return {
    ...(form && { content: form }),
    ...(role === 'assistant' && typeof prefix === 'boolean' && { prefix }),
    ...(stoodApart && { apart: true }),
  };
}

/** A call, with what it had that has no other place. */
function decodeCall(call: JsonValue, path: string): ToolCall {
  const { id, type, index, function: inner, ...others } = isRecord(call) ? call : {};
  if (!isRecord(inner)) return reject(path, 'a tool call', call);
  const kept = {
    ...(type !== 'function' && { type: type ?? null }),
    ...(index !== undefined && { index }),
    ...(isRecord(inner['arguments']) && { arguments: 'object' }),
  };
  const isBound = !isNone(kept) || !isNone(others) || Object.keys(inner).length > 2;
  return ToolCall.from(
    { ...others, id: givenId(id), function: inner, ...(isBound && { _origin: originOf(kept) }) },
    path,
  );
}

/** The server takes `null` as text for no id (`@mistralai/mistralai`, ToolCall: it is the default). */
function givenId(id: JsonValue | undefined): JsonValue | undefined {
  return id === 'null' ? undefined : id;
}

/** The keys that have no meaning here, nor on the wire. Those that mean something else here cannot be kept: they are told. */
function unknownIn(item: JsonObject, role: MessageRole, path: string, losses: Loss[]): JsonObject {
  const { role: _role, content: _content, tool_calls: _calls, ...others } = item;
  const unknown = Object.entries(others).filter(([key, value]) => {
    if (key === 'prefix') return role !== 'assistant' || typeof value !== 'boolean';
    if (key === 'tool_call_id') return role !== 'tool';
    if (key === 'name' && typeof value === 'string') return false;
    if (!isMessageKey(key)) return true;
    if (isSaid(value))
      losses.push({ path: joinPath(path, key), rule: 'message-key', action: 'dropped', message: unknownKey(key) });
    return false;
  });
  return Object.fromEntries(unknown);
}
