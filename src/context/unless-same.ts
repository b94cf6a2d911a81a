import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';

/** A list of these messages; the list before where they are the very same. */
export function unlessSame(before: Messages, after: readonly Message[]): Messages {
  if (after.length === before.size) {
    let at = 0;
    for (const message of before) if (message !== after[at++]) return Messages.owning(after);
    return before;
  }
  return Messages.owning(after);
}
