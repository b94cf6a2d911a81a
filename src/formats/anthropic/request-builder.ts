import type { Message } from '../../model/message.ts';
import type { Messages } from '../../model/messages.ts';
import { limitCacheMarks } from './cache-marks.ts';
import { encodeAnswer, encodeSaid, type PlacedBlock, type Request } from './encode-message.ts';
import { closeEnds } from './ends.ts';
import { shapeOf } from './origin.ts';
import type { AnthropicMessage, AnthropicPayload, AnthropicTextBlock } from './wire.ts';

/** A message of the request while that is made. */
export interface Turn {
  readonly role: AnthropicMessage['role'];
  readonly blocks: PlacedBlock[];
  /** The message that began it. */
  readonly path: string;
  /** Whether a single plain text goes out as a text, not as a list of one block. */
  readonly isText?: boolean;
  /** Whether it holds nothing but answers so far, so that more of them may follow. */
  hasOnlyAnswers?: boolean;
  /** Whether instructions want to stay where they stand. */
  readonly staysInList?: boolean;
}

/** The conversation part of a request; `placeOf`: where a message stands in what was given. */
export function buildRequest(
  messages: Messages,
  placeOf: (index: number) => number,
  request: Request,
): AnthropicPayload {
  const { report, options } = request;
  const { instructions, turns } = sorted(messages, placeOf, request);
  closeEnds(turns, report, options);
  limitCacheMarks([...instructions, ...turns], report, options.cacheMarks);
  const blocks = instructions.flatMap((turn) => turn.blocks);
  const isText = instructions.every((turn) => turn.isText);
  return {
    ...(blocks.length > 0 && { system: contentOf(blocks, isText) as string | AnthropicTextBlock[] }),
    messages: turns.map(
      (turn) => ({ role: turn.role, content: contentOf(turn.blocks, turn.isText) }) as AnthropicMessage,
    ),
  };
}

/** What stands at the top of a request, and what in its list. */
function sorted(messages: Messages, placeOf: (index: number) => number, request: Request) {
  const { report } = request;
  const instructions: Turn[] = [];
  const said: Turn[] = [];
  messages.forEach((message, index) => {
    const turn = turnOf(message, `messages[${placeOf(index)}]`, request);
    const last = said.at(-1);
    if (turn.blocks.length === 0) report.lose(turn.path, 'emptied-message', 'dropped', 'nothing is left: left out');
    else if (turn.role === 'system' && last === undefined) instructions.push(turn);
    else if (!joins(last, turn, shapeOf(message).apart === true)) said.push(turn);
  });
  const turns = said.filter((turn, at) => {
    if (turn.role !== 'system' || (turn.staysInList === true && isTakenThere(said, at))) return true;
    report.lose(turn.path, 'system-place', 'moved', 'this wire has no system there');
    instructions.push(turn);
    return false;
  });
  return { instructions, turns };
}

function turnOf(message: Message, path: string, request: Request): Turn {
  const { role } = message;
  if (role === 'tool')
    return { role: 'user', blocks: [encodeAnswer(message, path, request)], path, hasOnlyAnswers: true };
  const { content, place } = shapeOf(message);
  const blocks = encodeSaid(message, path, request);
  if (role === 'user' || role === 'assistant') return { role, blocks, path, isText: content === 'text' };
  if (role === 'developer')
    request.report.lose(`${path}.role`, 'developer-role', 'degraded', 'this wire has no developer: system goes out');
  const staysInList = request.options.systemInMessages ?? place === 'messages';
  return { role: 'system', blocks, path, isText: content !== 'list', staysInList };
}

/**
 * Puts a turn into the last one, where it belongs there: all answers of a turn stand in one message ("each `tool_use`
 * block must have a corresponding `tool_result` block in the next message"), and what the user says joins them, and
 * what they said before, save where it was read apart.
 */
function joins(last: Turn | undefined, { role, blocks, hasOnlyAnswers = false }: Turn, isApart: boolean): boolean {
  if (role !== 'user' || last?.role !== 'user') return false;
  if (hasOnlyAnswers ? !last.hasOnlyAnswers : isApart) return false;
  for (const block of blocks) last.blocks.push(block);
  last.hasOnlyAnswers = hasOnlyAnswers;
  return true;
}

/** Blocks as the wire has them: a text where a single one is nothing but that, and it is to be one. */
function contentOf(blocks: readonly PlacedBlock[], isText = false): string | PlacedBlock['block'][] {
  const [{ block } = {}] = blocks;
  const isPlain = isText && blocks.length === 1 && block?.type === 'text' && Object.keys(block).length === 2;
  return isPlain ? block.text : blocks.map((one) => one.block);
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
  const type: string = turns[before]?.blocks.at(-1)?.block.type ?? '';
  return turns[behind]?.role !== 'user' && (turns[before]?.role === 'user' || type.endsWith('_tool_result'));
}
