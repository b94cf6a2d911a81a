import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryStorage, type Op, type SessionStorage } from '../../../src/index.ts';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { appendEach, folder, node, opened, pathIds } from '../../support/jsonl.ts';

const everything = (storage: SessionStorage) =>
  Promise.all([storage.head('s'), storage.scan('s'), storage.path('s'), storage.extras('s')]);

/** Without what each session has for itself. */
const comparable = (read: unknown) =>
  JSON.stringify(read, (key, value: unknown) => (/epoch|createdAt|updatedAt/.test(key) ? undefined : value));

const busyHistory: readonly (readonly Op[])[] = [
  [node('a', undefined, { a: [1, { '\u0000': '\ud800' }], __proto: null, '\\"': -0 }), node('b')],
  [
    { op: 'label', target: 'a', label: 'first' },
    { op: 'param', key: 'temperature', value: 0.5 },
  ],
  [{ op: 'section', name: 'notes', policy: { keep: true } }, { op: 'place', id: 'a', section: 'notes' }, node('c')],
  [{ op: 'leaf', to: 'a' }, node('d'), { op: 'draft', id: 'e', node: node('e').node }],
  [
    { op: 'meta', patch: { title: 'Größe 🎈\u2028' } },
    { op: 'param', key: 'temperature', value: undefined },
    { op: 'drop', ids: ['c'] },
  ],
];

