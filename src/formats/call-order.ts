import type { Messages } from '../model/messages.ts';
import { repair } from '../turns/repair.ts';
import type { Repair } from './format.ts';
import { asRepair, requireValid } from './prepare.ts';

/**
 * Messages that were read strictly, whose calls and answers belong together: the answers in the order of their calls.
 *
 * @throws InvalidInputError with the code of the first violation
 */
export function inCallOrder(messages: Messages, repairs: Repair[], pathOf: (at: number) => string): Messages {
  requireValid(messages, pathOf);
  const repaired = repair(messages);
  for (const change of repaired.changes) repairs.push({ ...asRepair(change), path: pathOf(change.at) });
  return repaired.messages;
}
