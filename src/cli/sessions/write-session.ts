import { createHash } from 'node:crypto';
import type { Expectation, Op, SessionHead, SessionStorage } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { Failure } from '../failure.ts';
import type { Incoming } from './incoming.ts';
import { IMPORTING } from './session-header.ts';

/** What became of a session: it was written, or it was there already, from the same source or another one. */
export type Outcome = 'written' | 'known' | 'skipped';

const OPS_A_COMMIT = 1000;
/** What no session is at: a commit that expects it is found where it was made, and else refused. */
const NEVER: Expectation = { version: -1 };

/**
 * Writes a session in commits whose ids follow from what they do. So what was cut off is finished by doing it again,
 * and doing it once more changes nothing.
 *
 * @throws Failure when the id is in use for something else, unless that is to be skipped
 */
export async function writeSession(
  storage: SessionStorage,
  incoming: Incoming,
  skipExisting: boolean,
): Promise<Outcome> {
  const head = await begin(storage, incoming);
  const isOpen = head.meta[IMPORTING] === incoming.mark;
  if (!isOpen && skipExisting) {
    for await (const _ of incoming.ops);
    return 'skipped';
  }
  if (!isOpen && Object.hasOwn(head.meta, IMPORTING)) throw inUse(incoming, 'by an import of something else');
  const expect = isOpen ? { epoch: head.epoch } : NEVER;
  for await (const { id, ops } of batchesOf(incoming, storage.capabilities.maxCommitBytes / 2)) {
    try {
      await storage.commit(incoming.id, { id, ops, keepLeaf: true, expect });
    } catch (error) {
      if (!isOpen && error instanceof StorageError && error.code === 'CONFLICT') throw inUse(incoming, '');
      throw error;
    }
  }
  return isOpen ? 'written' : 'known';
}

/** The session as it is, or a new one that is marked as not whole. */
async function begin(storage: SessionStorage, { id, init, mark }: Incoming): Promise<SessionHead> {
  return (await storage.head(id)) ?? storage.create(id, { ...init, meta: { ...init.meta, [IMPORTING]: mark } });
}

function inUse({ id, place }: Incoming, how: string): Failure {
  const what = ['there is a session', JSON.stringify(id), 'already', how].filter((word) => word !== '').join(' ');
  return new Failure(place, `${what}; --skip-existing leaves it alone, --id gives another id`);
}

interface Batch {
  readonly id: string;
  readonly ops: readonly Op[];
}

/** Each batch's id follows from its changes and those before. The last one takes the mark away. */
async function* batchesOf({ ops }: Incoming, maxBytes: number): AsyncGenerator<Batch, void, undefined> {
  let batch: Op[] = [];
  let bytes = 0;
  let digest = '';
  const cut = (): Batch => {
    digest = createHash('sha256').update(digest).update(JSON.stringify(batch)).digest('hex');
    const made = { id: `import-${digest}`, ops: batch };
    [batch, bytes] = [[], 0];
    return made;
  };
  for await (const op of ops) {
    const size = JSON.stringify(op).length;
    if (batch.length > 0 && (batch.length >= OPS_A_COMMIT || bytes + size > maxBytes)) yield cut();
    batch.push(op);
    bytes += size;
  }
  batch.push({ op: 'meta', patch: { [IMPORTING]: null } });
  yield cut();
}
