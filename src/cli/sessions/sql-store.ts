import type { SessionStorage } from '../../storage/storage.ts';
import { Failure } from '../failure.ts';

/** The databases that a store can be in. */
export type Database = 'sqlite' | 'pglite' | 'postgres' | 'mysql';

/**
 * A store in a database; nothing of it is loaded before it is asked for. Tables are made only with `autoMigrate`.
 *
 * @throws Failure when the package for databases is not installed
 */
export async function openSqlStore(
  database: Database,
  target: string,
  name: string,
  autoMigrate: boolean,
): Promise<SessionStorage> {
  const sql = await loadSql(name);
  switch (database) {
    case 'sqlite':
      return sql.sqliteStorage(target, { autoMigrate });
    case 'pglite':
      return sql.pgliteStorage(target, { autoMigrate });
    case 'postgres':
      return sql.postgresStorage(target, { autoMigrate });
    case 'mysql':
      return sql.mysqlStorage(target.replace(/^mariadb:/i, 'mysql:'), { autoMigrate });
  }
}

async function loadSql(name: string) {
  try {
    return await import('../../storage/sql/index.ts');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure(name, 'databases need the package kysely: npm install kysely', error);
  }
}
