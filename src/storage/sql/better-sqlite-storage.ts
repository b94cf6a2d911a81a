import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { loadPackage } from './load-package.ts';
import { preparedOnce } from './prepared-once.ts';
import { ownedStorage, type SqlStorage, type SqlTablesOptions } from './sql-storage.ts';
import { setUpSqlite } from './sqlite-setup.ts';

/**
 * Sessions in a SQLite file, through the package `better-sqlite3`. A path is opened, set up and closed as by
 * {@link sqliteStorage}; a database that is open already keeps its settings, and stays the caller's to close.
 *
 * @throws MessageStoreError `missing_package` at the first use, when a path is given and `better-sqlite3` is not installed
 */
export function betterSqliteStorage(target: string | SqliteDatabase, options: SqlTablesOptions = {}): SqlStorage {
  const own = typeof target === 'string';
  const dialect = own
    ? new SqliteDialect({ database: () => open(target), onCreateConnection: setUpSqlite })
    : new SqliteDialect({ database: preparedOnce(target) });
  const kysely = new Kysely<unknown>({ dialect });
  return ownedStorage(
    kysely,
    { ...options, dialect: 'sqlite' },
    {
      multiProcess: target !== ':memory:',
      ...(target === ':memory:' && { durability: 'memory' }),
      ...(own && { expected: 'power-loss', close: () => kysely.destroy() }),
    },
  );
}

async function open(file: string): Promise<SqliteDatabase> {
  const { default: Database } = await loadPackage('better-sqlite3', () => import('better-sqlite3'));
  return preparedOnce(new Database(file));
}
