import { open, stat } from 'node:fs/promises';
import { jsonlStorage } from '../../storage/jsonl/index.ts';
import type { SessionStorage } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { Failure, placed } from '../failure.ts';
import { type Database, openSqlStore } from './sql-store.ts';

/** What is done with a store: only `create` makes one that is not there, or its tables. */
export type Access = 'read' | 'write' | 'create';

/** A store as it is named on the command line. */
interface StoreName {
  readonly kind: 'jsonl' | Database;
  /** The folder, the file or the URL. */
  readonly target: string;
  /** How it is called in messages: without a password. */
  readonly name: string;
}

/** A store that is open. */
export interface Store extends StoreName {
  readonly storage: SessionStorage;
}

/**
 * What is done with a store, which is closed behind it.
 *
 * @throws Failure when there is no such store
 */
export async function withStore<Result>(
  text: string,
  access: Access,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(text, access);
  try {
    await expectTables(store);
    return await use(store);
  } finally {
    await store.storage[Symbol.asyncDispose]();
  }
}

/** Asks a database for anything, so that what is wrong with all of it is told with its name. */
async function expectTables({ kind, name, storage }: Store): Promise<void> {
  if (kind === 'jsonl') return;
  try {
    await storage.list({ limit: 1 });
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND')
      throw new Failure(name, 'has no tables for sessions; import makes them', error);
    throw placed(name, error);
  }
}

/**
 * A folder of JSON Lines, a SQLite file, or a database of a URL.
 *
 * @throws Failure when there is none, save with `create`
 */
async function openStore(text: string, access: Access): Promise<Store> {
  const found = await storeNamed(text);
  await expectStore(found, access);
  const { kind, target, name } = found;
  const storage =
    kind === 'jsonl'
      ? jsonlStorage(target, { readNewer: access === 'read' })
      : await openSqlStore(kind, target, name, access === 'create');
  return { ...found, storage };
}

const DATABASES: Readonly<Record<string, Database>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
};

/** Told by the scheme, or else by what is there, or else by the ending. */
async function storeNamed(text: string): Promise<StoreName> {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(text) ?? [];
  const known = scheme.toLowerCase();
  if (known === 'sqlite' || known === 'pglite') return { kind: known, target: rest, name: text };
  if (Object.hasOwn(DATABASES, known) && rest.startsWith('//'))
    return { kind: DATABASES[known] as Database, target: text, name: withoutPassword(text) };
  return { kind: (await isSqlite(text)) ? 'sqlite' : 'jsonl', target: text, name: text };
}

function withoutPassword(url: string): string {
  return url.replace(/^([^/]*\/\/[^/?#]*?):[^/?#]*@/, '$1@').replace(/\?.*$/s, '');
}

async function isSqlite(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size === 0) return found?.isDirectory() !== true && /\.(?:db|sqlite3?)$/i.test(path);
  return found.isFile() && (await hasMagic(path));
}

const MAGIC = 'SQLite format 3\0';

async function hasMagic(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(MAGIC.length));
      return buffer.toString('latin1') === MAGIC;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw placed(path, error);
  }
}

/** Looks before anything is opened: opening a database makes its file. */
async function expectStore({ kind, target, name }: StoreName, access: Access): Promise<void> {
  if (kind === 'postgres' || kind === 'mysql') return;
  const found = await stat(target).catch(() => undefined);
  if (found === undefined || (kind === 'sqlite' && found.size === 0)) {
    if (access === 'create') return;
    throw new Failure(name, 'there is no store of sessions; import makes one');
  }
  const isFile = kind === 'sqlite';
  if (isFile ? found.isFile() && (await hasMagic(target)) : found.isDirectory()) return;
  throw new Failure(name, isFile ? 'is no SQLite file' : 'is neither a folder nor a SQLite file');
}
