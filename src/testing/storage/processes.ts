import { newId } from '../../internal/ids.ts';
import { platform } from '../../internal/platform.ts';
import { isChain } from './concurrency.ts';
import { holds, outcomeOf, same } from './check.ts';
import { pause, type Place, storageCase } from './place.ts';
import { idsOf, idsUpTo, type SessionUnderTest } from './session.ts';

const KIB = 2 ** 10;

/** S3, 33, 34, 39 and 41: several processes at one place. */
export const processes = [
  storageCase(
    's3-33a',
    'loses nothing of what two processes append',
    async (place) => appendTogether(place, 2, 1000, 100),
    ['processes'],
  ),
  storageCase(
    's3-33b',
    'loses nothing of what two processes append at the version that they have read',
    async (place) => {
      const session = await place.session();
      const programs = ['a', 'b'].map((prefix) => place.spawn('append at version', session.id, prefix, '100'));
      await Promise.all(programs.map(async ({ result }) => result));
      await isChain(session, [...idsUpTo(100, 'a'), ...idsUpTo(100, 'b')]);
      same('the version', (await session.head()).version, 200);
    },
    ['processes'],
  ),
  storageCase(
    's3-34a',
    'loses nothing of the 64 KiB that four processes append at a time',
    async (place) => appendTogether(place, 4, 50, 64 * KIB),
    ['processes'],
  ),
  storageCase(
    's3-34b',
    'loses nothing of the MiB that four processes append at a time',
    async (place) => appendTogether(place, 4, 10, KIB * KIB),
    ['processes'],
  ),
  storageCase(
    's3-39b',
    'can be opened for the first time by six processes at once',
    async (place) => {
      const ids = idsUpTo(6, 's').map((name) => place.id(name));
      const programs = ids.map((id) => place.spawn('create', id));
      same('their versions', await Promise.all(programs.map(async ({ result }) => result)), [1, 1, 1, 1, 1, 1]);
      const { items } = await (await place.storage()).list({ prefix: place.prefix });
      same('the sessions', idsOf(items).toSorted(), ids);
    },
    ['processes'],
  ),
  storageCase('s3-41a', 'goes on at once after a process that wrote was killed', afterKill, ['processes']),
  storageCase(
    's3-41b',
    'loses nothing of a process that stands still while it writes',
    async (place) => {
      const session = await place.session();
      const { result } = place.spawn('append and block', session.id, 'a', '1500');
      const blocked = outcomeOf('the program', async () => result);
      const ids = idsUpTo(40, 'b');
      for (const id of ids) {
        await session.append(id);
        await pause(50);
      }
      same('the program', await blocked, { value: 3 });
      await isChain(session, [...ids, ...idsUpTo(3, 'a')]);
    },
    ['processes'],
  ),
  storageCase(
    's4-43c',
    'does a commit once that several processes make',
    async (place) => {
      const [session, commit] = [await place.session(), newId()];
      const programs = Array.from({ length: 4 }, () => place.spawn('commit', session.id, commit));
      const results = await Promise.all(programs.map(async ({ result }) => result));
      same('the number that was applied', results.filter((status) => status === 'applied').length, 1);
      same('the nodes', [await session.scanIds(), (await session.head()).version], [['once'], 1]);
    },
    ['processes'],
  ),
];

async function appendTogether(place: Place, count: number, each: number, bytes: number): Promise<void> {
  const session = await place.session();
  const prefixes = idsUpTo(count, 'p').map((name) => `${name}-`);
  const programs = prefixes.map((prefix) => place.spawn('append', session.id, prefix, String(each), String(bytes)));
  same(
    'what they say',
    await Promise.all(programs.map(async ({ result }) => result)),
    prefixes.map(() => each),
  );
  await isChain(
    session,
    prefixes.flatMap((prefix) => idsUpTo(each, prefix)),
  );
  const { version, bytes: sum } = await session.head();
  same('the version and the bytes', [version, sum], [count * each, count * each * (bytes + 2)]);
}

async function afterKill(place: Place): Promise<void> {
  const session = await place.session();
  const program = place.spawn('append for ever', session.id, 'a');
  const ended = outcomeOf('the program', async () => program.result);
  await untilVersion(session, 5);
  program.kill();
  const start = platform.performance.now();
  await session.append('mine');
  const elapsed = platform.performance.now() - start;
  holds(elapsed < 5000, `the next append: expected it in less than five seconds, got ${Math.round(elapsed)} ms`);
  await ended;
  const ids = await session.scanIds({ limit: 10_000 });
  await isChain(session, ids);
  const theirs = ids.filter((id) => id !== 'mine');
  same('what the other one wrote, none lost between', theirs, idsUpTo(theirs.length, 'a'));
}

async function untilVersion(session: SessionUnderTest, version: number): Promise<void> {
  for (let waited = 0; (await session.head()).version < version; waited += 10) {
    holds(waited < 60_000, `expected version ${version} from another process within a minute`);
    await pause(10);
  }
}
