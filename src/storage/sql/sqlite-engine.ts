import { sql } from 'kysely';
import type { Durability } from '../storage.ts';
import { doubleQuoted, type Engine, rowsOf, valueOf } from './engine.ts';
import type { SchemaDialect } from './schema.ts';
import type { Db, SessionRow } from './tables.ts';

const FULL = 2;
const EXTRA = 3;
const OFF = 0;

const schema: SchemaDialect = {
  types: { id: 'TEXT', name: 'TEXT', int: 'INTEGER', text: 'TEXT' },
  quote: doubleQuoted,
  hasInlineIndexes: false,
  suffix: (table) => (table === 'session' ? '' : ' WITHOUT ROWID'),
};

/** SQLite, whichever driver opens it. */
export const sqliteEngine: Engine = {
  hasPartitions: false,
  transaction: (db, body) => within(db, 'begin immediate', body),
  snapshot: (db, body) => within(db, 'begin', body),
  lock: async (transaction, names, id) => {
    const table = sql.table(names.session);
    const [row] = await rowsOf(
      sql<SessionRow>`update ${table} set version = version where id = ${id} returning *`,
      transaction,
    );
    return row;
  },
  alone: (db, _, body) => within(db, 'begin immediate', body),
  // Without statistics it would rather read the whole session than look for two ids.
  useIndex: (name) => sql`indexed by ${sql.ref(name)}`,
  schema: () => Promise.resolve(schema),
  askDurability,
};

/** A transaction of our own, since Kysely's begins without a lock: what reads before it writes would then fail. */
async function within<T>(db: Db, begin: string, body: (db: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql.raw(begin).execute(connection);
    try {
      const result = await body(connection);
      await sql.raw('commit').execute(connection);
      return result;
    } catch (error) {
      // Some errors have ended the transaction already.
      await sql
        .raw('rollback')
        .execute(connection)
        .catch(() => {});
      throw error;
    }
  });
}

async function askDurability(db: Db): Promise<Durability> {
  const [main] = await rowsOf(sql.raw<{ readonly file: string | null }>('PRAGMA database_list'), db);
  if (!main?.file) return 'memory';
  const synchronous = Number(await valueOf(db, 'PRAGMA synchronous'));
  const isLogged = (await valueOf(db, 'PRAGMA journal_mode')) === 'wal';
  if (synchronous === OFF) return 'process-crash';
  return synchronous >= (isLogged ? FULL : EXTRA) ? 'power-loss' : 'process-crash';
}
