import { refused, same } from './check.ts';
import { type Place, storageCase } from './place.ts';
import { below, idsOf, idsUpTo, node, type SessionUnderTest } from './session.ts';

/** r with the branches a1–a2 and b1, the leaf at b1. */
const BRANCHES = [node('r'), node('a1'), node('a2'), below('r', 'b1')];

/** S1, 11 to 14: the leaf, branches, what is dropped, and forks. */
export const tree = [
  storageCase('s1-11a', 'moves the leaf to any node, or before the first', async (place) => {
    const session = await place.session(BRANCHES);
    same('the result', (await session.commit([{ op: 'leaf', to: 'a1' }])).leaf, 'a1');
    same('the path', await session.pathIds(), ['r', 'a1']);
    await session.append('a3');
    same(
      'what is appended there',
      [(await session.node('a3')).parentId, await session.pathIds()],
      ['a1', ['r', 'a1', 'a3']],
    );
    await session.commit([{ op: 'leaf', to: null }]);
    same('before the first', [(await session.head()).leaf, await session.pathIds()], [null, []]);
    await session.append('s');
    same('a second root', [(await session.node('s')).parentId, (await session.node('s')).depth], [null, 0]);
    await refused('to an unknown node', 'NOT_FOUND', async () => session.commit([{ op: 'leaf', to: 'unknown' }]));
    same('the leaf after it', (await session.head()).leaf, 's');
  }),
  storageCase(
    's1-11b',
    'remembers where the leaf was moved to',
    async (place) => {
      const session = await place.session([...BRANCHES, { op: 'leaf', to: 'a1' }]);
      const again = session.through(await place.again());
      same('the leaf', (await again.head()).leaf, 'a1');
      await again.append('x');
      same('the path', await session.pathIds(), ['r', 'a1', 'x']);
    },
    ['reopen'],
  ),
  storageCase('s1-11c', 'keeps the leaf where a commit says so', async (place) => {
    const session = await place.session([node('a')]);
    const { leaf, nodes } = await session.commit([node('b'), node('c')], { keepLeaf: true });
    same('the leaf', [leaf, (await session.head()).leaf], ['a', 'a']);
    same(
      'the parents',
      nodes.map(({ parentId }) => parentId),
      ['a', 'b'],
    );
    await session.append('d');
    same('what is appended next', (await session.node('d')).parentId, 'a');
  }),
  storageCase('s1-12a', 'keeps branches apart', async (place) => {
    const session = await place.session(BRANCHES);
    same('the path to the leaf', await session.pathIds(), ['r', 'b1']);
    same('the path to a2', await session.pathIds({ to: 'a2' }), ['r', 'a1', 'a2']);
    same('the siblings', await session.scanIds({ parent: 'r' }), ['a1', 'b1']);
    same('the path to nothing', await session.pathIds({ to: null }), []);
    await refused('the path to an unknown node', 'NOT_FOUND', async () => session.pathIds({ to: 'unknown' }));
    same('all nodes', await session.scanIds(), ['r', 'a1', 'a2', 'b1']);
  }),
  storageCase('s1-12b', 'gives the newest of a path, and says whether there is more', pathLimits),
  storageCase('s1-12c', 'gives what a path has in one section, counted after the choice', sectionPaths),
  storageCase('s1-12d', 'shows a node in each section that it was placed in', places),
  storageCase('s1-12e', 'drops what nothing else hangs below, and moves the leaf up', drops),
  storageCase('s1-12f', 'takes an id anew that was dropped', async (place) => {
    const session = await place.session([node('a'), node('b'), { op: 'place', id: 'b', section: 'notes' }]);
    const { bytes } = await session.node('a');
    await session.commit([{ op: 'drop', ids: ['b'] }]);
    await session.commit([node('b', { data: 'other' })]);
    const { nodeCount, bytes: sum } = await session.head();
    same('nodes and bytes', [nodeCount, sum], [2, bytes + '"other"'.length]);
    await session.commit([node('c'), { op: 'drop', ids: ['unknown'] }, node('d')], { keepLeaf: true });
    same('the node behind a drop of nothing', (await session.node('d')).parentId, 'c');
    await session.commit([
      below('a', 'x'),
      { op: 'drop', ids: ['x'] },
      below('b', 'x'),
      { op: 'drop', ids: ['d', 'c', 'x'] },
    ]);
    same('dropped, appended elsewhere and dropped in one commit', await session.scanIds(), ['a', 'b']);
    same('its place of before', await session.scanIds({ section: 'notes' }), []);
    same('the path in that section', await session.pathIds({ section: 'notes' }), []);
  }),
  storageCase('s1-12g', 'begins anew: nothing of before is reachable, and old ids are free', resets),
  storageCase('s1-13a', 'holds a fork at the leaf, in the middle, at the root, and of the whole tree', forks),
  storageCase('s1-13b', 'keeps a fork and its source apart', async (place) => {
    const source = await place.session([...BRANCHES, { op: 'label', target: 'r', label: 'start' }]);
    const fork = await forkOf(place, source, 'a1');
    const before = await source.all();
    await fork.commit([node('r2'), { op: 'label', target: 'r', label: 'mine' }, { op: 'param', key: 'k', value: 2 }]);
    same('the source', await source.all(), before);
    const forked = await fork.all();
    await source.append('b2');
    await source.storage.delete(source.id);
    same('the fork after the source was deleted', await fork.all(), forked);
  }),
  storageCase('s1-14', 'holds forks of forks while the source grows', async (place) => {
    const source = await place.session(BRANCHES);
    const first = await forkOf(place, source, 'a2');
    await source.append('late');
    const second = await forkOf(place, first, 'a1');
    await first.append('late');
    same('the source', await source.pathIds(), ['r', 'b1', 'late']);
    same('the fork', await first.pathIds(), ['r', 'a1', 'a2', 'late']);
    same('the fork of the fork', await second.pathIds(), ['r', 'a1']);
    same('where it is from', (await second.head()).forkedFrom, { session: first.id, node: 'a1' });
  }),
];

