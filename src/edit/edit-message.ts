import { MessageStoreError } from '../errors.ts';
import type { Message, MessageInput } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Messages, MessagesInput } from '../model/messages.ts';

/** Edits the messages of the section that holds a message. */
function inItsSection(id: string, edit: (messages: Messages) => Messages): (store: MessageStore) => MessageStore {
  return (store) => {
    const section = [...store.sections].find(({ messages }) => messages.hasId(id));
    if (section !== undefined) return store.setSection(section.withMessages(edit(section.messages)));
    throw new MessageStoreError(
      'missing_message',
      `there is no message with the id ${JSON.stringify(id)} in the sections ${store.sections
        .names()
        .map((name) => JSON.stringify(name))
        .join(', ')}`,
      { value: id },
    );
  };
}

/**
 * Puts another message in the place of the one with this id, in whatever section it is.
 *
 * @throws MessageStoreError `missing_message`
 */
export function replaceMessage(
  id: string,
  message: MessageInput | ((message: Message) => Message),
): (store: MessageStore) => MessageStore {
  return inItsSection(id, (messages) =>
    messages.replaceById(id, typeof message === 'function' ? message(messages.getById(id) as Message) : message),
  );
}

/**
 * Takes the message with this id out of the section that holds it.
 *
 * @throws MessageStoreError `missing_message`
 */
export function removeMessage(id: string): (store: MessageStore) => MessageStore {
  return inItsSection(id, (messages) => messages.removeById(id));
}

/**
 * Puts messages after the one with this id, in the section that holds it.
 *
 * @throws MessageStoreError `missing_message`
 */
export function insertAfter(id: string, added: MessagesInput): (store: MessageStore) => MessageStore {
  return inItsSection(id, (messages) => messages.insertAfter(id, added));
}
