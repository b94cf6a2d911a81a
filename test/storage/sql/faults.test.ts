/** What goes wrong around a database: answers that are lost, disks that are full, a folder that another has. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CamelCasePlugin, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Op } from '../../../src/index.ts';
import {
  betterSqliteStorage,
  mysqlStorage,
  pgliteStorage,
  postgresStorage,
  sqliteStorage,
  sqlStorage,
} from '../../../src/storage/sql/index.ts';
import { betterSqlite, mysql, postgres, titleOf } from './support/databases.ts';

const node = (id: string, data: unknown = id): Op => ({
  op: 'node',
  node: { id, section: 'chat', type: 'message', at: '', data: data as string },
});
const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'sql-'));
  folders.push(path);
  return path;
};
afterEach(() => folders.splice(0).forEach((path) => rmSync(path, { recursive: true, force: true })));

/** A server between a client and a database that hangs up in place of the answer to what `isCut` says. */
async function cutter(port: number, isCut: (sent: Buffer) => boolean) {
  const cuts = { isOn: false, count: 0 };
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const database = connect(port, '127.0.0.1');
    let isDeaf = false;
    for (const socket of [client, database]) socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    sockets.add(client).add(database);
    client.on('data', (sent) => {
      if (cuts.isOn && isCut(sent)) {
        isDeaf = true;
        cuts.count++;
      }
      database.write(sent);
    });
    database.on('data', (answer) => void (isDeaf ? client.destroy() : client.write(answer)));
    client.on('close', () => database.end());
    database.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    cuts,
    port: (server.address() as { port: number }).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a connection that is cut', () => {
  const servers = [
    {
      database: postgres,
      open: postgresStorage,
      isCommit: (sent: Buffer) => /Q....commit\0|commit\0/s.test(sent.toString('latin1')),
    },
    {
      database: mysql,
      open: mysqlStorage,
      isCommit: (sent: Buffer) => sent.toString('latin1').endsWith('\u0003commit'),
    },
  ];
  for (const { database, open, isCommit } of servers)
    it.skipIf(database.missing !== undefined)(
      `in place of the answer to COMMIT leaves the outcome open, and the same commit finds out: ${titleOf(database)}`,
      async () => {
        const place = database.place();
        const url = new URL(place.target);
        const proxy = await cutter(Number(url.port), isCommit);
        url.port = String(proxy.port);
        await using storage = open(url.href, { tablePrefix: place.prefix });
        await storage.create('s');
        for (let round = 0; round < 5; round++) {
          const commit = { id: `c${round}`, ops: [node(`n${round}`)] };
          proxy.cuts.isOn = true;
          const lost = storage.commit('s', commit);
          await expect(lost).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: true });
          proxy.cuts.isOn = false;
          await sleep(50);
          expect(await storage.commit('s', commit)).toMatchObject({ status: 'duplicate', leaf: `n${round}` });
        }
        expect(proxy.cuts.count).toBe(5);
        expect(await storage.head('s')).toMatchObject({ nodeCount: 5, version: 5 });
        await storage[Symbol.asyncDispose]();
        proxy.close();
        await place.drop();
      },
    );

  for (const { database, open } of servers)
    it.skipIf(database.missing !== undefined)(`before COMMIT has done nothing: ${titleOf(database)}`, async () => {
      const place = database.place();
      const url = new URL(place.target);
      const proxy = await cutter(Number(url.port), (sent) => sent.toString('latin1').includes('insert into'));
      url.port = String(proxy.port);
      await using storage = open(url.href, { tablePrefix: place.prefix });
      await storage.create('s');
      proxy.cuts.isOn = true;
      await expect(storage.commit('s', { id: 'c', ops: [node('n')] })).rejects.toMatchObject({ code: 'BUSY' });
      proxy.cuts.isOn = false;
      expect(await storage.commit('s', { id: 'c', ops: [node('n')] })).toMatchObject({ status: 'applied', version: 1 });
      proxy.close();
      await expect(storage.head('s')).rejects.toMatchObject({ code: 'BUSY' });
      await place.drop();
    });
});

