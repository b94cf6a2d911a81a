import { opensTurn } from '../model/exchange.ts';
import type { Messages } from '../model/messages.ts';

/** Where an exchange stands in a list. */
export interface Span {
  readonly start: number;
  readonly size: number;
}

/** The exchange around a place in the list. Costs its length. */
export function exchangeAt(messages: Messages, index: number): Span {
  let start = index;
  while (start > 0 && isAnswerAt(messages, start)) start--;
  const first = messages.at(start);
  if (first === undefined || !opensTurn(first)) return { start: index, size: 1 };
  let end = start + 1;
  while (isAnswerAt(messages, end)) end++;
  return { start, size: end - start };
}

function isAnswerAt(messages: Messages, index: number): boolean {
  return messages.at(index)?.isTool() === true;
}

/** Where the message with this id stands, the last one first; -1 where there is none. */
export function placeOfMessage(messages: Messages, id: string): number {
  let index = messages.size - 1;
  while (index >= 0 && messages.at(index)?.id !== id) index--;
  return index;
}

/** The places of the messages with calls: that of the turn number 1 first. */
export function placesOfTurns(messages: Messages): number[] {
  const places: number[] = [];
  messages.forEach((message, at) => {
    if (opensTurn(message)) places.push(at);
  });
  return places;
}

/** Without an exchange. */
export function withoutExchange(messages: Messages, { start, size }: Span): Messages {
  return messages.slice(0, start).appendMessages(messages.slice(start + size));
}
