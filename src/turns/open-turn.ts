import { opensTurn } from '../model/exchange.ts';
import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { callId } from './call-id.ts';
import { matchAnswers, type Turn } from './match.ts';

/** The tool turn at the very end of a list, and which of its calls are answered. */
export interface LastTurn {
  /** The place of the assistant message. */
  readonly index: number;
  readonly message: Message;
  /** The place of the answer to each call, in call order. */
  readonly answers: readonly (number | undefined)[];
}

/** The turn that nothing but answers follows; undefined where the list ends otherwise. Costs the number of answers. */
export function lastTurn(messages: Messages): LastTurn | undefined {
  let index = messages.size - 1;
  while (index >= 0 && messages.at(index)?.isTool() === true) index--;
  const message = index < 0 ? undefined : messages.at(index);
  if (message === undefined || !opensTurn(message)) return undefined;
  const { calls } = matchAnswers(messages.slice(index)).last as Turn;
  return { index, message, answers: calls.map(({ answer }) => (answer === undefined ? undefined : index + answer)) };
}

/** The calls of a turn that have no answer, in call order. */
export function unanswered({ message, answers }: LastTurn): ToolCall[] {
  return [...message.toolCalls].filter((_, place) => answers[place] === undefined);
}

/** The places of the unanswered calls by their id, the first one last; an empty list where all are answered. */
export function waitingPlaces({ message, answers }: LastTurn): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let place = answers.length - 1; place >= 0; place--) {
    const id = callId(message.toolCalls.at(place) as ToolCall);
    const same = places.get(id) ?? [];
    if (answers[place] === undefined) same.push(place);
    places.set(id, same);
  }
  return places;
}

/**
 * The list with one answer or more to its last turn, by the place of their call: each before the answers to later
 * calls. Costs the messages from the first of them on.
 */
export function withAnswers(messages: Messages, turn: LastTurn, given: readonly (Message | undefined)[]): Messages {
  const bounds = boundsOf(turn, messages.size);
  const start = bounds[given.findIndex((answer) => answer !== undefined)] as number;
  const tail: Message[] = [];
  let at = start;
  const copyUpTo = (end: number): void => {
    for (; at < end; at++) tail.push(messages.at(at) as Message);
  };
  given.forEach((answer, place) => {
    if (answer === undefined) return;
    copyUpTo(bounds[place] as number);
    tail.push(answer);
  });
  copyUpTo(messages.size);
  return messages.slice(0, start).appendMessages(Messages.owning(tail));
}

/** Before which place the answer to each call has to stand: that of the first answer to a later call. */
function boundsOf({ answers }: LastTurn, end: number): number[] {
  const bounds: number[] = [];
  let bound = end;
  for (let place = answers.length - 1; place >= 0; place--) {
    bound = Math.min(bound, answers[place] ?? end);
    bounds[place] = bound;
  }
  return bounds;
}
