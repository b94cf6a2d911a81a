import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { isText } from '../../schema/json.ts';

/** What an item is most of the time: a message, a call, or the words of the assistant. */
export type Frequent = Message | ToolCall | string;

/**
 * The items that nearly all histories consist of, read without detours: a role and a text, a call and its answer with
 * nothing beside. Undefined for any other, and for what has to be repaired or rejected: that is read the long way.
 */
export function decodeFrequent(item: unknown, time: number): Frequent | undefined {
  if (!isPlainObject(item)) return undefined;
  let type, role, content, id, name, args, output: unknown;
  // Key by key: asking objects of many shapes for each field costs twice as much.
  for (const key in item) {
    if (key === 'role') role = item[key];
    else if (key === 'content') content = item[key];
    else if (key === 'type') type = item[key];
    else if (key === 'call_id') id = item[key];
    else if (key === 'name') name = item[key];
    else if (key === 'arguments') args = item[key];
    else if (key === 'output') output = item[key];
    else return undefined;
  }
  if (type === undefined)
    return id === undefined && output === undefined ? decodeMessage(role, content, time) : undefined;
  if (role !== undefined || content !== undefined || !isCallId(id) || id.trim() === '') return undefined;
  if (type === 'function_call' && isText(name) && isText(args) && output === undefined)
    return ToolCall.owning({ id, name, arguments: args });
  if (type === 'function_call_output' && isText(output) && name === undefined && args === undefined)
    return decodeAnswer(output, id, time);
  return undefined;
}

function decodeMessage(role: unknown, content: unknown, time: number): Message | string | undefined {
  if (role === 'assistant') return isText(content) ? content : undefined;
  if (role !== 'user' && role !== 'system' && role !== 'developer') return undefined;
  const said = isText(content) ? Content.owning(content) : decodeParts(content);
  return said && Message.saying({ role, content: said }, time);
}

/** Several parts; one alone may be a text that came as a list. */
function decodeParts(list: unknown): Content | undefined {
  if (!Array.isArray(list) || list.length < 2) return undefined;
  const parts: ContentPart[] = [];
  for (const item of list as readonly unknown[]) {
    const part = decodePart(item);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return Content.owningParts(parts);
}

function decodePart(item: unknown): ContentPart | undefined {
  if (!isPlainObject(item)) return undefined;
  const { type, text, detail, image_url: url } = item;
  const size = Object.keys(item).length;
  if (type === 'input_text') return size === 2 && isText(text) ? ContentPart.plain(text) : undefined;
  if (type !== 'input_image' || size !== 3 || !isText(url) || !isText(detail)) return undefined;
  return ContentPart.owning({ type: 'image_url', image_url: { url, detail } });
}

/** Whether all keys of a value are its own. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function decodeAnswer(content: string, call_id: string, time: number): Message {
  const toolResult = ToolResult.owning({ content, call_id, tool_name: null, is_error: false });
  return Message.saying({ role: 'tool', content: toolResult.content, toolResult }, time);
}
