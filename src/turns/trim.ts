import { exchangesOf } from '../model/exchange.ts';
import type { Messages } from '../model/messages.ts';

/**
 * The last messages: `count`, or fewer where the first of them would be answers without their calls. Where nothing
 * would be left, the newest exchange is kept whole.
 */
export function keepLast(messages: Messages, count: number): Messages {
  if (count <= 0) return messages.slice(0, 0);
  let start = Math.max(messages.size - Math.trunc(count), 0);
  while (start < messages.size && messages.at(start)?.isTool() === true) start++;
  if (start < messages.size) return messages.slice(start);
  while (start > 0 && messages.at(start - 1)?.isTool() === true) start--;
  return messages.slice(Math.max(start - 1, 0));
}

/** The list in two, cut at a place, or before the exchange around that place. */
export function splitAt(messages: Messages, index: number): readonly [Messages, Messages] {
  let start = Math.max(Math.min(Math.trunc(index), messages.size), 0);
  for (const exchange of exchangesOf(messages)) {
    if (exchange.start > start) break;
    if (start < exchange.start + exchange.messages.length) start = exchange.start;
  }
  return [messages.slice(0, start), messages.slice(start)];
}

/** Without the exchange that holds the message with this id; itself where there is none. */
export function dropExchange(messages: Messages, id: string): Messages {
  for (const { start, messages: own } of exchangesOf(messages)) {
    if (own.some((message) => message.id === id))
      return messages.slice(0, start).appendMessages(messages.slice(start + own.length));
  }
  return messages;
}
