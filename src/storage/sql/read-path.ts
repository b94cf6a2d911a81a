import { type RawBuilder, sql } from 'kysely';
import { isId } from '../../schema/ids.ts';
import { checkLimit } from '../check-query.ts';
import type { NodePath, PathQuery, StoredNode } from '../storage.ts';
import { noSession, StorageError } from '../storage-error.ts';
import { nodeOf, type RawNode } from './node-rows.ts';
import { expectSession, type Place } from './place.ts';

/** The most steps of one recursive query: MariaDB ends its queries after 1 000 without a word. */
const STEPS_AT_ONCE = 500;
/** How many rows are read at once where a path is looked for among all that is older than its end. */
const ROWS_AT_ONCE = 2000;

/** The payload is carried along: a join afterwards makes planners read the whole session. */
const COLUMNS = ['seq', 'parent_seq', 'id', 'depth', 'section', 'type', 'at', 'bytes', 'data'];

/** One node on the way up. */
interface Step extends Omit<RawNode, 'parent_id'> {
  readonly parent_seq: number | string | null;
  /** Whether it is asked for: without a section all are. */
  readonly stands: number | boolean | string;
}

/** Whether so many nodes come in one query, which sees one state; more need a snapshot. */
export function isOneWalk({ limit, section }: PathQuery): boolean {
  return section === undefined && checkLimit(limit, 'path') < STEPS_AT_ONCE;
}

/**
 * The newest nodes of a path. A few hundred nodes cost one query.
 *
 * @throws StorageError `NOT_FOUND`
 */
export async function readPath(place: Place, query: PathQuery): Promise<NodePath> {
  const limit = checkLimit(query.limit, 'path');
  if (query.to === null) return emptyPath(place);
  if (query.to !== undefined && !isId(query.to)) throw noNode(query.to);
  const walk = new Walk(place, query, limit);
  const found = await walk.from(endOf(place, query.to));
  if (found) return walk.path();
  return pathWithoutEnd(place, query, limit);
}

/** Why there is nothing at the end of the path. */
async function pathWithoutEnd(place: Place, query: PathQuery, limit: number): Promise<NodePath> {
  const { db, names, session } = place;
  const row = await db.selectFrom(names.session).select('leaf').where('id', '=', session).executeTakeFirst();
  if (row === undefined) throw noSession(session);
  if (typeof query.to === 'string') throw noNode(query.to);
  const walk = new Walk(place, query, limit);
  // A leaf that points nowhere: the last node stands for it.
  if (row.leaf !== null)
    await walk.from(sql`(select max(seq) from ${sql.table(names.node)} where session_id = ${session})`);
  return walk.path();
}

async function emptyPath(place: Place): Promise<NodePath> {
  await expectSession(place);
  return { items: [], truncated: false };
}

/** The place in the order of a path's end. */
function endOf({ names, session }: Place, to: string | undefined): RawBuilder<number> {
  const id = to ?? sql`(select leaf from ${sql.table(names.session)} where id = ${session})`;
  return sql`(select seq from ${sql.table(names.node)} where session_id = ${session} and id = ${id})`;
}

/** A walk from a node upwards, until the root, the limit, or where it is to stop. */
class Walk {
  readonly #place: Place;
  readonly #query: PathQuery;
  readonly #limit: number;
  /** From the end upwards. */
  readonly #items: StoredNode[] = [];
  /** The last step: its parent's id is known once the next one is. */
  #last: Step | undefined;
  #taken = 0;
  #isBegun = false;
  #isWhole = true;
  /** Whether most of what is older lies on the path, so that it is read in order: half the time of following parents. */
  #isDense: boolean;

  constructor(place: Place, query: PathQuery, limit: number) {
    this.#place = place;
    this.#query = query;
    this.#limit = limit;
    this.#isDense = !isOneWalk(query);
  }

  /** Whether there was a node to begin with. */
  async from(end: RawBuilder<number>): Promise<boolean> {
    let start: RawBuilder<number> | undefined = end;
    while (start !== undefined) start = this.#take(await this.#stepsFrom(start));
    this.#addLast(null);
    return this.#isBegun;
  }

