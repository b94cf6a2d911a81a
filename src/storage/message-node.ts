import { Message } from '../model/message.ts';
import type { JsonObject } from '../schema/json.ts';
import { isMessageJSON } from '../schema/message.ts';
import type { NodeRecord, StoredNode } from './storage.ts';
import { StorageError } from './storage-error.ts';

/** The type of a node that holds a message. */
export const MESSAGE = 'message';

/** What happens to a stored message that cannot be read: it is told, and the reading goes on without it. */
export type OnDamaged = (error: StorageError) => void;

/** A message as a node: its parent is the node's. */
export function nodeOf(message: Message, section: string, parentId: string | null | undefined): NodeRecord {
  const { parentId: _, ...data } = message.toJSON();
  return {
    id: message.id,
    ...(parentId !== undefined && { parentId }),
    section,
    type: MESSAGE,
    at: message.timestamp,
    data: data as unknown as JsonObject,
  };
}

/**
 * The messages of nodes; those of other types are left out.
 *
 * @throws StorageError `DAMAGED` when one cannot be read and nobody wants to be told
 */
export function messagesOf(nodes: readonly StoredNode[], onDamaged?: OnDamaged): Message[] {
  const messages: Message[] = [];
  for (const node of nodes) {
    const message = node.type === MESSAGE ? messageOf(node, onDamaged) : undefined;
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/** The message of a node; undefined where it cannot be read, which is told. */
export function messageOf({ id, parentId, data }: StoredNode, onDamaged?: OnDamaged): Message | undefined {
  const json = { ...(data as JsonObject), id, ...(parentId !== null && { parentId }) };
  if (isMessageJSON(json)) return Message.owning(json);
  const error = new StorageError(
    'DAMAGED',
    `node ${JSON.stringify(id)}: expected a message, got something else. Give onDamaged to read on without it.`,
    { path: id, value: data },
  );
  if (onDamaged === undefined) throw error;
  onDamaged(error);
  return undefined;
}

/** A message that was growing when it was last written, marked as incomplete: its calls must not be executed. */
export function messageOfDraft({ id, parentId, data }: NodeRecord): Message | undefined {
  const json = {
    incomplete: { reason: 'interrupted' },
    ...(data as JsonObject),
    id,
    ...(typeof parentId === 'string' && { parentId }),
  };
  return isMessageJSON(json) ? Message.owning(json) : undefined;
}
