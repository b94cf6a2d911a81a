import { Content } from '../../model/content.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { isRecord } from '../../schema/json.ts';
import { isRole } from '../../schema/role.ts';

type Fields = Record<string, unknown>;

/**
 * The messages that nearly all histories consist of, read without detours: text, text with tool calls, and the answer
 * to a call. Undefined for any other, and for what has to be repaired or rejected: that is read the long way.
 */
export function decodeFrequent(item: unknown, time: number): Message | undefined {
  if (!isRecord(item)) return undefined;
  const { role, content } = item;
  if (!isRole(role) || !isText(content)) return undefined;
  const size = Object.keys(item).length;
  if (size === 2) return Message.saying({ role, content: Content.owning(content) }, time);
  if (size !== 3) return undefined;
  return role === 'tool' ? decodeAnswer(content, item, time) : decodeCalls(role, content, item, time);
}

function decodeAnswer(text: string, { tool_call_id: id }: Fields, time: number): Message | undefined {
  if (!isGivenId(id)) return undefined;
  const toolResult = ToolResult.owning({ content: text, call_id: id, tool_name: null, is_error: false });
  return Message.saying({ role: 'tool', content: toolResult.content, toolResult }, time);
}

function decodeCalls(
  role: Message['role'],
  text: string,
  { tool_calls: list }: Fields,
  time: number,
): Message | undefined {
  if (role !== 'assistant' || !Array.isArray(list) || list.length === 0) return undefined;
  const calls: ToolCall[] = [];
  for (const item of list as readonly unknown[]) {
    const call = decodeCall(item);
    if (call === undefined) return undefined;
    calls.push(call);
  }
  return Message.saying({ role, content: Content.owning(text), toolCalls: ToolCalls.owning(calls) }, time);
}

function decodeCall(item: unknown): ToolCall | undefined {
  if (!isRecord(item) || Object.keys(item).length !== 3) return undefined;
  const { id, type, function: inner } = item;
  if (type !== 'function' || !isGivenId(id) || !isRecord(inner) || Object.keys(inner).length !== 2) return undefined;
  const { name, arguments: args } = inner;
  return isText(name) && isText(args) ? ToolCall.owning({ id, name, arguments: args }) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

/** Whether an id is one that reads as it is given: a blank one counts as none. */
function isGivenId(value: unknown): value is string {
  return isCallId(value) && value.trim() !== '';
}
