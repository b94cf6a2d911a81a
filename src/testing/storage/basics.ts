import type { NodePlace, SessionStorage } from '../../storage/storage.ts';
import { holds, outcomeOf, refused, same } from './check.ts';
import { type Place, storageCase } from './place.ts';
import { below, idsOf, node, type SessionUnderTest } from './session.ts';

const META = { title: 'Weather', tags: ['a', 'b'] };

/** S1, 1 to 9, 17, 19 and 20: sessions, and nodes in them. */
export const basics = [
  storageCase('s1-01', 'creates a session, finds, lists and deletes it', roundTrip),
  storageCase('s1-02a', 'creates an id once, and changes nothing when it is created again', async (place) => {
    const session = await place.session([node('a')], { meta: META });
    const before = await session.all();
    await refused('create again', 'ALREADY_EXISTS', async () => session.storage.create(session.id, { meta: {} }));
    same('the session after a create that was refused', await session.all(), before);
  }),
  storageCase('s1-02b', 'lets exactly one of several creates at once win', async (place) => {
    const [storage, id] = [await place.storage(), place.id()];
    const creates = Array.from({ length: 5 }, async () => outcomeOf('create', async () => storage.create(id)));
    const won = (await Promise.all(creates)).filter((outcome) => 'value' in outcome);
    same('the number of creates that succeeded', won.length, 1);
  }),
  storageCase('s1-03', 'knows no session that was not created', async (place) => {
    const [storage, id] = [await place.storage(), place.id()];
    same('head of an unknown session', await storage.head(id), null);
    same('delete of an unknown session', await storage.delete(id), false);
    for (const [name, call] of callsOn(storage, id)) await refused(`${name} of an unknown session`, 'NOT_FOUND', call);
    same('head after these calls', await storage.head(id), null);
  }),
  storageCase('s1-04', 'reads an empty session as empty', async (place) => {
    const { storage, id } = await place.session();
    same('path', await storage.path(id), { items: [], truncated: false });
    for (const query of [{}, { section: 'chat' }, { parent: null }, { leaves: true }, { dir: 'desc' }] as const)
      same(`scan ${JSON.stringify(query)}`, await storage.scan(id, query), { items: [], next: null });
    same('extras', await storage.extras(id), { labels: {}, params: {}, sections: [], drafts: [] });
    same('problems', await storage.problems(id), { items: [], next: null });
    same('nodes of no ids', await storage.nodes(id, []), []);
  }),
  storageCase('s1-05', 'appends below the leaf and moves the leaf', appendOne),
  storageCase('s1-06', 'keeps the order of a batch, with parents inside it', appendMany),
  storageCase('s1-07a', 'stores nothing of a commit with one bad change at its end', async (place) => {
    const session = await place.session([node('a'), { op: 'param', key: 'k', value: 1 }]);
    const before = await session.all();
    const good = [node('b'), { op: 'label', target: 'a', label: 'x' }, { op: 'param', key: 'k', value: 2 }] as const;
    const bad = [
      [below('unknown', 'c'), 'PARENT_NOT_FOUND'],
      [{ op: 'leaf', to: 'unknown' }, 'NOT_FOUND'],
      [{ op: 'label', target: 'unknown', label: 'x' }, 'NOT_FOUND'],
      [{ op: 'place', id: 'unknown', section: 'notes' }, 'NOT_FOUND'],
      [node('a', { data: 'other' }), 'ID_CONFLICT'],
      [node('c', { data: undefined as never }), 'INVALID_DATA'],
      [node('\u0000'), 'INVALID_ID'],
    ] as const;
    for (const [op, code] of bad) {
      await refused(`a commit that ends in ${JSON.stringify(op)}`, code, async () => session.commit([...good, op]));
      same(`the session after a refused ${op.op}`, await session.all(), before);
    }
  }),
  storageCase('s1-07b', 'hangs no node below itself, or below one that comes later', async (place) => {
    const session = await place.session();
    await refused('a node below itself', 'PARENT_NOT_FOUND', async () => session.commit([below('a', 'a')]));
    await refused('two nodes below each other', 'PARENT_NOT_FOUND', async () =>
      session.commit([below('b', 'a'), below('a', 'b')]),
    );
    same('the number of nodes', (await session.head()).nodeCount, 0);
  }),
  storageCase('s1-08', 'takes a commit without changes, which counts as one and moves nothing', async (place) => {
    const session = await place.session([node('a')]);
    const { status, version, leaf, nodes } = await session.commit([]);
    same('the result', { status, version, leaf, nodes }, { status: 'applied', version: 2, leaf: 'a', nodes: [] });
    same('the path', await session.pathIds(), ['a']);
  }),
  storageCase('s1-09', 'gives nodes in the order of the ids, null for unknown ones', async (place) => {
    const session = await place.session([node('a'), node('b')]);
    const found = await session.storage.nodes(session.id, ['b', 'unknown', 'a', 'b', '']);
    same(
      'the ids',
      found.map((one) => one?.id ?? null),
      ['b', null, 'a', 'b', null],
    );
  }),
  storageCase('s1-17a', 'keeps nothing of a deleted session in another one of its id', recreate),
  storageCase('s1-17b', 'refuses who still holds the deleted incarnation', async (place) => {
    const session = await place.session([node('a')]);
    const { epoch } = await session.head();
    await session.storage.delete(session.id);
    await refused('a commit after the delete', ['NOT_FOUND', 'DELETED'], async () => session.append('b'));
    same('the head after it', await session.storage.head(session.id), null);
    await session.storage.create(session.id);
    await session.append('z');
    const stale = { epoch, version: 1 };
    await refused('a commit for the old epoch', 'DELETED', async () => session.commit([node('b')], { expect: stale }));
    same('the nodes', await session.scanIds(), ['z']);
  }),
  storageCase('s1-17c', 'deletes only at the version that is expected', async (place) => {
    const session = await place.session([node('a')]);
    const { storage, id } = session;
    await refused('delete at version 0', 'CONFLICT', async () => storage.delete(id, { expectVersion: 0 }));
    same('the nodes after it', await session.scanIds(), ['a']);
    same('delete at version 1', await storage.delete(id, { expectVersion: 1 }), true);
  }),
  storageCase('s1-19a', 'keeps what was given, whatever the caller does with it later', callerMutates),
  storageCase('s1-19b', 'gives out nothing that changes what is stored', readerMutates),
  storageCase('s1-20', 'is closed once and for all', closing),
];

