/** One message appended: against one write, one write that is synced, and one row of a table. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { compare, median, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core, storages } from '../harness/product.ts';
import { inFolder } from '../harness/storage.ts';
import { conversation } from '../harness/workload.ts';

const { Message, Sessions } = core;
const { jsonl, sql } = await storages();
const AT_ONCE = 32;
const messages = conversation(2000);
const texts = messages.map((message) => `${JSON.stringify(message)}\n`);
let at = 0;
const nextText = () => texts[at++ % texts.length] as string;
const nextMessage = () => Message.of({ ...Message.fromJSON(messages[at++ % messages.length]), id: undefined });

await inFolder(async (path) => {
  const files = ['plain', 'synced'].map((name) => openSync(path(name), 'a')) as [number, number];
  const [plain, synced] = files;
  const database = new Database(path('rows.db'));
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE message (session TEXT, seq INTEGER, body TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID');
  const insert = database.prepare('INSERT INTO message VALUES (?, ?, ?)');

  const opened = async (storage: Awaited<ReturnType<typeof jsonl.jsonlStorage>>) => {
    const sessions = new Sessions(storage);
    const id = await sessions.createSession();
    return async () => {
      for (let call = 0; call < AT_ONCE; call++) await sessions.append(id, 'chat', nextMessage());
    };
  };
  const append = {
    'jsonl, synced': await opened(jsonl.jsonlStorage(path('synced-sessions'))),
    'jsonl, not synced': await opened(jsonl.jsonlStorage(path('sessions'), { sync: 'none' })),
    'node:sqlite': await opened(await sql.sqliteStorage(path('node.db'))),
    'better-sqlite3': await opened(await sql.betterSqliteStorage(path('better.db'))),
  };
  const run = (name: keyof typeof append, baseline: string) => ({ isAsync: true, calls: 1, baseline, run: append[name] });
  const many = (act: () => void) => ({ calls: 1, run: () => { for (let call = 0; call < AT_ONCE; call++) act(); } });
  const results = await compare('append', {
    baseline: 'write + fdatasync',
    ops: AT_ONCE,
    unit: 'message',
    rounds: rounds(15),
    clock: 'wall',
    cases: {
      write: many(() => writeSync(plain, nextText())),
      'write + fdatasync': many(() => { writeSync(synced, nextText()); fdatasyncSync(synced); }),
      'row, better-sqlite3, WAL, FULL': many(() => insert.run('s', at, nextText())),
      'jsonl, synced': run('jsonl, synced', 'write + fdatasync'),
      'jsonl, not synced': run('jsonl, not synced', 'write'),
      'node:sqlite': run('node:sqlite', 'row, better-sqlite3, WAL, FULL'),
      'better-sqlite3': run('better-sqlite3', 'row, better-sqlite3, WAL, FULL'),
    },
  });
  line('JSONL append, synced, to a write with fdatasync', results['jsonl, synced']?.ratio ?? NaN, 1.5);
  line('JSONL append, not synced, to a write', results['jsonl, not synced']?.ratio ?? NaN, 4);
  line('SQLite append (node:sqlite), to a row of better-sqlite3, WAL FULL', results['node:sqlite']?.ratio ?? NaN, 3);
  line('SQLite append (better-sqlite3), to a row, WAL FULL', results['better-sqlite3']?.ratio ?? NaN, 3);
  for (const file of files) closeSync(file);
  database.close();
});

/** The median time of an append when a session has 10 messages, and when it has 100 000. */
await inFolder(async (path) => {
  const all = {
    jsonl: jsonl.jsonlStorage(path('sessions'), { sync: 'none' }),
    'node:sqlite': await sql.sqliteStorage(path('node.db')),
    memory: core.memoryStorage(),
  };
  for (const [name, storage] of Object.entries(all)) {
    const sessions = new Sessions(storage);
    const id = await sessions.createSession();
    const early = await timed(sessions, id);
    for (let size = 0; size < 100_000; size += 1000)
      await sessions.appendMany(id, 'chat', Array.from({ length: 1000 }, nextMessage));
    line(`append to 100 000 messages, to one to none: ${name}`, (await timed(sessions, id)) / early, 2);
    await storage[Symbol.asyncDispose]();
  }
});

async function timed(sessions: InstanceType<typeof Sessions>, id: string): Promise<number> {
  const samples: number[] = [];
  for (let call = 0; call < 200; call++) {
    const message = nextMessage();
    const began = performance.now();
    await sessions.append(id, 'chat', message);
    samples.push(performance.now() - began);
  }
  return median(samples.slice(50));
}
done();
