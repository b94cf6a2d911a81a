/** The settings under test: how a storage is opened in a folder. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Sessions, type SessionStorage } from '../../../src/index.ts';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { betterSqliteStorage, sqliteStorage } from '../../../src/storage/sql/index.ts';

/** A storage, and what closes it with all that it stands on. */
interface Opened {
  readonly sessions: Sessions;
  close(): Promise<void>;
}

export const SETTINGS: Readonly<Record<string, (folder: string) => Opened>> = {
  'jsonl, sync none': (folder) => opened(jsonlStorage(join(folder, 'sessions'), { sync: 'none' })),
  'jsonl, sync interval': (folder) => opened(jsonlStorage(join(folder, 'sessions'), { sync: 'interval' })),
  'jsonl, sync commit': (folder) => opened(jsonlStorage(join(folder, 'sessions'), { sync: 'commit' })),
  'SQLite, own connection (FULL)': (folder) => opened(sqliteStorage(join(folder, 'sessions.db'))),
  "SQLite, caller's connection (NORMAL)": (folder) => openedOver(normalDatabase(join(folder, 'sessions.db'))),
};

function opened(storage: SessionStorage): Opened {
  const sessions = new Sessions(storage);
  return { sessions, close: () => sessions[Symbol.asyncDispose]() };
}

function openedOver(database: Database.Database): Opened {
  const { sessions, close } = opened(betterSqliteStorage(database));
  return { sessions, close: () => close().then(() => void database.close()) };
}

function normalDatabase(file: string): Database.Database {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  return database;
}
