/**
 * Sessions in SQL databases: SQLite, PostgreSQL, PGlite, MariaDB and MySQL, over Kysely. Only `kysely` and the driver
 * of the database in question need be installed.
 *
 * @module
 */
export { betterSqliteStorage } from './better-sqlite-storage.ts';
export { mysqlStorage } from './mysql-storage.ts';
export { pgliteStorage } from './pglite-storage.ts';
export { postgresStorage, type PostgresStorageOptions } from './postgres-storage.ts';
export {
  type SqlDialect,
  type SqlStorage,
  type SqlStorageOptions,
  type SqlTablesOptions,
  sqlStorage,
} from './sql-storage.ts';
export { sqliteStorage } from './sqlite-storage.ts';
