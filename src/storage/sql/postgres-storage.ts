import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { loadPackage } from './load-package.ts';
import { ownedStorage, type SqlStorage, type SqlTablesOptions } from './sql-storage.ts';

/** How sessions are kept in PostgreSQL. */
export interface PostgresStorageOptions extends SqlTablesOptions {
  /** Over how many partitions new tables are spread, by session; default: 0, plain tables. */
  readonly partitions?: number;
}

/**
 * Sessions in PostgreSQL, through the package `pg`. Of a URL a pool of at most 10 connections is made, and closed with
 * the storage; a pool of the caller's stays the caller's to close. A commit takes one connection while it lasts.
 *
 * @throws MessageStoreError `missing_package` at the first use, when a URL is given and `pg` is not installed
 * @example
 * const sessions = new Sessions(postgresStorage('postgres://app@localhost/app'));
 */
export function postgresStorage(target: string | PostgresPool, options: PostgresStorageOptions = {}): SqlStorage {
  const own = typeof target === 'string';
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: own ? () => open(target) : target }) });
  return ownedStorage(kysely, { ...options, dialect: 'postgres' }, own ? { close: () => kysely.destroy() } : {});
}

async function open(connectionString: string): Promise<PostgresPool> {
  const { Pool } = (await loadPackage('pg', () => import('pg'))).default;
  const pool = new Pool({ connectionString });
  // A lost connection fails the statement that waits for it; without a listener it would end the process as well.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
