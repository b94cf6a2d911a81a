import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Section } from '../model/section.ts';

/** Tells a message's section to what edits it. */
export type MessageEdit = (message: Message, section: Section) => Message | undefined;

/**
 * Edits each message of a store; undefined takes it out. Sections in which nothing changes stay as they are.
 *
 * @example
 * const store = MessageStore.fromMessages(['Hi', 'my key is sk-123'], 'chat');
 * const hidden = (m: Message) => m.withContent(m.toString().replace(/sk-\w+/, 'sk-…'));
 * store.pipe(mapMessages(hidden)).toMessages().map(String) // => ['Hi', 'my key is sk-…']
 */
export function mapMessages(edit: MessageEdit): (store: MessageStore) => MessageStore {
  return (store) => store.sections.reduce((result, section) => result.setSection(editSection(section, edit)), store);
}

function editSection(section: Section, edit: MessageEdit): Section {
  const edited = section.messages.map((message) => edit(message, section));
  return section.withMessages(edited.filter((message) => message !== undefined));
}
