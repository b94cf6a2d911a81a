import { type Selectable, sql } from 'kysely';
import { equalJson, type JsonObject } from '../../schema/json.ts';
import { setOwn } from '../../schema/json.ts';
import { checkLimit } from '../check-query.ts';
import { listCursor, readListCursor } from '../list-heads.ts';
import type { ListQuery, NodeRecord, Page, SectionRecord, SessionExtras, SessionHead } from '../storage.ts';
import { jsonOf } from './node-rows.ts';
import { expectSession, type Place } from './place.ts';
import { headOf, objectOf } from './session-rows.ts';
import type { Db, TableNames, Tables } from './tables.ts';

/** What is known of a session without its nodes. */
export async function readHead(db: Db, { session }: TableNames, id: string): Promise<SessionHead | null> {
  const row = await db.selectFrom(session).selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : headOf(row);
}

/** The sessions, newest first. With `meta` as many are looked at as it takes. */
export async function listSessions(db: Db, names: TableNames, query: ListQuery = {}): Promise<Page<SessionHead>> {
  const limit = checkLimit(query.limit, 'sessions');
  const items: SessionHead[] = [];
  let cursor = query.cursor;
  for (;;) {
    const heads = await headsBehind(db, names, { ...query, ...(cursor !== undefined && { cursor }) }, limit + 1);
    for (const head of heads.filter(({ meta }) => hasEntries(meta, query.meta))) {
      if (items.length === limit) return { items, next: listCursor(items.at(-1) as SessionHead, query) };
      items.push(head);
    }
    if (heads.length <= limit) return { items, next: null };
    cursor = listCursor(heads.at(-1) as SessionHead, query);
  }
}

async function headsBehind(db: Db, { session }: TableNames, query: ListQuery, limit: number): Promise<SessionHead[]> {
  const { prefix = '', order = 'updated' } = query;
  const time = order === 'updated' ? 'updated_at' : 'created_at';
  let select = db.selectFrom(session).selectAll().orderBy(time, 'desc').orderBy('id').limit(limit);
  const behind = readListCursor(query.cursor);
  if (behind !== undefined) {
    const [at, id] = behind;
    select = select.where(time, '<=', at).where((is) => is.or([is(time, '<', at), is('id', '>', id)]));
  }
  // No character has a meaning of its own, as it would have for LIKE.
  if (prefix !== '') select = select.where(sql`substr(id, 1, ${sql.lit(Array.from(prefix).length)})`, '=', prefix);
  const rows = await select.execute();
  return rows.map((row) => headOf(row));
}

function hasEntries(meta: JsonObject, wanted: JsonObject = {}): boolean {
  return Object.keys(wanted).every((key) => Object.hasOwn(meta, key) && equalJson(meta[key], wanted[key]));
}

/** Labels, parameters, sections and drafts; what is no JSON is left out: `problems` has it. */
export async function readExtras(place: Place): Promise<SessionExtras> {
  await expectSession(place);
  const { db, names, session } = place;
  const labels = await db
    .selectFrom(`${names.label} as l`)
    .innerJoin(`${names.node} as n`, (on) =>
      on.onRef('n.session_id', '=', 'l.session_id').onRef('n.seq', '=', 'l.target_seq'),
    )
    .select(['n.id', 'l.label'])
    .where('l.session_id', '=', session)
    .execute();
  const params = await db.selectFrom(names.param).selectAll().where('session_id', '=', session).execute();
  const sections = await db
    .selectFrom(names.section)
    .selectAll()
    .where('session_id', '=', session)
    .orderBy('n')
    .execute();
  const drafts = await db.selectFrom(names.draft).selectAll().where('session_id', '=', session).orderBy('id').execute();
  return {
    labels: recordOf(labels.map(({ id, label }) => [id, label])),
    params: recordOf(params.map(({ name, value }) => [name, jsonOf(value)])),
    sections: sections.map(sectionOf),
    drafts: drafts.map(({ node }) => jsonOf(node)).filter((node) => node !== undefined) as unknown as NodeRecord[],
  };
}

function recordOf<T>(entries: readonly (readonly [string, T | undefined])[]): Record<string, T> {
  const record: Record<string, T> = {};
  for (const [key, value] of entries) if (value !== undefined) setOwn(record as never, key, value as never);
  return record;
}

function sectionOf({ name, policy, extra }: Selectable<Tables['section']>): SectionRecord {
  return {
    name,
    ...(policy !== null && { policy: objectOf(policy) }),
    ...(extra !== null && { extra: objectOf(extra) }),
  };
}
