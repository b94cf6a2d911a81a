import { reject } from '../../errors.ts';
import { timeText } from '../../internal/ids.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { MessageRole } from '../../model/message-role.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isCallId } from '../../schema/ids.ts';
import { isRecord, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import type { ToolCallJSON } from '../../schema/tool-call.ts';
import { decodeInput } from './decode-part.ts';
import { copyWithout, type Kept, originOf } from './origin.ts';

/** What a message says, and whether it has to say so in its origin. */
interface Said {
  readonly role: MessageRole;
  readonly content: Content;
  readonly toolResult?: ToolResult;
}

/** The answer to a call. */
export function decodeAnswer(item: JsonObject, path: string, time: number): Message {
  const { call_id, output, name } = item;
  const isUsual = typeof output === 'string' && isCallId(call_id) && name === undefined;
  const others = isUsual && Object.keys(item).length === 3 ? NO_FIELDS : copyWithout(item, 'type', 'call_id', 'output');
  const toolResult = isUsual
    ? ToolResult.owning({ content: output, call_id, tool_name: null, is_error: false })
    : ToolResult.from({ content: contentOf(output, `${path}.output`), call_id, tool_name: name }, path);
  return messageOf({ role: 'tool', content: toolResult.content, toolResult }, output, others, time);
}

/**
 * A message, which has something to keep where it `isBound` to, its item has other keys, or its content is not what is
 * usual: a list of one plain text.
 */
export function messageOf(said: Said, given: unknown, others: JsonObject, time: number, isBound = false): Message {
  const { content } = said;
  const isText = typeof given === 'string';
  const isUsual = isText || (content.plainText === undefined && content.parts.size > 0);
  if (Object.keys(others).length === 0 && isUsual && !isBound) return Message.saying(said, time);
  const origin = originOf({ item: others, ...(isText && { content: 'text' }) });
  return Message.of({ ...said, createdAt: timeText(time), origin });
}

export function contentOf(given: JsonValue | undefined, path: string): Content {
  if (typeof given === 'string') return Content.owning(given);
  if (!Array.isArray(given)) return reject(path, 'text or parts', given, 'missing_content');
  return Content.owningParts(given.map((part: JsonValue, at) => decodeInput(part, `${path}[${at}]`)));
}

/** A call; `reasoning`: the id of what was thought before it. */
export function decodeCall(item: JsonObject, path: string, reasoning?: string): ToolCall {
  const isCustom = item['type'] === 'custom_tool_call';
  const key = isCustom ? 'input' : 'arguments';
  const { call_id: id, name, [key]: args } = item;
  const isUsual = isCallId(id) && typeof name === 'string' && typeof args === 'string';
  if (isUsual && !isCustom && Object.keys(item).length === 4) return ToolCall.owning({ id, name, arguments: args });
  const kept = boundTo(copyWithout(item, 'type', 'call_id', 'name', key), reasoning);
  const call = {
    ...(isCustom && { kind: 'custom' }),
    ...(kept && { _origin: originOf(kept) }),
    id,
    name,
    arguments: args,
  };
  return isUsual ? ToolCall.owning(call as unknown as ToolCallJSON) : ToolCall.from(call, path);
}

/** What an item brought along, and the reasoning without which its id is refused. */
export function boundTo(others: JsonObject, reasoning: string | undefined): Kept | undefined {
  if (Object.keys(others).length === 0) return undefined;
  return { item: others, ...(reasoning !== undefined && { after: reasoning }) };
}

/** Reasoning with the provider's proof. Its text is the summary, or all of it where it shows. */
export function decodeReasoning({ type: _type, ...item }: JsonObject, model: string | undefined): ContentPart {
  const shown = [item['summary'], item['content']].flat() as readonly (JsonValue | undefined)[];
  const texts = shown.flatMap((part) => (isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : []));
  return ContentPart.owning({ type: 'reasoning', text: texts.join('\n'), _origin: originOf({ item }, model) });
}
