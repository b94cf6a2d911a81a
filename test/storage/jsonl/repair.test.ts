import * as fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { appendEach, changed, folder, opened, pathIds, problemKinds, sealed } from '../../support/jsonl.ts';

const everything = async (storage: ReturnType<typeof jsonlStorage>) =>
  Promise.all([storage.head('s'), storage.scan('s'), storage.path('s'), storage.extras('s')]);

/** A session with each kind of damage that a repair takes away. */
async function damaged() {
  const made = await opened(['a', 'b', 'c']);
  const withDuplicate = (record: any) => ({
    ...record,
    ops: [{ op: 'shout' }, JSON.parse(made.file.lines()[1]!).ops[0], ...record.ops],
  });
  made.file.edit(([header, a, b, c]) => [
    `\uFEFF${header!}\r`,
    '',
    a!,
    Buffer.alloc(100),
    sealed({ k: 'note', text: 'kept' }),
    changed(b!, withDuplicate),
    a!,
    header!,
    changed(c!, (record) => ({ ...record, leaf: 'nowhere' })),
    c!,
  ]);
  made.file.append('{"k":"c","id":"torn');
  return made;
}

describe('repair', () => {
  it('makes a clean file that holds the same, after a copy of the one before', async () => {
    const { file, path, reopen } = await damaged();
    const before = file.bytes();
    const storage = reopen();
    const read = await everything(storage);
    expect(await problemKinds(storage)).toHaveLength(7);
    const result = await storage.repair('s');
    expect(result).toMatchObject({
      removed: 5,
      changed: 2,
      backup: expect.stringMatching(/s\.jsonl\.bad-[0-9a-f]{12}$/),
    });
    expect(fs.readFileSync(result.backup!)).toEqual(before);
    expect(await everything(storage)).toEqual(read);
    expect(await everything(reopen())).toEqual(read);
    expect(await problemKinds(storage)).toEqual(['unknown-type 3', 'unknown-type 4']);
    expect(fs.readdirSync(path)).toHaveLength(2);
    await appendEach(storage, 'd');
    expect(await pathIds(reopen())).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does nothing to a clean file, and so nothing a second time', async () => {
    const { file, storage, reopen } = await opened(['a']);
    const nothing = { backup: null, removed: 0, changed: 0 };
    const before = file.bytes();
    expect([await storage.repair('s'), file.bytes()]).toEqual([nothing, before]);
    file.append('bad\n');
    expect(await reopen().repair('s')).toMatchObject({ removed: 1 });
    expect([await reopen().repair('s'), file.bytes()]).toEqual([nothing, before]);
  });

  it('makes a header where there is none, so that the session can be written to', async () => {
    const { file, reopen } = await opened(['a', 'b']);
    file.edit(([header, ...rest]) => [header!.slice(0, 40), ...rest]);
    const storage = reopen();
    expect(await storage.repair('s')).toMatchObject({ removed: 1 });
    await appendEach(storage, 'c');
    expect([await pathIds(reopen()), await problemKinds(storage)]).toEqual([['a', 'b', 'c'], []]);
    expect((await storage.list()).items).toMatchObject([{ id: 's' }]);
  });

  it('leaves alone what it does not know', async () => {
    const { file, reopen } = await opened(['a']);
    const storage = reopen();
    const asNewer = (line: string) => JSON.stringify({ ...JSON.parse(line), format: 2 });
    for (const [header, code] of [
      [asNewer(file.lines()[0]!), 'NEWER_FORMAT'],
      [changed(file.lines()[0]!, (record) => ({ ...record, id: 'other' })), 'DAMAGED'],
    ] as const) {
      file.edit(([, ...rest]) => [header, ...rest]);
      const before = file.bytes();
      await expect(storage.repair('s')).rejects.toMatchObject({ code });
      expect(file.bytes()).toEqual(before);
    }
    file.write('Dear diary\n');
    await expect(storage.repair('s')).rejects.toMatchObject({ code: 'DAMAGED' });
    await expect(jsonlStorage(folder()).repair('s')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps the file as it is when the disk is full', async () => {
    const { file, path } = await damaged();
    const before = file.bytes();
    let room = 300;
    const writeSync = ((fd: number, bytes: Buffer, from: number, length: number) => {
      const count = Math.min(length, room);
      room -= count;
      return fs.writeSync(fd, bytes, from, count);
    }) as typeof fs.writeSync;
    const storage = jsonlStorage(path, { fs: { ...fs, writeSync } });
    for (room of [0, 300, before.length, before.length + 300])
      await expect(storage.repair('s')).rejects.toMatchObject({ code: 'NO_SPACE' });
    expect(file.bytes()).toEqual(before);
    expect(fs.readdirSync(path).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
