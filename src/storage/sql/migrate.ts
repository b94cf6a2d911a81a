import { sql } from 'kysely';
import { StorageError } from '../storage-error.ts';
import type { Engine } from './engine.ts';
import { SCHEMA_VERSION, schemaStatements } from './schema.ts';
import { failureOf } from './sql-failure.ts';
import type { Db, TableNames } from './tables.ts';

/**
 * Makes the tables, or brings them up to date; does nothing where they are. Any number of processes may do it at
 * once. Nothing is ever dropped.
 *
 * @throws StorageError `NEWER_FORMAT`
 */
export async function migrate(db: Db, engine: Engine, names: TableNames, partitions: number): Promise<void> {
  const dialect = await engine.schema(db);
  await engine.alone(db, names, async (connection) => {
    const [create, ...statements] = schemaStatements(dialect, names, partitions);
    await sql.raw(create as string).execute(connection);
    if ((await versionIn(connection, names)) === SCHEMA_VERSION) return;
    for (const statement of statements) await sql.raw(statement).execute(connection);
    await connection.insertInto(names.schema).values({ version: SCHEMA_VERSION }).execute();
  });
}

/**
 * Whether the tables are as this code needs them.
 *
 * @throws StorageError `NEWER_FORMAT`
 */
export async function isCurrent(db: Db, names: TableNames): Promise<boolean> {
  try {
    return (await versionIn(db, names)) === SCHEMA_VERSION;
  } catch (error) {
    if (failureOf(error) === 'no-table') return false;
    throw error;
  }
}

/** The error of tables that are not there, or old. */
export function notMigrated({ schema }: TableNames): StorageError {
  return new StorageError('NOT_FOUND', `${schema}: the tables are not there, or old. Call migrate() once.`);
}

async function versionIn(db: Db, { schema }: TableNames): Promise<number> {
  const rows = await db.selectFrom(schema).select('version').execute();
  const version = Math.max(0, ...rows.map((row) => Number(row.version)));
  if (version <= SCHEMA_VERSION) return version;
  throw new StorageError(
    'NEWER_FORMAT',
    `${schema}: expected tables of version ${SCHEMA_VERSION}, got ${version}: a newer version of message-store made them. Update the package.`,
    { path: schema, value: version },
  );
}
