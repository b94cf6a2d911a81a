import * as fs from 'node:fs';
import { expect, describe, it, vi, onTestFinished } from 'vitest';
import { jsonlStorage, type JsonlStorageOptions } from '../../../src/storage/jsonl/index.ts';
import { appendEach, folder, node, opened, pathIds } from '../../support/jsonl.ts';

/** File functions that know how many files are open, and let no more than so many be. */
function counted(most = Infinity) {
  const open = new Set<number>();
  let opens = 0;
  const openSync = (...how: Parameters<typeof fs.openSync>) => {
    if (open.size >= most) throw Object.assign(new Error('too many'), { code: 'EMFILE' });
    const fd = fs.openSync(...how);
    opens++;
    open.add(fd);
    return fd;
  };
  const closeSync = (fd: number) => {
    if (!open.delete(fd)) throw new Error('closed twice');
    fs.closeSync(fd);
  };
  return { open, opens: () => opens, fs: { ...fs, openSync, closeSync } };
}

async function sessions(count: number, files: ReturnType<typeof counted>, options: JsonlStorageOptions = {}) {
  const storage = jsonlStorage(folder(), { sync: 'none', fs: files.fs, ...options });
  const ids = Array.from({ length: count }, (_, at) => `s${at}`);
  for (const id of ids) await storage.create(id);
  const commitEach = async (commit: string) => {
    for (const id of ids) await storage.commit(id, { id: commit, ops: [node(commit)] });
  };
  return { storage, ids, commitEach };
}

describe('files that are kept open between commits', () => {
  it.each(['none', 'commit', 'interval'] as const)('are opened once, and closed with the storage: %s', async (sync) => {
    const files = counted();
    const { storage, commitEach } = await sessions(2, files, { sync });
    const before = files.opens();
    for (const commit of ['a', 'b', 'c']) await commitEach(commit);
    expect([files.opens() - before, files.open.size]).toEqual([2, 2]);
    await storage[Symbol.asyncDispose]();
    expect(files.open.size).toBe(0);
  });

  it('are not closed before they are on the disk', async () => {
    const files = counted();
    const waiting: (() => void)[] = [];
    const fdatasync = ((fd: number, done: (error: Error | null) => void) => {
      waiting.push(() => done(files.open.has(fd) ? null : new Error('closed')));
    }) as typeof fs.fdatasync;
    const { storage } = await sessions(1, files, { sync: 'commit', fs: { ...files.fs, fdatasync } });
    const commits = ['a', 'b'].map((id) => storage.commit('s0', { id, ops: [node(id)] }));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await storage.repair('s0');
    await storage.delete('s0');
    expect(files.open.size).toBe(1);
    waiting.shift()?.();
    await commits[0];
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    waiting.shift()?.();
    expect(await commits[1]).toMatchObject({ durable: 'power-loss' });
    expect(files.open.size).toBe(0);
  });

  it('are no more than 64', async () => {
    const files = counted();
    const { storage, ids, commitEach } = await sessions(70, files);
    for (const commit of ['a', 'b']) await commitEach(commit);
    expect(files.open.size).toBe(64);
    for (const id of ids) expect(await pathIds(storage, id)).toEqual(['a', 'b']);
    await storage[Symbol.asyncDispose]();
  });

  it('are closed where the system has no more to give', async () => {
    const files = counted(4);
    const { storage, ids, commitEach } = await sessions(10, files);
    for (const commit of ['a', 'b']) await commitEach(commit);
    for (const id of ids) expect(await pathIds(storage, id)).toEqual(['a', 'b']);
    await storage[Symbol.asyncDispose]();
  });

  it('are closed when nobody writes for a while, when the session is deleted or repaired, and after an error', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const files = counted();
    const { storage, commitEach } = await sessions(2, files);
    await commitEach('a');
    await expect(storage.commit('s0', { id: 'x', ops: [], expect: { version: 9 } })).rejects.toThrow('version');
    expect(files.open.size).toBe(1);
    vi.advanceTimersByTime(3000);
    expect(files.open.size).toBe(0);
    await commitEach('b');
    expect(files.open.size).toBe(2);
    await storage.repair('s0');
    await storage.delete('s1');
    expect([files.open.size, vi.getTimerCount()]).toEqual([0, 1]);
  });
});