/** A session with the path to a node, ids and data kept; without a node the whole tree. */
export async function forkOf(place: Place, source: SessionUnderTest, at?: string): Promise<SessionUnderTest> {
  const { storage } = source;
  const { leaf, seq } = await source.head();
  const fork = await place.session([], { forkedFrom: { session: source.id, node: at ?? leaf } });
  const found =
    at === undefined ? await source.scanAll({ before: seq + 1 }) : (await storage.path(source.id, { to: at })).items;
  const ops = found.map(({ id, parentId, section, type, at: time, data }) =>
    node(id, { parentId, section, type, at: time, data }),
  );
  await fork.commit([...ops, { op: 'leaf', to: at ?? leaf }]);
  return fork;
}

async function pathLimits(place: Place): Promise<void> {
  const ids = idsUpTo(5);
  const { storage, id } = await place.session(ids.map((one) => node(one)));
  for (const limit of [1, 2, 4, 5, 6]) {
    const { items, truncated } = await storage.path(id, { limit });
    same(`the newest ${limit}`, [idsOf(items), truncated], [ids.slice(-limit), limit < 5]);
  }
  const behind = async (query: object): Promise<unknown> => {
    const { items, truncated } = await storage.path(id, query);
    return [idsOf(items), truncated];
  };
  same('behind n2', await behind({ stopAt: 'n2' }), [['n3', 'n4'], false]);
  same('the newest behind n1', await behind({ stopAt: 'n1', limit: 2 }), [['n3', 'n4'], true]);
  same('as many as lie behind n2', await behind({ stopAt: 'n2', limit: 2 }), [['n3', 'n4'], false]);
  same('from n1 to n3', await behind({ stopAt: 'n1', to: 'n3' }), [['n2', 'n3'], false]);
  same('behind its own end', await behind({ stopAt: 'n4' }), [[], false]);
  same('behind a node that is not on it', await behind({ stopAt: 'unknown' }), [ids, false]);
}

async function sectionPaths(place: Place): Promise<void> {
  const ops = idsUpTo(6).map((id, at) => node(id, { section: at % 2 === 0 ? 'even' : 'odd' }));
  const session = await place.session([...ops, below('n1', 'x', { section: 'even' }), { op: 'leaf', to: 'n5' }]);
  same('the even ones', await session.pathIds({ section: 'even' }), ['n0', 'n2', 'n4']);
  same('the newest two', await session.pathIds({ section: 'even', limit: 2 }), ['n2', 'n4']);
  same('behind n2', await session.pathIds({ section: 'even', stopAt: 'n2' }), ['n4']);
  same('on the other branch', await session.pathIds({ section: 'even', to: 'x' }), ['n0', 'x']);
  same('an unknown section', await session.pathIds({ section: 'unknown' }), []);
}

