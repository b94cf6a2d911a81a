import type { MessageStore } from '../model/message-store.ts';
import type { SectionPolicy } from '../schema/section.ts';

/**
 * Says how a section is treated when a prompt is assembled, instead of what was said before; undefined takes that away.
 * The section is made if need be.
 *
 * @example
 * const store = MessageStore.fromMessages('Hi', 'chat').pipe(setPolicy('chat', { budget: '50%', cache: true }));
 * store.section('chat').get().policy // => { budget: '50%', cache: true }
 */
export function setPolicy(name: string, policy: SectionPolicy | undefined): (store: MessageStore) => MessageStore {
  return (store) => {
    const section = store.section(name).get().withPolicy(policy);
    return section === store.sections.get(name) ? store : store.setSection(section);
  };
}
