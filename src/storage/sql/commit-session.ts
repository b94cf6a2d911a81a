import { timeText } from '../../internal/ids.ts';
import type { CheckedCommit } from '../check-commit.ts';
import { checkExpectation, planCommit } from '../plan-commit.ts';
import { commitConflict } from '../session-state.ts';
import type { CommitOptions, CommitResult, SessionHead } from '../storage.ts';
import { checkSignal, noSession } from '../storage-error.ts';
import { Changes } from './changes.ts';
import { chunksOf } from './chunks-of.ts';
import { loadView } from './commit-view.ts';
import type { Engine } from './engine.ts';
import { IDS_AT_ONCE, jsonOf, parentId } from './node-rows.ts';
import { headOf } from './session-rows.ts';
import type { Db, TableNames } from './tables.ts';
import { ChangeWriter } from './write-changes.ts';

type Made = Omit<CommitResult, 'durable'>;

/** Makes a commit inside a transaction: locks the session, then looks for the commit, then at what is expected. */
export async function commitSession(
  db: Db,
  { lock }: Pick<Engine, 'lock'>,
  names: TableNames,
  session: string,
  commit: CheckedCommit,
  signal: CommitOptions['signal'],
): Promise<Made> {
  const row = await lock(db, names, session);
  if (row === undefined) throw noSession(session);
  const made = await findCommit(db, names, session, commit);
  if (made !== undefined) return made;
  const head = headOf(row);
  checkExpectation(commit.expect, head);
  const view = await loadView(db, names, head, commit);
  const { ops, leaf, nodes } = planCommit(view, commit);
  checkSignal(signal);
  const changes = new Changes(view, head);
  for (const op of ops) changes.make(op);
  const drafts = await new ChangeWriter(db, names, session).write(changes, Number(row.drafts));
  await finish(db, names, head, commit, { changes, leaf, nodes, drafts });
  const places = nodes.map((id) => changes.place(id)).filter((place) => place !== undefined);
  return {
    status: 'applied',
    version: head.version + 1,
    leaf,
    nodes: places.map(({ id, parentId: parent, seq, depth }) => ({ id, parentId: parent, seq, depth })),
  };
}

interface Outcome {
  readonly changes: Changes;
  readonly leaf: string | null;
  readonly nodes: readonly string[];
  readonly drafts: number;
}

/** The row of the commit, and of the session. */
async function finish(
  db: Db,
  names: TableNames,
  { id: session_id, version: before }: SessionHead,
  { id, fingerprint }: CheckedCommit,
  { changes, leaf, nodes, drafts }: Outcome,
): Promise<void> {
  const version = before + 1;
  const row = { session_id, id, version, fingerprint, leaf, nodes: JSON.stringify(nodes) };
  await db.insertInto(names.commit).values(row).execute();
  const { seq, nodeCount: node_count, bytes } = changes;
  const meta = JSON.stringify(changes.meta);
  const state = { version, seq, leaf, node_count, bytes, drafts, meta, updated_at: timeText() };
  await db.updateTable(names.session).set(state).where('id', '=', session_id).execute();
}

/** What an earlier commit of this id did. */
async function findCommit(
  db: Db,
  names: TableNames,
  session: string,
  { id, fingerprint }: CheckedCommit,
): Promise<Made | undefined> {
  const row = await db
    .selectFrom(names.commit)
    .select(['version', 'fingerprint', 'leaf', 'nodes'])
    .where('session_id', '=', session)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint) throw commitConflict(id);
  const nodes = await placesOf(db, names, session, jsonOf(row.nodes) as string[]);
  return { status: 'duplicate', version: Number(row.version), leaf: row.leaf, nodes };
}

async function placesOf(db: Db, names: TableNames, session: string, ids: readonly string[]): Promise<Made['nodes']> {
  const found = new Map<string, Made['nodes'][number]>();
  for (const chunk of chunksOf(ids, IDS_AT_ONCE)) {
    const rows = await db
      .selectFrom(`${names.node} as n`)
      .select(['n.id', 'n.seq', 'n.depth', parentId(names).as('parent_id')])
      .where('n.session_id', '=', session)
      .where('n.id', 'in', chunk)
      .execute();
    for (const { id, seq, depth, parent_id } of rows)
      found.set(id, { id, parentId: parent_id, seq: Number(seq), depth: Number(depth) });
  }
  return ids.map((id) => found.get(id)).filter((place) => place !== undefined);
}