async function places(place: Place): Promise<void> {
  const session = await place.session([
    node('a'),
    node('b'),
    node('c', { section: 'notes' }),
    { op: 'place', id: 'b', section: 'notes' },
    { op: 'place', id: 'a', section: 'notes' },
  ]);
  same('the section', await session.scanIds({ section: 'notes' }), ['c', 'b', 'a']);
  same('the section, one a page', idsOf(await session.scanAll({ section: 'notes', limit: 1 })), ['c', 'b', 'a']);
  const [, b] = (await session.storage.scan(session.id, { section: 'notes' })).items;
  same('the second standing', [b?.section, b?.parentId, b?.depth, b?.data], ['notes', 'a', 1, { text: 'b' }]);
  same('below a in the section', await session.scanIds({ section: 'notes', parent: 'a' }), ['b']);
  same('the path in it', await session.pathIds({ section: 'notes' }), ['a', 'b', 'c']);
  same('where they stood first', await session.scanIds({ section: 'chat' }), ['a', 'b']);
  same('all nodes, each once', await session.scanIds(), ['a', 'b', 'c']);
  const { nodeCount, seq } = await session.head();
  same('the head', [nodeCount, seq > (await session.node('c')).seq], [3, true]);
}

async function drops(place: Place): Promise<void> {
  const session = await place.session([...BRANCHES, node('b2'), { op: 'label', target: 'b2', label: 'end' }]);
  const { leaf } = await session.commit([{ op: 'drop', ids: ['b2', 'b1', 'r', 'unknown'] }]);
  same('the leaf', [leaf, (await session.head()).leaf], ['r', 'r']);
  same('what stays', await session.scanIds(), ['r', 'a1', 'a2']);
  same(
    'dropped nodes',
    await session.storage.nodes(session.id, ['b1', 'r', 'b2']).then((all) => all.map((one) => one?.id ?? null)),
    [null, 'r', null],
  );
  same('the labels', (await session.storage.extras(session.id)).labels, {});
  const kept = await session.scanAll();
  const { nodeCount, bytes } = await session.head();
  same('count and bytes', [nodeCount, bytes], [3, kept.reduce((sum, one) => sum + one.bytes, 0)]);
  same('below r', await session.scanIds({ parent: 'r' }), ['a1']);
  await session.commit([{ op: 'drop', ids: ['a1'] }]);
  same('a node that another hangs below', await session.scanIds(), ['r', 'a1', 'a2']);
  await session.commit([{ op: 'drop', ids: ['r', 'a1', 'a2'] }]);
  same('all', [await session.scanIds(), (await session.head()).leaf, await session.pathIds()], [[], null, []]);
}

async function resets(place: Place): Promise<void> {
  const session = await place.session(
    [...BRANCHES, { op: 'label', target: 'r', label: 'x' }, { op: 'section', name: 'empty' }],
    { params: { k: 1 }, meta: { title: 'kept' } },
  );
  const { seq } = await session.head();
  const { version, leaf } = await session.commit([{ op: 'reset' }, node('r', { data: 'new' })]);
  same('version and leaf', [version, leaf], [2, 'r']);
  same('the nodes', await session.scanIds(), ['r']);
  const r = await session.node('r');
  same('the new node', [r.parentId, r.depth, r.data, r.seq > seq], [null, 0, 'new', true]);
  same('an old one', await session.storage.nodes(session.id, ['a1']), [null]);
  await refused('a parent from before', 'PARENT_NOT_FOUND', async () => session.commit([below('a1', 'y')]));
  const extras = await session.storage.extras(session.id);
  same('the extras', extras, { labels: {}, params: {}, sections: [{ name: 'chat' }], drafts: [] });
  const { nodeCount, bytes, meta } = await session.head();
  same('the head', [nodeCount, bytes, meta], [1, 5, { title: 'kept' }]);
}

async function forks(place: Place): Promise<void> {
  const source = await place.session(BRANCHES);
  for (const [at, path] of [
    ['b1', ['r', 'b1']],
    ['a1', ['r', 'a1']],
    ['r', ['r']],
  ] as const) {
    const fork = await forkOf(place, source, at);
    same(`the fork at ${at}`, [await fork.scanIds(), await fork.pathIds()], [path, path]);
    same('where it is from', (await fork.head()).forkedFrom, { session: source.id, node: at });
  }
  const whole = await forkOf(place, source);
  same(
    'the whole tree',
    [await whole.scanIds(), await whole.pathIds()],
    [
      ['r', 'a1', 'a2', 'b1'],
      ['r', 'b1'],
    ],
  );
  same('its branch', await whole.pathIds({ to: 'a2' }), ['r', 'a1', 'a2']);
}
