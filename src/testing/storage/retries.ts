import { newId } from '../../internal/ids.ts';
import { platform } from '../../internal/platform.ts';
import type { Commit, CommitResult } from '../../storage/storage.ts';
import { fail, outcomeOf, refused, same } from './check.ts';
import { type Place, storageCase } from './place.ts';
import { below, idsUpTo, node, type SessionUnderTest } from './session.ts';

/** S4, 43 to 46 and 48: the same commit again, and commits that are called off. S6, 70: no clock makes the order. */
export const retries = [
  storageCase('s4-43a', 'does the same commit once, and says what it did', async (place) => {
    const session = await place.session([node('r')]);
    const commit = { id: 'same', ops: [node('a'), node('b'), { op: 'param', key: 'k', value: 1 }] } as const;
    const first = await session.storage.commit(session.id, commit);
    const before = await session.all();
    for (const storage of [session.storage, await place.again()])
      same('the same commit again', await storage.commit(session.id, commit), { ...first, status: 'duplicate' });
    same('the session', await session.all(), before);
  }),
  storageCase('s4-43b', 'still knows a commit after others, and after a reset', async (place) => {
    const session = await place.session();
    const commit = { id: 'same', ops: [node('a')] } as const;
    const { version, leaf, nodes } = await session.storage.commit(session.id, commit);
    await session.commit([node('b'), { op: 'param', key: 'k', value: 1 }]);
    const again = await session.storage.commit(session.id, commit);
    same(
      'after another commit',
      [again.status, again.version, again.leaf, again.nodes],
      ['duplicate', version, leaf, nodes],
    );
    await session.commit([{ op: 'reset' }]);
    const late = await session.storage.commit(session.id, commit);
    same('after a reset', [late.status, late.version, late.nodes], ['duplicate', version, []]);
    same('the nodes', await session.scanIds(), []);
  }),
  storageCase('s4-44a', 'refuses another commit under an id that was used', async (place) => {
    const session = await place.session();
    const commit: Commit = { id: 'same', ops: [node('a')] };
    await session.storage.commit(session.id, commit);
    const before = await session.all();
    const others: Partial<Commit>[] = [
      { ops: [node('a', { data: 2 })] },
      { ops: [node('a'), node('b')] },
      { ops: [] },
      { keepLeaf: true },
    ];
    for (const other of others)
      await refused('another commit of the same id', 'ID_CONFLICT', async () =>
        session.storage.commit(session.id, { ...commit, ...other }),
      );
    same('the session', await session.all(), before);
  }),
  storageCase('s4-44b', 'looks for a commit id in its own session only', async (place) => {
    const [one, two] = [await place.session(), await place.session()];
    await one.commit([node('a')], { id: 'same' });
    const { status } = await two.commit([node('b')], { id: 'same' });
    same('in another session', [status, await two.scanIds()], ['applied', ['b']]);
  }),
  storageCase('s4-45a', 'takes a node that is there already for done, in a commit that counts', async (place) => {
    const session = await place.session([node('a'), node('b'), below('a', 'c')]);
    const [b] = await session.storage.nodes(session.id, ['b']);
    const { status, version, leaf, nodes } = await session.commit([below('a', 'b'), node('d')]);
    same('the result', [status, version, leaf], ['applied', 2, 'd']);
    same(
      'where its nodes stand',
      nodes.map(({ id, parentId }) => [id, parentId]),
      [
        ['b', 'a'],
        ['d', 'b'],
      ],
    );
    same('the node', await session.node('b'), b);
    same('all nodes', await session.scanIds(), ['a', 'b', 'c', 'd']);
    await session.commit([node('b')]);
    same('the leaf, moved to a known node', [(await session.head()).leaf, (await session.head()).nodeCount], ['b', 4]);
  }),
  storageCase('s4-45b', 'refuses a node of other content under an id that is there', async (place) => {
    const session = await place.session([node('a'), node('b')]);
    const before = await session.all();
    for (const fields of [{ data: 'other' }, { section: 'notes' }, { type: 'summary' }, { parentId: null }])
      await refused(`node b with ${JSON.stringify(fields)}`, 'ID_CONFLICT', async () =>
        session.commit([node('c'), node('b', fields)]),
      );
    await refused('twice in one commit', 'ID_CONFLICT', async () =>
      session.commit([node('d'), node('d', { data: 1 })]),
    );
    same('the session', await session.all(), before);
  }),
  storageCase('s4-46a', 'finds what a retry did before it looks at what is expected', async (place) => {
    const session = await place.session([node('r')]);
    const commit: Commit = { id: 'same', ops: [node('a')], expect: { version: 1, leaf: 'r' } };
    const first = await session.storage.commit(session.id, commit);
    await session.append('b');
    same('the retry', await session.storage.commit(session.id, commit), { ...first, status: 'duplicate' });
    const newer = { ...commit, expect: { version: 2, leaf: 'b' } };
    same('with another expectation', (await session.storage.commit(session.id, newer)).status, 'duplicate');
    same('the path', await session.pathIds(), ['r', 'a', 'b']);
  }),
  storageCase('s4-46b', 'does a commit once that is made several times at once', atOnce),
  storageCase('s4-47', 'forgets a commit that failed: it can be made again', async (place) => {
    const session = await place.session([node('r')]);
    const commit = { id: 'same', ops: [node('a')], expect: { version: 0 } };
    await refused('with a stale version', 'CONFLICT', async () => session.storage.commit(session.id, commit));
    await refused('with a bad parent', 'PARENT_NOT_FOUND', async () =>
      session.commit([below('x', 'a')], { id: 'same' }),
    );
    const { status } = await session.storage.commit(session.id, { ...commit, expect: { version: 1 } });
    same('afterwards', [status, await session.pathIds()], ['applied', ['r', 'a']]);
  }),
  storageCase('s4-48a', 'writes nothing of a commit that was called off before', async (place) => {
    const session = await place.session([node('r')]);
    const before = await session.all();
    const commit = { id: 'off', ops: [node('a')] };
    const signal = { aborted: true, reason: 'no longer needed' };
    await refused('a commit called off', 'ABORTED', async () => session.storage.commit(session.id, commit, { signal }));
    same('the session', await session.all(), before);
    const { status } = await session.storage.commit(session.id, commit, { signal: { aborted: false } });
    same('made again', status, 'applied');
  }),
  storageCase('s4-48b', 'tells the truth of a commit that is called off on its way', async (place) => {
    const session = await place.session();
    for (const id of idsUpTo(10)) await calledOff(session, id);
  }),
  storageCase('s6-70', 'orders by nothing but the order of writing, whatever clocks say', async (place) => {
    const times = [
      '2026-01-01T00:00:00.000Z',
      '2025-01-01T00:00:00.000Z',
      '2025-01-01T00:00:00.000Z',
      '',
      'yesterday',
      '9999-12-31T23:59:59.999Z',
      '0000',
    ];
    const session = await place.session();
    for (const [at, time] of times.entries())
      await session.commit([node(`n${at}`, { at: time }), node(`m${at}`, { at: time })]);
    const ids = times.flatMap((_, at) => [`n${at}`, `m${at}`]);
    const again = session.through(await place.again());
    same('all nodes', await again.scanIds(), ids);
    same('the path', await again.pathIds(), ids);
    same('the section, backwards', await again.scanIds({ section: 'chat', dir: 'desc' }), ids.toReversed());
    same(
      'the times',
      (await again.scanAll()).map(({ at }) => at),
      times.flatMap((time) => [time, time]),
    );
  }),
];

