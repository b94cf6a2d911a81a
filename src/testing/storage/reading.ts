import type { ListQuery, Page, SessionHead, SessionStorage } from '../../storage/storage.ts';
import { holds, refused, same } from './check.ts';
import { pause, type Place, storageCase } from './place.ts';
import { below, idsOf, idsUpTo, node } from './session.ts';

/** S1, 10 and 18: pages of nodes and of sessions. */
export const reading = [
  storageCase('s1-10a', 'gives nodes page by page, forwards and backwards', pages),
  storageCase('s1-10b', 'keeps to its cursor while others append', async (place) => {
    const session = await place.session(idsUpTo(4).map((id) => node(id)));
    const first = await session.storage.scan(session.id, { limit: 2 });
    const newest = await session.storage.scan(session.id, { limit: 2, dir: 'desc' });
    await session.append('n4', 'n5');
    same('the page behind', await session.scanIds({ after: Number(first.next), limit: 2 }), ['n2', 'n3']);
    same('the page before', await session.scanIds({ before: Number(newest.next), dir: 'desc' }), ['n1', 'n0']);
    same('all that came since', await session.scanIds({ after: (await session.node('n3')).seq }), ['n4', 'n5']);
  }),
  storageCase('s1-10c', 'refuses limits below one, above the most, and broken ones', badLimits),
  storageCase('s1-10d', 'leaves out the ends of a range', async (place) => {
    const session = await place.session(idsUpTo(5).map((id) => node(id)));
    const [one, three] = [(await session.node('n1')).seq, (await session.node('n3')).seq];
    same('between', await session.scanIds({ after: one, before: three }), ['n2']);
    same('between, backwards', await session.scanIds({ after: one, before: three, dir: 'desc' }), ['n2']);
    same('behind', await session.scanIds({ after: one }), ['n2', 'n3', 'n4']);
    same('before', await session.scanIds({ before: three, dir: 'desc' }), ['n2', 'n1', 'n0']);
    same('before, limited', await session.scanIds({ before: three, limit: 2 }), ['n0', 'n1']);
    same('nothing', await session.scanIds({ after: three, before: one }), []);
  }),
  storageCase('s1-10e', 'gives the nodes of one section, page by page', async (place) => {
    const ops = idsUpTo(9).map((id, at) => node(id, { section: at % 3 === 0 ? 'notes' : 'chat' }));
    const session = await place.session(ops);
    same('the section', await session.scanIds({ section: 'notes' }), ['n0', 'n3', 'n6']);
    same('its pages', idsOf(await session.scanAll({ section: 'notes', limit: 1 })), ['n0', 'n3', 'n6']);
    same('backwards', idsOf(await session.scanAll({ section: 'notes', limit: 2, dir: 'desc' })), ['n6', 'n3', 'n0']);
    same('an unknown section', await session.scanIds({ section: 'unknown' }), []);
  }),
  storageCase('s1-10f', 'gives what hangs directly below a node, and what nothing hangs below', async (place) => {
    const ops = [node('r'), below('r', 'a'), below('a', 'a1'), below('r', 'b'), below(null, 's'), below('r', 'c')];
    const session = await place.session(ops);
    same('below r', await session.scanIds({ parent: 'r' }), ['a', 'b', 'c']);
    same('below r, one a page, backwards', idsOf(await session.scanAll({ parent: 'r', limit: 1, dir: 'desc' })), [
      'c',
      'b',
      'a',
    ]);
    same('the roots', await session.scanIds({ parent: null }), ['r', 's']);
    same('below a leaf', await session.scanIds({ parent: 'c' }), []);
    same('below an unknown node', await session.scanIds({ parent: 'unknown' }), []);
    same('the leaves', await session.scanIds({ leaves: true }), ['a1', 'b', 's', 'c']);
    same('the leaves, one a page', idsOf(await session.scanAll({ leaves: true, limit: 1 })), ['a1', 'b', 's', 'c']);
    same('the leaves below r', await session.scanIds({ leaves: true, parent: 'r' }), ['b', 'c']);
    same('the leaves, backwards', await session.scanIds({ leaves: true, dir: 'desc' }), ['c', 's', 'b', 'a1']);
  }),
  storageCase('s1-18a', 'lists the newest sessions first, by change or by creation', listOrder),
  storageCase('s1-18b', 'keeps to the cursor of a list while sessions are made', async (place) => {
    const storage = await place.storage();
    const ids = idsUpTo(7).map((name) => place.id(name));
    for (const id of ids) await storage.create(id);
    const query = { prefix: place.prefix, limit: 2, order: 'created' } as const;
    const seen = await listAll(storage, query, async (at) => storage.create(place.id(`late${at}`)));
    const old = seen.filter((id) => ids.includes(id));
    same('the sessions that were there', old.toSorted(), ids.toSorted());
  }),
  storageCase('s1-18c', 'takes a prefix as plain text', async (place) => {
    const storage = await place.storage();
    const names = ['a%b', 'a_b', 'axb', 'a\\b', 'A%b', 'a%', 'a[b', 'a*b', "a'b"];
    for (const name of names) await storage.create(place.id(name));
    const namesOf = async (prefix: string): Promise<string[]> =>
      (await listAll(storage, { prefix: place.id(prefix) })).map((id) => id.slice(place.prefix.length)).toSorted();
    same('a%', await namesOf('a%'), ['a%', 'a%b']);
    for (const name of ['a_', 'a\\', 'a[', 'a*', "a'", 'A']) {
      const expected = names.filter((one) => one.startsWith(name));
      same(`the prefix ${name}`, await namesOf(name), expected);
    }
    same('the prefix a', await namesOf('a'), names.filter((name) => name.startsWith('a')).toSorted());
    same('the prefix b', await namesOf('b'), []);
  }),
  storageCase('s1-18d', 'lists the sessions whose metadata has the entries', async (place) => {
    const storage = await place.storage();
    const metas = { a: { kind: 'x', n: 1 }, b: { kind: 'x', n: 2 }, c: { kind: ['x'] }, d: {} };
    for (const [name, meta] of Object.entries(metas)) await storage.create(place.id(name), { meta });
    const found = async (meta: ListQuery['meta'] & {}): Promise<string[]> =>
      (await listAll(storage, { prefix: place.prefix, meta, limit: 1 })).map((id) => id.slice(-1)).toSorted();
    same('kind x', await found({ kind: 'x' }), ['a', 'b']);
    same('kind x and n 2', await found({ kind: 'x', n: 2 }), ['b']);
    same('a list', await found({ kind: ['x'] }), ['c']);
    same('an entry that none has', await found({ toString: 'x' }), []);
    same('no entries', await found({}), ['a', 'b', 'c', 'd']);
  }),
  storageCase('s1-18e', 'refuses a cursor that is none of its own', async (place) => {
    const { storage } = await place.session();
    for (const cursor of ['', 'rubbish', '{}', '[1]', '[]'])
      await refused(`list with the cursor ${JSON.stringify(cursor)}`, 'INVALID_DATA', async () =>
        storage.list({ cursor }),
      );
  }),
];