  path(): NodePath {
    return { items: this.#items.toReversed(), truncated: !this.#isWhole };
  }

  /** Takes the steps, and says where the next ones begin. */
  #take(steps: readonly Step[]): RawBuilder<number> | undefined {
    for (const step of steps) {
      this.#isBegun = true;
      this.#addLast(step.id);
      if (step.id === this.#query.stopAt) return undefined;
      if (this.#taken >= this.#limit) return this.#endEarly();
      this.#last = step;
      if (isTrue(step.stands)) this.#taken++;
    }
    const last = steps.at(-1);
    if (last?.parent_seq === null) return undefined;
    // A parent that is missing, or not older than its child, ends the path.
    if (last !== undefined && Number(last.parent_seq) < Number(last.seq)) return sql`${Number(last.parent_seq)}`;
    return this.#isBegun ? this.#endEarly() : undefined;
  }

  #endEarly(): undefined {
    this.#isWhole = false;
  }

  #addLast(parentId: string | null): void {
    const step = this.#last;
    this.#last = undefined;
    const node = step !== undefined && isTrue(step.stands) ? nodeOf(step, parentId) : undefined;
    if (node !== undefined) this.#items.push(node);
  }

  async #stepsFrom(start: RawBuilder<number>): Promise<readonly Step[]> {
    const wanted = this.#query.section === undefined ? this.#limit - this.#taken + 1 : Infinity;
    if (!this.#isDense) return this.#parentsFrom(start, Math.min(STEPS_AT_ONCE, wanted));
    const rows = await this.#rowsFrom(start, Math.min(ROWS_AT_ONCE, wanted));
    const steps = linkedSteps(rows, this.#last?.parent_seq ?? rows[0]?.seq);
    this.#isDense = steps.length > rows.length / 2;
    return steps;
  }

  /** All that is as old as a node or older, on the path or not, the newest first. */
  async #rowsFrom(start: RawBuilder<number>, count: number): Promise<Step[]> {
    const { db, names, session } = this.#place;
    const { rows } = await sql<Step>`
      select ${columnsOf('p')}, ${this.#stands()} as stands from ${sql.table(names.node)} as p
      where p.session_id = ${session} and p.seq <= ${start} order by p.seq desc limit ${sql.lit(count)}`.execute(db);
    return rows;
  }

  async #parentsFrom(start: RawBuilder<number>, count: number): Promise<Step[]> {
    const { db, names, session } = this.#place;
    const table = sql.table(names.node);
    const stop = this.#query.stopAt === undefined ? sql`` : sql`and p.id <> ${this.#query.stopAt}`;
    const { rows } = await sql<Step>`
      with recursive p (${sql.raw(COLUMNS.join(', '))}, n) as (
        select ${columnsOf('e')}, 1 from ${table} as e where e.session_id = ${session} and e.seq = ${start}
        union all
        select ${columnsOf('c')}, p.n + 1 from p cross join ${table} as c
        where c.session_id = ${session} and c.seq = p.parent_seq and c.seq < p.seq and p.n < ${count} ${stop}
      )
      select ${columnsOf('p')}, ${this.#stands()} as stands
      from p order by p.n`.execute(db);
    return rows;
  }

  #stands(): RawBuilder<number> {
    const { section } = this.#query;
    const { names, session } = this.#place;
    if (section === undefined) return sql`1`;
    return sql`case when p.section = ${section} or exists (
      select 1 from ${sql.table(names.place)} as s
      where s.session_id = ${session} and s.node_seq = p.seq and s.section = ${section}
    ) then 1 else 0 end`;
  }
}

/** Of rows from the newest to the oldest those that lie on the path whose next node has this place. */
function linkedSteps(rows: readonly Step[], first: Step['parent_seq'] | undefined): readonly Step[] {
  const steps: Step[] = [];
  let next = Number(first);
  for (const row of rows) {
    if (Number(row.seq) !== next) continue;
    steps.push(row);
    if (row.parent_seq === null || Number(row.parent_seq) >= next) break;
    next = Number(row.parent_seq);
  }
  return steps;
}

function columnsOf(table: 'e' | 'c' | 'p'): RawBuilder<unknown> {
  return sql.raw(COLUMNS.map((column) => `${table}.${column}`).join(', '));
}

function isTrue(value: Step['stands']): boolean {
  return Number(value) === 1;
}

function noNode(id: string): StorageError {
  return new StorageError('NOT_FOUND', `node ${JSON.stringify(id)} is not in the session.`, { path: id, value: id });
}
