import { reject } from '../../errors.ts';
import { timeText } from '../../internal/ids.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { Said } from '../../model/message-state.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { copyJsonObject, isRecord, isText, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Loss, Repair } from '../format.ts';
import { wellFormed } from '../well-formed.ts';
import { decodeBlock, decodeResult, inOrder } from './decode-block.ts';
import { PROVIDER, type Shape } from './origin.ts';
import { unknownKey } from './part-context.ts';
import type { AnthropicMessage } from './wire.ts';

type WireRole = AnthropicMessage['role'];

/** The reading of one wire. */
export interface Reading {
  readonly losses: Loss[];
  readonly repairs: Repair[];
  /** When the messages are made. */
  readonly time: number;
  /** Who made what is read, where that is known. */
  readonly model?: string | undefined;
  /** Whether the limit of tokens ended it, so that its calls must not be run: they may have been cut. */
  readonly isCut?: boolean;
  /** The role of the message before. */
  last?: AnthropicMessage['role'];
}

/**
 * The messages in one of the wire, which stands at `path`: answers, and what is said behind them. The instructions at
 * the top are one, too.
 */
export function readMessage(wire: unknown, path: string, reading: Reading, isTop = false): Message[] {
  if (!isRecord(wire)) return reject(path, 'a message', wire);
  let given: unknown;
  let content: unknown;
  for (const key in wire) {
    if (key === 'role') given = wire[key];
    else if (key === 'content') content = wire[key];
    else
      reading.losses.push({ path: `${path}.${key}`, rule: 'message-key', action: 'dropped', message: unknownKey(key) });
  }
  const role = isWireRole(given) ? given : reject(`${path}.role`, 'a role', given, 'invalid_role');
  const shape: Shape =
    role === 'user' && reading.last === role
      ? { apart: true }
      : role === 'system' && !isTop
        ? { place: 'messages' }
        : NO_FIELDS;
  reading.last = role;
  if (Array.isArray(content)) return readList(role, content, shape, path, reading);
  if (typeof content !== 'string') return reject(`${path}.content`, 'blocks', content, 'missing_content');
  const text = wellFormed(content, reading.repairs, isTop ? path : `${path}.content`) as string;
  const own: Shape = role === 'system' ? shape : { ...shape, content: 'text' };
  return [messageOf({ role, content: Content.owning(text) }, own, reading)];
}

function isWireRole(role: unknown): role is WireRole {
  return role === 'user' || role === 'assistant' || role === 'system';
}

function readList(role: WireRole, list: readonly unknown[], shape: Shape, path: string, reading: Reading): Message[] {
  const only = list.length === 1 ? plainText(list[0]) : undefined;
  if (only !== undefined && role !== 'system')
    return [messageOf({ role, content: Content.owning(only) }, shape, reading)];
  const said: (ContentPart | ToolCall)[] = [];
  const answers: Message[] = [];
  list.forEach((item, at) => {
    const text = plainText(item);
    if (text !== undefined) return void said.push(ContentPart.plain(text));
    const place = `${path}.content[${at}]`;
    if (!isRecord(item)) return reject(place, 'a block', item);
    const block = ownBlock(wellFormed(item, reading.repairs, place) as JsonObject, place);
    if (block['type'] !== 'tool_result') return void said.push(decodeBlock(block, reading.model, place));
    answers.push(answerOf(block, place, reading));
    if (said.some((one) => one instanceof ContentPart))
      reading.repairs.push({ path: place, rule: 'answers-first', action: 'moved', message: 'moved to the top' });
  });
  if (said.length === 0 && answers.length > 0) return answers;
  const { content, toolCalls } = inOrder(said);
  const own = { ...(answers.length === 0 && shape), ...(role === 'system' && listShape(content)) };
  answers.push(messageOf({ role, content, toolCalls }, own, reading));
  return answers;
}

/** A block whose values nobody else can change: itself where they are all texts, else a copy. */
function ownBlock(block: JsonObject, path: string): JsonObject {
  return Object.values(block).every((value) => typeof value === 'string') ? block : copyJsonObject(block, path);
}

/** The text of a block that is nothing but that, as nearly all are. */
function plainText(block: unknown): string | undefined {
  const { type, text } = isRecord(block) && Object.keys(block).length === 2 ? block : NO_FIELDS;
  return type === 'text' && isText(text) ? text : undefined;
}

/** A message with an origin where it would not go out again as it came without one. */
function messageOf(said: Said, shape: Shape, { model, time, isCut = false }: Reading): Message {
  const { toolCalls, toolResult } = said;
  const hasShape = Object.keys(shape).length > 0;
  const incomplete = isCut && toolCalls?.isEmpty() === false && { incomplete: { reason: 'length' } };
  if (!hasShape && model === undefined && !incomplete && (toolResult?.extra ?? NO_FIELDS) === NO_FIELDS)
    return Message.saying(said, time);
  const data = hasShape && { data: shape as JsonObject };
  const origin = { provider: PROVIDER, ...(model !== undefined && { model }), ...data };
  return Message.of({ createdAt: timeText(time), ...said, ...incomplete, origin });
}

function answerOf(block: JsonObject, path: string, reading: Reading): Message {
  const toolResult = decodeResult(block, path);
  const { content, is_error } = block;
  const shape: Shape = {
    ...(Array.isArray(content) && listShape(toolResult.content)),
    ...(content === '' && { content: 'text' }),
    ...(is_error === false && { is_error }),
  };
  return messageOf({ role: 'tool', content: toolResult.content, toolResult }, shape, { ...reading, model: undefined });
}

/** Where a text is usual, a list says so if it could be one. */
function listShape(content: Content): Shape {
  return content.plainText !== undefined || content.parts.size === 0 ? { content: 'list' } : {};
}
