import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { preparedOnce } from './prepared-once.ts';
import { ownedStorage, type SqlStorage, type SqlTablesOptions } from './sql-storage.ts';
import { setUpSqlite } from './sqlite-setup.ts';

/**
 * Sessions in a SQLite file, through the SQLite that Node has: nothing is to be installed but `kysely`. `:memory:`
 * keeps them in memory. The file is made at the first use, set to write-ahead logging with full synchronisation: what
 * was acknowledged survives a loss of power. Any number of processes may use it; whoever waits for another does so for
 * 5 seconds at the most, then the error is `BUSY`.
 *
 * Needs Node 22.13 or later. One process must not open one file both with this and with {@link betterSqliteStorage}: two
 * copies of SQLite in a process do not see each other's locks.
 *
 * @throws StorageError `PERMISSION` at the first use when the file cannot be opened
 * @example
 * const sessions = new Sessions(sqliteStorage('conversations.db'));
 */
export function sqliteStorage(file: string, options: SqlTablesOptions = {}): SqlStorage {
  const open = async (): Promise<SqliteDatabase> => {
    const { DatabaseSync } = await import('node:sqlite');
    return databaseOf(new DatabaseSync(file));
  };
  const kysely = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: open, onCreateConnection: setUpSqlite }),
  });
  return ownedStorage(
    kysely,
    { ...options, dialect: 'sqlite' },
    {
      close: () => kysely.destroy(),
      expected: 'power-loss',
      multiProcess: file !== ':memory:',
      ...(file === ':memory:' && { durability: 'memory' }),
    },
  );
}

/** A statement with these words gives rows. */
const READER = /^\s*(?:select|with|pragma|values|explain)\b|\breturning\b/i;

/** Node's SQLite as Kysely wants it. */
function databaseOf(database: DatabaseSync): SqliteDatabase {
  return preparedOnce({
    close: () => database.close(),
    prepare: (text) => statementOf(database.prepare(text), READER.test(text)),
  });
}

function statementOf(statement: StatementSync, reader: boolean): SqliteStatement {
  const all = (parameters: readonly unknown[]) => statement.all(...(parameters as SQLInputValue[]));
  return {
    reader,
    all,
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => all(parameters)[Symbol.iterator]() as IterableIterator<unknown>,
  };
}
