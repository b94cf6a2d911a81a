import type { ActualState } from '../../storage/storage-error.ts';
import type { CommitResult } from '../../storage/storage.ts';
import { describeError, fail, holds, type Outcome, outcomeOf, refused, same } from './check.ts';
import { type Place, storageCase } from './place.ts';
import { idsOf, idsUpTo, node, type SessionUnderTest } from './session.ts';
import { forkOf } from './tree.ts';

const ROUNDS = 25;

/** S3, 29 to 32, 36 to 40 and 42: expectations, and many calls at once in one process. */
export const concurrency = [
  storageCase('s3-29', 'refuses a commit for another version, and says what the state is', async (place) => {
    const session = await place.session([node('a')]);
    await session.append('b');
    for (const version of [0, 1, 3]) await isConflict(session, { version, leaf: 'b' }, { version: 2, leaf: 'b' });
    await session.commit([node('c')], { expect: { version: 2, leaf: 'b', epoch: (await session.head()).epoch } });
    same('the path', await session.pathIds(), ['a', 'b', 'c']);
  }),
  storageCase('s3-30', 'refuses a commit for another leaf, and says what the state is', async (place) => {
    const session = await place.session([node('a'), node('b')]);
    for (const leaf of ['a', null, 'unknown']) await isConflict(session, { leaf }, { version: 1, leaf: 'b' });
    await session.commit([{ op: 'leaf', to: null }], { expect: { leaf: 'b' } });
    await isConflict(session, { leaf: 'b' }, { version: 2, leaf: null });
    await session.commit([node('s')], { expect: { leaf: null } });
    same('the path', await session.pathIds(), ['s']);
  }),
  storageCase('s3-31', 'makes one chain of a hundred appends at once', async (place) => {
    const session = await place.session();
    const ids = idsUpTo(100);
    const results = await Promise.all(ids.map(async (id) => session.append(id)));
    await isChain(session, ids);
    isOneHistory(results, null);
    same('the version', (await session.head()).version, 100);
  }),
  storageCase(
    's3-32a',
    'lets exactly one of two instances win that expect the same version',
    async (place) => {
      const session = await place.session();
      const other = session.through(await place.open());
      for (let version = 0; version < ROUNDS; version++) await race([session, other], version);
      const { version, nodeCount } = await session.head();
      same('the version and number of nodes', [version, nodeCount], [ROUNDS, ROUNDS]);
    },
    ['reopen'],
  ),
  storageCase(
    's3-32b',
    'makes one chain of what two instances append',
    async (place) => {
      const session = await place.session();
      const other = session.through(await place.open());
      const [mine, theirs] = [idsUpTo(50, 'a'), idsUpTo(50, 'b')];
      const results = [mine.map(async (id) => session.append(id)), theirs.map(async (id) => other.append(id))];
      isOneHistory(await Promise.all(results.flat()), null);
      await isChain(session, [...mine, ...theirs]);
      same('what the other sees', await other.pathIds(), await session.pathIds());
    },
    ['reopen'],
  ),
  storageCase(
    's3-32c',
    'shows each instance at once what another one did',
    async (place) => {
      const session = await place.session();
      const other = session.through(await place.open());
      for (const id of idsUpTo(5)) {
        await session.append(id);
        same('the leaf', (await other.head()).leaf, id);
        await other.commit([{ op: 'label', target: id, label: 'seen' }]);
        same('the label', (await session.storage.extras(session.id)).labels[id], 'seen');
      }
      await other.storage.delete(other.id);
      same('the head after the delete', await session.storage.head(session.id), null);
      await refused('a commit after the delete', ['NOT_FOUND', 'DELETED'], async () => session.append('late'));
      await other.storage.create(other.id);
      await session.append('new');
      same('the nodes of the new session', [await session.scanIds(), await other.scanIds()], [['new'], ['new']]);
    },
    ['reopen'],
  ),
  storageCase('s3-36', 'shows readers whole commits only, in their order', readersAmongWriters),
  storageCase('s3-37', 'brings no session back that was deleted among appends', async (place) => {
    const session = await place.session([node('r')]);
    const appends = idsUpTo(20).map(async (id) => outcomeOf('append', async () => session.append(id)));
    const other = session.through(await place.again());
    const deleted = other.storage.delete(session.id);
    const late = idsUpTo(20, 'm').map(async (id) => outcomeOf('append', async () => other.append(id)));
    same('delete', await deleted, true);
    for (const outcome of await Promise.all([...appends, ...late]))
      if ('error' in outcome) await refused('an append', ['NOT_FOUND', 'DELETED'], async () => rejected(outcome.error));
    for (const one of [session, other]) same('the head', await one.storage.head(session.id), null);
    await refused('scan', 'NOT_FOUND', async () => session.scanIds());
    await session.storage.create(session.id);
    same('the nodes of a new one', await other.scanIds(), []);
  }),
  storageCase('s3-38', 'gives a whole path to fork while others append', async (place) => {
    const source = await place.session([node('n0')]);
    const appends = idsUpTo(30)
      .slice(1)
      .map(async (id) => source.append(id));
    for (let count = 0; count < 3; count++) {
      const fork = await forkOf(place, source);
      const ids = await fork.pathIds();
      same('the path of the fork', ids, idsUpTo(ids.length));
      same('its nodes', await fork.scanIds(), ids);
    }
    await Promise.all(appends);
    await isChain(source, idsUpTo(30));
  }),
  storageCase(
    's3-39a',
    'can be opened for the first time several times at once',
    async (place) => {
      const storages = await Promise.all(Array.from({ length: 6 }, async () => place.open()));
      const heads = storages.map(async (storage, at) => storage.create(place.id(`s${at}`)));
      await Promise.all(heads);
      for (const storage of storages) {
        const { items } = await storage.list({ prefix: place.prefix });
        same(
          'the sessions',
          idsOf(items).toSorted(),
          idsUpTo(6, 's').map((name) => place.id(name)),
        );
      }
    },
    ['reopen'],
  ),
  storageCase('s3-40', 'makes one history of appends and moves of the leaf', async (place) => {
    const session = await place.session([node('r')]);
    const writes = idsUpTo(20).map(async (id, at) =>
      at % 3 === 1 ? session.commit([{ op: 'leaf', to: at % 2 === 0 ? 'r' : null }]) : session.append(id),
    );
    const results = await Promise.all(writes);
    isOneHistory(results, 'r', 1);
    const last = results.reduce((a, b) => (a.version > b.version ? a : b));
    same('the leaf', (await session.head()).leaf, last.leaf);
  }),
  storageCase('s3-42', 'serves sixteen sessions at once', async (place) => {
    const sessions = await Promise.all(Array.from({ length: 16 }, async () => place.session()));
    const ids = idsUpTo(20);
    await Promise.all(sessions.flatMap((session) => ids.map(async (id) => session.append(id))));
    for (const session of sessions) await isChain(session, ids);
  }),
];

