import { describe, expect, it } from 'vitest';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { folder, logFile, problemKinds } from '../../support/jsonl.ts';
import { allNodes, isOneChain, losses, startChild, useChildren } from '../../support/jsonl-processes.ts';

useChildren();

async function writeAtOnce(processes: number, count: number, size: number, batch = 1) {
  const path = folder();
  const storage = jsonlStorage(path, { sync: 'none' });
  await storage.create('s');
  const begun = performance.now();
  const tasks = Array.from({ length: processes }, (_, at) =>
    startChild({ folder: path, session: 's', prefix: `p${at}`, count, size, batch, sync: 'none' }),
  );
  return { storage, path, begun, tasks };
}

describe('processes that write at once', () => {
  it.each([
    [2, 1000, 200],
    [4, 1000, 200],
    [2, 25, 2 ** 20],
  ])('lose nothing: %d processes, %d commits each of %d bytes', async (processes, count, size) => {
    const { storage, path, begun, tasks } = await writeAtOnce(processes, count, size);
    const outcomes = await Promise.all(tasks);
    const time = Math.round(performance.now() - begun);
    expect(outcomes.filter(({ code, error }) => code !== 0 || error !== '')).toEqual([]);
    const nodes = await allNodes(jsonlStorage(path), 's');
    const { lost, doubled } = losses(
      outcomes.flatMap(({ acknowledged }) => acknowledged),
      nodes,
    );
    const ignored = logFile(`${path}/s.jsonl`).lines().filter(Boolean).length - 1 - nodes.length;
    console.info(
      `jsonl ${processes} processes x ${count} commits of ${size} bytes: ${lost} lost, ${doubled} doubled, ${ignored} tried again, ${time} ms`,
    );
    expect([lost, doubled, nodes.length, isOneChain(nodes)]).toEqual([0, 0, processes * count, true]);
    expect(await problemKinds(storage)).toEqual([]);
  });

  it('show readers a beginning of the session and whole commits only', async () => {
    const { storage, tasks } = await writeAtOnce(2, 150, 20_000, 3);
    let [reads, known] = [0, [] as string[]];
    const writing = new Set(tasks);
    for (const task of tasks) void task.then(() => writing.delete(task));
    while (writing.size > 0) {
      const ids = (await allNodes(storage, 's')).map(({ id }) => id);
      expect(ids.length % 3).toBe(0);
      expect(ids.slice(0, known.length)).toEqual(known);
      [known, reads] = [ids, reads + 1];
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await allNodes(storage, 's')).toHaveLength(900);
    console.info(`jsonl readers during writers: ${reads} reads, 0 half commits, none shorter than the one before`);
  });
});
