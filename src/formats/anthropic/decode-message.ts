import { reject } from '../../errors.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { MessageRole } from '../../model/message-role.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import type { ToolResult } from '../../model/tool-result.ts';
import { copyJsonObject, isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Loss, Repair } from '../format.ts';
import { decodeCall, decodePart, decodeResult } from './decode-block.ts';
import { PROVIDER, type Shape } from './origin.ts';
import { unknownKey } from './part-context.ts';

const ROLES = ['user', 'assistant', 'system'] as const;

/** What reading tells. */
export interface ReadReport {
  readonly losses: Loss[];
  readonly repairs: Repair[];
}

/** The reading of one wire. */
export interface Reading {
  readonly report: ReadReport;
  /** Who made what is read, where that is known. */
  readonly model?: string | undefined;
  /** The role of the message before. */
  last?: MessageRole;
}

/**
 * The messages in one of the wire, which stands at `path`: answers, and what is said behind them. The instructions at
 * the top are one, too.
 */
export function readMessage(wire: unknown, path: string, reading: Reading, isTop = false): Message[] {
  if (!isRecord(wire)) return reject(path, 'a message', wire);
  const { role: given, content, ...others } = copyJsonObject(wire, path);
  const role = ROLES.find((one) => one === given) ?? reject(`${path}.role`, 'a role', given, 'invalid_role');
  const { report, last } = reading;
  for (const key of Object.keys(others))
    report.losses.push({ path: `${path}.${key}`, rule: 'message-key', action: 'dropped', message: unknownKey(key) });
  const shape: Shape = {
    ...(role === 'user' && last === role && { apart: true }),
    ...(role === 'system' && !isTop && { place: 'messages' }),
  };
  reading.last = role;
  if (Array.isArray(content)) return readList(role, content, shape, path, reading);
  if (typeof content !== 'string') return reject(`${path}.content`, 'blocks', content, 'missing_content');
  const own: Shape = role === 'system' ? shape : { ...shape, content: 'text' };
  return [messageOf(role, Content.owning(content), own, reading.model)];
}

function readList(
  role: MessageRole,
  list: readonly JsonValue[],
  shape: Shape,
  path: string,
  { report, model }: Reading,
): Message[] {
  const parts: ContentPart[] = [];
  const calls: ToolCall[] = [];
  const answers: Message[] = [];
  let marked = 0;
  list.forEach((block, at) => {
    const place = `${path}.content[${at}]`;
    if (!isRecord(block)) return reject(place, 'a block', block);
    if (block['type'] === 'tool_use') {
      calls.push(decodeCall(block, place));
    } else if (block['type'] === 'tool_result') {
      answers.push(answerOf(block, place));
      if (parts.length > 0)
        report.repairs.push({ path: place, rule: 'answers-first', action: 'moved', message: 'moved to the top' });
    } else {
      for (; marked < calls.length; marked++) parts.push(...markOf(calls[marked] as ToolCall));
      parts.push(decodePart(block, model));
    }
  });
  if (parts.length + calls.length === 0 && answers.length > 0) return answers;
  const content = Content.owningParts(parts);
  const own = { ...(answers.length === 0 && shape), ...(role === 'system' && listShape(content)) };
  return [...answers, messageOf(role, content, own, model, { toolCalls: ToolCalls.owning(calls) })];
}

/** A message with an origin where it would not go out again as it came without one. */
function messageOf(
  role: MessageRole,
  content: Content,
  shape: Shape,
  model: string | undefined,
  tools: { readonly toolCalls?: ToolCalls; readonly toolResult?: ToolResult } = {},
): Message {
  const hasShape = Object.keys(shape).length > 0;
  const isBound = hasShape || model !== undefined || Object.keys(tools.toolResult?.extra ?? {}).length > 0;
  const data = shape as JsonObject;
  const origin = { provider: PROVIDER, ...(model !== undefined && { model }), ...(hasShape && { data }) };
  return Message.of({ role, content, ...tools, ...(isBound && { origin }) });
}

/** A call that something follows gets a mark in its place; one without an id cannot. */
function markOf({ id }: ToolCall): ContentPart[] {
  return id === undefined ? [] : [ContentPart.of('tool_call', { id })];
}

function answerOf(block: JsonObject, path: string): Message {
  const toolResult = decodeResult(block, path);
  const { content, is_error } = block;
  const shape: Shape = {
    ...(Array.isArray(content) && listShape(toolResult.content)),
    ...(content === '' && { content: 'text' }),
    ...(is_error === false && { is_error }),
  };
  return messageOf('tool', toolResult.content, shape, undefined, { toolResult });
}

/** Where a text is usual, a list says so if it could be one. */
function listShape(content: Content): Shape {
  return content.plainText !== undefined || content.parts.size === 0 ? { content: 'list' } : {};
}
