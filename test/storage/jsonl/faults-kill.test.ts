import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { folder, problemKinds } from '../../support/jsonl.ts';
import { allNodes, isOneChain, killWithin, losses, startChild, useChildren } from '../../support/jsonl-processes.ts';

useChildren();

/** Two writers at a time on one session, each killed a moment after its first commit. */
async function killWriters(storage: ReturnType<typeof jsonlStorage>, path: string, rounds: number, size: number) {
  const session = `s${size}`;
  await storage.create(session);
  const lane = async (name: string) => {
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const task = { folder: path, session, prefix: `${name}${round}`, count: 1e9, size, sync: 'none' } as const;
      const outcome = await startChild(task, killWithin(size > 10_000 ? 30 : 10));
      expect([outcome.signal, outcome.error]).toEqual(['SIGKILL', '']);
      acknowledged.push(...outcome.acknowledged);
    }
    return acknowledged;
  };
  const acknowledged = (await Promise.all([lane('a'), lane('b')])).flat();
  return { session, kills: 2 * rounds, acknowledged };
}

describe('writers that are killed', () => {
  it.each([
    ['1 KB', 1024, 65],
    ['1 MiB', 2 ** 20, 10],
  ])('lose nothing that was acknowledged, with records of %s', async (name, size, rounds) => {
    const path = folder();
    const storage = jsonlStorage(path, { sync: 'none' });
    const { session, kills, acknowledged } = await killWriters(storage, path, rounds, size);
    const nodes = await allNodes(jsonlStorage(path), session);
    const { lost, doubled } = losses(acknowledged, nodes);
    const torn = (await problemKinds(storage, session)).length;
    console.info(
      `jsonl kill -9, ${name}: ${kills} kills, ${acknowledged.length} acknowledged, ${lost} lost, ${doubled} doubled, ${torn} torn`,
    );
    expect([lost, doubled, isOneChain(nodes)]).toEqual([0, 0, true]);
    expect(nodes.length).toBeGreaterThanOrEqual(acknowledged.length);
  });

  it('leave no half-made, half-mended or half-deleted session', async () => {
    const path = folder();
    let sessions = 0;
    for (let round = 0; round < 12; round++) {
      const task = { folder: path, session: '', prefix: `r${round}`, count: 1e9, size: 5000, churns: true } as const;
      const { acknowledged, error } = await startChild(task, killWithin(40));
      expect(error).toBe('');
      const storage = jsonlStorage(path);
      const { items } = await storage.list({ prefix: `r${round}-`, limit: 1000 });
      for (const { id } of items)
        for (const { kind, raw } of (await storage.problems(id)).items)
          expect([kind, raw]).toEqual(['syntax', 'damaged']);
      const last = acknowledged.at(-1)?.replace(/-0$/, '');
      if (last !== undefined) expect((await storage.nodes(last, [`${last}-0`]))[0]).not.toBeNull();
      sessions += items.length;
    }
    const strangers = readdirSync(path).filter(
      (name) => !/^(r\d+-\d+\.jsonl(\.bad-[0-9a-f]{12})?|\.new-.*)$/.test(name),
    );
    console.info(`jsonl kill -9 of creating, mending and deleting: 12 kills, ${sessions} sessions left, all whole`);
    expect(strangers).toEqual([]);
  });
});
