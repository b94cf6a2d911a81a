import { refused, same } from './check.ts';
import { storageCase } from './place.ts';
import { below, node, recordOf, type SessionUnderTest } from './session.ts';

const label = (target: string, text: string | null) => ({ op: 'label', target, label: text }) as const;
const draft = (id: string, data: string) => ({ op: 'draft', id, node: recordOf(id, { data }) }) as const;
const extrasOf = async ({ storage, id }: SessionUnderTest) => storage.extras(id);

/** S1, 15 and 16: labels, parameters, sections, drafts and metadata. */
export const extras = [
  storageCase('s1-15a', 'keeps one label a node, and the same one at several', async (place) => {
    const session = await place.session([node('a'), node('b'), label('a', 'x'), label('b', 'x')]);
    same('the labels', (await extrasOf(session)).labels, { a: 'x', b: 'x' });
    await session.commit([label('a', 'y'), label('b', null)]);
    same('changed and removed', (await extrasOf(session)).labels, { a: 'y' });
    await session.commit([label('b', null), label('a', '')]);
    same('removed again, and empty', (await extrasOf(session)).labels, { a: '' });
    same('in another instance', (await extrasOf(session.through(await place.again()))).labels, { a: '' });
  }),
  storageCase('s1-15b', 'labels no node that is not there', async (place) => {
    const session = await place.session([node('a')]);
    for (const text of ['x', null])
      await refused(`the label ${text} of an unknown node`, 'NOT_FOUND', async () =>
        session.commit([label('b', text)]),
      );
    await refused('a label before its node', 'NOT_FOUND', async () => session.commit([label('b', 'x'), node('b')]));
    await session.commit([node('b'), label('b', 'x'), { op: 'drop', ids: ['b'] }]);
    same('the labels', (await extrasOf(session)).labels, {});
  }),
  storageCase('s1-16a', 'sets parameters one by one; null is a value, undefined removes', async (place) => {
    const session = await place.session([], { params: { first: [1, { deep: true }], gone: 1 } });
    same('from the beginning', (await extrasOf(session)).params, { first: [1, { deep: true }], gone: 1 });
    await session.commit([
      { op: 'param', key: 'second', value: null },
      { op: 'param', key: 'gone', value: undefined },
      { op: 'param', key: '__proto__', value: { x: 1 } },
      { op: 'param', key: '', value: '' },
    ]);
    const { params } = await extrasOf(session.through(await place.again()));
    const expected = [
      ['', ''],
      ['__proto__', { x: 1 }],
      ['first', [1, { deep: true }]],
      ['second', null],
    ];
    same(
      'the entries',
      Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      expected,
    );
  }),
  storageCase('s1-16b', 'keeps sections in the order of their first mention', async (place) => {
    const session = await place.session([
      { op: 'section', name: 'rules', policy: { merge: 'all' } },
      node('a', { section: 'chat' }),
      { op: 'place', id: 'a', section: 'notes' },
      { op: 'section', name: 'empty' },
      { op: 'section', name: 'rules', extra: { note: 1 } },
      { op: 'section', name: 'chat', extra: { note: 2 } },
    ]);
    const sections = [
      { name: 'rules', policy: { merge: 'all' }, extra: { note: 1 } },
      { name: 'chat', extra: { note: 2 } },
      { name: 'notes' },
      { name: 'empty' },
    ];
    same('the sections', (await extrasOf(session)).sections, sections);
    await session.commit([
      { op: 'section', name: 'rules', policy: {} },
      { op: 'drop', ids: ['a'] },
    ]);
    const emptied = [{ ...sections[0], policy: {} }, ...sections.slice(1)];
    same('without a node in them', (await extrasOf(session.through(await place.again()))).sections, emptied);
  }),
  storageCase('s1-16c', 'keeps drafts aside until they are appended or discarded', async (place) => {
    const session = await place.session([node('a')]);
    await session.commit([draft('d', 'one'), draft('e', 'two'), draft('d', 'three')]);
    const byId = async (): Promise<unknown> =>
      (await extrasOf(session.through(await place.again()))).drafts.toSorted((x, y) => (x.id < y.id ? -1 : 1));
    same('the drafts', await byId(), [recordOf('d', { data: 'three' }), recordOf('e', { data: 'two' })]);
    same('the tree', [await session.scanIds(), (await session.head()).leaf], [['a'], 'a']);
    await session.commit([below('a', 'd', { data: 'done' }), { op: 'draft', id: 'e', node: null }]);
    same('the drafts afterwards', [await byId(), await session.pathIds()], [[], ['a', 'd']]);
    await session.commit([draft('f', 'x'), { op: 'draft', id: 'unknown', node: null }, { op: 'reset' }]);
    same('the drafts after a reset', await byId(), []);
  }),
  storageCase('s1-16d', 'patches the metadata of a session; null removes', async (place) => {
    const session = await place.session([], { meta: { title: 'a', tags: ['x'], deep: { one: 1 }, kept: 1 } });
    await session.commit([{ op: 'meta', patch: { title: 'b', tags: null, deep: { two: 2 }, more: true } }]);
    const { meta, version } = await session.through(await place.again()).head();
    same('the metadata', [meta, version], [{ title: 'b', deep: { two: 2 }, kept: 1, more: true }, 1]);
  }),
];
