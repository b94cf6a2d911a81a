import { Content } from '../../model/content.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { isRecord, isText } from '../../schema/json.ts';
import { isRole } from '../../schema/role.ts';
import { readAll } from '../read-all.ts';
import { decodeBare } from './decode-chunk.ts';

/**
 * The messages that nearly all histories consist of, read without detours: text, text with tool calls, and the answer
 * to a call. Undefined for any other, and for what has to be repaired or rejected: that is read the long way.
 */
export function decodeFrequent(item: unknown, time: number): Message | undefined {
  if (!isRecord(item)) return undefined;
  const { role, content, tool_calls: calls, tool_call_id: id, name } = item;
  const size = Object.keys(item).length;
  if (role === 'tool') return size === (name === undefined ? 3 : 4) ? decodeAnswer(content, id, name, time) : undefined;
  if (role === 'assistant' && size === 3) return decodeTurn(content, calls, time);
  if (!isRole(role) || size !== 2) return undefined;
  const said = isText(content) ? Content.owning(content) : role === 'user' && decodeList(content);
  return said ? Message.saying({ role, content: said }, time) : undefined;
}

/** Texts and images; undefined also for a single text, which is not usually in a list. */
function decodeList(list: unknown): Content | undefined {
  const parts = readAll(list, decodeBare);
  const content = parts && Content.owningParts(parts);
  return content?.plainText === undefined ? content : undefined;
}

function decodeAnswer(content: unknown, call_id: unknown, name: unknown, time: number): Message | undefined {
  if (!isText(content) || !isGivenId(call_id) || !(name === undefined || isText(name)) || name === '') return undefined;
  const toolResult = ToolResult.owning({ content, call_id, tool_name: name ?? null, is_error: false });
  return Message.saying({ role: 'tool', content: toolResult.content, toolResult }, time);
}

function decodeTurn(text: unknown, list: unknown, time: number): Message | undefined {
  const calls = isText(text) ? readAll(list, decodeCall) : undefined;
  if (calls === undefined) return undefined;
  const toolCalls = ToolCalls.owning(calls);
  return Message.saying({ role: 'assistant', content: Content.owning(text as string), toolCalls }, time);
}

function decodeCall(item: unknown): ToolCall | undefined {
  if (!isRecord(item) || Object.keys(item).length !== 3) return undefined;
  const { id, type, function: inner } = item;
  if (type !== 'function' || !isGivenId(id) || !isRecord(inner) || Object.keys(inner).length !== 2) return undefined;
  const { name, arguments: args } = inner;
  return isText(name) && isText(args) ? ToolCall.owning({ id, name, arguments: args }) : undefined;
}

/** Whether an id is one that reads as it is given: a blank one, and `null` as text, count as none. */
function isGivenId(value: unknown): value is string {
  return isCallId(value) && value.trim() !== '' && value !== 'null';
}
