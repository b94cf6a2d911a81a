import { fingerprint } from '../internal/fingerprint.ts';
import type { MessageId } from '../model/ids.ts';
import { Messages } from '../model/messages.ts';
import { messagesOf } from './message-node.ts';
import { headOf, nodeAt, pathAll, scanAll } from './read-nodes.ts';
import type { Op, SessionExtras, SessionStorage, StoredNode } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { write, type WriteOptions } from './write-options.ts';

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

/**
 * Removes the end of a path: what another branch hangs on stays. A longer one than 5 000 messages takes several commits;
 * what is expected is expected of the first. With a commit id, one that is gone is taken for removed by it.
 *
 * @throws StorageError `NOT_FOUND`; `INVALID_DATA` when it is not the last message of a branch
 */
export async function dropBranch(
  storage: SessionStorage,
  id: string,
  leaf: string,
  options: WriteOptions = {},
): Promise<void> {
  if (options.commitId !== undefined && (await isGone(storage, id, leaf))) return;
  const drafts = draftsBelow(await storage.extras(id), leaf);
  let end: string | null = leaf;
  for (let part = 0; end !== null; part++) {
    const { items }: { items: StoredNode[] } = await pathAll(storage, id, { to: end, limit: DROPPED_AT_ONCE });
    const [first] = items as [StoredNode];
    const drop: Op = { op: 'drop', ids: items.map((node) => node.id) };
    await write(storage, id, part === 0 ? [drop, ...drafts] : [drop], part === 0 ? options : further(options, part));
    const [stays, isLeft] = await storage.nodes(id, [first.id, end]);
    if (isLeft && part === 0) throw notTheEnd(id, leaf);
    end = stays ? null : first.parentId;
  }
}

async function isGone(storage: SessionStorage, id: string, message: string): Promise<boolean> {
  return (await storage.nodes(id, [message]))[0] === null;
}

/** What was still growing below a message goes with it. */
function draftsBelow({ drafts }: SessionExtras, leaf: string): Op[] {
  return drafts.filter(({ parentId }) => parentId === leaf).map(({ id }): Op => ({ op: 'draft', id, node: null }));
}

/** The options of a commit that goes on with what an earlier one began. */
function further(first: WriteOptions, part: number): WriteOptions {
  const { expectVersion: _, expectLeaf: __, commitId, ...options } = first;
  return { ...options, ...(commitId !== undefined && { commitId: `${fingerprint(commitId)}/${part}` }) };
}

function notTheEnd(id: string, leaf: string): StorageError {
  return new StorageError(
    'INVALID_DATA',
    `session ${JSON.stringify(id)}: expected the last message of a branch, got ${JSON.stringify(leaf)}, which others hang below. listBranches names the last ones.`,
    { path: id, value: leaf },
  );
}
