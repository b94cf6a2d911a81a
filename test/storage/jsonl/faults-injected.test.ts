import * as fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonlStorage, type JsonlStorageOptions } from '../../../src/storage/jsonl/index.ts';
import { appendEach, node, opened, pathIds, problemKinds } from '../../support/jsonl.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

/** The session of `opened`, through file functions of which some do something else as long as `isOn`. */
async function faulty(replace: (isOn: () => boolean) => Partial<typeof fs>, options: JsonlStorageOptions = {}) {
  const made = await opened(['a']);
  let isOn = false;
  const injected = { ...fs, ...replace(() => isOn) };
  const storage = jsonlStorage(made.path, { sync: 'none', ...options, fs: injected });
  const b = { id: 'c-b', ops: [node('b')] };
  return {
    ...made,
    storage,
    commitB: () => storage.commit('s', b),
    during: async <T>(run: () => Promise<T>) => {
      isOn = true;
      return run().finally(() => (isOn = false));
    },
  };
}

/** Writes only a part of each line, and no end of line afterwards unless it `heals`. */
const shortWrites = (part: (length: number) => number, heals: boolean) => (isOn: () => boolean) => ({
  writeSync: ((fd: number, bytes: Buffer, ...rest: []) => {
    if (!isOn()) return fs.writeSync(fd, bytes, ...rest);
    if (bytes.length === 1) return heals ? fs.writeSync(fd, bytes) : 0;
    return fs.writeSync(fd, bytes, 0, part(bytes.length));
  }) as typeof fs.writeSync,
});

describe('a disk that takes only a part of a line', () => {
  it.each([
    ['none', () => 0],
    ['one byte', () => 1],
    ['half', (length: number) => length >> 1],
    ['all but two bytes', (length: number) => length - 2],
  ])('is full, and nothing has changed: %s', async (_, part) => {
    for (const heals of [false, true]) {
      const { commitB, during, storage, reopen, file } = await faulty(shortWrites(part, heals));
      await expect(during(commitB)).rejects.toMatchObject({ code: 'NO_SPACE', retryable: true, path: file.path });
      expect(await pathIds(storage)).toEqual(['a']);
      expect(await commitB()).toMatchObject({ status: 'applied', version: 2 });
      await appendEach(reopen(), 'c');
      expect(await pathIds(reopen())).toEqual(['a', 'b', 'c']);
    }
  });

  it('has taken the commit when only the end of the line is missing and can be written', async () => {
    const { commitB, during, reopen } = await faulty(shortWrites((length) => length - 1, true));
    expect(await during(commitB)).toMatchObject({ status: 'applied' });
    expect(await pathIds(reopen())).toEqual(['a', 'b']);
  });

  it('does not say what became of a commit whose line has no end', async () => {
    const { commitB, during, reopen } = await faulty(shortWrites((length) => length - 1, false));
    await expect(during(commitB)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await commitB()).toMatchObject({ status: 'duplicate', version: 2 });
    expect(await pathIds(reopen())).toEqual(['a', 'b']);
    expect(await problemKinds(reopen())).toEqual([]);
  });
});

