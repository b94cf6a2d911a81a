import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { isRecord, isText } from '../../schema/json.ts';

type Fields = Record<string, unknown>;

/** Deeper arguments are read the long way. */
const DEEPEST = 100;

/**
 * Adds the messages that nearly all histories consist of, read without detours: texts, texts with tool calls behind
 * them, and answers of one text. False, and nothing is added, for any other, and for what has to be repaired or rejected.
 */
export function readFrequent(item: unknown, time: number, messages: Message[]): boolean {
  if (!isRecord(item)) return false;
  let role, content: unknown;
  // Key by key: asking objects of many shapes for each field costs twice as much.
  for (const key in item) {
    if (key === 'role') role = item[key];
    else if (key === 'content') content = item[key];
    else return false;
  }
  if (!Array.isArray(content) || content.length === 0) return false;
  if (role === 'assistant') return readAssistant(content, time, messages);
  return role === 'user' && readUser(content, time, messages);
}

function readUser(blocks: readonly unknown[], time: number, messages: Message[]): boolean {
  const before = messages.length;
  let at = 0;
  for (; at < blocks.length; at++) {
    const answer = decodeAnswer(onlyField(blocks[at], 'toolResult'), time);
    if (answer === undefined) break;
    messages.push(answer);
  }
  const content = at < blocks.length ? decodeTexts(blocks, at, blocks.length) : undefined;
  if (content !== undefined) messages.push(Message.saying({ role: 'user', content }, time));
  else if (at < blocks.length) messages.length = before;
  return content !== undefined || at === blocks.length;
}

function readAssistant(blocks: readonly unknown[], time: number, messages: Message[]): boolean {
  const calls: ToolCall[] = [];
  let end = blocks.length;
  for (; end > 0; end--) {
    const call = decodeCall(onlyField(blocks[end - 1], 'toolUse'));
    if (call === undefined) break;
    calls.push(call);
  }
  const content = end === 0 ? Content.empty() : decodeTexts(blocks, 0, end);
  if (content === undefined) return false;
  messages.push(Message.saying({ role: 'assistant', content, toolCalls: ToolCalls.owning(calls.toReversed()) }, time));
  return true;
}

/** The value of a block that has this key and no other. */
function onlyField(block: unknown, key: string): unknown {
  if (!isRecord(block)) return undefined;
  for (const other in block) if (other !== key) return undefined;
  return block[key];
}

function decodeTexts(blocks: readonly unknown[], start: number, end: number): Content | undefined {
  const first = onlyField(blocks[start], 'text');
  if (end - start === 1) return isText(first) ? Content.owning(first) : undefined;
  const parts: ContentPart[] = [];
  for (let at = start; at < end; at++) {
    const text = onlyField(blocks[at], 'text');
    if (!isText(text)) return undefined;
    parts.push(ContentPart.plain(text));
  }
  return Content.owningParts(parts);
}

function decodeCall(toolUse: unknown): ToolCall | undefined {
  if (!isRecord(toolUse) || Object.keys(toolUse).length !== 3) return undefined;
  const { toolUseId: id, name, input } = toolUse;
  if (!isGivenId(id) || !isText(name) || !isRecord(input) || !isPlainJson(input, 0)) return undefined;
  return ToolCall.owning({ id, name, arguments: JSON.stringify(input) });
}

function decodeAnswer(toolResult: unknown, time: number): Message | undefined {
  if (!isRecord(toolResult)) return undefined;
  const { toolUseId, content, status } = toolResult;
  const isError = status === 'error';
  if (!isGivenId(toolUseId) || Object.keys(toolResult).length !== (isError ? 3 : 2)) return undefined;
  const text: unknown = Array.isArray(content) && content.length === 1 ? onlyField(content[0], 'text') : undefined;
  if (!isText(text)) return undefined;
  const result = ToolResult.owning({ content: text, call_id: toolUseId, tool_name: null, is_error: isError });
  return Message.saying({ role: 'tool', content: result.content, toolResult: result }, time);
}

/** Whether an id is one that reads as it is given: a blank one counts as none. */
function isGivenId(value: unknown): value is string {
  return isCallId(value) && value.trim() !== '';
}

/** Whether a value is what it prints as JSON. */
function isPlainJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'boolean';
  if (value === null) return true;
  if (depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key in value as Fields)
    if (!key.isWellFormed() || !isPlainJson((value as Fields)[key], depth + 1)) return false;
  return true;
}