describe('jsonlStorage', () => {
  it('holds what a storage in memory holds, in the instance that wrote it and in a new one', async () => {
    const { storage, reopen } = await opened();
    const memory = memoryStorage();
    await memory.create('s');
    for (const [at, ops] of busyHistory.entries())
      for (const each of [storage, memory]) await each.commit('s', { id: `c${at}`, ops });
    const expected = comparable(await everything(memory));
    expect(comparable(await everything(storage))).toBe(expected);
    expect(comparable(await everything(reopen()))).toBe(expected);
    expect(await reopen().head('s')).toEqual(await storage.head('s'));
  });

  it('forgets all that was before a reset', async () => {
    const { storage, reopen } = await opened(['a', 'b']);
    await storage.commit('s', { id: 'reset', ops: [{ op: 'reset' }, node('a', null, 'anew')] });
    expect(await pathIds(reopen())).toEqual(['a']);
    expect((await reopen().nodes('s', ['a', 'b'])).map((found) => found?.data)).toEqual(['anew', undefined]);
  });

  it('makes the folder and the file for their owner alone', async () => {
    const path = join(folder(), 'deep', 'sessions');
    await jsonlStorage(path).create('s');
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 's.jsonl')).mode & 0o777).toBe(0o600);
    expect(readdirSync(path)).toEqual(['s.jsonl']);
  });

  it('has no session where there is no folder', async () => {
    const storage = jsonlStorage(join(folder(), 'none'));
    expect(await storage.head('s')).toBeNull();
    expect((await storage.list()).items).toEqual([]);
    expect(await storage.delete('s')).toBe(false);
    await expect(storage.path('s')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(storage.commit('s', { id: 'c', ops: [] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('lets one of many creators win', async () => {
    const path = folder();
    const tries = Array.from({ length: 20 }, () => jsonlStorage(path).create('s'));
    const settled = await Promise.allSettled(tries);
    const lost = settled.filter((result) => result.status === 'rejected');
    expect(lost.map(({ reason }) => reason.code)).toEqual(Array(19).fill('ALREADY_EXISTS'));
    expect(readdirSync(path)).toEqual(['s.jsonl']);
  });

  it('removes a file for good, and knows a session that was created again from the one before', async () => {
    const { storage, reopen } = await opened(['a']);
    const before = await storage.head('s');
    const other = reopen();
    await pathIds(other);
    expect(await storage.delete('s', { expectVersion: 1 })).toBe(true);
    expect(await other.head('s')).toBeNull();
    await storage.create('s');
    expect(await other.head('s')).toMatchObject({ version: 0, leaf: null });
    const stale = other.commit('s', { id: 'x', ops: [node('x')], expect: { epoch: before!.epoch } });
    await expect(stale).rejects.toMatchObject({ code: 'DELETED' });
  });

  it('deletes no session that has changed', async () => {
    const { storage } = await opened(['a', 'b']);
    await expect(storage.delete('s', { expectVersion: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await pathIds(storage)).toEqual(['a', 'b']);
  });

  it('sees what another instance appends, deletes and creates', async () => {
    const { storage, reopen } = await opened(['a']);
    const other = reopen();
    await appendEach(other, 'b');
    expect(await pathIds(storage)).toEqual(['a', 'b']);
    await appendEach(storage, 'c');
    expect(await pathIds(other)).toEqual(['a', 'b', 'c']);
  });

  it('keeps commits of one instance in the order of the calls', async () => {
    const { storage, reopen } = await opened();
    const ids = Array.from({ length: 100 }, (_, at) => `n${at}`);
    await Promise.all(ids.map((id) => storage.commit('s', { id, ops: [node(id)] })));
    expect(await pathIds(reopen())).toEqual(ids);
  });

  it('lists sessions by their newest commit, and only what is one', async () => {
    const path = folder();
    const storage = jsonlStorage(path, { sync: 'none' });
    for (const id of ['a%', 'a_', 'B']) await storage.create(id, { meta: { id } });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await storage.commit('a%', { id: 'c', ops: [node('x')] });
    writeFileSync(join(path, 'notes.jsonl'), '{"not":"ours"}\n');
    writeFileSync(join(path, 'a~25.jsonl.copy'), 'no');
    const { items } = await storage.list();
    expect(items[0]).toEqual(await storage.head('a%'));
    expect(items.map(({ id }) => id).toSorted()).toEqual(['B', 'a%', 'a_']);
    expect((await storage.list({ prefix: 'a%' })).items).toHaveLength(1);
    expect((await jsonlStorage(path).list({ meta: { id: 'B' } })).items.map(({ id }) => id)).toEqual(['B']);
  });

  it('says what was reached, and no more', async () => {
    const durable = async (sync: 'commit' | 'interval' | 'none', durability?: 'power-loss') => {
      const { storage } = await opened([], { sync, intervalMs: 5 });
      const made = await storage.commit('s', { id: 'c', ops: [node('a')] }, durability && { durability });
      return [storage.capabilities.durability, made.durable];
    };
    expect(await durable('commit')).toEqual(['power-loss', 'power-loss']);
    expect(await durable('interval')).toEqual(['power-loss', 'power-loss']);
    expect(await durable('none')).toEqual(['process-crash', 'process-crash']);
    expect(await durable('none', 'power-loss')).toEqual(['process-crash', 'power-loss']);
  });

  it('keeps to the memory that it was given, and reads again what it let go', async () => {
    const path = folder();
    const storage = jsonlStorage(path, { sync: 'none', cacheBytes: 1 });
    for (const id of ['s', 't']) await storage.create(id);
    for (const id of ['a', 'b'])
      for (const session of ['s', 't']) await storage.commit(session, { id, ops: [node(id)] });
    expect([await pathIds(storage, 's'), await pathIds(storage, 't')]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('writes nothing once it was called off, and takes nothing once it was closed', async () => {
    const { storage, file } = await opened();
    const before = file.bytes();
    const signal = { aborted: true, reason: 'enough' };
    await expect(storage.commit('s', { id: 'c', ops: [node('a')] }, { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(file.bytes()).toEqual(before);
    const last = storage.commit('s', { id: 'd', ops: [node('a')] });
    await storage[Symbol.asyncDispose]();
    expect(await last).toMatchObject({ status: 'applied' });
    for (const call of [storage.head('s'), storage.list(), storage.delete('s'), storage.create('t')])
      await expect(call).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('follows no symbolic link', async () => {
    const [path, elsewhere] = [folder(), join(folder(), 'secret')];
    writeFileSync(elsewhere, 'secret\n');
    symlinkSync(elsewhere, join(path, 's.jsonl'));
    const storage = jsonlStorage(path);
    await expect(storage.head('s')).rejects.toMatchObject({ code: 'DAMAGED' });
    await expect(storage.commit('s', { id: 'c', ops: [] })).rejects.toMatchObject({ code: 'DAMAGED' });
    expect(existsSync(elsewhere)).toBe(true);
  });

  it('waits for no other session', async () => {
    const path = folder();
    const storage = jsonlStorage(path, { sync: 'interval', intervalMs: 500 });
    const ids = Array.from({ length: 16 }, (_, at) => `s${at}`);
    await Promise.all(ids.map((id) => storage.create(id)));
    const begun = performance.now();
    await Promise.all(ids.map((id) => storage.commit(id, { id: 'c', ops: [node('a')] })));
    expect(performance.now() - begun).toBeLessThan(4000);
  });
});

describe('several writers of one file', () => {
  it('lets exactly one of those win who expect the same version', async () => {
    const { storage, reopen } = await opened();
    const other = reopen();
    for (let round = 0; round < 25; round++) {
      const tries = [storage, other].map((each, at) =>
        each.commit('s', { id: `${round}-${at}`, ops: [node(`${round}-${at}`)], expect: { version: round } }),
      );
      const settled = await Promise.allSettled(tries);
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
    expect(await pathIds(reopen())).toHaveLength(25);
  });

  it('finds a commit that another instance made, and does it once', async () => {
    const { storage, reopen } = await opened();
    const commit = { id: 'c', ops: [node('a')] };
    await storage.commit('s', commit);
    expect(await reopen().commit('s', { ...commit, expect: { version: 0 } })).toMatchObject({ status: 'duplicate' });
    await expect(reopen().commit('s', { id: 'c', ops: [node('b')] })).rejects.toMatchObject({ code: 'ID_CONFLICT' });
  });
});
