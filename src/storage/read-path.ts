import { exchangesOf, opensTurn } from '../model/exchange.ts';
import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import { messagesOf, type OnDamaged } from './message-node.ts';
import { pathAll } from './read-nodes.ts';
import type { SessionStorage } from './storage.ts';

/** Which part of a path. */
export interface PathOptions {
  /** Its end; default: the leaf. */
  readonly to?: string | null;
  /** How many of the newest messages. */
  readonly limit?: number;
  /** Only what stands in this section. */
  readonly section?: string;
  /** Whole exchanges only: answers whose call is behind the limit are left out. */
  readonly whole?: boolean;
  /** Told of stored messages that cannot be read, which are left out; without it they are an error. */
  readonly onDamaged?: OnDamaged;
}

/** The messages of a path, the oldest first. */
export interface MessagePath {
  readonly messages: Messages;
  /** Whether there is more of the path above. */
  readonly truncated: boolean;
  /** Whether its last turn waits for answers to tool calls. */
  readonly isOpen: boolean;
}

/**
 * A path of a session.
 *
 * @throws StorageError
 */
export async function readPath(storage: SessionStorage, id: string, options: PathOptions = {}): Promise<MessagePath> {
  const { to, limit, section, whole = false, onDamaged } = options;
  if (limit === 0) return { messages: Messages.empty(), truncated: true, isOpen: false };
  const query = {
    ...(to !== undefined && { to }),
    ...(limit !== undefined && { limit }),
    ...(section !== undefined && { section }),
  };
  const { items, truncated } = await pathAll(storage, id, query);
  const found = messagesOf(items, onDamaged);
  const kept = whole && truncated ? withoutStrayAnswers(found) : found;
  return { messages: Messages.owning(kept), truncated: truncated || kept.length < found.length, isOpen: isOpen(kept) };
}

/** Without the answers at the beginning, whose call is not there. */
export function withoutStrayAnswers(messages: readonly Message[]): Message[] {
  const first = messages.findIndex((message) => !message.isTool());
  return first < 0 ? [] : messages.slice(first);
}

/** Whether the last exchange has calls that are not answered. */
function isOpen(messages: readonly Message[]): boolean {
  const start = messages.findLastIndex((message) => !message.isTool());
  const [last] = exchangesOf(messages.slice(Math.max(start, 0)));
  if (last === undefined || !opensTurn(last.messages[0])) return false;
  const [asking, ...answers] = last.messages;
  const answered = new Set(answers.map(({ toolResult }) => toolResult?.callId));
  return Array.from(asking.toolCalls).some(({ id }) => !answered.has(id));
}
