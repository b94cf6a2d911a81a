import { Content } from '../../model/content.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { isRecord, isText } from '../../schema/json.ts';
import { isRole } from '../../schema/role.ts';

/**
 * The messages that nearly all histories consist of, read without detours: text, text with tool calls, and the answer
 * to a call. Undefined for any other, and for what has to be repaired or rejected: that is read the long way.
 */
export function decodeFrequent(item: unknown, time: number): Message | undefined {
  if (!isRecord(item)) return undefined;
  let role, content, calls, id, name: unknown;
  // Key by key: asking objects of many shapes for each field costs twice as much.
  for (const key in item) {
    if (key === 'role') role = item[key];
    else if (key === 'content') content = item[key];
    else if (key === 'tool_calls') calls = item[key];
    else if (key === 'tool_call_id') id = item[key];
    else if (key === 'name') name = item[key];
    else return undefined;
  }
  if (role === 'tool') return calls === undefined ? decodeAnswer(content, id, name ?? null, time) : undefined;
  if (id !== undefined || name !== undefined) return undefined;
  if (calls !== undefined) return role === 'assistant' ? decodeTurn(content, calls, time) : undefined;
  if (!isRole(role)) return undefined;
  return isText(content) ? Message.saying({ role, content: Content.owning(content) }, time) : undefined;
}

function decodeAnswer(text: unknown, id: unknown, name: unknown, time: number): Message | undefined {
  if (!isText(text) || !isGivenId(id) || (name !== null && !(isText(name) && name !== ''))) return undefined;
  const toolResult = ToolResult.owning({ content: text, call_id: id, tool_name: name, is_error: false });
  return Message.saying({ role: 'tool', content: toolResult.content, toolResult }, time);
}

function decodeTurn(text: unknown, list: unknown, time: number): Message | undefined {
  if (!isText(text) || !Array.isArray(list) || list.length === 0) return undefined;
  const calls = list.map(decodeCall);
  if (calls.includes(undefined)) return undefined;
  const toolCalls = ToolCalls.owning(calls as ToolCall[]);
  return Message.saying({ role: 'assistant', content: Content.owning(text), toolCalls }, time);
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
