import { copySession, type ForkOptions, forkSession } from '../../storage/fork-session.ts';
import type { Op } from '../../storage/storage.ts';
import { refused, same } from './check.ts';
import { type Place, storageCase } from './place.ts';
import { below, idsOf, node, SessionUnderTest } from './session.ts';

/** A tree in several commits, with all that can be said of a session. */
const COMMITS: readonly (readonly Op[])[] = [
  [{ op: 'section', name: 'rules', policy: { keep: true } }, node('r', { section: 'rules' }), node('a1'), node('a2')],
  [node('a3', { data: { text: 'é\u{1f600}"\\,"ops":[' } })],
  [
    below('a1', 'b1'),
    node('b2', { section: 'notes', type: 'summary' }),
    { op: 'label', target: 'b2', label: 'beside' },
    { op: 'section', name: 'empty' },
  ],
  [below('a3', 'a4'), node('gone')],
  [
    { op: 'drop', ids: ['gone'] },
    { op: 'place', id: 'a2', section: 'notes' },
    { op: 'place', id: 'r', section: 'notes' },
    { op: 'label', target: 'a2', label: 'on the way' },
    { op: 'param', key: 'k', value: [1, null] },
    { op: 'meta', patch: { title: 'T' } },
    { op: 'draft', id: 'd', node: { ...node('d').node, parentId: 'a4' } },
  ],
  [{ op: 'leaf', to: 'a4' }],
  [node('a5'), node('a6')],
];

/** S1, 13: sessions that are copied, by the storage itself or by reading and writing. */
export const forks = [
  storageCase('s1-13c', 'copies a session as reading and writing it would', async (place) => {
    const source = await place.session();
    for (const ops of COMMITS) await source.commit(ops);
    const before = await source.all();
    const choices: ForkOptions[] = [{}, { whole: true }, ...['a6', 'a4', 'b2', 'r', null].map((at) => ({ at }))];
    for (const choice of [...choices, { at: 'b1', whole: true }]) {
      const [own, other] = [await forkOf(place, source, choice), await copyOf(place, source, choice)];
      same(`the fork ${JSON.stringify(choice)}`, await told(own), await told(other));
      for (const fork of [own, other]) await fork.append('next');
      same(`the fork ${JSON.stringify(choice)}, written to`, await told(own), await told(other));
    }
    same('the source', await source.all(), before);
  }),
  storageCase('s1-13d', 'copies all of a session or nothing', async (place) => {
    const source = await place.session([node('r'), node('a')]);
    const [taken, free] = [await place.session([node('other')]), place.id()];
    const before = await taken.all();
    const fork = async (id: string, options: ForkOptions): Promise<string> => forkSession(source.storage, id, options);
    await refused('an id in use', 'ALREADY_EXISTS', async () => fork(source.id, { newId: taken.id }));
    await refused('an unknown node', 'NOT_FOUND', async () => fork(source.id, { newId: free, at: 'unknown' }));
    await refused('an unknown session', 'NOT_FOUND', async () => fork(place.id(), { newId: free }));
    await refused('an id that is none', 'INVALID_ID', async () => fork(source.id, { newId: '\u0000' }));
    same('what had the id', await taken.all(), before);
    same('what had none', await source.storage.head(free), null);
  }),
  storageCase('s1-13e', 'leaves the commits of a session out of its fork', async (place) => {
    const source = await place.session();
    await source.commit([node('r')], { id: 'first' });
    const fork = await forkOf(place, source, {});
    same('a commit of the same id', (await fork.commit([node('x')], { id: 'first' })).status, 'applied');
    same('the fork', await fork.pathIds(), ['r', 'x']);
    same('the source', await source.pathIds(), ['r']);
  }),
];

async function forkOf(place: Place, { storage, id }: SessionUnderTest, options: ForkOptions) {
  return new SessionUnderTest(storage, await forkSession(storage, id, { newId: place.id(), ...options }));
}

/** The fork that is read and written, whatever the storage can do by itself. */
async function copyOf(place: Place, { storage, id }: SessionUnderTest, options: ForkOptions) {
  const copy = place.id();
  await copySession(storage, id, { id: copy, ...options });
  return new SessionUnderTest(storage, copy);
}

/** All that can be read of a session, save its ids, times and places in the order, which each storage gives as it likes. */
async function told(session: SessionUnderTest): Promise<unknown> {
  const { leaf, nodeCount, bytes, forkedFrom, meta } = await session.head();
  const extras = await session.storage.extras(session.id);
  const sections: Record<string, string[]> = {};
  for (const { name } of extras.sections) sections[name] = idsOf(await session.scanAll({ section: name }));
  const nodes = (await session.scanAll()).map((each) => ({ ...each, seq: 0 }));
  return { leaf, nodeCount, bytes, forkedFrom, meta, extras, sections, nodes, path: await session.pathIds() };
}
