import { sql } from 'kysely';
import { StorageError } from '../storage-error.ts';
import { type Engine, lockForUpdate, noHint, rowsOf, valueOf } from './engine.ts';

/** How many seconds a migration waits for another. */
const PATIENCE = 30;

/** MariaDB and MySQL. */
export const mysqlEngine: Engine = {
  hasPartitions: false,
  transaction: (db, body) => db.transaction().execute(body),
  snapshot: (db, body) => db.transaction().setIsolationLevel('repeatable read').execute(body),
  lock: lockForUpdate,
  alone: (db, { schema }, body) =>
    db.connection().execute(async (connection) => {
      const lock = sql`concat(left(database(), 20), '.', ${schema})`;
      const [row] = await rowsOf(
        sql<{ readonly got: unknown }>`select get_lock(${lock}, ${PATIENCE}) as got`,
        connection,
      );
      if (Number(row?.got) !== 1)
        throw new StorageError('BUSY', 'another process migrates the database, and takes long.');
      try {
        await body(connection);
      } finally {
        await sql`select release_lock(${lock})`.execute(connection);
      }
    }),
  useIndex: noHint,
  schema: async (db) => {
    const isMariaDb = /mariadb/i.test(String(await valueOf(db, 'SELECT version()')));
    // No other collation tells "a" from "a ".
    const text = `CHARACTER SET utf8mb4 COLLATE ${isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'}`;
    return {
      types: { id: `VARCHAR(255) ${text}`, name: `VARCHAR(128) ${text}`, int: 'BIGINT', text: `LONGTEXT ${text}` },
      quote: (name) => `\`${name}\``,
      hasInlineIndexes: true,
      suffix: () => ' ENGINE = InnoDB',
    };
  },
  askDurability: async (db) =>
    Number(await valueOf(db, 'SELECT @@innodb_flush_log_at_trx_commit')) === 1 ? 'power-loss' : 'process-crash',
};
