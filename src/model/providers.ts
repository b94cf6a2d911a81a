import type { Message } from './message.ts';
import type { Messages } from './messages.ts';
import type { MessageStore } from './message-store.ts';

/** Something of the caller's that can be read as a message. */
export interface CanProvideMessage {
  /** The message. */
  toMessage(): Message;
}

/** Something of the caller's that can be read as messages. */
export interface CanProvideMessages {
  /** The messages. */
  toMessages(): Messages;
}

/** Turns messages with variables in them into messages to be sent. */
export interface CanRenderMessages {
  /** The messages with the parameters filled in. */
  renderMessages(messages: Messages, parameters: Readonly<Record<string, unknown>>): Messages;
}

/** Where whole stores are kept. */
export interface CanStoreMessages {
  /** The store of a session. */
  load(sessionId: string): Promise<MessageStore>;
  /** Replaces the session by exactly this store. */
  save(sessionId: string, store: MessageStore): Promise<unknown>;
}

/** Whether a value provides a message. */
export function providesMessage(value: unknown): value is CanProvideMessage {
  return typeof value === 'object' && value !== null && 'toMessage' in value && typeof value.toMessage === 'function';
}

/** Whether a value provides messages. */
export function providesMessages(value: unknown): value is CanProvideMessages {
  return typeof value === 'object' && value !== null && 'toMessages' in value && typeof value.toMessages === 'function';
}
