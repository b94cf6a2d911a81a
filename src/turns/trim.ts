import { reject } from '../errors.ts';
import type { Messages } from '../model/messages.ts';
import { exchangeAt, placeOfMessage, withoutExchange } from './find-exchange.ts';

/**
 * The last messages: `count`, or fewer where the first of them would be answers without their calls. Where nothing
 * would be left, the newest exchange is kept whole.
 *
 * @throws InvalidInputError when the count is no whole number from 0 on; Infinity is all
 */
export function keepLast(messages: Messages, count: number): Messages {
  if (!(count >= 0 && (Number.isInteger(count) || count === Number.POSITIVE_INFINITY)))
    reject('count', 'a whole number from 0 on', count);
  if (count === 0) return messages.slice(0, 0);
  let start = Math.max(messages.size - count, 0);
  while (start < messages.size && messages.at(start)?.isTool() === true) start++;
  if (start < messages.size) return messages.slice(start);
  while (start > 0 && messages.at(start - 1)?.isTool() === true) start--;
  return messages.slice(Math.max(start - 1, 0));
}

/** The list in two, cut at a place, or before the exchange around that place. */
export function splitAt(messages: Messages, index: number): readonly [Messages, Messages] {
  const place = Math.max(Math.min(Math.trunc(index), messages.size), 0);
  const { start } = exchangeAt(messages, place);
  return [messages.slice(0, start), messages.slice(start)];
}

/** Without the exchange that holds the message with this id; itself where there is none. */
export function dropExchange(messages: Messages, id: string): Messages {
  const index = placeOfMessage(messages, id);
  return index < 0 ? messages : withoutExchange(messages, exchangeAt(messages, index));
}
