import { type RawBuilder, sql } from 'kysely';
import { isId } from '../../schema/ids.ts';
import type { ForkRequest } from '../storage.ts';
import { noMessage, noSession } from '../storage-error.ts';
import { chunksOf } from './chunks-of.ts';
import { rowsOf } from './engine.ts';
import { nodesBy, type Place } from './place.ts';
import { insertSession, newSession } from './session-lifecycle.ts';
import { headOf } from './session-rows.ts';

/** The most steps of one recursive query: MariaDB ends its queries after 1 000 without a word. */
const STEPS_AT_ONCE = 500;
const RANGES_AT_ONCE = 500;

/** Places in the order, from the first to the last. */
type Range = readonly [first: number, last: number];

/**
 * Copies a session inside a transaction, row by row as it stands: nodes keep their places in the order. False where a
 * node lacks its parent, which only a damaged session has.
 *
 * @throws StorageError `NOT_FOUND`, `ALREADY_EXISTS`
 */
export async function copySession(place: Place, { id, at, whole = false }: ForkRequest): Promise<boolean> {
  const { db, engine, names, session } = place;
  const row = await engine.lock(db, names, session);
  if (row === undefined) throw noSession(session);
  const { seq, meta, ...head } = headOf(row);
  const leaf = at === undefined ? head.leaf : at;
  const end = leaf === null ? undefined : await endOf(place, leaf);
  const isAll = whole || (end !== undefined && end.depth + 1 === head.nodeCount);
  const ranges = isAll ? await allOf(place, seq) : await pathTo(place, end?.seq);
  if (ranges === undefined) return false;
  const fork = newSession(id, { meta, forkedFrom: { session, node: leaf } });
  await insertSession(place, fork);
  await copyNodes(place, id, ranges);
  await copyRest(place, id, whole);
  await finish(place, id, { leaf, seq });
  return true;
}

async function endOf(place: Place, id: string): Promise<{ readonly seq: number; readonly depth: number }> {
  const { db, session } = place;
  const query = sql<Record<'seq' | 'depth', number | string>>`
    select n.seq, n.depth from ${nodesBy(place, 'id')} where n.session_id = ${session} and n.id = ${id}`;
  const [row] = isId(id) ? await rowsOf(query, db) : [];
  if (row === undefined) throw noMessage(session, id);
  return { seq: Number(row.seq), depth: Number(row.depth) };
}

async function allOf({ db, names, session }: Place, seq: number): Promise<Range[] | undefined> {
  const table = sql.table(names.node);
  const orphans = await rowsOf(
    sql`select n.seq from ${table} as n where n.session_id = ${session} and n.parent_seq is not null and not exists (
      select 1 from ${table} as up where up.session_id = n.session_id and up.seq = n.parent_seq) limit 1`,
    db,
  );
  return orphans.length > 0 ? undefined : [[0, seq]];
}

interface Step {
  readonly seq: number | string;
  readonly parent_seq: number | string | null;
}

/** The ranges of a path, the last one first. */
async function pathTo(place: Place, end: number | undefined): Promise<Range[] | undefined> {
  const ranges: Range[] = [];
  for (let next = end ?? null; next !== null;) {
    const steps = await stepsFrom(place, next);
    for (const { seq } of steps) extend(ranges, Number(seq));
    const last = steps.at(-1);
    if (last === undefined) return undefined;
    next = last.parent_seq === null ? null : Number(last.parent_seq);
  }
  return ranges;
}

function extend(ranges: Range[], seq: number): void {
  const range = ranges.at(-1);
  if (range?.[0] === seq + 1) ranges[ranges.length - 1] = [seq, range[1]];
  else ranges.push([seq, seq]);
}

async function stepsFrom({ db, names, session }: Place, start: number): Promise<Step[]> {
  const table = sql.table(names.node);
  return rowsOf(
    sql<Step>`with recursive p (seq, parent_seq, n) as (
      select e.seq, e.parent_seq, 1 from ${table} as e where e.session_id = ${session} and e.seq = ${start}
      union all
      select c.seq, c.parent_seq, p.n + 1 from p cross join ${table} as c
      where c.session_id = ${session} and c.seq = p.parent_seq and c.seq < p.seq and p.n < ${STEPS_AT_ONCE}
    ) select seq, parent_seq from p order by n`,
    db,
  );
}

async function copyNodes({ db, names, session }: Place, fork: string, ranges: readonly Range[]): Promise<void> {
  const table = sql.table(names.node);
  const columns = sql.raw('seq, id, parent_seq, depth, section, type, at, bytes, data');
  for (const chunk of chunksOf(ranges, RANGES_AT_ONCE)) {
    const within = chunk.map(([first, last]) => sql`seq between ${first} and ${last}`);
    await sql`insert into ${table} (session_id, ${columns}) select ${fork}, ${columns} from ${table}
      where session_id = ${session} and (${sql.join(within, sql` or `)})`.execute(db);
  }
}

/** What belongs to the nodes that were copied, and to the session. */
async function copyRest(place: Place, fork: string, whole: boolean): Promise<void> {
  const { names } = place;
  const isCopied = (seq: string): RawBuilder<unknown> =>
    sql`exists (select 1 from ${sql.table(names.node)} as c where c.session_id = ${fork} and c.seq = o.${sql.ref(seq)})`;
  const stands = (table: 'node' | 'place'): RawBuilder<unknown> =>
    sql`exists (select 1 from ${sql.table(names[table])} as c where c.session_id = ${fork} and c.section = o.name)`;
  const all = sql`1 = 1`;
  const isKept = sql`(o.policy is not null or o.extra is not null or ${stands('node')} or ${stands('place')})`;
  await copyRows(place, fork, 'place', ['seq', 'node_seq', 'section'], isCopied('node_seq'));
  await copyRows(place, fork, 'label', ['target_seq', 'label'], isCopied('target_seq'));
  await copyRows(place, fork, 'section', ['name', 'n', 'policy', 'extra'], whole ? all : isKept);
  await copyRows(place, fork, 'param', ['name', 'value'], all);
}

async function copyRows(
  { db, names, session }: Place,
  fork: string,
  name: 'place' | 'label' | 'section' | 'param',
  columns: readonly string[],
  which: RawBuilder<unknown>,
): Promise<void> {
  const table = sql.table(names[name]);
  const own = columns.map((column) => sql.ref(`o.${column}`));
  await sql`insert into ${table} (session_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${fork}, ${sql.join(own)} from ${table} as o where o.session_id = ${session} and ${which}`.execute(db);
}

async function finish(
  { db, names }: Place,
  fork: string,
  state: { readonly leaf: string | null; readonly seq: number },
): Promise<void> {
  const table = sql.table(names.node);
  const [sum] = await rowsOf(
    sql<Record<'count' | 'bytes', number | string | null>>`
      select count(*) as count, sum(bytes) as bytes from ${table} where session_id = ${fork}`,
    db,
  );
  const counts = { node_count: Number(sum?.count), bytes: Number(sum?.bytes ?? 0) };
  await db
    .updateTable(names.session)
    .set({ ...state, ...counts, version: 1 })
    .where('id', '=', fork)
    .execute();
}
