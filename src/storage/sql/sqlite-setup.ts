import { CompiledQuery, type DatabaseConnection } from 'kysely';
import { persist } from './attempts.ts';

/** What a SQLite file is set to when it is opened. Waiting is ours: SQLite's own waiting would hold up the whole process. */
const SETTINGS = ['busy_timeout = 0', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'];

/** Sets up a connection of our own. */
export async function setUpSqlite(connection: DatabaseConnection): Promise<void> {
  for (const setting of SETTINGS) await persist(() => connection.executeQuery(CompiledQuery.raw(`PRAGMA ${setting}`)));
}
