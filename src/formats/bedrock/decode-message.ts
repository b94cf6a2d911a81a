import { reject } from '../../errors.ts';
import { timeText } from '../../internal/ids.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { MessageRole } from '../../model/message-role.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord, type JsonObject } from '../../schema/json.ts';
import type { Incomplete } from '../../schema/message.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss, Repair } from '../format.ts';
import { decodeResult, decodeSaid, inOrder, markOf, ownCopy, plainText } from './decode-block.ts';
import { originOf, recordOf } from './origin.ts';

/** The reading of one wire. */
export interface Reading {
  /** What was read so far. */
  readonly messages: Message[];
  readonly losses: Loss[];
  readonly repairs: Repair[];
  /** When what is read counts as made. */
  readonly time: number;
  /** Where what is being read stands. */
  readonly path: () => string;
  /** Why calls must not be run. */
  readonly cut?: Incomplete | undefined;
}

/**
 * Reads a message of the wire: answers, and what is said behind them.
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function readMessage(wire: unknown, reading: Reading): void {
  const { losses, path } = reading;
  if (!isRecord(wire)) return reject(path(), 'a message', wire);
  let role, content: unknown;
  // Key by key: asking objects of many shapes for each field costs twice as much.
  for (const key of Object.keys(wire))
    if (key === 'role') role = wire[key];
    else if (key === 'content') content = wire[key];
    else
      losses.push({ path: `${path()}.${key}`, rule: 'message-key', action: 'dropped', message: 'unknown: left out' });
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return reject(`${path()}.role`, 'a role', role, 'invalid_role');
  readContent(role, content, '.content', reading);
}

/** Reads the blocks of a message; the instructions at the top of a request are some, too. */
export function readContent(role: MessageRole, list: unknown, key: '' | '.content', reading: Reading): void {
  const { messages, time, path } = reading;
  if (!Array.isArray(list)) return reject(path() + key, 'blocks', list, 'missing_content');
  const isPlaced = role === 'system' && key !== '';
  const before = messages.length;
  const text = list.length === 1 && !isPlaced ? plainText(list[0]) : undefined;
  if (text !== undefined) return void messages.push(Message.saying({ role, content: Content.owning(text) }, time));
  const said: (ContentPart | ToolCall)[] = [];
  for (let at = 0; at < list.length; at++) {
    const mark = at + 1 < list.length ? markOf(list[at + 1]) : undefined;
    const plain = mark ? undefined : plainText(list[at]);
    const made =
      plain === undefined
        ? readBlock(role, list[at], `${path()}${key}[${at}]`, mark, said.length, reading)
        : ContentPart.plain(plain);
    if (mark) at++;
    if (made instanceof Message) messages.push(made);
    else said.push(made);
  }
  if (said.length === 0 && messages.length > before) return;
  const inside = { role, ...inOrder(said) };
  const incomplete = inside.toolCalls.isEmpty() ? undefined : reading.cut;
  const origin = isPlaced ? originOf({ isPlaced }) : undefined;
  messages.push(messageOf(inside, time, origin, incomplete));
}

type Said = Parameters<typeof Message.saying>[0];

function messageOf(said: Said, time: number, origin?: Origin, incomplete?: Incomplete): Message {
  return origin || incomplete
    ? Message.of({ ...said, createdAt: timeText(time), origin, incomplete })
    : Message.saying(said, time);
}

/** A block of the wire as what it is: a part, a call, or a message with an answer. */
function readBlock(
  role: MessageRole,
  given: unknown,
  path: string,
  mark: JsonObject | undefined,
  before: number,
  { repairs, time }: Reading,
): ContentPart | ToolCall | Message {
  const block = ownCopy(given, repairs, path);
  const { toolResult } = block;
  if (toolResult === undefined || role === 'assistant') return decodeSaid(block, path, mark);
  if (before > 0) repairs.push({ path, rule: 'answers-first', action: 'moved', message: 'moved to the top' });
  const answer = decodeResult(toolResult, `${path}.toolResult`, mark);
  const isSuccess = recordOf(toolResult)['status'] === 'success';
  const isEmpty = answer.content.parts.size === 0;
  const isBound = isSuccess || isEmpty || Object.keys(answer.extra).length > (mark ? 1 : 0);
  const said = { role: 'tool', content: answer.content, toolResult: answer } as const;
  return messageOf(said, time, isBound ? originOf({ isSuccess, isEmpty }) : undefined);
}