async function isConflict(session: SessionUnderTest, expect: Partial<ActualState>, actual: ActualState): Promise<void> {
  const before = await session.all();
  const what = `a commit that expects ${JSON.stringify(expect)}`;
  const error = await refused(what, 'CONFLICT', async () => session.commit([node('late')], { expect }));
  same(`what the error of ${what} says of the state`, (error as { actual?: unknown }).actual, actual);
  same('the session', await session.all(), before);
}

/** One round: all expect the same version, one of them wins. */
async function race(sessions: readonly SessionUnderTest[], version: number): Promise<void> {
  const commits = sessions.map(async (session, at) =>
    outcomeOf('commit', async () => session.commit([node(`n${version}-${at}`)], { expect: { version } })),
  );
  const outcomes = await Promise.all(commits);
  same(`the winners of version ${version}`, outcomes.filter((one) => 'value' in one).length, 1);
  const lost = outcomes.find((one): one is Outcome<never> & { error: unknown } => 'error' in one);
  await refused('the one who lost', 'CONFLICT', async () => rejected(lost?.error));
}

async function rejected(error: unknown): Promise<never> {
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- it is the error of a promise
  return Promise.reject(error);
}

/** All these nodes and no others stand one below the other. */
export async function isChain(session: SessionUnderTest, ids: readonly string[]): Promise<void> {
  const stored = await session.scanAll();
  const missing = ids.filter((id) => !new Set(idsOf(stored)).has(id));
  same('the nodes that are lost', missing, []);
  same('the number of nodes', stored.length, ids.length);
  for (const [at, { id, parentId, depth, seq }] of stored.entries()) {
    const above = stored[at - 1];
    same(`what ${id} hangs below`, [parentId, depth], [above?.id ?? null, at]);
    holds(above === undefined || above.seq < seq, `the seq of ${id}: expected more than ${above?.seq}, got ${seq}`);
  }
  same('the leaf', (await session.head()).leaf, stored.at(-1)?.id ?? null);
}

/** Each commit of one node, or none, began where the one of the version before it had ended. */
function isOneHistory(results: readonly CommitResult[], leaf: string | null, version = 0): void {
  let above = leaf;
  for (const [at, result] of results.toSorted((a, b) => a.version - b.version).entries()) {
    same('the versions, each once', result.version, version + at + 1);
    const [first] = result.nodes;
    if (first !== undefined) same(`what ${first.id} hangs below`, first.parentId, above);
    above = result.leaf;
  }
}

async function readersAmongWriters(place: Place): Promise<void> {
  const session = await place.session();
  const other = session.through(await place.again());
  const writing = { isDone: false };
  const write = async (): Promise<void> => {
    for (let at = 0; at < 40; at++) await session.append(`${at}a`, `${at}b`, `${at}c`);
  };
  const expected = idsUpTo(40, '').flatMap((at) => [`${at}a`, `${at}b`, `${at}c`]);
  const read = async (reader: SessionUnderTest): Promise<void> => {
    for (let seen = 0; !writing.isDone;) seen = await readOnce(reader, expected, seen);
  };
  const ends = await Promise.allSettled([write().finally(() => (writing.isDone = true)), read(session), read(other)]);
  for (const end of ends) if (end.status === 'rejected') fail(describeError(end.reason));
  same('all', await other.pathIds(), expected);
}

/** What a reader sees is the beginning of what is written, in whole commits, and no less than it saw before. */
async function readOnce(reader: SessionUnderTest, expected: readonly string[], seen: number): Promise<number> {
  const ids = await reader.scanIds({ limit: 10_000 });
  same('what a reader scans', ids, expected.slice(0, ids.length));
  holds(ids.length % 3 === 0, `a reader: expected whole commits of three nodes, got ${ids.length} nodes`);
  holds(ids.length >= seen, `a reader: expected no fewer than the ${seen} nodes of before, got ${ids.length}`);
  const path = await reader.pathIds();
  same('what a reader sees of the path', path, expected.slice(0, path.length));
  holds(path.length % 3 === 0, `a reader: expected a path of whole commits, got ${path.length} nodes`);
  const { nodeCount, version } = await reader.head();
  same('the number of nodes at a version', nodeCount, version * 3);
  return nodeCount;
}
