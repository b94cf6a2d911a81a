import { reject } from '../errors.ts';
import type { Messages } from '../model/messages.ts';
import { repair } from '../turns/repair.ts';
import { validate } from '../turns/validate.ts';
import type { Repair } from './format.ts';
import { asRepair } from './prepare.ts';

/**
 * Messages that were read strictly, whose calls and answers belong together: the answers in the order of their calls.
 *
 * @throws InvalidInputError with the code of the first violation
 */
export function inCallOrder(messages: Messages, repairs: Repair[], pathOf: (at: number) => string): Messages {
  const [violation] = validate(messages);
  if (violation !== undefined) {
    const { code, at, id, message } = violation;
    reject(pathOf(at), `a history that providers take: ${message}`, id, code);
  }
  const repaired = repair(messages);
  for (const change of repaired.changes) repairs.push({ ...asRepair(change), path: pathOf(change.at) });
  return repaired.messages;
}
