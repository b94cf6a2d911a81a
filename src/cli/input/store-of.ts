import { InvalidInputError } from '../../errors.ts';
import type { Loss } from '../../formats/format.ts';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import type { Message } from '../../model/message.ts';
import { MessageStore } from '../../model/message-store.ts';
import type { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';

/** A store, and what was changed to read it. */
export interface Read {
  readonly store: MessageStore;
  readonly changes: readonly Loss[];
}

/**
 * A request body, a response or a list of messages of OpenAI Chat as a store: the instructions that lead it are the
 * section `system`, the rest is `messages`, what else the body says (model, tools …) are parameters.
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function storeOfConversation(value: unknown): Read {
  const { messages, report } = openaiChat.decode(value);
  const { messages: _read, choices: _choices, ...parameters } = isRecord(value) ? value : {};
  return {
    store: storeOfMessages(messages).parameters().mergeParameters(parameters),
    changes: [...report.losses, ...report.repairs],
  };
}

/**
 * One message of OpenAI Chat.
 *
 * @throws InvalidInputError naming the path inside the message
 */
export function readMessage(value: unknown): { readonly message: Message; readonly changes: readonly Loss[] } {
  try {
    const { messages, report } = openaiChat.decode([value]);
    const changes = [...report.losses, ...report.repairs].map((change) => ({ ...change, path: inside(change.path) }));
    return { message: messages.first() as Message, changes };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidInputError({ path: inside(error.path), expected: error.expected, value: error.value });
  }
}

/** The path inside the one message of a list. */
function inside(path: string): string {
  return path.replace(/^(?:messages)?\[0\]\.?/, '');
}

/** A history in two sections: the instructions that lead it, and the rest. */
export function storeOfMessages(messages: Messages): MessageStore {
  const instructions = messages.headWithRoles(['system', 'developer']);
  const store = MessageStore.fromMessages(messages.tailAfterRoles(['system', 'developer']), 'messages');
  return instructions.size === 0 ? store : MessageStore.fromMessages(instructions, 'system').merge(store);
}