describe('a commit to a file that was kept open', () => {
  it('goes into the file that has the name now', async () => {
    const { storage, path, file, reopen } = await opened(['a']);
    fs.copyFileSync(file.path, `${path}/copy`);
    await appendEach(storage, 'b');
    fs.renameSync(file.path, `${path}/moved`);
    fs.renameSync(`${path}/copy`, file.path);
    await appendEach(storage, 'c');
    expect(await pathIds(storage)).toEqual(['a', 'c']);
    expect(await pathIds(reopen())).toEqual(['a', 'c']);
  });

  it('finds no session where its file was deleted or moved away', async () => {
    const { storage, path, file } = await opened(['a']);
    fs.renameSync(file.path, `${path}/moved`);
    await expect(appendEach(storage, 'b')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is brought to the disk itself, whatever had its name before', async () => {
    const synced: number[] = [];
    const fdatasync = ((fd: number, done: (error: Error | null) => void) => {
      synced.push(fs.fstatSync(fd).ino);
      fs.fdatasync(fd, done);
    }) as typeof fs.fdatasync;
    const path = folder();
    await using storage = jsonlStorage(path, { sync: 'interval', fs: { ...fs, fdatasync } });
    await storage.create('s');
    const first = storage.commit('s', { id: 'a', ops: [node('a')] });
    await storage.delete('s');
    await storage.create('s');
    expect(await storage.commit('s', { id: 'b', ops: [node('b')] })).toMatchObject({ durable: 'power-loss' });
    expect(synced).toContain(fs.statSync(`${path}/s.jsonl`).ino);
    await first;
  });

  it('knows what others have appended, cut or written over meanwhile', async () => {
    const { storage, file, reopen } = await opened(['a', 'b']);
    await appendEach(reopen(), 'c');
    expect(await storage.commit('s', { id: 'x', ops: [node('x', 'c')], expect: { version: 3 } })).toMatchObject({
      version: 4,
    });
    file.edit((lines) => lines.slice(0, 2));
    await expect(storage.commit('s', { id: 'y', ops: [node('y', 'b')] })).rejects.toMatchObject({
      code: 'PARENT_NOT_FOUND',
    });
    await appendEach(storage, 'd');
    file.edit((lines) => [...lines.slice(0, -1), ' '.repeat(lines.at(-1)!.length)]);
    fs.utimesSync(file.path, 1, 1);
    await appendEach(storage, 'e');
    expect(await pathIds(reopen())).toEqual(['a', 'e']);
    expect(await pathIds(storage)).toEqual(['a', 'e']);
  });

  it('takes no part in what another writer left unfinished', async () => {
    const { storage, file, reopen } = await opened(['a']);
    file.append('{"k":"c","id":"torn');
    await appendEach(storage, 'b');
    expect(await pathIds(reopen())).toEqual(['a', 'b']);
  });

  it('says that the session was deleted where that happens while it writes', async () => {
    let isOn = false;
    const made = await opened(['a']);
    const writeSync = ((fd: number, bytes: Buffer) => {
      if (isOn) fs.unlinkSync(made.file.path);
      return fs.writeSync(fd, bytes);
    }) as typeof fs.writeSync;
    const storage = jsonlStorage(made.path, { sync: 'none', fs: { ...fs, writeSync } });
    await appendEach(storage, 'b');
    isOn = true;
    await expect(appendEach(storage, 'c')).rejects.toMatchObject({ code: 'DELETED' });
    isOn = false;
    await expect(appendEach(storage, 'd')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is written again where another writer was faster, and his line came between', async () => {
    const made = await opened(['a']);
    const other = made.reopen();
    let isOn = false;
    let between: Promise<void> = Promise.resolve();
    const writeSync = ((fd: number, bytes: Buffer) => {
      if (isOn) between = appendEach(other, 'o');
      isOn = false;
      return fs.writeSync(fd, bytes);
    }) as typeof fs.writeSync;
    const storage = jsonlStorage(made.path, { sync: 'none', fs: { ...fs, writeSync } });
    await appendEach(storage, 'b');
    isOn = true;
    await appendEach(storage, 'c');
    await between;
    expect((await pathIds(made.reopen())).toSorted()).toEqual(['a', 'b', 'c', 'o']);
    expect(await pathIds(storage)).toEqual(await pathIds(other));
  });
});
