import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { setIdentitySource } from '../../internal/ids.ts';
import type { MessageStore } from '../../model/message-store.ts';
import { opsOfStore } from '../../storage/save-ops.ts';
import type { Op } from '../../storage/storage.ts';
import { at } from '../failure.ts';
import type { Document } from '../input/open-documents.ts';
import { conversationIn } from '../input/open-source.ts';
import type { Incoming, ReadOptions } from './incoming.ts';

/**
 * A conversation as a session. Its id, and the ids of messages that have none, are made of what it says and where: so
 * the same file gives the same session again.
 *
 * @throws Failure naming the place of what cannot be read
 */
export function conversationOf(document: Document, { id, time }: ReadOptions): Incoming {
  const { place, file, line } = document;
  const mark = hash(`${line ?? ''} ${JSON.stringify(document.parse().value)}`);
  return withIdentity(mark, time, () => {
    const { store, notes } = conversationIn(document);
    const ops = at(place, () => opsOf(store));
    return { id: id ?? idFor(file, line, mark), place, init: {}, mark, ops: asAsync(ops), notes };
  });
}

/** `chats-7-1f0c9a…`: the file, the line, and what it says. */
function idFor(file: string, line: number | undefined, mark: string): string {
  const name = basename(file)
    .replace(/\.(?:gz|jsonl?|ndjson|ya?ml)\b.*$/i, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 60)
    .toWellFormed();
  return [name, ...(line === undefined ? [] : [line]), mark.slice(0, 12)].join('-');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Ids that are made meanwhile follow from a seed, and all times are the same. */
function withIdentity<Result>(seed: string, time: number, action: () => Result): Result {
  let count = 0;
  const before = setIdentitySource({ newId: () => `${seed.slice(0, 16)}-${++count}`, now: () => time });
  try {
    return action();
  } finally {
    setIdentitySource(before);
  }
}

const NOTHING = {
  parents: new Map<string, string | null>(),
  leaf: null,
  extras: { labels: {}, params: {}, sections: [], drafts: [] },
};

/** What makes a new session be this store; the leaf comes last. */
function opsOf(store: MessageStore): readonly Op[] {
  const ops = opsOfStore(store, NOTHING).filter(({ op }) => op !== 'reset' && op !== 'leaf');
  const last = ops.findLast((op) => op.op === 'node');
  return [...ops, { op: 'leaf', to: last?.node.id ?? null }];
}

// oxlint-disable-next-line typescript/require-await -- a list that is there, where changes come one by one
async function* asAsync(ops: readonly Op[]): AsyncGenerator<Op, void, undefined> {
  yield* ops;
}
