import type { Message } from '../model/message.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import { answeredId, callId } from './call-id.ts';
import { isNamed, spokenName } from './call-name.ts';
import { type Matches, matchAnswers, type Turn } from './match.ts';

/** What is wrong with a history, as a stable word. */
export type ViolationCode =
  | 'tool_calls_on_role'
  | 'tool_call_id_on_role'
  | 'missing_tool_call_id'
  | 'duplicate_tool_call_id'
  | 'empty_tool_name'
  | 'missing_tool_answer'
  | 'orphan_tool_answer'
  | 'duplicate_tool_answer'
  | 'interleaved_message';

/** One thing that providers would refuse. */
export interface Violation {
  readonly code: ViolationCode;
  /** The place of the message. */
  readonly at: number;
  /** The id of the tool call that it is about. */
  readonly id?: string;
  /** The same for people. */
  readonly message: string;
}

/** How strict the check is. */
export interface ValidateOptions {
  /** Whether the calls of the very last turn may still be unanswered, since their tools are running. Default: they may. */
  readonly allowOpenTail?: boolean;
}

/**
 * What providers would refuse in a history, in its order; an empty list where nothing is. Linear.
 *
 * @example
 * import { validate } from 'message-store';
 * validate([{ role: 'tool', tool_call_id: 'c1', content: '12 °C' }]).map(({ code, at }) => [code, at]) // => [['orphan_tool_answer', 0]]
 */
export function validate(input: MessagesInput, { allowOpenTail = true }: ValidateOptions = {}): Violation[] {
  const messages = Messages.from(input);
  const found: Violation[] = [];
  messages.forEach((message, at) => checkMessage(message, at, found));
  const matches = matchAnswers(messages);
  for (const turn of matches.turns) checkTurn(turn, allowOpenTail && turn === matches.last, found);
  checkAnswers(messages, matches, found);
  return found.toSorted((a, b) => a.at - b.at);
}

function checkMessage(message: Message, at: number, found: Violation[]): void {
  const { role, toolCalls, toolResult } = message;
  const who = role === 'assistant' ? 'an assistant message' : `a ${role} message`;
  if (toolCalls.size > 0 && role !== 'assistant')
    found.push({ code: 'tool_calls_on_role', at, message: `${who} carries tool calls: only an assistant may` });
  if (role === 'tool' && answeredId(message) === '')
    found.push({ code: 'missing_tool_call_id', at, message: `${who} does not say which call it answers` });
  if (role !== 'tool' && toolResult !== undefined)
    found.push({
      code: 'tool_call_id_on_role',
      at,
      message: `${who} carries a tool result: only a tool message may`,
    });
}

function checkTurn({ index: at, calls }: Turn, isOpen: boolean, found: Violation[]): void {
  const ids = new Set<string>();
  for (const { call, answer } of calls) {
    const id = callId(call);
    const name = spokenName(call);
    const about = { at, ...(id !== '' && { id }) };
    if (!isNamed(call)) found.push({ code: 'empty_tool_name', ...about, message: 'a tool call has no name' });
    if (id === '') found.push({ code: 'missing_tool_call_id', ...about, message: `the call of ${name} has no id` });
    else if (ids.has(id))
      found.push({ code: 'duplicate_tool_call_id', ...about, message: `two calls of one turn have the id "${id}"` });
    ids.add(id);
    if (answer === undefined && !isOpen)
      found.push({
        code: 'missing_tool_answer',
        ...about,
        message: `the call of ${name} has no answer behind it`,
      });
  }
}

function checkAnswers(messages: Messages, { turns, strays, displaced }: Matches, found: Violation[]): void {
  for (const [at, why] of strays) {
    const id = answeredId(messages.at(at) as Message);
    if (id === '') continue;
    found.push(
      why === 'orphan'
        ? { code: 'orphan_tool_answer', at, id, message: `there is no call "${id}" that this could answer` }
        : { code: 'duplicate_tool_answer', at, id, message: `the call "${id}" is answered already` },
    );
  }
  for (const turn of turns) {
    for (const { call, answer } of turn.calls) {
      if (answer === undefined || !displaced.has(answer)) continue;
      const id = callId(call);
      const about = id !== '' && { id };
      found.push({
        code: 'missing_tool_answer',
        at: turn.index,
        ...about,
        message: `the call of ${spokenName(call)} has its answer in message ${answer}, not right behind it`,
      });
      found.push({
        code: 'interleaved_message',
        at: answer,
        ...about,
        message: `the answer to "${id}" does not stand right behind its call in message ${turn.index}`,
      });
    }
  }
}
