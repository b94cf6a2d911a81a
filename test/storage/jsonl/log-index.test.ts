import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Op, PathQuery, SessionStorage } from '../../../src/index.ts';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { appendEach, changed, node, opened, pathIds } from '../../support/jsonl.ts';

const PADDING = 'x'.repeat(1000);

/** A session whose file is long enough for an index: a chain of nodes, and whatever else is given. */
async function long(count: number, ...further: readonly (readonly Op[])[]) {
  const made = await opened();
  const index = join(made.path, 's.index');
  const add = (ops: readonly Op[], id: string) => made.storage.commit('s', { id, ops });
  const chain = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => node(`n${from + at}`, undefined, `${PADDING}${from + at}`));
  for (let at = 0; at < count; at += 10) await add(chain(at, at + 10), `c${at}`);
  for (const [at, ops] of further.entries()) await add(ops, `f${at}`);
  return { ...made, index, add };
}

/** A new instance, and how many bytes it has read. */
function counting(path: string) {
  let bytes = 0;
  const readSync = ((...args: Parameters<typeof fs.readSync>) => {
    const count = fs.readSync(...args);
    bytes += count;
    return count;
  }) as typeof fs.readSync;
  return { storage: jsonlStorage(path, { fs: { ...fs, readSync } }), bytesRead: () => bytes };
}

const queries: readonly PathQuery[] = [
  { limit: 1 },
  { limit: 50 },
  { limit: 7, section: 'chat' },
  { limit: 50, stopAt: 'n980' },
  { limit: 5, to: 'n950' },
  { limit: 5, to: 'n3' },
  { limit: 10_000 },
  { limit: 10, to: null },
];

const glances = (storage: SessionStorage) =>
  Promise.all([
    storage.head('s'),
    storage.extras('s'),
    storage.list(),
    ...queries.map((query) => storage.path('s', query).catch((error: unknown) => String(error))),
  ]);

/** What each read says must not depend on whether there is an index. */
async function sameWithoutIndex({ path, index }: { readonly path: string; readonly index: string }) {
  const read = [];
  for (const each of [0, 1, 2]) {
    void each;
    read.push(await glances(jsonlStorage(path)));
  }
  fs.rmSync(index, { force: true });
  expect(await glances(jsonlStorage(path))).toEqual(read[0]);
  expect(new Set(read.map((all) => JSON.stringify(all))).size).toBe(1);
}

describe('the index of a long session', () => {
  it('spares reading what nobody asked for', async () => {
    const { path, file, index } = await long(3000);
    expect(fs.existsSync(index)).toBe(true);
    const { storage, bytesRead } = counting(path);
    expect((await storage.path('s', { limit: 50 })).items.map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, at) => `n${2950 + at}`),
    );
    await storage.head('s');
    await storage.extras('s');
    await storage.list();
    expect(bytesRead()).toBeLessThan(file.bytes().length);
    const one = counting(path);
    await one.storage.path('s', { limit: 50 });
    expect(one.bytesRead()).toBeLessThan(2 ** 19);
  });

  it('says what the whole file says', async () => {
    const labelled: Op[] = [
      { op: 'label', target: 'n5', label: 'early' },
      { op: 'param', key: 'k', value: { a: 1 } },
      { op: 'section', name: 'empty', policy: { p: true } },
      { op: 'meta', patch: { title: 't' } },
      { op: 'draft', id: 'd', node: node('d').node },
    ];
    await sameWithoutIndex(await long(1000, labelled));
    await sameWithoutIndex(await long(1000, [{ op: 'leaf', to: 'n500' }, node('branch')]));
    await sameWithoutIndex(await long(1000, [{ op: 'place', id: 'n5', section: 'chat' }, node('after')]));
    await sameWithoutIndex(await long(1000, [{ op: 'drop', ids: ['n999', 'n998'] }], [node('n999')]));
    await sameWithoutIndex(await long(1000, [{ op: 'reset' }, node('n5'), node('n980')], [node('last')]));
  });

  it('says what the whole file says when writers had lost races, and lines are damaged', async () => {
    const { path, index, file, add } = await long(1000);
    const lost = changed(file.lines().at(-1)!, (record) => ({ ...record, id: 'lost', leaf: 'lost', ops: [] }));
    file.append(`${lost}\n${'x'.repeat(300_000)}\n`);
    await add([node('more')], 'more');
    for (const query of queries)
      await jsonlStorage(path)
        .path('s', query)
        .catch(() => undefined);
    await sameWithoutIndex({ path, index });
  });

  it('is left alone when it does not fit', async () => {
    const { path, index, file } = await long(1000);
    const expected = await glances(jsonlStorage(path));
    const good = fs.readFileSync(index);
    for (const bad of ['', 'no index', good.subarray(0, 100), Buffer.alloc(5000), await otherIndex()]) {
      fs.writeFileSync(index, bad);
      expect(await glances(jsonlStorage(path))).toEqual(expected);
    }
    fs.writeFileSync(index, good);
    fs.truncateSync(file.path, 200_000);
    expect((await jsonlStorage(path).head('s'))!.nodeCount).toBeLessThan(200);
  });

  it('is not written for a file that was edited by hand', async () => {
    const { path, index, file } = await long(1000);
    fs.rmSync(index);
    file.edit((lines) => lines.filter((_, at) => at !== 20));
    expect((await jsonlStorage(path).path('s', { limit: 2000 })).truncated).toBe(true);
    expect(fs.existsSync(index)).toBe(false);
  });

  it('is gone with its session, and there is none for a short one', async () => {
    const { path, storage, index } = await long(1000);
    await storage.delete('s');
    expect(fs.readdirSync(path)).toEqual([]);
    await storage.create('s');
    await appendEach(storage, 'a');
    expect([fs.existsSync(index), await pathIds(storage)]).toEqual([false, ['a']]);
  });
});

async function otherIndex() {
  const { index } = await long(500);
  return fs.readFileSync(index);
}
