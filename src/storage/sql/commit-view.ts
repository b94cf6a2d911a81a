import { sql } from 'kysely';
import { chunksOf } from './chunks-of.ts';
import type { CheckedCommit, CheckedOp } from '../check-commit.ts';
import type { KnownNode, SessionView } from '../plan-commit.ts';
import type { NodePlace } from '../storage.ts';
import { rowsOf } from './engine.ts';
import { IDS_AT_ONCE, parentId } from './node-rows.ts';
import type { Db, TableNames } from './tables.ts';

/** A node that the session has, as far as commits ask. */
export interface KnownRow extends Omit<KnownNode, 'text'>, NodePlace {
  readonly bytes: number;
  /** Read only of nodes that the commit gives once more. */
  text: string;
}

type Raw = Pick<KnownRow, 'id' | 'section' | 'type'> & {
  readonly seq: number | string;
  readonly parent_seq: number | string | null;
  readonly parent_id: string | null;
  readonly depth: number | string;
  readonly bytes: number | string;
};

/** The part of a session that a commit has to do with. */
export class CommitView implements SessionView {
  readonly leaf: string | null;
  readonly known = new Map<string, KnownRow>();
  readonly #children = new Map<string, string[]>();

  constructor(leaf: string | null) {
    this.leaf = leaf;
  }

  node(id: string): KnownRow | undefined {
    return this.known.get(id);
  }

  children(id: string): Iterable<string> {
    return this.#children.get(id) ?? [];
  }

  addChild(parent: string, child: string): void {
    const children = this.#children.get(parent);
    if (children === undefined) this.#children.set(parent, [child]);
    else children.push(child);
  }
}

/** Looks up all nodes that a commit mentions, and those around what it drops. */
export async function loadView(
  db: Db,
  names: TableNames,
  session: { readonly id: string; readonly leaf: string | null },
  { ops }: CheckedCommit,
): Promise<CommitView> {
  const leaf = await existingLeaf(db, names, session, ops);
  const view = new CommitView(leaf.id);
  for (const row of leaf.rows) view.known.set(row.id, row);
  const given = ops.filter((op) => op.op === 'node').map(({ node }) => node.id);
  await loadTexts(
    db,
    names,
    session.id,
    given.map((id) => view.node(id)).filter((row) => row !== undefined),
  );
  const dropped = ops.flatMap((op) => (op.op === 'drop' ? op.ids : [])).map((id) => view.node(id));
  await loadAround(
    db,
    names,
    session.id,
    view,
    dropped.filter((row) => row !== undefined),
  );
  return view;
}

/** The mentioned nodes with the leaf; the last node where the leaf is not there. */
async function existingLeaf(
  db: Db,
  names: TableNames,
  { id, leaf }: { readonly id: string; readonly leaf: string | null },
  ops: readonly CheckedOp[],
): Promise<{ readonly id: string | null; readonly rows: readonly KnownRow[] }> {
  const ids = new Set(ops.flatMap(mentionedIn));
  if (leaf !== null) ids.add(leaf);
  const rows = await knownRows(db, names, id, 'id', [...ids]);
  if (leaf === null || rows.some((row) => row.id === leaf)) return { id: leaf, rows };
  const last = await db
    .selectFrom(names.node)
    .select('id')
    .where('session_id', '=', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute();
  const found = await knownRows(
    db,
    names,
    id,
    'id',
    last.map((row) => row.id),
  );
  return { id: found[0]?.id ?? null, rows: [...rows, ...found] };
}

function mentionedIn(op: CheckedOp): readonly string[] {
  switch (op.op) {
    case 'node':
      return [op.node.id, ...(typeof op.node.parentId === 'string' ? [op.node.parentId] : [])];
    case 'leaf':
      return op.to === null ? [] : [op.to];
    case 'label':
      return [op.target];
    case 'place':
      return [op.id];
    case 'drop':
      return op.ids;
    default:
      return [];
  }
}

async function knownRows(
  db: Db,
  names: TableNames,
  session: string,
  key: 'id' | 'seq' | 'parent_seq',
  values: readonly (string | number)[],
): Promise<KnownRow[]> {
  const columns = sql`n.id, n.seq, n.parent_seq, ${parentId(names)} as parent_id, n.depth, n.section, n.type, n.bytes`;
  const found: KnownRow[] = [];
  for (const chunk of chunksOf(values, IDS_AT_ONCE)) {
    const rows = await rowsOf(
      sql<Raw>`select ${columns} from ${sql.table(names.node)} as n where n.session_id = ${session} and ${sql.ref(`n.${key}`)} in (${sql.join(chunk)}) order by n.seq`,
      db,
    );
    for (const row of rows) found.push(knownRow(row));
  }
  return found;
}

function knownRow({ id, seq, parent_id, depth, section, type, bytes }: Raw): KnownRow {
  return {
    id,
    seq: Number(seq),
    parentId: parent_id,
    depth: Number(depth),
    section,
    type,
    bytes: Number(bytes),
    text: '',
  };
}

/** The data of nodes that are given again. */
async function loadTexts(db: Db, { node }: TableNames, session: string, rows: readonly KnownRow[]): Promise<void> {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  for (const chunk of chunksOf([...bySeq.keys()], IDS_AT_ONCE)) {
    const found = await db
      .selectFrom(node)
      .select(['seq', 'data'])
      .where('session_id', '=', session)
      .where('seq', 'in', chunk)
      .execute();
    for (const { seq, data } of found) (bySeq.get(Number(seq)) as KnownRow).text = data;
  }
}

/** The children and parents of what is to be dropped. */
async function loadAround(
  db: Db,
  names: TableNames,
  session: string,
  view: CommitView,
  dropped: readonly KnownRow[],
): Promise<void> {
  const children = await knownRows(db, names, session, 'parent_seq', [...new Set(dropped.map(({ seq }) => seq))]);
  for (const child of children) if (child.parentId !== null) view.addChild(child.parentId, child.id);
  const parents = dropped.map(({ parentId: id }) => id).filter((id) => id !== null && view.node(id) === undefined);
  for (const row of await knownRows(db, names, session, 'id', [...new Set(parents as string[])]))
    view.known.set(row.id, row);
}
