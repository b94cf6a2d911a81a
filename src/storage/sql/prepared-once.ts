import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** How many prepared statements are kept. */
const MAX_STATEMENTS = 100;

/** A database whose statements are prepared once: preparing one may cost more than running it. */
export function preparedOnce(database: SqliteDatabase): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      const known = prepared.get(text);
      if (known !== undefined) return known;
      const statement = database.prepare(text);
      if (prepared.size >= MAX_STATEMENTS) prepared.delete(prepared.keys().next().value as string);
      prepared.set(text, statement);
      return statement;
    },
  };
}
