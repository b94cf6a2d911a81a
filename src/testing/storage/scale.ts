import { newId } from '../../internal/ids.ts';
import { platform } from '../../internal/platform.ts';
import type { NodePath } from '../../storage/storage.ts';
import { holds, same } from './check.ts';
import type { StorageHarness } from './harness.ts';
import { type Place, storageCase } from './place.ts';
import { listAll } from './reading.ts';
import { below, idsUpTo, node, SessionUnderTest } from './session.ts';
import { forkOf } from './tree.ts';

const LONG = 100_000;
const BATCH = 1000;
const MANY = 10_000;
const MIB = 2 ** 20;
/** What a read of a few nodes may take longer in a long session than in a short one, before it counts as growing. */
const SLACK = { times: 4, milliseconds: 20 };

/** The long session of each place: made once, since it takes its time. */
const longSessions = /* @__PURE__ */ new WeakMap<StorageHarness, Promise<string>>();

/** S7, 72 to 78: large sessions, and many. Nothing is measured but whether the cost grows with the size. */
export const scale = [
  storageCase(
    's7-72',
    'reads a session of 100 000 nodes whole, and its end at once',
    async (place) => {
      const session = await longSession(place);
      const { nodeCount, seq } = await session.head();
      const all = await session.scanAll({ limit: MANY });
      same('the number of nodes', all.length, nodeCount);
      holds(
        all.every((one, at) => at === 0 || one.seq > (all[at - 1]?.seq ?? 0)),
        'expected every seq above the one before it',
      );
      const last = await session.scanAll({ after: seq - 50, limit: 50 });
      same('the last of them', last, all.slice(-last.length));
      const short = await place.session(idsUpTo(100).map((id) => node(id)));
      await growsNot('the newest 50', short, session, async (one) => one.scanIds({ dir: 'desc', limit: 50 }));
      await growsNot('the head', short, session, async (one) => one.head());
    },
    ['scale'],
  ),
  storageCase(
    's7-73',
    'appends to 100 000 nodes as fast as to ten',
    async (place) => {
      const session = await longSession(place);
      const short = await place.session(idsUpTo(10).map((id) => node(id)));
      await growsNot('an append', short, session, async (one) => one.append(newId()), { times: 3, milliseconds: 2 });
    },
    ['scale'],
  ),
  storageCase(
    's7-74',
    'reads a path of 100 000 nodes whole, and its end at once',
    async (place) => {
      const session = await longSession(place);
      const path = await wholePath(session);
      same('the number of nodes', path.length, (await session.head()).nodeCount);
      same('the first ones', path.slice(0, 3), ['n0', 'n1', 'n2']);
      holds(new Set(path).size === path.length, 'expected each node on the path once');
      const { items, truncated } = await session.storage.path(session.id, { to: 'n1500', section: 'chat' });
      same('a path of 1501', [items.length, truncated, items[0]?.id], [1501, false, 'n0']);
      const short = await place.session(idsUpTo(100).map((id) => node(id)));
      await growsNot('a path of 50', short, session, async (one) => one.pathIds({ limit: 50 }));
    },
    ['scale'],
  ),
  storageCase(
    's7-75',
    'holds 10 000 children of one node',
    async (place) => {
      const session = await place.session([node('r')]);
      const ids = idsUpTo(MANY);
      for (const part of parts(ids))
        await session.commit(
          part.map((id) => below('r', id)),
          { keepLeaf: true },
        );
      same('the children', (await session.scanAll({ parent: 'r' })).length, MANY);
      same('a page of them', await session.scanIds({ parent: 'r', limit: 3, dir: 'desc' }), ids.slice(-3).toReversed());
      same(
        'the leaves',
        (await session.scanAll({ leaves: true, limit: 777 })).map(({ id }) => id),
        ids,
      );
      same('a path', await session.pathIds({ to: 'n7777' }), ['r', 'n7777']);
      await session.commit([{ op: 'drop', ids: ids.slice(1) }]);
      same('what stays', await session.scanIds({ parent: 'r' }), ['n0']);
    },
    ['scale'],
  ),
  storageCase(
    's7-76',
    'lists 10 000 sessions, page by page',
    async (place) => {
      const storage = await place.storage();
      const ids = idsUpTo(MANY).map((name) => place.id(name));
      for (const part of parts(ids, 20)) await Promise.all(part.map(async (id) => storage.create(id)));
      const start = platform.performance.now();
      const listed = await listAll(storage, { prefix: place.prefix, limit: 1000, order: 'created' });
      const elapsed = platform.performance.now() - start;
      same('the sessions', listed.length, MANY);
      holds(elapsed < 120_000, `ten pages: expected less than two minutes, got ${Math.round(elapsed)} ms`);
      const some = await storage.list({ prefix: place.id('n99'), limit: 1000 });
      same('those of a prefix', some.items.length, 111);
    },
    ['scale'],
  ),
  storageCase('s7-77', 'holds a node of 8 MiB between small ones', async (place) => {
    const session = await place.session([node('a'), node('b')]);
    const data = 'x'.repeat(Math.min(session.storage.capabilities.maxNodeBytes, 8 * MIB) - 2);
    await session.commit([node('big', { data })]);
    await session.append('c', 'd');
    const again = session.through(await place.again());
    same('the path', await again.pathIds(), ['a', 'b', 'big', 'c', 'd']);
    same('the end of it', await again.pathIds({ limit: 2 }), ['c', 'd']);
    same('around it', await again.scanIds({ limit: 2, dir: 'desc' }), ['d', 'c']);
    holds((await again.node('big')).data === data, 'the large node: expected its data as it was given');
  }),
  storageCase(
    's7-78',
    'holds 1 000 forks of one session',
    async (place) => {
      const source = await place.session(idsUpTo(10).map((id) => node(id)));
      const before = await source.all();
      for (let at = 0; at < 1000; at++) await (await forkOf(place, source, `n${at % 10}`)).append(`own${at}`);
      same('the source', await source.all(), before);
      const forks = (await listAll(source.storage, { prefix: place.prefix, limit: 1000 })).filter(
        (id) => id !== source.id,
      );
      same('the forks', forks.length, 1000);
      for (const id of forks.slice(0, 20)) {
        const [fork, ids] = [new SessionUnderTest(source.storage, id), await source.through(source.storage).pathIds()];
        const path = await fork.pathIds();
        same('the path of a fork', path.slice(0, -1), ids.slice(0, path.length - 1));
      }
    },
    ['scale'],
  ),
];

