import type { MessageStore } from '../model/message-store.ts';
import { Sections } from '../model/sections.ts';

/**
 * Gives a section another name and leaves it in its place; nothing when there is no such section.
 *
 * @throws MessageStoreError `duplicate_section` when the new name is taken
 * @example
 * MessageStore.fromMessages('Hi', 'chat').pipe(renameSection('chat', 'history')).sections.names() // => ['history']
 */
export function renameSection(from: string, to: string): (store: MessageStore) => MessageStore {
  return (store) => {
    if (from === to || !store.sections.has(from)) return store;
    const renamed = store.sections.map((section) => (section.name === from ? section.withName(to) : section));
    return store.withSections(Sections.of(...renamed));
  };
}
