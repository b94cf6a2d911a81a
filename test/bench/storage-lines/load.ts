/** A long session read: all of it, and its end; against parsing the same text, and against bare queries. */
import { copyFileSync, readdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import { compare, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core, storages } from '../harness/product.ts';
import { inFolder } from '../harness/storage.ts';
import { conversation } from '../harness/workload.ts';

const { Messages, Sessions } = core;
const { jsonl, sql } = await storages();
const SIZE = 100_000;
const ID = 'long';

/** The path as one recursive query over integers, its texts parsed. */
const PATH = `WITH RECURSIVE p(seq, parent, body) AS (
  SELECT seq, parent, body FROM message WHERE seq = ${SIZE - 1}
  UNION ALL SELECT m.seq, m.parent, m.body FROM p JOIN message m ON m.seq = p.parent
) SELECT body FROM p`;

await inFolder(async (path) => {
  const json = conversation(SIZE);
  const text = JSON.stringify(json);
  const messages = [...Messages.fromJSON(json)].map((message) => message.withParentId(undefined));
  const places = {
    jsonl: () => Promise.resolve(jsonl.jsonlStorage(path('sessions'), { sync: 'none' })),
    sqlite: () => Promise.resolve(sql.sqliteStorage(path('node.db'))),
  };
  for (const open of Object.values(places)) await fill(await open(), messages);
  const rows = new Database(path('rows.db'));
  rows.exec('CREATE TABLE message (seq INTEGER PRIMARY KEY, parent INTEGER, body TEXT)');
  const insert = rows.prepare('INSERT INTO message VALUES (?, ?, ?)');
  rows.transaction(() => json.forEach((message, at) => insert.run(at, at - 1, JSON.stringify(message))))();
  const recursive = rows.prepare(PATH).pluck();

  /** With an instance that has read nothing yet. */
  const fresh = (open: () => Promise<Storage>, act: (sessions: InstanceType<typeof Sessions>) => Promise<unknown>) => ({
    isAsync: true,
    calls: 1,
    run: async () => {
      const sessions = new Sessions(await open());
      const result = await act(sessions);
      await sessions[Symbol.asyncDispose]();
      return result;
    },
  });
  const load = (sessions: InstanceType<typeof Sessions>) => sessions.load(ID);
  const last = (sessions: InstanceType<typeof Sessions>) => sessions.getPath(ID, undefined, { limit: 50 });
  const whole = (sessions: InstanceType<typeof Sessions>) => sessions.getPath(ID);
  const [PARSE, QUERY] = ['JSON.parse of one text', 'recursive query over integers, parsed'];
  const results = await compare(`${SIZE} messages`, {
    baseline: PARSE,
    ops: SIZE,
    unit: 'message',
    rounds: rounds(5),
    clock: 'wall',
    keep: false,
    cases: {
      [PARSE]: { calls: 1, run: () => JSON.parse(text) as unknown },
      [QUERY]: { calls: 1, run: () => (recursive.all() as string[]).map((body) => JSON.parse(body) as unknown) },
      'load, jsonl': fresh(places.jsonl, load),
      'load, sqlite': fresh(places.sqlite, load),
      'last 50, jsonl': { ...fresh(places.jsonl, last), baseline: 'load, jsonl' },
      'last 50, sqlite': { ...fresh(places.sqlite, last), baseline: 'load, sqlite' },
      'path, jsonl': fresh(places.jsonl, whole),
      'path, sqlite': { ...fresh(places.sqlite, whole), baseline: QUERY },
    },
  });
  const ratio = (name: string) => results[name]?.ratio ?? NaN;
  line('load of 100 000 from JSONL, to JSON.parse', ratio('load, jsonl'), 1.8, '×', SIZE);
  line('last 50 of 100 000, JSONL, to loading all', ratio('last 50, jsonl'), 0.01);
  line('last 50 of 100 000, SQLite, to loading all', ratio('last 50, sqlite'), 0.01);
  line('path of 100 000, SQLite, to the bare query, parsed', ratio('path, sqlite'), 1.5, '×', SIZE);
  rows.close();
});

/** A fork of 10 000, against copying the file. */
await inFolder(async (path) => {
  const sessions = new Sessions(jsonl.jsonlStorage(path('sessions'), { sync: 'none' }));
  const messages = [...Messages.fromJSON(conversation(10_000))].map((message) => message.withParentId(undefined));
  await fill(sessions.storage, messages);
  const [file] = readdirSync(path('sessions')).filter((name) => name.endsWith('.jsonl'));
  const results = await compare('fork of 10 000', {
    baseline: 'copying the file',
    rounds: rounds(7),
    clock: 'wall',
    cases: {
      'copying the file': { calls: 1, run: () => copyFileSync(path(`sessions/${file}`), path('copy')) },
      'fork, jsonl': { isAsync: true, calls: 1, run: () => sessions.fork(ID) },
    },
  });
  line('fork of 10 000, JSONL, to copying the file', results['fork, jsonl']?.ratio ?? NaN, 2, '×', 10_000);
});

type Storage = InstanceType<typeof Sessions>['storage'];

async function fill(storage: Storage, messages: readonly InstanceType<typeof core.Message>[]): Promise<void> {
  const sessions = new Sessions(storage);
  await sessions.createSession(ID);
  for (let at = 0; at < messages.length; at += 1000)
    await sessions.appendMany(ID, 'chat', messages.slice(at, at + 1000));
}
done();
