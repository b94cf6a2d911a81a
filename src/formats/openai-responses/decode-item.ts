import { reject } from '../../errors.ts';
import { timeText } from '../../internal/ids.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { MessageRole } from '../../model/message-role.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { CALL_ID_EXPECTED, isCallId } from '../../schema/ids.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { decodeInput } from './decode-part.ts';
import { type Kept, originOf } from './origin.ts';

/** What is said by anyone but the assistant; with an origin where it `isBound` to go out again as it came. */
export function decodeSaid(
  role: MessageRole,
  { content: given, role: _role, ...others }: JsonObject,
  path: string,
  time: number,
  isBound = false,
): Message {
  const content = contentOf(given, `${path}.content`, false);
  const kept = keptOfItem(others, given, content, isBound);
  if (kept === undefined) return Message.saying({ role, content }, time);
  return Message.of({ role, content, createdAt: timeText(time), origin: originOf(kept) });
}

/** An item has something to keep where it has other keys, or its content is not what is usual: a list of one plain text. */
function keptOfItem(others: JsonObject, given: unknown, content: Content, isBound: boolean): Kept | undefined {
  const isText = typeof given === 'string';
  const isUsual = isText || (content.plainText === undefined && content.parts.size > 0);
  if (Object.keys(others).length === 0 && isUsual && !isBound) return undefined;
  return { item: others, ...(isText && { content: 'text' }) };
}

function contentOf(given: JsonValue | undefined, path: string, isAnswer: boolean): Content {
  if (typeof given === 'string') return Content.owning(given);
  if (!Array.isArray(given)) return reject(path, 'text, or a list of parts', given, 'missing_content');
  return Content.owningParts(given.map((part: JsonValue, at) => decodeInput(part, `${path}[${at}]`, isAnswer)));
}

/** The answer to a call. */
export function decodeAnswer(
  { type: _type, call_id, output, ...others }: JsonObject,
  path: string,
  time: number,
): Message {
  const content = contentOf(output, `${path}.output`, true);
  const { name } = others;
  const toolResult = ToolResult.of({
    content,
    callId: callIdOf(call_id, path),
    toolName: typeof name === 'string' ? name : undefined,
  });
  const said = { role: 'tool' as const, content, toolResult };
  const kept = keptOfItem(others, output, content, false);
  if (kept === undefined) return Message.saying(said, time);
  return Message.of({ ...said, createdAt: timeText(time), origin: originOf(kept) });
}

/** A call; `reasoning`: the id of what was thought before it. */
export function decodeCall(
  { type, call_id, name, arguments: args = '', ...others }: JsonObject,
  path: string,
  reasoning: string | undefined,
): ToolCall {
  const isCustom = type === 'custom_tool_call';
  const { input, ...rest } = others;
  const given = isCustom ? input : args;
  const beside = isCustom ? rest : others;
  if (typeof name !== 'string') return reject(`${path}.name`, 'the name of a tool', name, 'empty_tool_name');
  if (typeof given !== 'string' && (isCustom || !isRecord(given)))
    return reject(`${path}.${isCustom ? 'input' : 'arguments'}`, 'text', given);
  const kept = boundTo(beside, reasoning);
  return ToolCall.owning({
    id: callIdOf(call_id, path) ?? null,
    name,
    arguments: given,
    ...(isCustom && { kind: 'custom' }),
    ...(kept && { _origin: originOf(kept) }),
  });
}

/** What an item brought along, and the reasoning without which its id is refused. */
export function boundTo(others: JsonObject, reasoning: string | undefined): Kept | undefined {
  if (Object.keys(others).length === 0) return undefined;
  return { item: others, ...(typeof others['id'] === 'string' && reasoning !== undefined && { after: reasoning }) };
}

/** An id that binds call and answer; undefined for none, and a blank one. */
function callIdOf(id: JsonValue | undefined, path: string): string | undefined {
  if (id === undefined || id === null || (typeof id === 'string' && id.trim() === '')) return undefined;
  return isCallId(id) ? id : reject(`${path}.call_id`, CALL_ID_EXPECTED, id, 'invalid_tool_call_id');
}

/** Reasoning with the provider's proof. Its text is the summary, or all of it where it shows. */
export function decodeReasoning({ type: _type, ...item }: JsonObject, model: string | undefined): ContentPart {
  const text = [...textsIn(item['summary']), ...textsIn(item['content'])].join('\n');
  const origin = originOf({ item }, model);
  return ContentPart.owning({ type: 'reasoning', text, _origin: origin });
}

function textsIn(list: JsonValue | undefined): string[] {
  const parts: readonly JsonValue[] = Array.isArray(list) ? list : [];
  return parts.flatMap((part) => (isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : []));
}
