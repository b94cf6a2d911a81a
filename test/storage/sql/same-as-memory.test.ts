import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fc } from '@fast-check/vitest';
import { memoryStorage, type Op, type ScanQuery, type SessionStorage, type StoredNode } from '../../../src/index.ts';
import type { SqlStorage } from '../../../src/storage/sql/index.ts';
import { databases, type TestPlace, titleOf } from './support/databases.ts';

const ids = ['a', 'A', 'á', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const sections = ['chat', 'notes', ''];
/** Ids are chosen when the commit is made: `known` among those that are there then, `fresh` among the others. */
const [known, fresh] = ['known', 'fresh'].map((kind) => fc.nat(20).map((n) => `${kind} ${n}`)) as [
  fc.Arbitrary<string>,
  fc.Arbitrary<string>,
];
const anyId = fc.oneof({ weight: 12, arbitrary: known }, { weight: 1, arbitrary: fresh });
const newId = fc.oneof({ weight: 1, arbitrary: known }, { weight: 8, arbitrary: fresh });
const anySection = fc.constantFrom(...sections);
const anyData = fc.constantFrom<any>({ text: 'one' }, 'two\u0000\ud800', [3], null);
const anyNode = fc.record(
  {
    id: newId,
    parentId: fc.option(anyId, { freq: 6 }),
    section: anySection,
    type: fc.constantFrom('message', 'summary'),
    at: fc.constant('2025-01-01T00:00:00.000Z'),
    data: anyData,
  },
  { requiredKeys: ['id', 'section', 'type', 'at', 'data'] },
);
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: anyNode.map((node): Op => ({ op: 'node', node: node as never })) },
  fc
    .tuple(anyNode, fc.boolean())
    .map(([node, gone]): Op => ({ op: 'draft', id: node.id, node: gone ? null : (node as never) })),
  fc.option(anyId).map((to): Op => ({ op: 'leaf', to })),
  fc
    .tuple(anyId, fc.option(fc.constantFrom('x', 'X ', '')))
    .map(([target, label]): Op => ({ op: 'label', target, label })),
  fc
    .tuple(
      anySection,
      fc.option(fc.constant({ keep: 1 }), { nil: undefined }),
      fc.option(fc.constant({ more: 2 }), { nil: undefined }),
    )
    .map(([name, policy, extra]): Op => ({ op: 'section', name, ...(policy && { policy }), ...(extra && { extra }) })),
  fc.tuple(anyId, anySection).map(([id, section]): Op => ({ op: 'place', id, section })),
  fc.uniqueArray(anyId, { minLength: 1, maxLength: 4 }).map((dropped): Op => ({ op: 'drop', ids: dropped })),
  { weight: 1, arbitrary: fc.constant<Op>({ op: 'reset' }) },
  fc
    .tuple(fc.constantFrom('p', 'q'), fc.option(anyData, { nil: undefined }))
    .map(([key, value]): Op => ({ op: 'param', key, value })),
  fc.constantFrom<Op>({ op: 'meta', patch: { title: 'x' } }, { op: 'meta', patch: { title: null, n: 1 } }),
);
const anyCommits = fc.array(
  fc.record({
    ops: fc.array(anyOp, { minLength: 1, maxLength: 5 }),
    keepLeaf: fc.boolean(),
    again: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 1, maxLength: 12 },
);

const seed: readonly Op[] = ['a', 'b', 'c', 'd'].map((id) => ({
  op: 'node',
  node: { id, section: 'chat', type: 'message', at: '', data: id },
}));

/** With the stand-ins for ids replaced. */
function withIds<T>(value: T, there: readonly string[]): T {
  const others = ids.filter((id) => !there.includes(id));
  const choose = (kind: string, n: string) => {
    const from = kind === 'known' ? there : others;
    return from[Number(n) % from.length] ?? 'a';
  };
  return JSON.parse(JSON.stringify(value), (_, text) => {
    const [, kind, n] = typeof text === 'string' ? (/^(known|fresh) (\d+)$/.exec(text) ?? []) : [];
    return kind === undefined ? text : choose(kind, n as string);
  }) as T;
}

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return { code: (error as { code: string }).code };
  }
}

async function scanned(storage: SessionStorage, id: string, query: ScanQuery): Promise<StoredNode[]> {
  const found: StoredNode[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const from = cursor === '' ? {} : { [query.dir === 'desc' ? 'before' : 'after']: Number(cursor) };
    const page = await storage.scan(id, { ...query, ...from });
    found.push(...page.items);
    cursor = page.next;
  }
  return found;
}

/** All that can be seen of a session. */
async function seen(storage: SessionStorage, id: string) {
  const { epoch: _, createdAt: __, updatedAt: ___, ...head } = (await storage.head(id))!;
  const extras = await storage.extras(id);
  return {
    head,
    extras: { ...extras, drafts: extras.drafts.toSorted((a, b) => (a.id < b.id ? -1 : 1)) },
    nodes: await storage.nodes(id, ids),
    all: await scanned(storage, id, {}),
    down: await scanned(storage, id, { dir: 'desc', limit: 2 }),
    leaves: await scanned(storage, id, { leaves: true, limit: 1 }),
    roots: await scanned(storage, id, { parent: null }),
    below: await scanned(storage, id, { parent: 'a', section: 'chat' }),
    sections: await Promise.all(sections.map((section) => scanned(storage, id, { section, limit: 2 }))),
    noteLeaves: await scanned(storage, id, { section: 'notes', leaves: true, dir: 'desc' }),
    path: await storage.path(id),
    short: await storage.path(id, { limit: 2 }),
    notes: await storage.path(id, { section: 'notes', limit: 2 }),
    stopped: await storage.path(id, { stopAt: 'b' }),
    paths: await Promise.all(ids.map((to) => outcome(() => storage.path(id, { to, limit: 3, stopAt: 'c' })))),
  };
}

for (const database of databases) {
  describe.skipIf(database.missing !== undefined)(`sessions in ${titleOf(database)}`, () => {
    let place: TestPlace;
    let storage: SqlStorage;
    beforeAll(async () => {
      place = database.place();
      storage = place.open();
      await storage.migrate();
    });
    afterAll(async () => {
      await storage[Symbol.asyncDispose]();
      await place.drop();
    });

    it('makes of any commits what the storage in memory makes of them', async () => {
      let run = 0;
      const counts: Record<string, number> = {};
      await fc.assert(
        fc.asyncProperty(anyCommits, async (commits) => {
          const id = `s${++run}`;
          const model = memoryStorage();
          const both: readonly SessionStorage[] = [model, storage];
          for (const each of both) await each.create(id, { meta: { n: 0 }, params: { first: true } });
          for (const each of both) await each.commit(id, { id: 'seed', ops: seed });
          for (const [at, { again, ...abstract }] of commits.entries()) {
            const there = (await model.scan(id)).items.map((node) => node.id);
            const commit = withIds(abstract, there);
            const named = { id: `c${again ? Math.max(0, at - 1) : at}`, ...commit };
            const [expected, actual] = await Promise.all(
              both.map((each) => outcome(async () => ({ ...(await each.commit(id, named)), durable: '' }))),
            );
            expect(actual).toEqual(expected);
            const { code, status = '' } = actual as { readonly code?: string; readonly status?: string };
            const what = code ?? status;
            counts[what] = (counts[what] ?? 0) + 1;
          }
          expect(await seen(storage, id)).toEqual(await seen(model, id));
        }),
        { numRuns: Number(process.env['RUNS'] ?? 40) },
      );
      console.info(`${database.name}: ${JSON.stringify(counts)}`);
    });
  });
}
