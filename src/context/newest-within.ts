import type { Messages } from '../model/messages.ts';
import { exchangeAt } from '../turns/find-exchange.ts';
import type { TokenSums } from './token-sums.ts';

/** How many messages at the start of a list are instructions. */
export function leadOf(messages: Messages): number {
  let count = 0;
  while (messages.at(count)?.isSystem() === true) count++;
  return count;
}

/** Where the newest exchange of a list begins, behind `lead` messages: there must be some. */
export function newestOf(messages: Messages, lead: number): number {
  return Math.max(exchangeAt(messages, messages.size - 1).start, lead);
}

/** The next place that does not begin with answers, whose calls are left out; no further than `end`. */
export function pastAnswers(messages: Messages, start: number, end: number): number {
  let at = start;
  while (at < end && messages.at(at)?.isTool() === true) at++;
  return at;
}

/** The next place at which the user speaks; undefined where none is before the end. */
export function nextOfUser(messages: Messages, start: number): number | undefined {
  let at = start;
  while (at < messages.size && messages.at(at)?.isUser() !== true) at++;
  return at < messages.size ? at : undefined;
}

/** The last place before another at which the user speaks; -1 where there is none. */
export function lastOfUser(messages: Messages, end: number): number {
  let at = end - 1;
  while (at >= 0 && messages.at(at)?.isUser() !== true) at--;
  return at;
}

/**
 * Where the newest exchanges begin that, with the `lead` messages at the start, are within a number of tokens. The
 * newest one always is; `lead` where all are.
 */
export function newestWithin(messages: Messages, lead: number, tokens: number, sums: TokenSums): number {
  const room = tokens - sums.total(messages.slice(0, lead));
  const { start } = sums.walk(messages, lead, room);
  return start === lead ? lead : Math.min(pastAnswers(messages, start, messages.size), newestOf(messages, lead));
}
