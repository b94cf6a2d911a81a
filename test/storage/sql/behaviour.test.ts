import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Op, StoredNode } from '../../../src/index.ts';
import type { SqlStorage } from '../../../src/storage/sql/index.ts';
import { databases, type TestPlace, titleOf } from './support/databases.ts';
import { wholePath } from './support/whole-path.ts';

const node = (id: string, more: Record<string, unknown> = {}): Op => ({
  op: 'node',
  node: { id, section: 'chat', type: 'message', at: '2025-01-01T00:00:00.000Z', data: { text: id }, ...more },
});
const chain = (count: number): Op[] => Array.from({ length: count }, (_, at) => node(`n${at}`));
const idsOf = (nodes: readonly (StoredNode | null)[]) => nodes.map((each) => each?.id);

for (const database of databases) {
  describe.skipIf(database.missing !== undefined)(`a session in ${titleOf(database)}`, () => {
    let place: TestPlace;
    let storage: SqlStorage;
    let count = 0;
    /** The id of a new session with these changes. */
    const session = async (...ops: readonly Op[]) => {
      const id = `session ${++count}`;
      await storage.create(id);
      if (ops.length > 0) await storage.commit(id, { id: 'first', ops });
      return id;
    };
    const rowsOf = async (table: string, id: string) =>
      (await place.raw(`SELECT * FROM ${place.prefix}${table} WHERE session_id = '${id}'`)).length;

    beforeAll(() => {
      place = database.place();
      storage = place.open();
    });
    afterAll(async () => {
      await storage[Symbol.asyncDispose]();
      await place.drop();
    });

    it('has whole paths, whether much or little lies beside them', async () => {
      const beside = (at: number): Op[] => [
        node(`x${at}`, { parentId: `n${at}` }),
        node(`y${at}`, { parentId: `n${at}`, section: 'notes' }),
        { op: 'leaf', to: `n${at}` },
      ];
      const id = await session(...chain(2500).flatMap((op, at) => (at < 900 ? [op, ...beside(at)] : [op])));
      const ids = Array.from({ length: 2500 }, (_, at) => `n${at}`);
      expect(idsOf(await wholePath(storage, id))).toEqual(ids);
      expect(idsOf((await storage.path(id, { limit: 2400 })).items)).toEqual(ids.slice(100));
      expect(idsOf((await storage.path(id, { to: 'x700', stopAt: 'n10' })).items)).toEqual([
        ...ids.slice(11, 701),
        'x700',
      ]);
      expect((await storage.path(id, { section: 'notes' })).items).toEqual([]);
      await place.raw(`DELETE FROM ${place.prefix}node WHERE session_id = '${id}' AND id = 'n1200'`);
      const { items, truncated } = await storage.path(id);
      expect([idsOf(items), truncated]).toEqual([ids.slice(1201), true]);
    });

    it('is forked row by row, however long, unless a parent is missing', async () => {
      const side: Op[] = [node('x', { parentId: 'n700' }), node('y'), { op: 'leaf', to: 'n1199' }];
      const id = await session(...chain(1200), ...side);
      const [path, fork] = [await wholePath(storage, id), `fork of ${id}`];
      expect(await storage.fork?.(id, { id: fork })).toBe(true);
      expect(await wholePath(storage, fork)).toEqual(path);
      expect(await storage.head(fork)).toMatchObject({ nodeCount: 1200, leaf: 'n1199', version: 1 });
      expect(await storage.fork?.(id, { id: `${fork} at y`, at: 'y' })).toBe(true);
      expect(idsOf(await wholePath(storage, `${fork} at y`)).slice(-2)).toEqual(['x', 'y']);
      await expect(storage.fork?.(id, { id: `${fork} at none`, at: '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await place.raw(`DELETE FROM ${place.prefix}node WHERE session_id = '${id}' AND id = 'n300'`);
      for (const whole of [true, false]) expect(await storage.fork?.(id, { id: 'refused', whole })).toBe(false);
      expect(await storage.head('refused')).toBeNull();
    });

    it('tells ids apart by every code point', async () => {
      const ids = ['a', 'A', 'á', 'a\u0301', 'a ', 'a%', 'a_', "a'", 'ａ', '😀'];
      for (const id of ids) await storage.create(`x${id}`);
      const { items } = await storage.list({ prefix: 'x', limit: 1000 });
      expect(items.map(({ id }) => id).toSorted()).toEqual(ids.map((id) => `x${id}`).toSorted());
      const id = await session(...ids.map((each) => node(each, { section: each })));
      expect(idsOf(await storage.nodes(id, ids))).toEqual(ids);
      const sections = await Promise.all(ids.map((section) => storage.scan(id, { section })));
      expect(sections.map((page) => idsOf(page.items))).toEqual(ids.map((each) => [each]));
      expect((await storage.extras(id)).sections.map(({ name }) => name)).toEqual(ids);
      for (const prefix of ['xa%', 'xa_', 'xA', "xa'", 'x😀'])
        expect((await storage.list({ prefix })).items.map((head) => head.id)).toEqual([prefix]);
    });

    it('gives back any JSON to the last character', async () => {
      const data = {
        text: 'NUL \u0000, half a pair \ud83d, \\u0000, 😀',
        ['__proto__']: [1e308, -0.5],
        '\u0000': '',
        deep: [[null]],
      };
      const id = await session(
        node('a', { data }),
        { op: 'param', key: 'p', value: data },
        { op: 'meta', patch: { data } },
        { op: 'draft', id: 'd', node: { id: 'd', section: 'chat', type: 'message', at: '', data } },
      );
      const [stored] = await storage.nodes(id, ['a']);
      expect(JSON.stringify(stored?.data)).toBe(JSON.stringify(data));
      const { params, drafts } = await storage.extras(id);
      expect([params['p'], drafts[0]?.data, (await storage.head(id))?.meta['data']]).toEqual([data, data, data]);
      expect(idsOf(await storage.nodes(id, ['no\u0000id', '\ud800']))).toEqual([undefined, undefined]);
    });

    it('takes what its limits say, and nothing of what is more', async () => {
      const most = storage.capabilities.maxNodeBytes;
      const id = await session(node('a', { data: 'x'.repeat(most - 2) }), node('b', { data: 'y'.repeat(most - 2) }));
      const [a, b] = await storage.nodes(id, ['a', 'b']);
      expect([a?.bytes, (b?.data as string).length]).toEqual([most, most - 2]);
      const more = [node('c'), node('d', { data: 'x'.repeat(most - 1) })];
      await expect(storage.commit(id, { id: 'more', ops: more })).rejects.toMatchObject({ code: 'TOO_LARGE' });
      const whole = ['e', 'f', 'g'].map((each) => node(each, { data: 'x'.repeat(most - 9) }));
      await expect(storage.commit(id, { id: 'more', ops: whole })).rejects.toMatchObject({ code: 'TOO_LARGE' });
      expect(await storage.head(id)).toMatchObject({ nodeCount: 2, version: 1 });
    });

    it('walks a path of 3 000, and any part of it', async () => {
      const id = await session(...chain(3000));
      const path = await storage.path(id);
      expect([path.items.length, path.truncated, path.items[0]?.id]).toEqual([3000, false, 'n0']);
      expect(
        path.items.every((each, at) => each.depth === at && each.parentId === (path.items[at - 1]?.id ?? null)),
      ).toBe(true);
      const last = await storage.path(id, { limit: 1001 });
      expect([last.items.length, last.truncated, last.items[0]]).toEqual([1001, true, path.items[1999]]);
      const behind = await storage.path(id, { to: 'n1600', stopAt: 'n400' });
      expect([behind.items.length, behind.truncated, behind.items[0]?.id]).toEqual([1200, false, 'n401']);
      expect(await wholePath(storage, id, 700)).toEqual(path.items);
    });

    it('tells a repeated commit from another of its id, however much happened since', async () => {
      const id = await session(node('a'), node('b'));
      await storage.commit(id, { id: 'second', ops: [node('c')] });
      const again = await storage.commit(id, { id: 'first', ops: [node('a'), node('b')], expect: { version: 0 } });
      expect(again).toMatchObject({
        status: 'duplicate',
        version: 1,
        leaf: 'b',
        nodes: [{ id: 'a' }, { id: 'b', parentId: 'a' }],
      });
      const other = storage.commit(id, { id: 'first', ops: [node('x')] });
      await expect(other).rejects.toMatchObject({ code: 'ID_CONFLICT' });
      expect(await storage.head(id)).toMatchObject({ version: 2, leaf: 'c', nodeCount: 3 });
    });

    it('loses no message of two writers that loaded the same (B66)', async () => {
      await using other = place.open();
      const id = await session(node('m1'));
      await storage.commit(id, { id: 'w1', ops: [node('m2')], expect: { version: 1 } });
      const late = { id: 'w2', ops: [node('m3')], expect: { version: 1 } };
      const refused = other.commit(id, late);
      await expect(refused).rejects.toMatchObject({ code: 'CONFLICT', actual: { version: 2, leaf: 'm2' } });
      await other.commit(id, { ...late, expect: { version: 2 } });
      const both = [storage, other];
      const many = Array.from({ length: 50 }, (_, at) =>
        both[at % 2]!.commit(id, { id: `c${at}`, ops: [node(`p${at}`)] }),
      );
      await Promise.all(many);
      const path = (await storage.path(id)).items;
      expect(idsOf(path).slice(0, 3)).toEqual(['m1', 'm2', 'm3']);
      expect(new Set(idsOf(path)).size).toBe(53);
    });

    it('keeps the order in which messages came, whatever their times say (B67)', async () => {
      const at = '2025-01-01T00:00:01.000Z';
      const earlier = '2025-01-01T00:00:00.000Z';
      const id = await session(node('z', { at }), node('a', { at }), node('m', { at }), node('b', { at: earlier }));
      const { items } = await storage.scan(id);
      expect([idsOf(items), items[3]?.at]).toEqual([['z', 'a', 'm', 'b'], earlier]);
      const first = await storage.scan(id, { limit: 2, section: 'chat' });
      const second = await storage.scan(id, { limit: 2, section: 'chat', after: Number(first.next) });
      expect([idsOf(first.items), idsOf(second.items), second.next]).toEqual([['z', 'a'], ['m', 'b'], null]);
      expect(idsOf((await storage.path(id, { limit: 2 })).items)).toEqual(['m', 'b']);
    });

    it('leaves nothing of what is deleted, and all of what others need (B76)', async () => {
      const id = await session(
        ...[node('r'), node('s1'), node('x1'), node('x2'), node('y1', { parentId: 's1' })],
        ...[{ op: 'label', target: 'x2', label: 'gone' } as Op, { op: 'place', id: 'x1', section: 'notes' } as Op],
      );
      await storage.commit(id, { id: 'drop', ops: [{ op: 'drop', ids: ['s1', 'x1', 'x2'] }] });
      expect(idsOf((await storage.path(id, { to: 'y1' })).items)).toEqual(['r', 's1', 'y1']);
      expect(idsOf((await storage.scan(id)).items)).toEqual(['r', 's1', 'y1']);
      expect(await Promise.all(['node', 'label', 'place'].map((table) => rowsOf(table, id)))).toEqual([3, 0, 0]);
      const long = await session(...chain(5000));
      await expect(storage.delete(long, { expectVersion: 9 })).rejects.toMatchObject({ code: 'CONFLICT' });
      expect([await storage.delete(long), await storage.delete(long), await storage.head(long)]).toEqual([
        true,
        false,
        null,
      ]);
      for (const table of ['node', 'section', 'commit']) expect(await rowsOf(table, long)).toBe(0);
      await expect(storage.commit(long, { id: 'late', ops: [node('a')] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('is another one once it was deleted and created again', async () => {
      const id = await session(node('a'));
      const { epoch } = (await storage.head(id))!;
      await storage.delete(id);
      await storage.create(id);
      await expect(storage.create(id)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      const stale = storage.commit(id, { id: 'stale', ops: [node('b')], expect: { epoch } });
      await expect(stale).rejects.toMatchObject({ code: 'DELETED' });
      expect((await storage.commit(id, { id: 'first', ops: [node('a')] })).status).toBe('applied');
    });

    it('is read as far as it can be, and tells what cannot be read', async () => {
      const id = await session(...chain(6), { op: 'leaf', to: 'n4' });
      const table = `${place.prefix}node`;
      await place.raw(`UPDATE ${table} SET data = '{"te' WHERE session_id = '${id}' AND id = 'n3'`);
      await place.raw(`DELETE FROM ${table} WHERE session_id = '${id}' AND id = 'n1'`);
      await place.raw(`UPDATE ${place.prefix}session SET leaf = 'nowhere' WHERE id = '${id}'`);
      expect(idsOf((await storage.scan(id)).items)).toEqual(['n0', 'n2', 'n4', 'n5']);
      const path = await storage.path(id);
      expect([idsOf(path.items), path.truncated]).toEqual([['n2', 'n4', 'n5'], true]);
      const first = await storage.problems(id, { limit: 1 });
      const kinds = [first, await storage.problems(id, { cursor: first.next! })].map(({ items }) =>
        items.map(({ kind }) => kind),
      );
      expect(kinds.flat().toSorted()).toEqual(['orphan', 'schema', 'syntax']);
      await storage.commit(id, { id: 'next', ops: [node('n6')] });
      expect(await storage.head(id)).toMatchObject({ leaf: 'n6' });
      expect(idsOf((await storage.path(id, { limit: 2 })).items)).toEqual(['n5', 'n6']);
      await place.raw(`UPDATE ${table} SET parent_seq = seq WHERE session_id = '${id}' AND id = 'n5'`);
      expect((await storage.path(id)).truncated).toBe(true);
      expect((await storage.problems(id)).items.map(({ kind }) => kind)).toContain('cycle');
    });

    it('is listed, newest first, in pages that others do not move', async () => {
      const ids = Array.from({ length: 7 }, (_, at) => `list-${at}`);
      for (const [at, id] of ids.entries()) await storage.create(id, { meta: { even: at % 2 === 0 } });
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await storage.list({ prefix: 'list-', order: 'created', limit: 3, ...(cursor && { cursor }) });
        found.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      }
      expect(found.toSorted()).toEqual(ids);
      const even = await storage.list({ prefix: 'list-', meta: { even: true }, limit: 3 });
      expect([even.items.length, even.next === null]).toEqual([3, false]);
      const rest = await storage.list({ prefix: 'list-', meta: { even: true }, cursor: even.next! });
      expect([rest.items.length, rest.next]).toEqual([1, null]);
    });

    it('is there after the storage was closed, which then refuses everything', async () => {
      const id = await session(node('a'));
      const other = place.open();
      const pending = other.commit(id, { id: 'second', ops: [node('b')] });
      await other[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      expect(await pending).toMatchObject({ status: 'applied', durable: storage.capabilities.durability });
      await expect(other.head(id)).rejects.toMatchObject({ code: 'CLOSED' });
      await using third = place.open();
      expect(await third.head(id)).toMatchObject({ leaf: 'b', version: 2 });
    });

    it('is not touched where a newer version made the tables, or none did', async () => {
      const bare = database.place();
      await using waiting = bare.open({ autoMigrate: false });
      await expect(waiting.head('s')).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining('migrate()'),
      });
      await waiting.migrate();
      await waiting.migrate();
      expect(await waiting.head('s')).toBe(null);
      await bare.raw(`UPDATE ${bare.prefix}schema SET version = 99`);
      await using newer = bare.open();
      await expect(newer.head('s')).rejects.toMatchObject({ code: 'NEWER_FORMAT' });
      await expect(newer.migrate()).rejects.toMatchObject({ code: 'NEWER_FORMAT' });
      await bare.drop();
    });
  });
}
