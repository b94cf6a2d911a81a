import type { MessageStore } from '../model/message-store.ts';
import { Sections } from '../model/sections.ts';

/**
 * Puts a section at a place among the sections, counted from the end when negative; nothing when there is no
 * such section.
 *
 * @example
 * const store = MessageStore.fromSections(Section.of('chat', 'Hi'), Section.of('system', 'Be brief.'));
 * store.pipe(moveSection('system', 0)).sections.names() // => ['system', 'chat']
 */
export function moveSection(name: string, to: number): (store: MessageStore) => MessageStore {
  return (store) => {
    const section = store.sections.get(name);
    if (section === undefined) return store;
    const others = [...store.sections.remove((other) => other === section)];
    const place = to < 0 ? others.length + 1 + to : to;
    return store.withSections(Sections.of(...others.toSpliced(place, 0, section)));
  };
}
