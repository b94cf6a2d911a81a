import { sql } from 'kysely';
import { chunksOf } from './chunks-of.ts';
import type { CheckedCommit, CheckedOp } from '../check-commit.ts';
import type { KnownNode, SessionView } from '../plan-commit.ts';
import type { NodePlace } from '../storage.ts';
import { rowsOf } from './engine.ts';
import { IDS_AT_ONCE, parentId } from './node-rows.ts';
import { nodesBy, type Place } from './place.ts';

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
export async function loadView(place: Place, leaf: string | null, { ops }: CheckedCommit): Promise<CommitView> {
  const mentioned = [...new Set([...ops.flatMap(mentionedIn), ...(leaf === null ? [] : [leaf])])];
  const rows = await knownRows(place, 'id', mentioned);
  // A leaf that points nowhere: the last node stands for it.
  const isMissing = leaf !== null && !rows.some(({ id }) => id === leaf);
  const last = isMissing ? await lastNode(place) : [];
  const view = new CommitView(isMissing ? (last[0]?.id ?? null) : leaf);
  for (const row of [...rows, ...last]) view.known.set(row.id, row);
  await loadTexts(
    place,
    knownIn(
      view,
      ops.map((op) => (op.op === 'node' ? op.node.id : undefined)),
    ),
  );
  await loadAround(
    place,
    view,
    knownIn(
      view,
      ops.flatMap((op) => (op.op === 'drop' ? op.ids : [])),
    ),
  );
  return view;
}

function knownIn(view: CommitView, ids: readonly (string | undefined)[]): KnownRow[] {
  return ids.map((id) => (id === undefined ? id : view.node(id))).filter((row) => row !== undefined);
}

async function lastNode(place: Place): Promise<KnownRow[]> {
  const { db, names, session } = place;
  const last = db
    .selectFrom(names.node)
    .select('seq')
    .where('session_id', '=', session)
    .orderBy('seq', 'desc')
    .limit(1);
  const rows = await last.execute();
  return knownRows(
    place,
    'seq',
    rows.map(({ seq }) => Number(seq)),
  );
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

const SOURCES = { id: 'id', parent_seq: 'parent', seq: undefined } as const;

/** Nodes by their ids or places, in no order. */
export async function knownRows(
  place: Place,
  key: keyof typeof SOURCES,
  values: readonly (string | number)[],
): Promise<KnownRow[]> {
  if (values.length === 0) return [];
  const { db, names, session } = place;
  const columns = sql`n.id, n.seq, n.parent_seq, ${parentId(names)} as parent_id, n.depth, n.section, n.type, n.bytes`;
  const index = SOURCES[key];
  const source = index === undefined ? sql`${sql.table(names.node)} as n` : nodesBy(place, index);
  const found: KnownRow[] = [];
  for (const chunk of chunksOf(values, IDS_AT_ONCE)) {
    const rows = await rowsOf(
      sql<Raw>`select ${columns} from ${source} where n.session_id = ${session} and ${sql.ref(`n.${key}`)} in (${sql.join(chunk)})`,
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
async function loadTexts({ db, names, session }: Place, rows: readonly KnownRow[]): Promise<void> {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  for (const chunk of chunksOf([...bySeq.keys()], IDS_AT_ONCE)) {
    const found = await db
      .selectFrom(names.node)
      .select(['seq', 'data'])
      .where('session_id', '=', session)
      .where('seq', 'in', chunk)
      .execute();
    for (const { seq, data } of found) (bySeq.get(Number(seq)) as KnownRow).text = data;
  }
}

/** The children and parents of what is to be dropped. */
async function loadAround(place: Place, view: CommitView, dropped: readonly KnownRow[]): Promise<void> {
  const children = await knownRows(place, 'parent_seq', [...new Set(dropped.map(({ seq }) => seq))]);
  for (const { id, parentId: parent } of children) if (parent !== null) view.addChild(parent, id);
  const parents = dropped.map(({ parentId: id }) => id).filter((id) => id !== null && view.node(id) === undefined);
  for (const row of await knownRows(place, 'id', [...new Set(parents as string[])])) view.known.set(row.id, row);
}