describe('a full disk', () => {
  const mount = whyNoMount();
  it.skipIf(mount !== undefined)(
    `refuses a commit and keeps the others${mount ? ` (skipped: ${mount})` : ''}`,
    async () => {
      const disk = folder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
      try {
        await using storage = sqliteStorage(join(disk, 'test.db'));
        await storage.create('s');
        const ballast = join(disk, 'ballast');
        writeFileSync(ballast, Buffer.alloc(400_000));
        let stored = 0;
        const fill = async () => {
          for (; ; stored++)
            await storage.commit('s', { id: `c${stored}`, ops: [node(`n${stored}`, 'x'.repeat(20_000))] });
        };
        await expect(fill()).rejects.toMatchObject({ code: 'NO_SPACE', retryable: true });
        expect([stored > 5, (await storage.path('s')).items.length]).toEqual([true, stored]);
        rmSync(ballast);
        const again = { id: `c${stored}`, ops: [node(`n${stored}`, 'x'.repeat(20_000))] };
        expect(await storage.commit('s', again)).toMatchObject({ status: 'applied', version: stored + 1 });
        console.info(`a disk of 2 MiB: ${stored} commits of 20 KB, then NO_SPACE, then on again`);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    },
  );
});

describe('a SQLite file', () => {
  it('is shared by two storages of one process without standing still', async () => {
    const file = join(folder(), 'test.db');
    await using one = sqliteStorage(file);
    await using two = sqliteStorage(file);
    await one.create('s');
    const commits = Array.from({ length: 60 }, (_, at) =>
      [one, two][at % 2]!.commit('s', { id: `c${at}`, ops: [node(`n${at}`)] }),
    );
    await Promise.all(commits);
    expect((await two.path('s')).items.length).toBe(60);
  });

  it('that another holds is waited for, then refused as busy', async () => {
    const file = join(folder(), 'test.db');
    await using storage = sqliteStorage(file);
    await storage.create('s');
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const waiting = storage.commit('s', { id: 'c', ops: [node('n')] });
    await sleep(100);
    other.exec('ROLLBACK');
    expect(await waiting).toMatchObject({ status: 'applied', durable: 'power-loss' });
    other.exec('BEGIN IMMEDIATE');
    const start = performance.now();
    await expect(storage.create('t')).rejects.toMatchObject({ code: 'BUSY', retryable: true });
    expect(performance.now() - start).toBeGreaterThan(4000);
    other.close();
  });

  it('that cannot be opened says so', async () => {
    await using storage = sqliteStorage(join(folder(), 'missing', 'test.db'));
    await expect(storage.head('s')).rejects.toMatchObject({ code: 'PERMISSION' });
    const file = join(folder(), 'test.db');
    writeFileSync(file, 'this is no database, but long enough to look like one'.repeat(100));
    await using foreign = sqliteStorage(file);
    await expect(foreign.head('s')).rejects.toMatchObject({ code: 'DAMAGED' });
  });

  it('in memory lasts as long as its storage', async () => {
    await using storage = sqliteStorage(':memory:');
    await storage.create('s');
    expect(await storage.commit('s', { id: 'c', ops: [node('n')] })).toMatchObject({ durable: 'memory' });
    expect(storage.capabilities).toMatchObject({ durability: 'memory', multiProcess: false, transactions: true });
  });
});

describe("a caller's own connection", () => {
  it.skipIf(betterSqlite.missing !== undefined)('stays open, with the settings that it has', async () => {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(join(folder(), 'test.db'));
    database.pragma('synchronous = OFF');
    const kysely = new Kysely<{ other: { n: number } }>({ dialect: new SqliteDialect({ database }) });
    const storage = sqlStorage(kysely, { dialect: 'sqlite', tablePrefix: 'mine_' });
    await storage.create('s');
    expect(await storage.commit('s', { id: 'c', ops: [node('n')] })).toMatchObject({ durable: 'process-crash' });
    await storage[Symbol.asyncDispose]();
    await using second = betterSqliteStorage(database, { tablePrefix: 'mine_' });
    expect(await second.head('s')).toMatchObject({ leaf: 'n' });
    await second[Symbol.asyncDispose]();
    expect(database.open).toBe(true);
    database.close();
  });

  it.skipIf(betterSqlite.missing !== undefined)('may have plugins that rename columns', async () => {
    const { default: Database } = await import('better-sqlite3');
    const dialect = new SqliteDialect({ database: new Database(':memory:') });
    const kysely = new Kysely<unknown>({ dialect, plugins: [new CamelCasePlugin()] });
    await using storage = sqlStorage(kysely, { dialect: 'sqlite' });
    await storage.create('s');
    await storage.commit('s', { id: 'c1', ops: [node('a')] });
    await storage.commit('s', { id: 'c2', ops: [node('b')] });
    expect(await storage.head('s')).toMatchObject({ version: 2, nodeCount: 2, leaf: 'b' });
    expect((await storage.path('s')).items.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['a', null],
      ['b', 'a'],
    ]);
    await kysely.destroy();
  });

  it.skipIf(postgres.missing !== undefined)('of PostgreSQL says what it is set to', async () => {
    const place = postgres.place();
    const pool = new Pool({ connectionString: place.target, options: '-c synchronous_commit=off', max: 3 });
    const storage = sqlStorage(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), {
      dialect: 'postgres',
      tablePrefix: place.prefix,
    });
    const ids = Array.from({ length: 8 }, (_, at) => `s${at}`);
    await Promise.all(ids.map((id) => storage.create(id)));
    const commits = ids.flatMap((id) =>
      [1, 2, 3].map((n) => storage.commit(id, { id: `c${n}`, ops: [node(`n${n}`)] })),
    );
    expect((await Promise.all(commits)).every(({ durable }) => durable === 'process-crash')).toBe(true);
    await using other = postgresStorage(place.target, { tablePrefix: place.prefix });
    expect(await other.commit('s0', { id: 'last', ops: [] })).toMatchObject({ version: 4, durable: 'power-loss' });
    await pool.end();
    await place.drop();
  });

  it('is not said to survive a loss of power before it was asked', () => {
    const database = { prepare: () => expect.unreachable(), close: () => {} };
    expect(betterSqliteStorage(database).capabilities.durability).toBe('process-crash');
    expect(sqliteStorage('never-opened.db').capabilities.durability).toBe('power-loss');
  });

  it('needs a prefix that can begin a name', () => {
    expect(() => sqliteStorage(':memory:', { tablePrefix: 'a"b' })).toThrow(
      expect.objectContaining({ code: 'INVALID_ID' }),
    );
  });

  it('needs its package', async () => {
    const packages = ['pg', 'mysql2', 'better-sqlite3', '@electric-sql/pglite'];
    for (const name of packages)
      vi.doMock(name, () => {
        throw new Error('Cannot find package');
      });
    const all = [
      postgresStorage('postgres://x'),
      mysqlStorage('mysql://x'),
      betterSqliteStorage('x.db'),
      pgliteStorage('memory://'),
    ];
    for (const storage of all)
      await expect(storage.head('s')).rejects.toMatchObject({
        code: 'missing_package',
        message: expect.stringContaining('npm install'),
      });
    for (const name of packages) vi.doUnmock(name);
  });
});