/** Every call that needs a session. */
function callsOn(storage: SessionStorage, id: string): readonly (readonly [string, () => Promise<unknown>])[] {
  return [
    ['commit', async () => storage.commit(id, { id: 'c', ops: [node('a')] })],
    ['nodes', async () => storage.nodes(id, ['a'])],
    ['scan', async () => storage.scan(id)],
    ['path', async () => storage.path(id)],
    ['extras', async () => storage.extras(id)],
    ['problems', async () => storage.problems(id)],
  ];
}

async function roundTrip(place: Place): Promise<void> {
  const [storage, id] = [await place.storage(), place.id()];
  const forkedFrom = { session: 'elsewhere', node: 'n' };
  const { epoch, createdAt, updatedAt, format, ...created } = await storage.create(id, { meta: META, forkedFrom });
  const empty = { version: 0, leaf: null, seq: 0, expiresAt: null, nodeCount: 0, bytes: 0 };
  same('the created head', created, { id, ...empty, forkedFrom, meta: META });
  holds(typeof epoch === 'string' && epoch !== '', `epoch: expected text, got ${JSON.stringify(epoch)}`);
  holds(format >= 1, `format: expected 1 or more, got ${format}`);
  for (const time of [createdAt, updatedAt])
    holds(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time),
      `a time: expected ISO 8601 in UTC with milliseconds, got ${time}`,
    );
  const head = { epoch, createdAt, updatedAt, format, ...created };
  same('head', await storage.head(id), head);
  same('list', await storage.list({ prefix: id }), { items: [head], next: null });
  same('delete', await storage.delete(id), true);
  same('head after delete', await storage.head(id), null);
  same('list after delete', await storage.list({ prefix: id }), { items: [], next: null });
  same('delete again', await storage.delete(id), false);
}

async function appendOne(place: Place): Promise<void> {
  const session = await place.session();
  const data = { text: 'Hello' };
  const first = await session.commit([node('a', { data })]);
  const a = await session.node('a');
  const bytes = JSON.stringify(data).length;
  const { seq, ...record } = a;
  same('the stored node', record, { ...node('a', { data }).node, parentId: null, depth: 0, bytes });
  const { durable, ...result } = first;
  same('the result', result, {
    status: 'applied',
    version: 1,
    leaf: 'a',
    nodes: [{ id: 'a', parentId: null, seq, depth: 0 }],
  });
  holds(['memory', 'process-crash', 'power-loss'].includes(durable), `durable: expected a level, got ${durable}`);
  const second = await session.append('b');
  const b = await session.node('b');
  same('the second node', [b.parentId, b.depth, second.leaf, second.version], ['a', 1, 'b', 2]);
  holds(b.seq > seq, `seq: expected more than ${seq}, got ${b.seq}`);
  const { leaf, version, seq: last, nodeCount, bytes: sum } = await session.head();
  same('the head', [leaf, version, last, nodeCount, sum], ['b', 2, b.seq, 2, a.bytes + b.bytes]);
}

async function appendMany(place: Place): Promise<void> {
  const session = await place.session([node('root')]);
  const { nodes, leaf, version } = await session.commit([
    node('a'),
    node('b'),
    below('root', 'c'),
    node('d'),
    below(null, 'e'),
  ]);
  same(
    'where the nodes stand',
    nodes.map(({ id, parentId, depth }) => [id, parentId, depth]),
    [
      ['a', 'root', 1],
      ['b', 'a', 2],
      ['c', 'root', 1],
      ['d', 'c', 2],
      ['e', null, 0],
    ],
  );
  same('leaf and version', [leaf, version], ['e', 2]);
  await isInOrder(session, nodes);
}

