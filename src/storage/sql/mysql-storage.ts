import { Kysely, MysqlDialect, type MysqlPool } from 'kysely';
import { loadPackage } from './load-package.ts';
import { ownedStorage, type SqlStorage, type SqlTablesOptions } from './sql-storage.ts';

/**
 * Sessions in MariaDB or MySQL, through the package `mysql2`. Of a URL a pool of at most 10 connections is made, and
 * closed with the storage; a pool of the caller's stays the caller's to close. One statement takes no more than the
 * server's `max_allowed_packet` (16 MiB by default): a node near that is refused as `TOO_LARGE`.
 *
 * @throws MessageStoreError `missing_package` at the first use, when a URL is given and `mysql2` is not installed
 * @example
 * const sessions = new Sessions(mysqlStorage('mysql://app@localhost/app'));
 */
export function mysqlStorage(target: string | MysqlPool, options: SqlTablesOptions = {}): SqlStorage {
  const own = typeof target === 'string';
  const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: own ? () => open(target) : target }) });
  return ownedStorage(kysely, { ...options, dialect: 'mysql' }, own ? { close: () => kysely.destroy() } : {});
}

async function open(uri: string): Promise<MysqlPool> {
  const { createPool } = await loadPackage('mysql2', () => import('mysql2'));
  return createPool({ uri, charset: 'utf8mb4' });
}
