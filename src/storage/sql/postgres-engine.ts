import { sql } from 'kysely';
import { fingerprint } from '../../internal/fingerprint.ts';
import { doubleQuoted, type Engine, lockForUpdate, noHint, valueOf } from './engine.ts';
import type { SchemaDialect } from './schema.ts';

const schema: SchemaDialect = {
  types: { id: 'TEXT COLLATE "C"', name: 'TEXT COLLATE "C"', int: 'BIGINT', text: 'TEXT' },
  quote: doubleQuoted,
  hasInlineIndexes: false,
  suffix: (table) => (table === 'session' ? ' WITH (fillfactor = 80)' : ''),
};

/** PostgreSQL, and what speaks as it does. */
export const postgresEngine: Engine = {
  hasPartitions: true,
  transaction: (db, body) => db.transaction().execute(body),
  snapshot: (db, body) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(body),
  lock: lockForUpdate,
  alone: (db, { schema: table }, body) =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${keyOf(table)}::bigint)`.execute(transaction);
      await body(transaction);
    }),
  useIndex: noHint,
  schema: () => Promise.resolve(schema),
  askDurability: async (db) => {
    const settings = [await valueOf(db, 'SHOW synchronous_commit'), await valueOf(db, 'SHOW fsync')];
    return settings.includes('off') ? 'process-crash' : 'power-loss';
  },
};

/** A number of 63 bits for a name. */
function keyOf(name: string): string {
  return (BigInt(`0x${fingerprint(name)}`) >> 1n).toString();
}