describe('a folder of PGlite', () => {
  it('is of one process, until that closes it or dies', async () => {
    const data = join(folder(), 'data');
    const holder = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', HOLDER], {
      env: { ...process.env, LOCK: `${data}.lock` },
    });
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    await using storage = pgliteStorage(data);
    const refused = { code: 'BUSY', message: expect.stringContaining(`process ${holder.pid}`) };
    await expect(storage.head('s')).rejects.toMatchObject(refused);
    holder.kill('SIGKILL');
    await new Promise((resolve) => holder.once('close', resolve));
    await storage.create('s');
    expect(await storage.commit('s', { id: 'c', ops: [node('n')] })).toMatchObject({ durable: 'process-crash' });
    await using second = pgliteStorage(data);
    await expect(second.head('s')).rejects.toMatchObject({ code: 'BUSY' });
    await storage[Symbol.asyncDispose]();
    expect(await second.head('s')).toMatchObject({ leaf: 'n' });
    await second[Symbol.asyncDispose]();
  });
});

/** Holds the lock of a folder as a storage does, without the time that PGlite takes. */
const HOLDER = `
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(process.env.LOCK);
  database.exec('CREATE TABLE owner (pid INTEGER); INSERT INTO owner VALUES (' + process.pid + '); BEGIN IMMEDIATE');
  console.log('held');
  setInterval(() => {}, 1000);
`;

function whyNoMount(): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'sql-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
    execFileSync('umount', [disk]);
    return undefined;
  } catch {
    return 'a small disk cannot be mounted';
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
}

async function sleep(milliseconds: number): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
