import type { MessageStore } from './message-store.ts';
import type { Messages, MessagesInput } from './messages.ts';
import { Section } from './section.ts';

/** One section of a store by its name: asks about it, and gives new stores in which it is changed. The section need not exist yet. */
export class SectionOperator {
  readonly #store: MessageStore;
  readonly #name: string;

  constructor(store: MessageStore, name: string) {
    this.#store = store;
    this.#name = name;
  }

  /** The section's name. */
  name(): string {
    return this.#name;
  }

  /** Whether the store has this section. */
  exists(): boolean {
    return this.#store.sections.has(this.#name);
  }

  /** Whether no message of the section says anything; true when it does not exist. */
  isEmpty(): boolean {
    return this.get().isEmpty();
  }

  /** Whether some message of the section says something. */
  isNotEmpty(): boolean {
    return !this.isEmpty();
  }

  /** The section; an empty one, not in the store, when it does not exist. */
  get(): Section {
    return this.#store.sections.get(this.#name) ?? Section.empty(this.#name);
  }

  /** The section's messages. */
  messages(): Messages {
    return this.get().messages;
  }

  /** The store with messages at the end of the section, which is made if need be; itself when there is nothing to append. */
  appendMessages(messages: MessagesInput): MessageStore {
    const section = this.get();
    const next = section.appendMessages(messages);
    return next === section ? this.#store : this.#store.setSection(next);
  }

  /** The store with other messages in the section. */
  setMessages(messages: MessagesInput): MessageStore {
    return this.#store.setSection(this.get().withMessages(messages));
  }

  /** The store with another section in this one's place, and under its name. */
  setSection(section: Section): MessageStore {
    return this.#store.setSection(section.withName(this.#name));
  }

  /** The store without the section. */
  remove(): MessageStore {
    return this.#store.removeSection(this.#name);
  }

  /** The store with the section there and without messages. */
  clear(): MessageStore {
    return this.setMessages([]);
  }
}
