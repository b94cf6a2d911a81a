/** Stores of sessions for tests of the command line, one of each kind, and what a session in them is compared by. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { Message, Sessions, type SessionStorage } from '../../src/index.ts';
import { jsonlStorage } from '../../src/storage/jsonl/index.ts';
import { postgresStorage, sqliteStorage } from '../../src/storage/sql/index.ts';
import { folder, run } from './run.ts';

const { POSTGRES_URL } = process.env;

/** A kind of store. */
export interface Kind {
  readonly name: string;
  readonly isThere: boolean;
  /** What the command line is given for a new one that nobody has used. */
  readonly fresh: () => Promise<string>;
  readonly open: (store: string) => SessionStorage;
}

const place = (): string => mkdtempSync(join(folder, 'store-'));

export const jsonl: Kind = {
  name: 'a folder',
  isThere: true,
  fresh: async () => join(place(), 'chats'),
  open: (store) => jsonlStorage(store),
};

export const sqlite: Kind = {
  name: 'a SQLite file',
  isThere: true,
  fresh: async () => join(place(), 'chats.db'),
  open: (store) => sqliteStorage(store),
};

const postgres: Kind = {
  name: 'PostgreSQL',
  isThere: POSTGRES_URL !== undefined,
  fresh: async () => {
    const schema = `cli_${randomUUID().replaceAll('-', '')}`;
    await using client = Object.assign(new Client({ connectionString: POSTGRES_URL }), {
      [Symbol.asyncDispose]: () => client.end(),
    });
    await client.connect();
    await client.query(`CREATE SCHEMA ${schema}`);
    const url = new URL(POSTGRES_URL ?? '');
    url.searchParams.set('options', `-csearch_path=${schema}`);
    return url.href;
  },
  open: (store) => postgresStorage(store),
};

/** All of them. */
export const kinds: readonly Kind[] = [jsonl, sqlite, postgres].filter(({ isThere }) => isThere);

/** What the program says to `sessions` with these arguments. */
export const sessions = (...args: readonly string[]) => run(['sessions', ...args]);

/** Uses the sessions of a store, and closes it. */
export async function using<Result>(kind: Kind, store: string, use: (all: Sessions) => Promise<Result>) {
  await using all = new Sessions(kind.open(store));
  return await use(all);
}

/** A message with an id that says what it is. */
export const message = (id: string, role: 'system' | 'user' | 'assistant', content: string): Message =>
  Message.of({ id, role, content, createdAt: '2026-01-01T00:00:00.000Z' });

/** A session with two branches, a label on each, parameters, and a section that has a policy and no messages. */
export async function makeColours(all: Sessions, id = 'colours'): Promise<void> {
  await all.createSession(id, { meta: { title: 'Colours', tags: ['a', 'b'] }, params: { model: 'm', n: 1.5 } });
  const policy = { pin: true };
  await all.write(id, [
    { op: 'section', name: 'empty', policy, extra: { note: 'x' } },
    { op: 'section', name: 'system', policy },
  ]);
  await all.append(id, 'system', message('rules', 'system', 'Be brief.'));
  await all.append(id, 'chat', message('question', 'user', 'Name a colour.'));
  await all.append(id, 'chat', message('red', 'assistant', 'Red.'));
  await all.navigateBefore(id, 'red');
  await all.append(id, 'chat', message('blue', 'assistant', 'Blue.'));
  await all.addLabel(id, 'red', 'warm');
  await all.addLabel(id, 'blue', 'cold');
}

/** All that there is of a session, save what another store cannot have alike. */
export async function allOf({ storage }: Sessions, id: string) {
  const head = await storage.head(id);
  if (head === null) return null;
  const { leaf, nodeCount, bytes, forkedFrom, meta } = head;
  const { labels, params, sections, drafts } = await storage.extras(id);
  const nodes = (await storage.scan(id, { limit: 10_000 })).items.map((node) => ({ ...node, seq: 0 }));
  const placed: [string, string[]][] = [];
  for (const { name } of sections)
    placed.push([name, (await storage.scan(id, { section: name, limit: 10_000 })).items.map((node) => node.id)]);
  return { leaf, nodeCount, bytes, forkedFrom, meta, labels, params, sections, drafts, nodes, placed };
}