async function atOnce(place: Place): Promise<void> {
  const session = await place.session([node('r')]);
  const commit: Commit = { id: newId(), ops: [node('a'), node('b')], expect: { version: 1 } };
  const storages = [session.storage, await place.again()];
  const made = await Promise.all(
    Array.from({ length: 8 }, async (_, at) =>
      outcomeOf('commit', async () => (storages[at % 2] ?? session.storage).commit(session.id, commit)),
    ),
  );
  const results = made.map((one): CommitResult => ('value' in one ? one.value : fail(`a retry: ${String(one.error)}`)));
  same('the number that was applied', results.filter(({ status }) => status === 'applied').length, 1);
  for (const { status: _, durable: __, ...result } of results) {
    const { status: ___, durable: ____, ...first } = results[0] as CommitResult;
    same('each result', result, first);
  }
  same('the path', await session.pathIds(), ['r', 'a', 'b']);
}

async function calledOff(session: SessionUnderTest, id: string): Promise<void> {
  const controller = new platform.AbortController();
  const commit = async (): Promise<CommitResult> =>
    session.storage.commit(session.id, { id, ops: [node(id)] }, { signal: controller.signal });
  const outcome = outcomeOf('commit', async () => {
    const made = commit();
    controller.abort();
    return made;
  });
  const wasWritten = 'value' in (await outcome);
  same(
    'whether it is there, against what was said',
    (await session.storage.nodes(session.id, [id]))[0] !== null,
    wasWritten,
  );
}
