import type { Message } from '../model/message.ts';
import { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import { Section } from '../model/section.ts';
import { Sections } from '../model/sections.ts';
import type { JsonObject } from '../schema/json.ts';
import { headOf, pathAll, scanAll } from './read-nodes.ts';
import { sectionsOfPath } from './path-sections.ts';
import { messageOfDraft, messagesOf, type OnDamaged } from './message-node.ts';
import type { SessionExtras, SessionHead, SessionStorage, StoredNode } from './storage.ts';
import { StorageError } from './storage-error.ts';

/** The entry of a session's metadata that holds the unknown fields of its store. */
export const STORE_FIELDS = 'storeFields';
const ATTEMPTS = 10;

/** How much of a session is loaded. */
export interface LoadOptions {
  /** Only the path to the leaf; default: everything, all branches. */
  readonly pathOnly?: boolean;
  /** How many of the path's newest messages; asks for `pathOnly`. */
  readonly limit?: number;
  /** Told of stored messages that cannot be read, which are left out; without it they are an error. */
  readonly onDamaged?: OnDamaged;
}

/** A session as it was at one moment. */
export interface LoadedStore {
  readonly store: MessageStore;
  readonly head: SessionHead;
}

/**
 * A session as a store. What others write meanwhile is in it wholly or not at all.
 *
 * @throws StorageError `NOT_FOUND`, `DAMAGED`, `BUSY` when others never stop writing
 */
export async function loadStore(storage: SessionStorage, id: string, options: LoadOptions = {}): Promise<LoadedStore> {
  const { pathOnly = options.limit !== undefined } = options;
  for (let attempt = 1; ; attempt++) {
    const head = await headOf(storage, id);
    const [loaded, error] = await readOnce(storage, head, { ...options, pathOnly });
    const now = await storage.head(id);
    const isSame = now?.version === head.version && now.epoch === head.epoch;
    if (isSame && loaded === undefined) throw error;
    if (isSame && loaded !== undefined) return { store: loaded, head };
    if (attempt < ATTEMPTS) continue;
    const sentence = 'others wrote all the time while it was read. Try again, or load only the path.';
    throw new StorageError('BUSY', `session ${JSON.stringify(id)}: ${sentence}`, { path: id });
  }
}

/** The store, or the error of what may have gone while it was read. */
async function readOnce(
  storage: SessionStorage,
  head: SessionHead,
  options: LoadOptions,
): Promise<readonly [MessageStore | undefined, unknown]> {
  try {
    const extras = await storage.extras(head.id);
    return [storeOf(head, extras, await read(storage, head, extras, options), options), undefined];
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND') return [undefined, error];
    throw error;
  }
}

/** What stands in each section. */
type NodesBySection = ReadonlyMap<string, readonly StoredNode[]>;

async function read(
  storage: SessionStorage,
  head: SessionHead,
  { sections }: SessionExtras,
  { limit, pathOnly }: LoadOptions,
): Promise<NodesBySection> {
  const { id, leaf, seq } = head;
  if (pathOnly === true) {
    const { items } = await pathAll(storage, id, { to: leaf, ...(limit !== undefined && { limit }) });
    return sectionsOfPath(storage, head, items, sections);
  }
  const found = new Map<string, readonly StoredNode[]>();
  for (const { name } of sections) found.set(name, await scanAll(storage, id, { section: name, before: seq + 1 }));
  return found;
}

function storeOf(head: SessionHead, extras: SessionExtras, nodes: NodesBySection, options: LoadOptions): MessageStore {
  const drafts = draftsBySection(extras, options.pathOnly === true ? head.leaf : undefined);
  const sections = extras.sections.map(({ name, policy, extra }) => {
    const messages = messagesOf(nodes.get(name) ?? [], options.onDamaged);
    messages.push(...(drafts.get(name) ?? []));
    return Section.from({ ...extra, name, messages: Messages.owning(messages), policy });
  });
  const known = new Set(extras.sections.map(({ name }) => name));
  const begun = [...drafts].filter(([name]) => !known.has(name)).map(([name, messages]) => Section.of(name, messages));
  const fields = (head.meta[STORE_FIELDS] ?? {}) as JsonObject;
  // A field that says nothing makes them an object of their own, by which the store is known again.
  const own = { loaded: undefined, ...fields };
  return MessageStore.from({ ...own, sections: Sections.of(...sections, ...begun), parameters: extras.params });
}

/** Drafts stand at the end of their sections; on a path only those that hang below its end. */
function draftsBySection({ drafts }: SessionExtras, leaf: string | null | undefined): Map<string, Message[]> {
  const bySection = new Map<string, Message[]>();
  for (const draft of drafts) {
    const message =
      leaf === undefined || draft.parentId === undefined || draft.parentId === leaf ? messageOfDraft(draft) : undefined;
    if (message !== undefined) bySection.set(draft.section, [...(bySection.get(draft.section) ?? []), message]);
  }
  return bySection;
}
