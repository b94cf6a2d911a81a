import { type RawBuilder, sql } from 'kysely';
import { isId } from '../../schema/ids.ts';
import { checkLimit } from '../check-query.ts';
import type { Page, ScanQuery, StoredNode } from '../storage.ts';
import { chunksOf } from './chunks-of.ts';
import { rowsOf } from './engine.ts';
import { IDS_AT_ONCE, nodeColumns, nodesOf, type RawNode } from './node-rows.ts';
import { expectSession, nodesBy, type Place } from './place.ts';

/** Nodes by their ids, in that order. */
export async function readNodes(place: Place, ids: readonly string[]): Promise<(StoredNode | null)[]> {
  const { db, names, session } = place;
  const found = new Map<string, StoredNode>();
  for (const chunk of chunksOf([...new Set(ids.filter(isId))], IDS_AT_ONCE)) {
    const rows = await rowsOf(
      sql<RawNode>`select n.seq, n.section, ${nodeColumns(names)} from ${nodesBy(place, 'id')} where n.session_id = ${session} and n.id in (${sql.join(chunk)})`,
      db,
    );
    for (const node of nodesOf(rows)) found.set(node.id, node);
  }
  if (found.size === 0) await expectSession(place);
  return ids.map((id) => found.get(id) ?? null);
}

/** Nodes in the order of the session: one query, whatever is asked. */
export async function scanNodes(place: Place, query: ScanQuery = {}): Promise<Page<StoredNode>> {
  const limit = checkLimit(query.limit, 'nodes');
  const rows = isAskable(query) ? await rowsOf(pageStatement(place, query, limit + 1), place.db) : [];
  if (rows.length === 0) await expectSession(place);
  const page = rows.slice(0, limit);
  return { items: nodesOf(page), next: rows.length > limit ? String(page.at(-1)?.seq) : null };
}

/** Databases refuse text that could be no id or name; nothing has such a one. */
function isAskable({ parent, section }: ScanQuery): boolean {
  return (
    (parent === undefined || parent === null || isId(parent)) &&
    (section === undefined || section === '' || isId(section))
  );
}

/** What stands in a section a second time is there with the place of its own. */
function pageStatement(place: Place, query: ScanQuery, limit: number): RawBuilder<RawNode> {
  const order = sql.raw(query.dir === 'desc' ? 'desc' : 'asc');
  const { section, parent } = query;
  const own = sql`select n.seq, n.section, ${nodeColumns(place.names)} from ${sql.table(place.names.node)} as n
    where ${ownConditions(place, query)} order by n.seq ${order} limit ${sql.lit(limit)}`;
  if (section === undefined) return own as RawBuilder<RawNode>;
  const placed = sql`select s.seq, s.section, ${nodeColumns(place.names)}
    from ${sql.table(place.names.place)} as s join ${sql.table(place.names.node)} as n on n.session_id = s.session_id and n.seq = s.node_seq
    where s.session_id = ${place.session} and s.section = ${section} ${belowCondition(place, parent)} ${between('s', query)} ${leafCondition(place, query)}
    order by s.seq ${order} limit ${sql.lit(limit)}`;
  return sql`select * from (select * from (${own}) as own union all select * from (${placed}) as placed) as found
    order by seq ${order} limit ${sql.lit(limit)}`;
}

function ownConditions(place: Place, query: ScanQuery): RawBuilder<unknown> {
  const { section, parent } = query;
  const inSection = section === undefined ? sql`` : sql`and n.section = ${section}`;
  return sql`n.session_id = ${place.session} ${inSection} ${belowCondition(place, parent)} ${between('n', query)} ${leafCondition(place, query)}`;
}

function belowCondition({ names, session }: Place, parent: ScanQuery['parent']): RawBuilder<unknown> {
  if (parent === undefined) return sql``;
  if (parent === null) return sql`and n.parent_seq is null`;
  return sql`and n.parent_seq = (select seq from ${sql.table(names.node)} where session_id = ${session} and id = ${parent})`;
}

function leafCondition({ names }: Place, { leaves }: ScanQuery): RawBuilder<unknown> {
  if (leaves !== true) return sql``;
  return sql`and not exists (select 1 from ${sql.table(names.node)} as c where c.session_id = n.session_id and c.parent_seq = n.seq)`;
}

function between(table: 'n' | 's', { after, before }: ScanQuery): RawBuilder<unknown> {
  const seq = sql.ref(`${table}.seq`);
  const low = after === undefined || after === -Infinity ? sql`` : sql`and ${seq} > ${Math.floor(after)}`;
  const high = before === undefined || before === Infinity ? sql`` : sql`and ${seq} < ${Math.ceil(before)}`;
  return sql`${low} ${high}`;
}
