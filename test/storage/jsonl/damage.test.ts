import { renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { appendEach, changed, folder, node, opened, pathIds, problemKinds, sealed } from '../../support/jsonl.ts';

const scanIds = async (storage: ReturnType<typeof jsonlStorage>) =>
  (await storage.scan('s')).items.map((item) => item.id);

describe('a damaged file', () => {
  // B63: a crash leaves half a line at the end; the next append must not be glued to it.
  it('loses only the line that was not written to its end, and takes new ones', async () => {
    const { file, reopen } = await opened(['m1', 'm2']);
    truncateSync(file.path, file.bytes().length - 40);
    const storage = reopen();
    expect([await pathIds(storage), await problemKinds(storage)]).toEqual([['m1'], ['torn 3']]);
    await appendEach(storage, 'm3');
    expect(await pathIds(reopen())).toEqual(['m1', 'm3']);
    expect(JSON.parse(file.lines().at(-1)!)).toMatchObject({ id: 'c-m3' });
    expect(await problemKinds(reopen())).toEqual(['torn 3']);
  });

  // B63: a clean file whose last line merely lacks its end.
  it('loses nothing when only the last end of line is missing', async () => {
    const { file, reopen } = await opened(['m1', 'm2']);
    truncateSync(file.path, file.bytes().length - 1);
    const storage = reopen();
    expect([await pathIds(storage), await problemKinds(storage)]).toEqual([['m1', 'm2'], []]);
    await appendEach(storage, 'm3');
    expect(await pathIds(storage)).toEqual(['m1', 'm2', 'm3']);
    expect(await pathIds(reopen())).toEqual(['m1', 'm2', 'm3']);
  });

  it('takes the next commit wherever the last record was cut, and changes no byte of what was there', async () => {
    const { file, reopen } = await opened(['m1', 'ä🎈']);
    const whole = file.bytes();
    const start = whole.lastIndexOf('\n', -2) + 1;
    for (let cut = start; cut < whole.length; cut++) {
      file.write(whole.subarray(0, cut));
      await appendEach(reopen(), 'm3');
      const kept = cut === whole.length - 1 ? ['m1', 'ä🎈', 'm3'] : ['m1', 'm3'];
      expect(await pathIds(reopen())).toEqual(kept);
      expect(file.bytes().subarray(0, cut).equals(whole.subarray(0, cut))).toBe(true);
    }
    console.info(`jsonl torn tail: cut at each of ${whole.length - start} places, 0 earlier or later commits lost`);
  });

  // B64: damage in the middle must not end the reading.
  it('reads on behind NUL bytes and broken lines, and names them with lines and bytes', async () => {
    const { file, reopen } = await opened(['m1', 'm2', 'm3']);
    file.edit(([header, m1, m2, m3]) => [header!, m1!, Buffer.alloc(200), m2!, '{not json}', m3!]);
    const before = file.bytes();
    const storage = reopen();
    expect(await pathIds(storage)).toEqual(['m1', 'm2', 'm3']);
    expect(await problemKinds(storage)).toEqual(['syntax 3', 'syntax 5']);
    const { items } = await storage.problems('s');
    const start = before.indexOf('{not json}');
    expect(items[1]).toMatchObject({ raw: '{not json}', where: `${file.path}:5 (bytes ${start} to ${start + 11})` });
    expect(file.bytes()).toEqual(before);
  });

  it.each([1, 4096])('counts %d NUL bytes at its end as one problem', async (count) => {
    const { file, reopen } = await opened(['m1']);
    file.append(Buffer.alloc(count));
    expect(await problemKinds(reopen())).toEqual(['syntax 3']);
    await appendEach(reopen(), 'm2');
    expect(await pathIds(reopen())).toEqual(['m1', 'm2']);
  });

  it('may have blank lines, Windows line ends and a byte order mark', async () => {
    const { file, reopen } = await opened(['m1', 'm2']);
    file.write(`\uFEFF${file.lines().join('\r\n\r\n  \n')}\r\n\n`);
    expect([await pathIds(reopen()), await problemKinds(reopen())]).toEqual([['m1', 'm2'], []]);
    await appendEach(reopen(), 'm3');
    expect(await pathIds(reopen())).toEqual(['m1', 'm2', 'm3']);
  });

  it('loses two records that were welded into one line, and says so', async () => {
    const { file, reopen } = await opened(['m1', 'm2', 'm3', 'm4']);
    file.edit(([header, m1, m2, m3, m4]) => [header!, m1!, m2! + m3!, m4!]);
    expect(await problemKinds(reopen())).toEqual(['torn 3', 'orphan 4']);
    expect((await reopen().path('s')).truncated).toBe(true);
    expect(await scanIds(reopen())).toEqual(['m1', 'm4']);
  });

  it('is read anew by an open instance when records were welded behind its back', async () => {
    const { storage, file, reopen } = await opened(['m1', 'm2']);
    truncateSync(file.path, file.bytes().length - 1);
    const other = reopen();
    expect(await pathIds(other)).toEqual(['m1', 'm2']);
    file.append('{"k":"c"}\n');
    expect(await pathIds(other)).toEqual(['m1']);
    expect(await pathIds(storage)).toEqual(['m1']);
  });

  it('ignores a line whose bytes were changed', async () => {
    const { file, reopen } = await opened(['m1', 'm2']);
    file.edit((lines) => lines.map((line) => line.replace('"text":"m2"', '"text":"m3"')));
    expect([await pathIds(reopen()), await problemKinds(reopen())]).toEqual([['m1'], ['schema 3']]);
  });

  it('shows the raw text of a bad line, cut at 64 KiB', async () => {
    const { file, reopen } = await opened();
    file.append(`${'x'.repeat(100_000)}\n`);
    expect((await reopen().problems('s')).items[0]?.raw).toBe('x'.repeat(65_536));
  });

  it('lists its problems page by page', async () => {
    const { file, reopen } = await opened();
    file.append('bad\n'.repeat(5));
    const storage = reopen();
    const first = await storage.problems('s', { limit: 3 });
    const second = await storage.problems('s', { limit: 3, cursor: first.next! });
    expect([first.items.length, second.items.length, second.next]).toEqual([3, 2, null]);
  });
});

describe('a file that was edited by hand', () => {
  const withParents = async (parents: Readonly<Record<string, string>>) => {
    const made = await opened(['a', 'b', 'c']);
    const reparented = (record: any) => {
      for (const { node: changedNode } of record.ops) changedNode.parentId = parents[changedNode.id] ?? null;
      return record;
    };
    made.file.edit(([header, ...lines]) => [header!, ...lines.map((line) => changed(line, reparented))]);
    return made.reopen();
  };

  it.each([
    ['itself', { a: 'a', b: 'a', c: 'b' }, ['cycle 2'], ['a', 'b', 'c']],
    ['one another', { a: 'b', b: 'a', c: 'b' }, ['cycle 2'], ['a', 'b', 'c']],
    ['three in a ring', { a: 'c', b: 'a', c: 'b' }, ['cycle 2'], ['a', 'b', 'c']],
    ['nothing', { a: 'x', b: 'a', c: 'b' }, ['orphan 2'], ['a', 'b', 'c']],
    ['what comes later', { a: 'b', b: 'y', c: 'b' }, ['orphan 2', 'orphan 3'], ['b', 'c']],
  ])('ends a path where nodes hang below %s', async (_, parents, problems, path) => {
    const storage = await withParents(parents);
    expect(await problemKinds(storage)).toEqual(problems);
    expect(await pathIds(storage)).toEqual(path);
    expect((await storage.path('s')).truncated).toBe(true);
    expect((await storage.scan('s', { parent: null })).items.map(({ id }) => id)).toContain('a');
  });

  it('takes the last node for a leaf that is nowhere', async () => {
    const { file, reopen } = await opened(['a', 'b']);
    file.edit(([header, a, b]) => [header!, a!, changed(b!, (record) => ({ ...record, leaf: 'nowhere' }))]);
    expect(await reopen().head('s')).toMatchObject({ leaf: 'b' });
    expect(await problemKinds(reopen())).toEqual(['schema 3']);
  });

  it('takes the first of two nodes with one id, and the first of two headers', async () => {
    const { file, reopen } = await opened(['a', 'b']);
    const asA = (record: any) => ({
      ...record,
      ops: [{ op: 'node', node: { ...record.ops[0].node, id: 'a' } }],
      leaf: 'a',
    });
    file.edit(([header, a, b]) => [header!, a!, changed(b!, asA), changed(header!, (h) => ({ ...h, epoch: 'other' }))]);
    const storage = reopen();
    expect((await storage.scan('s')).items.map(({ id, data }) => [id, data])).toEqual([['a', { text: 'a' }]]);
    expect(await problemKinds(storage)).toEqual(['duplicate-id 3', 'schema 4']);
    expect((await storage.head('s'))?.epoch).not.toBe('other');
  });

  it('ignores commits of an id or a version that was there before', async () => {
    const { file, reopen } = await opened(['a', 'b']);
    const lines = file.lines();
    file.append(`${lines[1]}\n${changed(lines[2]!, (record) => ({ ...record, id: 'late' }))}\n`);
    expect(await reopen().head('s')).toMatchObject({ version: 2, nodeCount: 2 });
    expect(await problemKinds(reopen())).toEqual([]);
  });

  it('never takes a node deep enough to break the reader', async () => {
    const { file, reopen } = await opened(['a']);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    file.edit(([header, a]) => {
      const text = JSON.stringify(JSON.parse(a!));
      return [header!, a!, text.replace('{"text":"a"}', deep)];
    });
    expect(await pathIds(reopen())).toEqual(['a']);
    expect(await problemKinds(reopen())).toHaveLength(1);
  });

  // B75: a late bookkeeping record must not move the leaf.
  it('has its leaf where the last commit put it, whatever other records come behind', async () => {
    const { file, reopen } = await opened(['u1', 'a1', 'u2', 'a2']);
    file.append(`${sealed({ k: 'note', text: 'exit', parent: 'a1' })}\n`);
    file.append(`${sealed({ k: 'note', text: 'progress', parent: 'u2' })}\n`);
    const storage = reopen();
    expect(await pathIds(storage)).toEqual(['u1', 'a1', 'u2', 'a2']);
    expect(await problemKinds(storage)).toEqual(['unknown-type 6', 'unknown-type 7']);
    await storage.commit('s', { id: 'note', ops: [node('n', 'a1')], keepLeaf: true });
    expect(await pathIds(storage)).toEqual(['u1', 'a1', 'u2', 'a2']);
    await appendEach(storage, 'u3');
    expect(await pathIds(reopen())).toEqual(['u1', 'a1', 'u2', 'a2', 'u3']);
  });

  it('leaves out changes that it does not know, and lists them', async () => {
    const { file, reopen } = await opened(['a']);
    const more = (record: any) => ({ ...record, ops: [{ op: 'shout', loud: true }, ...record.ops], extra: 1 });
    file.edit(([header, a]) => [header!, changed(a!, more)]);
    expect([await pathIds(reopen()), await problemKinds(reopen())]).toEqual([['a'], ['unknown-type 2']]);
  });
});

describe('a file whose header is not what it should be', () => {
  const refusal = async (change: (lines: string[]) => (string | Buffer)[], code: string) => {
    const { file, reopen } = await opened(['a']);
    file.edit(change);
    const before = file.bytes();
    const storage = reopen();
    await expect(storage.commit('s', { id: 'x', ops: [node('x')] })).rejects.toMatchObject({ code });
    expect(file.bytes()).toEqual(before);
    return storage;
  };

  it('is read without a header, and not written to', async () => {
    const storage = await refusal(([, a]) => [a!], 'DAMAGED');
    expect([await pathIds(storage), await problemKinds(storage)]).toEqual([['a'], ['schema 1']]);
    expect((await storage.list()).items).toEqual([]);
  });

  it('is not written to when its header is torn, also inside a character', async () => {
    const storage = await refusal(([header, a]) => [header!.slice(0, 30), a!], 'DAMAGED');
    expect([await pathIds(storage), await problemKinds(storage)]).toEqual([['a'], ['schema 1', 'torn 1']]);
  });

  it('is no session when it names another one', async () => {
    const storage = await refusal(([header, a]) => [changed(header!, (h) => ({ ...h, id: 'other' })), a!], 'DAMAGED');
    expect(await problemKinds(storage)).toEqual(['schema 1']);
    expect((await storage.list()).items).toEqual([]);
  });

  it('may stand behind other lines', async () => {
    const { file, reopen } = await opened(['a']);
    file.edit(([header, a]) => ['', 'rubbish', header!, a!]);
    expect([await pathIds(reopen()), await problemKinds(reopen())]).toEqual([['a'], ['syntax 2', 'schema 3']]);
    await appendEach(reopen(), 'b');
    expect(await pathIds(reopen())).toEqual(['a', 'b']);
  });

  it('is neither read nor written when a newer version wrote it, unless that is asked for', async () => {
    const newer = (header: string) => JSON.stringify({ ...JSON.parse(header), format: 2, more: true });
    const storage = await refusal(([header, a]) => [newer(header!), a!], 'NEWER_FORMAT');
    await expect(storage.path('s')).rejects.toMatchObject({ code: 'NEWER_FORMAT' });
    await expect(storage.create('s')).rejects.toMatchObject({ code: 'NEWER_FORMAT' });
    expect(await problemKinds(storage)).toEqual(['newer-format 1']);
    expect((await storage.list()).items).toMatchObject([{ id: 's', format: 2 }]);
    const { file, path } = await opened(['a']);
    file.edit(([header, a]) => [newer(header!), a!]);
    const reader = jsonlStorage(path, { readNewer: true });
    expect(await pathIds(reader)).toEqual(['a']);
    await expect(reader.commit('s', { id: 'x', ops: [] })).rejects.toMatchObject({ code: 'NEWER_FORMAT' });
  });

  it('is read and written when a later version of the same format wrote it', async () => {
    const { file, reopen } = await opened(['a']);
    file.edit(([header, a]) => [changed(header!, (h) => ({ ...h, format: 1.4, more: true })), a!]);
    await appendEach(reopen(), 'b');
    expect(await pathIds(reopen())).toEqual(['a', 'b']);
  });

  it('is never written over when it is not ours', async () => {
    const path = folder();
    const storage = jsonlStorage(path);
    for (const content of ['', 'Dear diary\n', '{"role":"user"}\n']) {
      writeFileSync(join(path, 's.jsonl'), content);
      const calls = [
        () => storage.create('s'),
        () => storage.commit('s', { id: 'c', ops: [] }),
        () => storage.delete('s'),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'DAMAGED' });
      expect((await storage.list()).items).toEqual([]);
    }
  });
});

describe('a file that someone else moved or cut', () => {
  it('is looked at anew when it was cut', async () => {
    const { storage, file } = await opened(['a', 'b', 'c']);
    const whole = file.bytes();
    truncateSync(file.path, whole.lastIndexOf('\n', -2) + 1);
    expect(await pathIds(storage)).toEqual(['a', 'b']);
    await appendEach(storage, 'd');
    expect(await pathIds(storage)).toEqual(['a', 'b', 'd']);
  });

  it('is looked at anew when another one took its place', async () => {
    const { storage, file } = await opened(['a', 'b']);
    const other = await opened(['x', 'y', 'z']);
    renameSync(other.file.path, file.path);
    expect(await pathIds(storage)).toEqual(['x', 'y', 'z']);
  });

  it('is not made again when it is gone', async () => {
    const { storage, file } = await opened(['a']);
    unlinkSync(file.path);
    await expect(storage.commit('s', { id: 'x', ops: [node('x')] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(file.exists()).toBe(false);
  });
});
