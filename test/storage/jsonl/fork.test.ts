import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Sessions, type Op } from '../../../src/index.ts';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { appendEach, changed, logFile, node, opened, pathIds } from '../../support/jsonl.ts';

const idsUpTo = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const nodesOf = async (storage: ReturnType<typeof jsonlStorage>, id: string) =>
  (await storage.scan(id)).items.map((each) => ({ ...each, seq: 0 }));

describe('a fork in files', () => {
  it('has the bytes of whole lines, and what is chosen of others', async () => {
    const { storage, path, file, reopen } = await opened(['a']);
    await storage.commit('s', { id: 'b c', ops: [node('b', undefined, 'ä"🎈'), node('c')] });
    await storage.commit('s', { id: 'nothing new', ops: [{ op: 'leaf', to: 'c' }] });
    await storage.commit('s', { id: 'd', ops: [node('d', 'b'), node('e')] });
    file.edit((lines) => lines.map((line, at) => (at === 1 ? `${line} ` : line)));
    expect(await reopen().fork?.('s', { id: 'fork' })).toBe(true);
    expect(await nodesOf(reopen(), 'fork')).toEqual((await nodesOf(reopen(), 's')).filter(({ id }) => id !== 'c'));
    const last = file.lines().at(-1);
    const copied = logFile(join(path, 'fork.jsonl')).lines();
    expect(copied[1]).toContain(last!.slice(last!.indexOf('"ops":[') + 7, last!.indexOf(',"h":')));
    expect((await reopen().problems('fork')).items).toEqual([]);
  });

  it('of a long session is several lines', async () => {
    const { storage, path, reopen } = await opened();
    for (let at = 0; at < 4; at++) {
      const ops = idsUpTo(20).map((id): Op => node(`${at}${id}`, undefined, 'x'.repeat(10_000)));
      await storage.commit('s', { id: `c${at}`, ops });
    }
    await storage.fork?.('s', { id: 'fork' });
    expect(await nodesOf(reopen(), 'fork')).toEqual(await nodesOf(storage, 's'));
    expect(logFile(join(path, 'fork.jsonl')).lines()).toHaveLength(5);
    expect(await reopen().head('fork')).toMatchObject({ version: 4, leaf: '3n19', seq: 80 });
  });

  it('does not have what is written meanwhile', async () => {
    const { storage, reopen } = await opened(['a']);
    const done = storage.fork?.('s', { id: 'fork', whole: true });
    await appendEach(storage, 'b');
    await done;
    expect(await pathIds(reopen(), 'fork')).toEqual(['a']);
  });

  it('that is cut off was never there', async () => {
    const { path, reopen } = await opened(idsUpTo(3));
    const writes: number[] = [];
    const writeSync = ((fd: number, bytes: Buffer, ...rest: []) => {
      if (writes.push(bytes.length) === 2) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return fs.writeSync(fd, bytes, ...rest);
    }) as typeof fs.writeSync;
    const storage = jsonlStorage(path, { fs: { ...fs, writeSync } });
    await expect(storage.fork?.('s', { id: 'fork' })).rejects.toMatchObject({ code: 'NO_SPACE' });
    expect(fs.readdirSync(path)).toEqual(['s.jsonl']);
    expect(await reopen().head('fork')).toBeNull();
  });

  it('is brought to the disk before it has its name, without sync its first line, which says that more belongs to it', async () => {
    for (const sync of ['commit', 'none'] as const) {
      const { path, reopen } = await opened(['a']);
      const synced: number[] = [];
      const fsync = ((fd: number, done: fs.NoParamCallback) => {
        if (fs.fstatSync(fd).isFile()) synced.push(fs.fstatSync(fd).size);
        fs.fsync(fd, done);
      }) as typeof fs.fsync;
      await jsonlStorage(path, { sync, fs: { ...fs, fsync } }).fork?.('s', { id: 'fork' });
      const fork = logFile(join(path, 'fork.jsonl'));
      const [header] = fork.lines();
      expect(synced).toEqual([sync === 'none' ? Buffer.byteLength(`${header}\n`) : fork.bytes().length]);
      expect((await reopen().head('fork'))?.meta).toEqual({});
      fork.write(`${header}\n`);
      expect((await reopen().head('fork'))?.meta).toEqual({ forking: true });
    }
  });

  it('of a damaged session is read and written, not copied', async () => {
    for (const damage of [
      (line: string) =>
        changed(line, (record) => ({
          ...record,
          ops: [{ ...record.ops[0], node: { ...record.ops[0].node, parentId: 'lost' } }],
        })),
      () => '{}',
    ]) {
      const { file, reopen } = await opened(['a', 'b', 'c']);
      file.edit((lines) => lines.map((line, at) => (at === 2 ? damage(line) : line)));
      for (const whole of [true, false]) {
        expect(await reopen().fork?.('s', { id: 'fork', whole })).toBe(false);
        const id = await new Sessions(reopen()).fork('s', undefined, { whole });
        expect((await nodesOf(reopen(), id)).filter((each) => each.parentId === null)).not.toEqual([]);
      }
    }
  });

  it('of a session whose parents were dropped by hand is not copied', async () => {
    const { storage, file, reopen } = await opened(['a', 'b']);
    await storage.commit('s', { id: 'x', ops: [node('x', null), { op: 'drop', ids: ['x'] }, { op: 'leaf', to: 'b' }] });
    file.edit((lines) =>
      lines.map((line) =>
        line.replace(/"h":.*/, '').includes('"drop"')
          ? changed(line, (record) => JSON.parse(JSON.stringify(record).replace('["x"]', '["a"]')))
          : line,
      ),
    );
    for (const whole of [true, false]) expect(await reopen().fork?.('s', { id: 'fork', whole })).toBe(false);
  });

  it('of a session that is not there is refused', async () => {
    const { storage } = await opened(['a', 'b']);
    await expect(storage.fork?.('none', { id: 'fork' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
