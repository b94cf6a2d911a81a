import type { Message } from '../../model/message.ts';
import type { Messages } from '../../model/messages.ts';
import { dropAlone } from './alone.ts';
import { encodeAnswer, encodeSaid } from './encode-message.ts';
import { closeEnds } from './ends.ts';
import { shapeOf } from './origin.ts';
import type { Request } from './request.ts';
import type { AnthropicBlock, AnthropicMessage, AnthropicPayload, AnthropicTextBlock } from './wire.ts';

/** A message of the request while that is made. */
export interface Turn {
  readonly role: AnthropicMessage['role'];
  readonly blocks: AnthropicBlock[];
  /** The message that began it; undefined where there is none. */
  readonly index: number | undefined;
  /** Whether a single plain text goes out as a text, not as a list of one block. */
  readonly isText?: boolean;
  /** Whether it holds nothing but answers so far, so that more of them may follow. */
  hasOnlyAnswers?: boolean;
  /** Whether instructions want to stay where they stand. */
  readonly staysInList?: boolean;
  /** Whether it is made of several messages. */
  isShared?: boolean;
}

/** The conversation part of a request. */
export function buildRequest(messages: Messages, request: Request): AnthropicPayload {
  const [instructions, turns] = sorted(messages, request);
  closeEnds(turns, request);
  request.settleMarks(blocksOf(instructions), blocksOf(turns));
  return {
    ...(instructions.length > 0 && { system: instructionsOf(instructions, request) }),
    messages: turns.map((turn) => messageOf(turn, request)),
  };
}

function blocksOf(turns: readonly Turn[]): AnthropicBlock[] {
  return turns.flatMap(({ blocks }) => blocks);
}

/** What stands at the top of a request, and what in its list. */
function sorted(messages: Messages, request: Request) {
  const { report } = request;
  const instructions: Turn[] = [];
  const said: Turn[] = [];
  messages.forEach((message, index) => {
    const turn = turnOf(message, index, request);
    const last = said.at(-1);
    if (turn.blocks.length === 0)
      report.lose(request.pathOf(index), 'emptied-message', 'dropped', 'nothing is left of it: left out');
    else if (turn.role === 'system' && last === undefined) instructions.push(turn);
    else if (!joins(last, turn, message)) said.push(turn);
  });
  const turns = said.filter((turn, at) => {
    if (turn.role !== 'system' || (turn.staysInList === true && isTakenThere(said, at))) return true;
    report.lose(
      request.pathOf(turn.index as number),
      'system-place',
      'moved',
      'this wire has no system there: goes out first',
    );
    instructions.push(turn);
    request.isReordered = true;
    return false;
  });
  return [instructions, turns.filter((turn, at) => dropAlone(turn, turns[at + 1], request))] as const;
}

function turnOf(message: Message, index: number, request: Request): Turn {
  const { role } = message;
  if (role === 'tool')
    return { role: 'user', blocks: [encodeAnswer(message, index, request)], index, hasOnlyAnswers: true };
  const { content, place } = shapeOf(message);
  const blocks = encodeSaid(message, index, request);
  if (role === 'user' || role === 'assistant') return { role, blocks, index, isText: content === 'text' };
  if (role === 'developer')
    request.report.lose(
      `${request.pathOf(index)}.role`,
      'developer-role',
      'degraded',
      'this wire has no developer: system goes out',
    );
  const staysInList = request.options.systemInMessages ?? place === 'messages';
  return { role: 'system', blocks, index, isText: content !== 'list', staysInList };
}

/**
 * Puts a turn into the last one, where it belongs there: all answers of a turn stand in one message ("each `tool_use`
 * block must have a corresponding `tool_result` block in the next message"), and what the user says joins them, and
 * what they said before, save where it was read apart.
 */
function joins(last: Turn | undefined, { role, blocks, hasOnlyAnswers = false }: Turn, message: Message): boolean {
  if (role !== 'user' || last?.role !== 'user') return false;
  if (hasOnlyAnswers ? !last.hasOnlyAnswers : shapeOf(message).apart) return false;
  for (const block of blocks) last.blocks.push(block);
  last.hasOnlyAnswers = hasOnlyAnswers;
  last.isShared = true;
  return true;
}

function instructionsOf(instructions: readonly Turn[], { report }: Request): string | AnthropicTextBlock[] {
  const blocks = instructions.flatMap((turn) => turn.blocks) as AnthropicTextBlock[];
  const isText = !report.isTracing && instructions.every((turn) => turn.isText);
  return textOf(blocks, isText) ?? blocks;
}

function messageOf({ role, blocks, index, isText, isShared = false }: Turn, { report }: Request): AnthropicMessage {
  const message = { role, content: textOf(blocks, isText) ?? blocks } as AnthropicMessage;
  if (index !== undefined && !isShared) report.made(message, index);
  return message;
}

/** The text of a single block that is nothing but that, where it is to be a text. */
function textOf(blocks: readonly AnthropicBlock[], isText = false): string | undefined {
  const [block] = blocks;
  const isPlain = isText && blocks.length === 1 && block?.type === 'text' && Object.keys(block).length === 2;
  return isPlain ? block.text : undefined;
}

/**
 * Whether instructions may stand where they do: in a run of them behind the user, or behind an assistant whose last
 * block is the answer of a tool that the provider runs, and with the assistant or nothing behind it. ("role 'system'
 * must follow a 'user' message", "role 'system' must precede an 'assistant' message or end the array")
 */
function isTakenThere(turns: readonly Turn[], at: number): boolean {
  let before = at;
  let behind = at;
  while (turns[before]?.role === 'system') before--;
  while (turns[behind]?.role === 'system') behind++;
  const type: string = turns[before]?.blocks.at(-1)?.type ?? '';
  return turns[behind]?.role !== 'user' && (turns[before]?.role === 'user' || type.endsWith('_tool_result'));
}
