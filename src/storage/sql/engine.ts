import { type RawBuilder, sql } from 'kysely';
import type { Durability } from '../storage.ts';
import type { SchemaDialect } from './schema.ts';
import type { Db, SessionRow, TableNames } from './tables.ts';

/** What differs between databases. All else is one code. */
export interface Engine {
  /** Whether the tables can be spread over partitions. */
  readonly hasPartitions: boolean;
  /** Runs a transaction that writes. */
  transaction<T>(db: Db, body: (transaction: Db) => Promise<T>): Promise<T>;
  /** Runs reads that all see the same state. */
  snapshot<T>(db: Db, body: (transaction: Db) => Promise<T>): Promise<T>;
  /** The session's row, locked until the transaction ends: always its first statement. */
  lock(transaction: Db, names: TableNames, id: string): Promise<SessionRow | undefined>;
  /** Runs a migration while no other process does. */
  alone(db: Db, names: TableNames, body: (db: Db) => Promise<void>): Promise<void>;
  /** Makes a query use an index of the table before it, where the planner would not. */
  useIndex(name: string): RawBuilder<unknown>;
  schema(db: Db): Promise<SchemaDialect>;
  /** What the database is set to. */
  askDurability(db: Db): Promise<Durability>;
}

/** The rows of a statement. */
export async function rowsOf<Row>(statement: RawBuilder<Row>, db: Db): Promise<Row[]> {
  return (await statement.execute(db)).rows;
}

/** The row as it is once no other transaction holds it. */
export async function lockForUpdate(
  transaction: Db,
  { session }: TableNames,
  id: string,
): Promise<SessionRow | undefined> {
  return transaction.selectFrom(session).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** No hint: the planner knows. */
export const noHint = (): RawBuilder<unknown> => sql``;

/** A name of a table in double quotes. */
export const doubleQuoted = (name: string): string => `"${name}"`;

/** What one row says under one name. */
export async function valueOf(db: Db, statement: string): Promise<unknown> {
  const [row] = await rowsOf(sql.raw<Record<string, unknown>>(statement), db);
  return row === undefined ? undefined : Object.values(row)[0];
}
