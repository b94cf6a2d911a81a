import { sql } from 'kysely';
import { checkLimit, readCursor } from '../check-query.ts';
import type { Page, Problem } from '../storage.ts';
import { rowsOf } from './engine.ts';
import { jsonOf } from './node-rows.ts';
import { expectSession, type Place } from './place.ts';
import type { Db, TableNames } from './tables.ts';

/** How many nodes are looked at with one query. */
const NODES_AT_ONCE = 200;
const MAX_RAW = 2 ** 16;

interface Row {
  readonly seq: number | string;
  readonly id: string;
  readonly parent_seq: number | string | null;
  readonly parent: number | string | null;
  readonly data: string;
}

/** What cannot be read as it should, node by node: it reads the whole session. */
export async function readProblems(
  place: Place,
  query: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<Page<Problem>> {
  const { db, names, session } = place;
  await expectSession(place);
  const limit = checkLimit(query.limit, 'problems');
  const from = readCursor(query.cursor, (json) => (typeof json === 'number' ? json : undefined));
  const items = from === undefined ? await problemsOfSession(db, names, session) : [];
  let seq = from ?? 0;
  for (;;) {
    const rows = await nodesBehind(db, names, session, seq);
    for (const row of rows) {
      items.push(...problemsOf(row, names));
      seq = Number(row.seq);
      if (items.length >= limit) return { items, next: String(seq) };
    }
    if (rows.length < NODES_AT_ONCE) return { items, next: null };
  }
}

async function nodesBehind(db: Db, names: TableNames, session: string, seq: number): Promise<Row[]> {
  const table = sql.table(names.node);
  return rowsOf(
    sql<Row>`select n.seq, n.id, n.parent_seq, n.data,
      (select up.seq from ${table} as up where up.session_id = n.session_id and up.seq = n.parent_seq) as parent
      from ${table} as n where n.session_id = ${session} and n.seq > ${seq} order by n.seq limit ${sql.lit(NODES_AT_ONCE)}`,
    db,
  );
}

function problemsOf({ seq, id, parent_seq, parent, data }: Row, names: TableNames): Problem[] {
  const where = `${names.node} seq ${seq} id ${JSON.stringify(id)}`;
  const found: Problem[] = [];
  if (jsonOf(data) === undefined)
    found.push({ kind: 'syntax', where, raw: data.slice(0, MAX_RAW), detail: 'its data is no JSON' });
  if (parent_seq === null) return found;
  if (parent === null)
    found.push({ kind: 'orphan', where, raw: null, detail: `its parent, seq ${parent_seq}, is missing` });
  else if (Number(parent_seq) >= Number(seq))
    found.push({ kind: 'cycle', where, raw: null, detail: `its parent, seq ${parent_seq}, is not older than itself` });
  return found;
}

async function problemsOfSession(db: Db, names: TableNames, session: string): Promise<Problem[]> {
  const row = await db.selectFrom(names.session).select(['leaf', 'meta']).where('id', '=', session).executeTakeFirst();
  const where = `${names.session} id ${JSON.stringify(session)}`;
  const found: Problem[] = [];
  if (row !== undefined && jsonOf(row.meta) === undefined)
    found.push({ kind: 'syntax', where, raw: row.meta.slice(0, MAX_RAW), detail: 'its metadata is no JSON' });
  if (typeof row?.leaf !== 'string') return found;
  const leaf = await db
    .selectFrom(names.node)
    .select('id')
    .where('session_id', '=', session)
    .where('id', '=', row.leaf)
    .execute();
  if (leaf.length === 0)
    found.push({ kind: 'schema', where, raw: row.leaf, detail: 'its leaf is missing: the last node stands for it' });
  return found;
}
