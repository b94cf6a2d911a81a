import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import { headOf } from './read-nodes.ts';
import { opsOfStore } from './save-ops.ts';
import type { SessionStorage } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { StoreMessagesResult } from './store-messages-result.ts';
import { write, type WriteOptions } from './write-options.ts';

const ATTEMPTS = 10;
const CHUNK = 1000;

/** How a store is saved. */
export interface StoreWrite extends WriteOptions {
  /** Whether the store was loaded: then it has what was growing, or that is to go. */
  readonly isLoaded: boolean;
}

/**
 * Makes a session be exactly this store, as one commit.
 *
 * @throws StorageError `NOT_FOUND`, `CONFLICT` when the session is not at the version that is expected, `ID_CONFLICT`, `TOO_LARGE`
 */
export async function saveStore(
  storage: SessionStorage,
  id: string,
  store: MessageStore,
  options: StoreWrite,
): Promise<StoreMessagesResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await saveOnce(storage, id, store, options);
    } catch (error) {
      const isRace = error instanceof StorageError && error.code === 'CONFLICT' && options.expectVersion === undefined;
      if (!isRace || attempt === ATTEMPTS) throw error;
    }
  }
}

async function saveOnce(
  storage: SessionStorage,
  id: string,
  store: MessageStore,
  { isLoaded, ...options }: StoreWrite,
) {
  const startedAt = new Date();
  const { version, leaf } = await headOf(storage, id);
  const ids = [...idsOf(store)];
  const parents = await parentsOf(storage, id, ids);
  const extras = await storage.extras(id);
  const ops = opsOfStore(store, { parents, leaf, extras: isLoaded ? { ...extras, drafts: [] } : extras });
  await write(storage, id, ops, { expectVersion: version, ...options });
  const counts = [store.sections.size, ids.length, ids.length - parents.size] as const;
  return StoreMessagesResult.success(id, startedAt, new Date(), ...counts);
}

/** The ids of all messages of a store. */
export function idsOf(store: MessageStore): Set<string> {
  const ids = new Set<string>();
  for (const message of messagesIn(store)) ids.add(message.id);
  return ids;
}

/** All messages of a store, blank ones too. */
export function* messagesIn(store: MessageStore): Generator<Message, void, undefined> {
  for (const section of store.sections) yield* section;
}

async function parentsOf(storage: SessionStorage, id: string, ids: readonly string[]) {
  const parents = new Map<string, string | null>();
  for (let at = 0; at < ids.length; at += CHUNK) {
    const nodes = await storage.nodes(id, ids.slice(at, at + CHUNK));
    for (const node of nodes) if (node) parents.set(node.id, node.parentId);
  }
  return parents;
}
