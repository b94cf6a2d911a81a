import type { MessageId } from '../model/ids.ts';
import { Messages } from '../model/messages.ts';
import { messagesOf } from './message-node.ts';
import { headOf, nodeAt, pathAll, scanAll } from './read-nodes.ts';
import type { Op, SessionStorage, StoredNode } from './storage.ts';

/** One branch of a session: a message that none hangs below. */
export interface Branch {
  readonly leaf: MessageId;
  readonly label: string | undefined;
  /** When its last message was made: ISO 8601. */
  readonly at: string;
  /** How many messages it has from the root. */
  readonly length: number;
  /** Whether it ends in the leaf of the session. */
  readonly isActive: boolean;
}

/** Two paths of one session beside each other. */
export interface BranchDiff {
  /** The last message that both have; undefined where they share none. */
  readonly ancestor: MessageId | undefined;
  /** What only the first has, the oldest first. */
  readonly left: Messages;
  /** What only the second has, the oldest first. */
  readonly right: Messages;
}

/** The branches of a session in the order in which their ends were stored. */
export async function listBranches(storage: SessionStorage, id: string): Promise<readonly Branch[]> {
  const [head, { labels }, leaves] = [
    await headOf(storage, id),
    await storage.extras(id),
    await scanAll(storage, id, { leaves: true }),
  ];
  return leaves.map(({ id: leaf, at, depth }) => ({
    leaf: leaf as MessageId,
    label: Object.hasOwn(labels, leaf) ? labels[leaf] : undefined,
    at,
    length: depth + 1,
    isActive: leaf === head.leaf,
  }));
}

/** Those that hang below the same message, the message itself among them, in the order in which they were stored. */
export async function siblingsOf(storage: SessionStorage, id: string, message: string): Promise<Messages> {
  const { parentId } = await nodeAt(storage, id, message);
  return Messages.owning(messagesOf(await scanAll(storage, id, { parent: parentId })));
}

const FIRST_LOOK = 64;

/**
 * Where two paths part, and what each has behind that. Reads about twice what lies behind it.
 *
 * @throws StorageError `NOT_FOUND`
 */
export async function diffBranches(
  storage: SessionStorage,
  id: string,
  left: string,
  right: string,
): Promise<BranchDiff> {
  for (let limit = FIRST_LOOK; ; limit *= 4) {
    const [a, b] = [await pathAll(storage, id, { to: left, limit }), await pathAll(storage, id, { to: right, limit })];
    const onLeft = new Set(a.items.map((node) => node.id));
    const ancestor = b.items.findLast((node) => onLeft.has(node.id));
    if (ancestor === undefined && (a.truncated || b.truncated) && hasMore(a, b, limit)) continue;
    return {
      ancestor: ancestor?.id as MessageId | undefined,
      left: behind(a.items, ancestor),
      right: behind(b.items, ancestor),
    };
  }
}

/** Whether a longer look can show more: a path that ends at a missing parent never does. */
function hasMore(a: { readonly items: readonly unknown[] }, b: { readonly items: readonly unknown[] }, limit: number) {
  return a.items.length === limit || b.items.length === limit;
}

function behind(items: readonly StoredNode[], ancestor: StoredNode | undefined): Messages {
  const at = items.findIndex(({ id }) => id === ancestor?.id);
  return Messages.owning(messagesOf(items.slice(at + 1)));
}

const DROPPED_AT_ONCE = 5000;

/** What removes the end of a path. */
interface Drop {
  readonly ops: readonly Op[];
  /** The uppermost message that is to go: if it is gone, what is above may go too. */
  readonly first: string;
  readonly above: string | null;
}

/**
 * The changes that remove the end of a path: what another branch hangs on stays.
 *
 * @throws StorageError `NOT_FOUND`
 */
export async function opsToDrop(storage: SessionStorage, id: string, leaf: string): Promise<Drop> {
  const { items } = await pathAll(storage, id, { to: leaf, limit: DROPPED_AT_ONCE });
  const [{ id: first, parentId }] = items as [StoredNode];
  return { ops: [{ op: 'drop', ids: items.map((node) => node.id) }], first, above: parentId };
}