/** A scan gives the root and these nodes, as their commit had said. */
async function isInOrder(session: SessionUnderTest, nodes: readonly NodePlace[]): Promise<void> {
  const stored = await session.scanAll();
  same('the order', idsOf(stored), ['root', 'a', 'b', 'c', 'd', 'e']);
  holds(
    stored.every(({ seq }, at) => at === 0 || seq > (stored[at - 1]?.seq ?? 0)),
    `seq: expected strictly increasing, got ${JSON.stringify(stored.map(({ seq }) => seq))}`,
  );
  same(
    'the result against what is stored',
    nodes,
    stored.slice(1).map(({ id, parentId, seq, depth }) => ({ id, parentId, seq, depth })),
  );
}

async function recreate(place: Place): Promise<void> {
  const session = await place.session([node('a'), { op: 'label', target: 'a', label: 'x' }], {
    meta: META,
    params: { k: 1 },
  });
  const { storage, id } = session;
  const old = { id: 'same', ops: [node('b')] };
  await storage.commit(id, old);
  const before = await session.head();
  same('delete', await storage.delete(id), true);
  const after = await storage.create(id);
  holds(after.epoch !== before.epoch, 'epoch: expected another one after the session was deleted and created again');
  same('the new head', [after.version, after.leaf, after.nodeCount, after.bytes, after.meta], [0, null, 0, 0, {}]);
  same('the old node', await storage.nodes(id, ['a']), [null]);
  same('the nodes', await session.scanIds(), []);
  same('the extras', await storage.extras(id), { labels: {}, params: {}, sections: [], drafts: [] });
  const { status, version } = await storage.commit(id, old);
  same('a commit of an id from before', [status, version], ['applied', 1]);
}

async function callerMutates(place: Place): Promise<void> {
  const storage = await place.storage();
  const id = place.id();
  const forkedFrom = { session: 'before', node: null };
  const init = { meta: { tags: ['before'] }, params: { deep: { list: ['before'] } }, forkedFrom };
  const created = storage.create(id, init);
  for (const list of [init.meta.tags, init.params.deep.list]) list[0] = 'after';
  forkedFrom.session = 'after';
  await created;
  const [data, value, patch, policy] = [{ list: ['before'] }, ['before'], { note: ['before'] }, { of: ['before'] }];
  const ops = [
    node('a', { data }),
    { op: 'param', key: 'list', value },
    { op: 'meta', patch },
    { op: 'section', name: 'chat', policy },
    { op: 'draft', id: 'd', node: node('d', { data }).node },
  ] as const;
  const made = storage.commit(id, { id: 'c', ops });
  for (const list of [data.list, value, patch.note, policy.of]) list[0] = 'after';
  await made;
  const head = await storage.head(id);
  const kept = [head?.meta, head?.forkedFrom, await storage.nodes(id, ['a']), await storage.extras(id)];
  holds(!JSON.stringify(kept).includes('after'), `expected what was given at the call, got ${JSON.stringify(kept)}`);
}

async function readerMutates(place: Place): Promise<void> {
  const session = await place.session(
    [
      node('a', { data: { list: ['kept'] } }),
      { op: 'label', target: 'a', label: 'kept' },
      { op: 'section', name: 'chat', policy: { of: ['kept'] } },
      { op: 'draft', id: 'd', node: node('d', { data: { list: ['kept'] } }).node },
    ],
    { meta: { tags: ['kept'] }, params: { list: ['kept'] }, forkedFrom: { session: 'kept', node: null } },
  );
  const { storage, id } = session;
  const before = await session.all();
  const given: unknown[] = [
    await storage.head(id),
    await storage.list({ prefix: id }),
    await storage.nodes(id, ['a']),
    await storage.scan(id),
    await storage.path(id),
    await storage.extras(id),
    await session.commit([]),
  ];
  for (const value of given) spoil(value);
  const after = (await session.all()) as { head: object };
  same('what is stored', { ...after, head: { ...after.head, version: 1 } }, before);
}

/** Changes all that can be changed in a value, to its bottom. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    spoil(value[key as never]);
    Reflect.set(value, key, 'spoilt');
  }
}

async function closing(place: Place): Promise<void> {
  const storage = await place.open();
  const id = place.id();
  await storage.create(id);
  await storage[Symbol.asyncDispose]();
  await storage[Symbol.asyncDispose]();
  const calls = [
    ['create', async () => storage.create(place.id())],
    ['head', async () => storage.head(id)],
    ['list', async () => storage.list()],
    ['delete', async () => storage.delete(id)],
    ...callsOn(storage, id),
  ] as const;
  for (const [name, call] of calls) await refused(`${name} after close`, 'CLOSED', call);
}
