import { type RawBuilder, sql } from 'kysely';
import { noSession } from '../storage-error.ts';
import type { Engine } from './engine.ts';
import type { Db, TableNames } from './tables.ts';

/** Where rows are looked for: a session, and the connection or transaction through which. */
export interface Place {
  readonly db: Db;
  readonly engine: Engine;
  readonly names: TableNames;
  readonly session: string;
}

/** The node table under the name `n`, to be searched by ids or parents. */
export function nodesBy({ engine, names }: Place, index: 'id' | 'parent'): RawBuilder<unknown> {
  return sql`${sql.table(names.node)} as n ${engine.useIndex(`${names.node}_by_${index}`)}`;
}

/**
 * Refuses a session that is not there.
 *
 * @throws StorageError `NOT_FOUND`
 */
export async function expectSession({ db, names, session }: Place): Promise<void> {
  const row = await db.selectFrom(names.session).select('id').where('id', '=', session).executeTakeFirst();
  if (row === undefined) throw noSession(session);
}
