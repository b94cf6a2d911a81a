import { reject } from '../../errors.ts';
import type { Messages } from '../../model/messages.ts';
import { repair } from '../../turns/repair.ts';
import { validate } from '../../turns/validate.ts';
import type { Repair } from '../format.ts';
import { asRepair } from '../prepare.ts';

/**
 * Messages that a strict server would take, the answers in the order of their calls.
 *
 * @throws InvalidInputError with a code for each rule, and the place of the message among those that were read
 */
export function strictly(messages: Messages, repairs: Repair[]): Messages {
  const [violation] = validate(messages);
  if (violation !== undefined) {
    const { code, at, id, message } = violation;
    reject(`messages[${at}]`, `a history that providers take: ${message}`, id, code);
  }
  const repaired = repair(messages);
  repairs.push(...repaired.changes.map(asRepair));
  return repaired.messages;
}
