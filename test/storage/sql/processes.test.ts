import { describe, expect, it } from 'vitest';
import { mysql, nodeSqlite, postgres, type TestDatabase, titleOf } from './support/databases.ts';
import { expectOneChain, startWriter, type Writer } from './support/processes.ts';

const runs: readonly [database: TestDatabase, writers: number, each: number][] = [
  [nodeSqlite, 4, 250],
  [postgres, 4, 250],
  [mysql, 4, 250],
];

describe('several processes', () => {
  for (const [database, count, each] of runs)
    it.skipIf(database.missing !== undefined)(`lose nothing: ${count} × ${each} in ${titleOf(database)}`, async () => {
      const place = database.place();
      await using storage = place.open();
      await storage.create('s');
      const start = performance.now();
      const writers = Array.from({ length: count }, (_, at) => startWriter(database, place, 's', `w${at}`, each));
      for (const writer of writers) expect([await writer.ended, writer.errors()]).toEqual([0, '']);
      expect(await expectOneChain(storage, 's', writers)).toBe(count * each);
      console.info(
        `${database.name}: ${count} × ${each} appends in ${Math.round(performance.now() - start)} ms, one chain`,
      );
      await place.drop();
    });

  for (const database of [nodeSqlite, postgres, mysql])
    it.skipIf(database.missing !== undefined)(`make the tables at once: 6 in ${titleOf(database)}`, async () => {
      for (let round = 0; round < 3; round++) {
        const place = database.place();
        const writers = Array.from({ length: 6 }, () => startWriter(database, place, 's', 'w', 0));
        for (const writer of writers) expect([await writer.ended, writer.errors()]).toEqual([0, '']);
        await using storage = place.open({ autoMigrate: false });
        await storage.create('s');
        expect(await storage.head('s')).toMatchObject({ version: 0 });
        await place.drop();
      }
    });

  for (const [database, kills] of [
    [nodeSqlite, 60],
    [postgres, 60],
  ] as const)
    it.skipIf(database.missing !== undefined)(
      `may be killed: ${kills} times in ${titleOf(database)}`,
      async () => {
        const place = database.place();
        await using storage = place.open();
        await storage.create('s');
        const start = performance.now();
        const writers: Writer[] = [];
        // Several at once, since most of the time goes into starting a process.
        const one = async (name: string, delay: number) => {
          const writer = startWriter(database, place, 's', name, 1e6);
          writers.push(writer);
          while (writer.acknowledged.length === 0 && writer.process.exitCode === null) await sleep(5);
          await sleep(delay);
          writer.process.kill('SIGKILL');
          expect([await writer.ended, writer.errors()]).toEqual(['SIGKILL', '']);
        };
        for (let at = 0; at < kills; at += 4)
          await Promise.all([0, 1, 2, 3].map((n) => one(`w${at + n}`, Math.random() * 60)));
        const stored = await expectOneChain(storage, 's', writers);
        const acknowledged = writers.flatMap((writer) => writer.acknowledged).length;
        const ms = Math.round(performance.now() - start);
        console.info(
          `${database.name}: ${kills} kills in ${ms} ms, ${acknowledged} acknowledged, ${stored} stored, 0 lost`,
        );
        expect(writers.every((writer) => writer.acknowledged.length > 0)).toBe(true);
        await place.drop();
      },
      120_000,
    );
});

async function sleep(milliseconds: number): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
