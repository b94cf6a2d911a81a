import type { Op } from '../../storage/storage.ts';
import { refused, same } from './check.ts';
import { type Place, storageCase } from './place.ts';
import { idsOf, node, recordOf } from './session.ts';

/** Names that file systems, collations and quoting take for each other, or for something else. */
const AWKWARD = [
  'a',
  'A',
  'á',
  'a\u0301',
  'a ',
  ' a',
  'ａ',
  'ß',
  'ss',
  'i',
  'İ',
  'ı',
  'æ',
  'ae',
  '🙂',
  '🙃',
  '%',
  '_',
  '\\',
  '*',
  '?',
  '..',
  '.',
  '../x',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'C:\\x',
  'CON',
  'nul.txt',
  'aux',
  'x.jsonl',
  '-rf',
  '~',
  '~~',
  '$HOME',
  "'; DROP TABLE cs_node; --",
  '"',
  '`',
  "''",
  '%s',
  '$1',
  ':id',
  '{}',
  'null',
  'undefined',
  '0',
  '__proto__',
  'constructor',
  '\u007f',
  'x\ufeff',
  '\u200b',
  '\u2028',
];

const NOT_TEXT = [undefined, null, 1, {}, ['a']];
const BROKEN = ['\u0000', '\ufeffa', 'a\u0000', '\u001f', 'a\nb', '\ud800', 'a\udc00'];

/** S2, 23 and 25 to 27: ids and names. */
export const names = [
  storageCase('s2-23c', 'refuses ids with control characters or half a surrogate pair', async (place) => {
    const bad = [...BROKEN, '', ...NOT_TEXT] as string[];
    await badIds(place, bad);
  }),
  storageCase('s2-23d', 'refuses such names of sections, types, parameters, and labels', async (place) => {
    const session = await place.session([node('a')]);
    const before = await session.all();
    for (const name of [...BROKEN, 'x'.repeat(129), ...NOT_TEXT.slice(2)] as string[])
      for (const op of namedBy(name))
        await refused(`${op.op} with the name ${JSON.stringify(name)}`, 'INVALID_ID', async () =>
          session.commit([node('b'), op]),
        );
    same('the session', await session.all(), before);
    const [storage, id] = [session.storage, place.id()];
    await refused('create with a parameter of such a name', 'INVALID_ID', async () =>
      storage.create(id, { params: { 'a\u0000': 1 } }),
    );
    same('the session that was refused', await storage.head(id), null);
  }),
  storageCase('s2-25a', 'tells session ids apart that look alike, whatever they hold', async (place) => {
    const storage = await place.storage();
    const ids = AWKWARD.map((name) => place.id(name));
    for (const id of ids) {
      await storage.create(id, { meta: { id } });
      await storage.commit(id, { id: 'c', ops: [node(id)] });
    }
    const again = await place.again();
    for (const id of ids) {
      same(`the metadata of ${JSON.stringify(id)}`, (await again.head(id))?.meta, { id });
      same(`the nodes of ${JSON.stringify(id)}`, idsOf((await again.scan(id)).items), [id]);
    }
    const { items } = await again.list({ prefix: place.prefix, limit: 1000 });
    same('the listed ids', idsOf(items).toSorted(), ids.toSorted());
    same('delete of one', await again.delete(place.id('A')), true);
    same('the one that looks like it', (await again.head(place.id('a')))?.nodeCount, 1);
  }),
  storageCase('s2-25b', 'tells node and commit ids apart that look alike', async (place) => {
    const session = await place.session();
    for (const name of AWKWARD) {
      const { status } = await session.commit([node(name, { data: name })], { id: name });
      same(`the commit ${JSON.stringify(name)}`, status, 'applied');
    }
    const again = session.through(await place.again());
    const found = await again.storage.nodes(session.id, AWKWARD);
    same(
      'the nodes',
      found.map((one) => one?.data ?? null),
      AWKWARD,
    );
    same('the path', await again.pathIds(), AWKWARD);
    same('the path to A', await again.pathIds({ to: 'A' }), ['a', 'A']);
  }),
  storageCase('s2-25c', 'tells sections, parameters and labels apart that look alike', async (place) => {
    const ops = AWKWARD.flatMap((name, at): Op[] => [
      node(`n${at}`, { section: name, type: name }),
      { op: 'param', key: name, value: at },
      { op: 'label', target: `n${at}`, label: name },
    ]);
    const session = await place.session([{ op: 'param', key: 'toString', value: -1 }, ...ops]);
    const again = session.through(await place.again());
    for (const [at, section] of AWKWARD.entries()) {
      same(`the section ${JSON.stringify(section)}`, await again.scanIds({ section }), [`n${at}`]);
      same(`the path in ${JSON.stringify(section)}`, await again.pathIds({ section }), [`n${at}`]);
    }
    const { params, labels, sections } = await again.storage.extras(session.id);
    same(
      'the sections',
      sections.map(({ name }) => name),
      AWKWARD,
    );
    same(
      'the labels',
      AWKWARD.map((_, at) => labels[`n${at}`] ?? null),
      AWKWARD,
    );
    same(
      'the types',
      (await again.scanAll()).map(({ type }) => type),
      AWKWARD,
    );
    const values = AWKWARD.map((name) => Object.getOwnPropertyDescriptor(params, name)?.value as unknown);
    same('the parameters', values, [...AWKWARD.keys()]);
  }),
  storageCase('s2-26', 'takes ids of 255 bytes, and refuses longer ones', async (place) => {
    const storage = await place.storage();
    const room = 255 - place.prefix.length;
    for (const [name, unit] of [
      ['x', 1],
      ['é', 2],
      ['漢', 3],
      ['🙂', 4],
    ] as const) {
      const longest = name.repeat(Math.floor(room / unit)) + 'x'.repeat(room % unit);
      const id = place.id(longest);
      await storage.create(id);
      await storage.commit(id, { id: longest, ops: [node(longest)] });
      same('the path', idsOf((await storage.path(id)).items), [longest]);
      await refused('an id of 256 bytes', 'INVALID_ID', async () => storage.create(`${id}x`));
    }
    await badIds(place, ['x'.repeat(256), '🙂'.repeat(64)]);
  }),
];