describe('a disk that fails', () => {
  const brokenSync = (isOn: () => boolean) => ({
    fdatasync: ((fd: number, done: (error: Error | null) => void) =>
      isOn() ? done(failure('EIO')) : fs.fdatasync(fd, done)) as typeof fs.fdatasync,
  });

  it('leaves the outcome open when it cannot sync, and claims nothing for that commit later', async () => {
    const { commitB, during, storage, reopen } = await faulty(brokenSync, { sync: 'commit' });
    await expect(during(commitB)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: true });
    expect(await commitB()).toMatchObject({ status: 'duplicate', durable: 'process-crash' });
    expect(await storage.commit('s', { id: 'c-c', ops: [node('c')] })).toMatchObject({ durable: 'power-loss' });
    expect(await pathIds(reopen())).toEqual(['a', 'b', 'c']);
  });

  it('fails all commits that waited for the same sync', async () => {
    const { during, storage } = await faulty(brokenSync, { sync: 'interval', intervalMs: 10 });
    const commits = ['x', 'y', 'z'].map((id) => () => storage.commit('s', { id, ops: [node(id)] }));
    const settled = await during(() => Promise.allSettled(commits.map((commit) => commit())));
    expect(settled.map((result) => result.status === 'rejected' && result.reason.code)).toEqual(
      Array(3).fill('OUTCOME_UNKNOWN'),
    );
    expect(await pathIds(storage)).toEqual(['a', 'x', 'y', 'z']);
  });

  it.each([
    ['openSync', 'EMFILE', 'BUSY'],
    ['openSync', 'EACCES', 'PERMISSION'],
    ['openSync', 'EROFS', 'READ_ONLY'],
    ['writeSync', 'ENOSPC', 'NO_SPACE'],
    ['writeSync', 'EFBIG', 'NO_SPACE'],
    ['writeSync', 'EDQUOT', 'NO_SPACE'],
    ['writeSync', 'EIO', 'OUTCOME_UNKNOWN'],
    ['readSync', 'EIO', 'OUTCOME_UNKNOWN'],
  ] as const)('says so: %s gives %s', async (name, code, expected) => {
    const { commitB, during, storage, file } = await faulty((isOn) => ({
      [name]: (...args: never[]) => {
        if (isOn()) throw failure(code);
        return (fs[name] as (...all: never[]) => unknown)(...args);
      },
    }));
    const failed = await during(() => commitB().catch((error: unknown) => error));
    expect(failed).toMatchObject({ name: 'StorageError', code: expected, path: file.path });
    expect((failed as Error).message).toContain(file.path);
    expect(await commitB()).toMatchObject({ status: 'applied' });
    expect(await pathIds(storage)).toEqual(['a', 'b']);
  });

  it('closes every file that it opened', async () => {
    let open = 0;
    const { commitB, during, storage } = await faulty(
      (isOn) => ({
        openSync: (...args: Parameters<typeof fs.openSync>) => {
          const fd = fs.openSync(...args);
          open++;
          return fd;
        },
        closeSync: (fd) => {
          open--;
          fs.closeSync(fd);
        },
        ...brokenSync(isOn),
      }),
      { sync: 'commit' },
    );
    await during(commitB).catch(() => undefined);
    await commitB();
    await Promise.all(['x', 'y'].map((id) => storage.commit('s', { id, ops: [node(id)] })));
    await Promise.allSettled([storage.create('s'), storage.create('t'), storage.commit('none', { id: 'c', ops: [] })]);
    await Promise.all([storage.list(), storage.problems('s'), storage.delete('t')]);
    await storage[Symbol.asyncDispose]();
    expect(open).toBe(0);
  });
});

describe('a folder that cannot be used', () => {
  it.each([
    ['linkSync', 'ENOSPC', 'NO_SPACE'],
    ['writeSync', 'ENOSPC', 'NO_SPACE'],
    ['mkdirSync', 'EACCES', 'PERMISSION'],
  ] as const)('has no half-made session: %s gives %s', async (name, code, expected) => {
    const { during, storage, path } = await faulty((isOn) => ({
      [name]: (...args: never[]) => {
        if (isOn()) throw failure(code);
        return (fs[name] as (...all: never[]) => unknown)(...args);
      },
    }));
    await expect(during(() => storage.create('t'))).rejects.toMatchObject({ code: expected });
    expect(fs.readdirSync(path)).toEqual(['s.jsonl']);
    expect(await storage.create('t')).toMatchObject({ id: 't' });
  });

  it('may know no second names for files', async () => {
    const { storage, path, during } = await faulty((isOn) => ({
      linkSync: () => {
        if (isOn()) throw failure('EPERM');
      },
    }));
    await during(async () => {
      await storage.create('t');
      await expect(storage.create('t')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    });
    expect(fs.readdirSync(path)).toEqual(['s.jsonl', 't.jsonl']);
  });

  it('is a file', async () => {
    const { file } = await opened();
    await expect(jsonlStorage(file.path).create('t')).rejects.toMatchObject({ name: 'StorageError' });
    await expect(jsonlStorage(file.path).head('t')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
