import { opensTurn } from '../model/exchange.ts';
import type { Messages } from '../model/messages.ts';
import { lastTurn, type LastTurn } from './open-turn.ts';
import { repair } from './repair.ts';

/**
 * The list with the turn at its end as `repair` leaves it: each call with a name, and an id that no other of the turn
 * has, its answers bound to it. Nothing before it is touched.
 */
export function withDistinctIds(messages: Messages, { index }: Pick<LastTurn, 'index'>): Messages {
  const before = messages.slice(0, index);
  // The other turns are there to be counted.
  const repaired = repair(before.filter(opensTurn).appendMessages(messages.slice(index))).messages;
  return before.appendMessages(repaired.slice((lastTurn(repaired) as LastTurn).index));
}
