import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { folder, node, opened, pathIds } from '../../support/jsonl.ts';
import { startChild, useChildren } from '../../support/jsonl-processes.ts';

useChildren();

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** A disk of 2 MiB; undefined where this process may not mount one. */
function smallDisk(): string | undefined {
  const path = folder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', [path]));
  return path;
}

describe('a full disk', () => {
  it('refuses commits, keeps what there was, and works again once there is space', async ({ skip }) => {
    const path = smallDisk() ?? skip('this process may not mount a disk of its own');
    const ballast = join(path, 'ballast');
    writeFileSync(ballast, Buffer.alloc(2 ** 20));
    await using storage = jsonlStorage(path);
    await storage.create('s');
    const kept: string[] = [];
    let refused = 0;
    for (let at = 0; at < 600; at++) {
      const id = `n${at}`;
      const commit = { id, ops: [node(id, undefined, 'x'.repeat(2000 + (at % 7)))] };
      try {
        await storage.commit('s', commit);
        kept.push(id);
      } catch (error) {
        expect(error).toMatchObject({ code: 'NO_SPACE', retryable: true });
        refused++;
      }
    }
    expect(await pathIds(storage)).toEqual(kept);
    expect(await pathIds(jsonlStorage(path))).toEqual(kept);
    await expect(storage.create('t', { meta: { text: 'x'.repeat(10_000) } })).rejects.toMatchObject({
      code: 'NO_SPACE',
    });
    rmSync(ballast);
    await storage.commit('s', { id: 'last', ops: [node('last')] });
    expect(await pathIds(jsonlStorage(path))).toEqual([...kept, 'last']);
    console.info(`jsonl full disk: ${kept.length} commits kept, ${refused} refused, 0 lost, goes on with space`);
    expect(refused).toBeGreaterThan(0);
  });
});

describe.skipIf(!isRoot)('a user without rights (needs root to become one)', () => {
  const asNobody = (path: string, session = 's') =>
    startChild({ folder: path, session, prefix: 'n', count: 1, size: 10, user: NOBODY });

  it('may neither write to a session nor read it, and is told which file it is', async () => {
    const { path, file } = await opened(['a']);
    chmodSync(path, 0o755);
    for (const mode of [0o600, 0o644]) {
      chmodSync(file.path, mode);
      const { error, acknowledged } = await asNobody(path);
      expect(JSON.parse(error)).toMatchObject({ code: 'PERMISSION', message: expect.stringContaining(file.path) });
      expect(acknowledged).toEqual([]);
    }
    expect(await pathIds(jsonlStorage(path))).toEqual(['a']);
  });

  it('may write once it is given the file', async () => {
    const { path, file } = await opened(['a']);
    chmodSync(path, 0o755);
    chownSync(file.path, NOBODY, NOBODY);
    expect(await asNobody(path)).toMatchObject({ code: 0, error: '' });
    expect(await pathIds(jsonlStorage(path))).toEqual(['a', 'n-0-0']);
  });
});