async function pages(place: Place): Promise<void> {
  const ids = idsUpTo(6);
  const session = await place.session(ids.map((id) => node(id)));
  for (const limit of [1, 2, 3, 4, 6, 10_000])
    for (const dir of ['asc', 'desc'] as const) {
      const expected = dir === 'asc' ? ids : ids.toReversed();
      const what = `pages of ${limit}, ${dir}`;
      same(what, idsOf(await session.scanAll({ limit, dir })), expected);
      const page = await session.storage.scan(session.id, { limit, dir });
      same(`the first of the ${what}`, idsOf(page.items), expected.slice(0, limit));
      holds((page.next === null) === limit >= 6, `${what}: expected a cursor where there is more, got ${page.next}`);
    }
}

async function badLimits(place: Place): Promise<void> {
  const { storage, id } = await place.session([node('a'), node('b')]);
  const reads = [
    ['scan', 10_000, async (limit: number) => storage.scan(id, { limit })],
    ['path', 10_000, async (limit: number) => storage.path(id, { limit })],
    ['list', 1000, async (limit: number) => storage.list({ prefix: id, limit })],
    ['problems', 1000, async (limit: number) => storage.problems(id, { limit })],
  ] as const;
  for (const [name, most, read] of reads) {
    for (const limit of [0, -1, 1.5, Number.NaN, most + 1])
      await refused(`${name} with the limit ${limit}`, 'INVALID_DATA', async () => read(limit));
    await read(most);
  }
}

async function listOrder(place: Place): Promise<void> {
  const storage = await place.storage();
  for (const name of ['a', 'b', 'c']) {
    await storage.create(place.id(name));
    await pause(5);
  }
  await storage.commit(place.id('a'), { id: 'c', ops: [node('n')] });
  const namesBy = async (query: ListQuery): Promise<string[]> =>
    (await listAll(storage, { prefix: place.prefix, ...query })).map((id) => id.slice(-1));
  for (const limit of [1, 2, 3]) {
    same(`by creation, ${limit} a page`, await namesBy({ order: 'created', limit }), ['c', 'b', 'a']);
    same(`by change, ${limit} a page`, await namesBy({ order: 'updated', limit }), ['a', 'c', 'b']);
  }
  same('by default', await namesBy({}), ['a', 'c', 'b']);
  const heads = await Promise.all(['a', 'c', 'b'].map(async (name) => storage.head(place.id(name))));
  same('the listed heads', (await storage.list({ prefix: place.prefix })).items, heads);
}

/** The ids of all sessions that a list has, page by page; `between` is done before each further page. */
export async function listAll(
  storage: SessionStorage,
  query: ListQuery,
  between?: (page: number) => Promise<unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  let page: Page<SessionHead> = await storage.list(query);
  for (let at = 0; ; at++) {
    ids.push(...idsOf(page.items));
    const { next } = page;
    if (next === null) break;
    await between?.(at);
    page = await storage.list({ ...query, cursor: next });
  }
  same('the sessions of all pages, each once', ids.length, new Set(ids).size);
  return ids;
}
