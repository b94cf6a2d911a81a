import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import { matchAnswers } from './match.ts';
import { repair } from './repair.ts';
import { withResultKeys } from './result-keys.ts';

/**
 * Messages in which {@link validate} finds nothing, as the guarded operations keep them: answers in the order of their
 * calls, each with the name of its tool. Themselves where they are so already.
 */
export function settled(messages: Messages): Messages {
  return withToolNames(repair(messages).messages);
}

function withToolNames(messages: Messages): Messages {
  const names = new Map<number, string>();
  for (const { calls } of matchAnswers(messages).turns) {
    for (const { call, answer } of calls) {
      if (answer === undefined || messages.at(answer)?.toolResult?.toolName !== undefined) continue;
      names.set(answer, call.name);
    }
  }
  return names.size === 0 ? messages : Messages.owning(messages.map((message, at) => named(message, names.get(at))));
}

function named(message: Message, name: string | undefined): Message {
  return name === undefined ? message : withResultKeys(message, { tool_name: name });
}