/** Every place of an id, with ids that cannot be. */
async function badIds(place: Place, ids: readonly string[]): Promise<void> {
  const session = await place.session([node('a')]);
  const { storage } = session;
  const before = await session.all();
  for (const id of ids) {
    const what = `the id ${JSON.stringify(id)}`;
    await refused(`create with ${what}`, 'INVALID_ID', async () => storage.create(id));
    await refused(`head with ${what}`, 'INVALID_ID', async () => storage.head(id));
    await refused(`delete with ${what}`, 'INVALID_ID', async () => storage.delete(id));
    await refused(`a commit of ${what}`, 'INVALID_ID', async () => session.commit([node('b')], { id }));
    for (const op of changesOf(id))
      await refused(`${op.op} with ${what}`, 'INVALID_ID', async () => session.commit([node('b'), op]));
  }
  same('the session', await session.all(), before);
}

function changesOf(id: string): Op[] {
  const parent: Op[] = id === null || id === undefined ? [] : [node('c', { parentId: id }), { op: 'leaf', to: id }];
  return [
    node(id),
    { op: 'label', target: id, label: 'x' },
    { op: 'place', id, section: 'x' },
    { op: 'drop', ids: [id] },
    { op: 'draft', id, node: null },
    ...parent,
  ];
}

function namedBy(name: string): Op[] {
  return [
    node('c', { section: name }),
    node('c', { type: name }),
    { op: 'label', target: 'a', label: name },
    { op: 'section', name },
    { op: 'place', id: 'a', section: name },
    { op: 'param', key: name, value: 1 },
    { op: 'draft', id: 'd', node: recordOf('d', { section: name }) },
  ];
}