async function longSession(place: Place): Promise<SessionUnderTest> {
  const storage = await place.storage();
  const known = longSessions.get(place.harness);
  if (known !== undefined) return new SessionUnderTest(storage, await known);
  const session = new SessionUnderTest(storage, `long-${newId()}`);
  const made = fill(session);
  longSessions.set(place.harness, made);
  await made;
  return session;
}

async function fill(session: SessionUnderTest): Promise<string> {
  await session.storage.create(session.id);
  for (const part of parts(idsUpTo(LONG))) await session.append(...part);
  return session.id;
}

function parts<T>(all: readonly T[], size = BATCH): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

async function wholePath(session: SessionUnderTest): Promise<string[]> {
  const pages: string[][] = [];
  let to = (await session.head()).leaf;
  while (to !== null) {
    const { items, truncated }: NodePath = await session.storage.path(session.id, { to, limit: MANY });
    pages.push(items.map(({ id }) => id));
    const above: string | null = items[0]?.parentId ?? null;
    same('whether there is more of the path', truncated, above !== null);
    to = above;
  }
  return pages.toReversed().flat();
}

/** A call takes in a long session about what it takes in a short one: by the medians of turns about. */
async function growsNot(
  what: string,
  short: SessionUnderTest,
  long: SessionUnderTest,
  call: (session: SessionUnderTest) => Promise<unknown>,
  { times, milliseconds } = SLACK,
): Promise<void> {
  const [few, many]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 31; turn++) {
    few.push(await timeOf(async () => call(short)));
    many.push(await timeOf(async () => call(long)));
  }
  const [usual, grown] = [median(few), median(many)];
  holds(
    grown <= times * usual + milliseconds,
    `${what}: expected about the ${usual.toFixed(2)} ms of a short session, got ${grown.toFixed(2)} ms in one of ${LONG} nodes`,
  );
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = platform.performance.now();
  await run();
  return platform.performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
