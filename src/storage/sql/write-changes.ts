import { type Insertable, sql } from 'kysely';
import type { AddedNode, Changes, Declaration } from './changes.ts';
import { chunksOf } from './chunks-of.ts';
import { IDS_AT_ONCE } from './node-rows.ts';
import { CONTENT, type Db, type TableNames, type Tables } from './tables.ts';

/** The most rows of one INSERT, and about how much text. */
const ROWS_AT_ONCE = 500;
const TEXT_AT_ONCE = 2 ** 20;

type NewRow<Name extends keyof Tables> = Omit<Insertable<Tables[Name]>, 'session_id'>;
type Keyed = 'label' | 'param' | 'draft';
/** The name of the key that a row of these tables has in its session. */
const KEY = { label: 'target_seq', param: 'name', draft: 'id' } as const;

/** Writes what a commit changes into the tables of a session's content. The session is locked. */
export class ChangeWriter {
  readonly #db: Db;
  readonly #names: TableNames;
  readonly #session: string;

  constructor(db: Db, names: TableNames, session: string) {
    this.#db = db;
    this.#names = names;
    this.#session = session;
  }

  /** How many drafts there are afterwards; `drafts` is how many there were. */
  async write(changes: Changes, drafts: number): Promise<number> {
    if (changes.isReset) await this.#clear();
    else await this.#drop([...changes.dropped]);
    await this.#insertNodes([...changes.added.values()]);
    await this.#insert(
      'place',
      changes.places.map(({ seq, nodeSeq, section }) => ({ seq, node_seq: nodeSeq, section })),
    );
    await this.#declare(changes);
    await this.#replace('label', changes.labels, 'label');
    await this.#replace('param', changes.params, 'value');
    return this.#keepDrafts(changes, changes.isReset ? 0 : drafts);
  }

  /** Empties all but the commits. */
  async #clear(): Promise<void> {
    for (const name of CONTENT)
      if (name !== 'commit')
        await this.#db.deleteFrom(this.#names[name]).where('session_id', '=', this.#session).execute();
  }

  async #drop(seqs: readonly number[]): Promise<void> {
    const { node, label, place } = this.#names;
    for (const chunk of chunksOf(seqs, IDS_AT_ONCE)) {
      await this.#db
        .deleteFrom(label)
        .where('session_id', '=', this.#session)
        .where('target_seq', 'in', chunk)
        .execute();
      await this.#db.deleteFrom(place).where('session_id', '=', this.#session).where('node_seq', 'in', chunk).execute();
      await this.#db.deleteFrom(node).where('session_id', '=', this.#session).where('seq', 'in', chunk).execute();
    }
  }

  async #insertNodes(nodes: readonly AddedNode[]): Promise<void> {
    let rows: NewRow<'node'>[] = [];
    let size = 0;
    for (const { id, seq, parentSeq, depth, section, type, at, bytes, text } of nodes) {
      if (rows.length > 0 && (rows.length >= ROWS_AT_ONCE || size + bytes > TEXT_AT_ONCE)) {
        await this.#insert('node', rows);
        [rows, size] = [[], 0];
      }
      rows.push({ seq, id, parent_seq: parentSeq, depth, section, type, at, bytes, data: text });
      size += bytes;
    }
    await this.#insert('node', rows);
  }

  async #insert<Name extends Exclude<keyof Tables, 'session' | 'schema'>>(
    name: Name,
    rows: readonly NewRow<Name>[],
  ): Promise<void> {
    for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) {
      const values = chunk.map((row) => ({ session_id: this.#session, ...row }));
      await this.#db
        .insertInto(this.#names[name])
        .values(values as never)
        .execute();
    }
  }

  /** Sections that are new go behind those that are there. */
  async #declare(changes: Changes): Promise<void> {
    const { section } = this.#names;
    const open = [...changes.sections].filter(([name, more]) => isToWrite(more) || !changes.isKnownSection(name));
    if (open.length === 0) return;
    const rows = await this.#db
      .selectFrom(section)
      .select(['name', 'n'])
      .where('session_id', '=', this.#session)
      .execute();
    const known = new Set(rows.map(({ name }) => name));
    let last = Math.max(0, ...rows.map(({ n }) => Number(n)));
    const added = open.filter(([name]) => !known.has(name));
    await this.#insert(
      'section',
      added.map(([name, more]) => ({ name, n: ++last, policy: null, extra: null, ...textsOf(more) })),
    );
    for (const [name, more] of open)
      if (known.has(name) && isToWrite(more))
        await this.#db
          .updateTable(section)
          .set(textsOf(more))
          .where('session_id', '=', this.#session)
          .where('name', '=', name)
          .execute();
  }

  /** Removes the rows of these keys, and writes those that have a value. */
  async #replace<Name extends Keyed>(
    name: Name,
    entries: ReadonlyMap<string | number, string | null>,
    column: string,
  ): Promise<void> {
    for (const chunk of chunksOf([...entries.keys()], IDS_AT_ONCE))
      await sql`delete from ${sql.table(this.#names[name])} where session_id = ${this.#session} and ${sql.ref(KEY[name])} in (${sql.join(chunk)})`.execute(
        this.#db,
      );
    const kept = [...entries].filter(([, value]) => value !== null);
    await this.#insert(
      name,
      kept.map(([key, value]) => ({ [KEY[name]]: key, [column]: value }) as never),
    );
  }

  /** A session without drafts costs no statement. */
  async #keepDrafts({ drafts }: Changes, before: number): Promise<number> {
    const isAdded = [...drafts.values()].some((text) => text !== null);
    if (before === 0 && !isAdded) return 0;
    await this.#replace('draft', drafts, 'node');
    const { draft } = this.#names;
    const rows = await this.#db.selectFrom(draft).select('id').where('session_id', '=', this.#session).execute();
    return rows.length;
  }
}

function isToWrite({ policy, extra }: Declaration): boolean {
  return policy !== undefined || extra !== undefined;
}

function textsOf({ policy, extra }: Declaration): { policy?: string; extra?: string } {
  return {
    ...(policy !== undefined && { policy: JSON.stringify(policy) }),
    ...(extra !== undefined && { extra: JSON.stringify(extra) }),
  };
}
