import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { isRecord, isText } from '../../schema/json.ts';
import { isRole } from '../../schema/role.ts';
import { readAll } from '../read-all.ts';

type Fields = Record<string, unknown>;

/**
 * The messages that nearly all histories consist of, read without detours: text, text with tool calls, and the answer
 * to a call. Undefined for any other, and for what has to be repaired or rejected: that is read the long way.
 */
export function decodeFrequent(item: unknown, time: number): Message | undefined {
  if (!isRecord(item)) return undefined;
  let role, content, calls, callId: unknown;
  // Key by key: asking objects of many shapes for each field costs twice as much.
  for (const key in item) {
    if (key === 'role') role = item[key];
    else if (key === 'content') content = item[key];
    else if (key === 'tool_calls') calls = item[key];
    else if (key === 'tool_call_id') callId = item[key];
    else return undefined;
  }
  if (!isRole(role)) return undefined;
  if (calls !== undefined) return callId === undefined ? decodeCalls(role, content, calls, time) : undefined;
  if (callId !== undefined) return role === 'tool' ? decodeAnswer(content, callId, time) : undefined;
  const said = isText(content) ? Content.owning(content) : decodeParts(content);
  return said && Message.saying({ role, content: said }, time);
}

function decodeParts(list: unknown): Content | undefined {
  const parts = readAll(list, decodePart);
  return parts && Content.owningParts(parts);
}

function decodePart(item: unknown): ContentPart | undefined {
  if (!isRecord(item) || Object.keys(item).length !== 2) return undefined;
  const { type, text, image_url: image } = item;
  if (type === 'text') return isText(text) ? ContentPart.plain(text) : undefined;
  return type === 'image_url' && isRecord(image) ? decodeImage(image) : undefined;
}

function decodeImage({ url, ...others }: Fields): ContentPart | undefined {
  if (!isText(url) || Object.keys(others).length > 0) return undefined;
  return ContentPart.owning({ type: 'image_url', image_url: { url } });
}

function decodeAnswer(text: unknown, id: unknown, time: number): Message | undefined {
  if (!isText(text) || !isGivenId(id)) return undefined;
  const toolResult = ToolResult.owning({ content: text, call_id: id, tool_name: null, is_error: false });
  return Message.saying({ role: 'tool', content: toolResult.content, toolResult }, time);
}

function decodeCalls(role: Message['role'], text: unknown, list: unknown, time: number): Message | undefined {
  const calls = role === 'assistant' && isText(text) ? readAll(list, decodeCall) : undefined;
  if (calls === undefined) return undefined;
  const toolCalls = ToolCalls.owning(calls);
  return Message.saying({ role, content: Content.owning(text as string), toolCalls }, time);
}

function decodeCall(item: unknown): ToolCall | undefined {
  if (!isRecord(item) || Object.keys(item).length !== 3) return undefined;
  const { id, type, function: inner } = item;
  if (type !== 'function' || !isGivenId(id) || !isRecord(inner) || Object.keys(inner).length !== 2) return undefined;
  const { name, arguments: args } = inner;
  return isText(name) && isText(args) ? ToolCall.owning({ id, name, arguments: args }) : undefined;
}

/** Whether an id is one that reads as it is given: a blank one counts as none. */
function isGivenId(value: unknown): value is string {
  return isCallId(value) && value.trim() !== '';
}
