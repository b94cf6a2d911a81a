import { openaiChat } from '../../formats/openai-chat/index.ts';
import { MessageStore } from '../../model/message-store.ts';
import type { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import { promptStore } from './prompt-store.ts';

/**
 * A parsed value as a store: a store document or a prompt file (`sections`), OpenAI chat (`messages`, or a list).
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function storeOf(value: unknown): MessageStore {
  if (Array.isArray(value)) return historyStore(openaiChat.decode(value).messages);
  if (isRecord(value) && Array.isArray(value['messages'])) return historyStore(openaiChat.decode(value).messages);
  if (isRecord(value) && (Array.isArray(value['sections']) || 'version' in value)) return MessageStore.from(value);
  return promptStore(value);
}

/** A history in two sections: the instructions that lead it, and the rest. */
function historyStore(messages: Messages): MessageStore {
  const instructions = messages.headWithRoles(['system', 'developer']);
  const store = MessageStore.fromMessages(messages.tailAfterRoles(['system', 'developer']), 'messages');
  return instructions.size === 0 ? store : MessageStore.fromMessages(instructions, 'system').merge(store);
}
