import { reject } from '../../errors.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { MessageRole } from '../../model/message-role.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import type { ToolResult } from '../../model/tool-result.ts';
import { copyJson, copyJsonObject, isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Incomplete } from '../../schema/message.ts';
import type { Loss, Repair } from '../format.ts';
import { decodeCall, decodePart, decodeResult, markOf } from './decode-block.ts';
import { recordOf } from './kind.ts';
import { PROVIDER, type Shape } from './origin.ts';
import { unknownKey } from './part-context.ts';

const ROLES = ['user', 'assistant', 'system'] as const;

/** What reading tells. */
export interface ReadReport {
  readonly losses: Loss[];
  readonly repairs: Repair[];
}

/** What has to be known of a message beside itself. */
export interface Reading {
  readonly report: ReadReport;
  /** Why its calls must not be run. */
  readonly cut?: Incomplete | undefined;
}

/** The blocks of a message, sorted. */
interface Blocks {
  readonly parts: ContentPart[];
  readonly calls: ToolCall[];
  readonly answers: Message[];
  /** How many of the calls have a mark in their place, or need none. */
  marked: number;
}

/**
 * The messages in one of the wire, which stands at `path` and has bytes as base64: answers, and what is said behind them.
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function readMessage(wire: unknown, path: string, reading: Reading): Message[] {
  if (!isRecord(wire)) return reject(path, 'a message', wire);
  const { role: given, content, ...others } = copyJsonObject(wire, path);
  const role = ROLES.find((one) => one === given) ?? reject(`${path}.role`, 'a role', given, 'invalid_role');
  for (const key of Object.keys(others))
    reading.report.losses.push({
      path: `${path}.${key}`,
      rule: 'message-key',
      action: 'dropped',
      message: unknownKey(key),
    });
  const { parts, calls, answers } = readBlocks(role, content, `${path}.content`, reading.report);
  if (parts.length + calls.length === 0 && answers.length > 0) return answers;
  const said = { content: Content.owningParts(parts), toolCalls: ToolCalls.owning(calls) };
  const incomplete = calls.length > 0 ? reading.cut : undefined;
  const shape: Shape = role === 'system' ? { place: 'messages' } : {};
  return [...answers, Message.of({ role, ...said, ...originOf(shape), incomplete })];
}

/** The instructions at the top of a request; none where they say nothing. */
export function readInstructions(system: unknown, report: ReadReport): Message[] {
  const { parts } = readBlocks('system', copyJson(system ?? [], 'system'), 'system', report);
  return parts.length === 0 ? [] : [Message.of({ role: 'system', content: Content.owningParts(parts) })];
}

function readBlocks(role: MessageRole, list: JsonValue | undefined, path: string, report: ReadReport): Blocks {
  if (!Array.isArray(list)) return reject(path, 'blocks', list, 'missing_content');
  const blocks: Blocks = { parts: [], calls: [], answers: [], marked: 0 };
  for (let at = 0; at < list.length; at++) {
    const place = `${path}[${at}]`;
    const block = list[at] as JsonValue;
    if (!isRecord(block)) return reject(place, 'a block', block);
    const mark = markOf(list[at + 1]);
    readBlock(role, block, place, mark, blocks, report);
    if (mark !== undefined) at++;
  }
  return blocks;
}

function readBlock(
  role: MessageRole,
  block: JsonObject,
  path: string,
  mark: ReturnType<typeof markOf>,
  blocks: Blocks,
  { repairs }: ReadReport,
): void {
  const { parts, calls, answers } = blocks;
  const { toolUse, toolResult } = block;
  if (toolUse !== undefined && recordOf(toolUse)['type'] === undefined) {
    calls.push(decodeCall(fieldsOf(toolUse, `${path}.toolUse`), `${path}.toolUse`, mark));
  } else if (toolResult !== undefined && role !== 'assistant') {
    answers.push(answerOf(fieldsOf(toolResult, `${path}.toolResult`), `${path}.toolResult`, mark));
    if (parts.length > 0) repairs.push({ path, rule: 'answers-first', action: 'moved', message: 'moved to the top' });
  } else {
    for (; blocks.marked < calls.length; blocks.marked++) parts.push(...placeOf(calls[blocks.marked] as ToolCall));
    parts.push(decodePart(block, path, mark));
  }
}

function fieldsOf(value: JsonValue, path: string): JsonObject {
  return isRecord(value) ? value : reject(path, 'an object', value);
}

/** A call that something follows gets a mark in its place; one without an id cannot. */
function placeOf({ id }: ToolCall): ContentPart[] {
  return id === undefined ? [] : [ContentPart.of('tool_call', { id })];
}

function answerOf(block: JsonObject, path: string, mark: ReturnType<typeof markOf>): Message {
  const toolResult: ToolResult = decodeResult(block, path, mark);
  const shape: Shape = {
    ...(block['status'] === 'success' && { status: 'success' }),
    ...(toolResult.content.parts.size === 0 && { content: 'none' }),
  };
  const isBound = Object.keys(toolResult.extra).some((key) => key !== 'cache_control');
  return Message.of({ role: 'tool', content: toolResult.content, toolResult, ...originOf(shape, isBound) });
}

/** An origin where a message would not go out again as it came without one. */
function originOf(shape: Shape, isBound = false): object {
  const hasShape = Object.keys(shape).length > 0;
  if (!hasShape && !isBound) return {};
  return { origin: { provider: PROVIDER, ...(hasShape && { data: shape as JsonObject }) } };
}
