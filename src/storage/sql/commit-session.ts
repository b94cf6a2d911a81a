import { timeText } from '../../internal/ids.ts';
import type { CheckedCommit } from '../check-commit.ts';
import { checkExpectation, planCommit } from '../plan-commit.ts';
import { commitConflict } from '../session-state.ts';
import type { CommitOptions, CommitResult, NodePlace } from '../storage.ts';
import { checkSignal, noSession } from '../storage-error.ts';
import { Changes } from './changes.ts';
import { knownRows, loadView } from './commit-view.ts';
import { jsonOf } from './node-rows.ts';
import type { Place } from './place.ts';
import { headOf } from './session-rows.ts';
import { ChangeWriter } from './write-changes.ts';

type Made = Omit<CommitResult, 'durable'>;

/** Makes a commit inside a transaction: locks the session, then looks for the commit, then at what is expected. */
export async function commitSession(
  place: Place,
  commit: CheckedCommit,
  signal: CommitOptions['signal'],
): Promise<Made> {
  const { db, engine, names, session } = place;
  const row = await engine.lock(db, names, session);
  if (row === undefined) throw noSession(session);
  const made = await findCommit(place, commit);
  if (made !== undefined) return made;
  const head = headOf(row);
  checkExpectation(commit.expect, head);
  const view = await loadView(place, head.leaf, commit);
  const { ops, leaf, nodes } = planCommit(view, commit);
  checkSignal(signal);
  const changes = new Changes(view, head);
  for (const op of ops) changes.make(op);
  const drafts = await new ChangeWriter(db, names, session).write(changes, Number(row.drafts));
  const version = head.version + 1;
  await finish(place, commit, { version, changes, leaf, nodes, drafts });
  const places = nodes.map((id) => changes.place(id)).filter((found) => found !== undefined);
  return { status: 'applied', version, leaf, nodes: places.map(placeOnly) };
}

function placeOnly({ id, parentId: parent, seq, depth }: NodePlace): NodePlace {
  return { id, parentId: parent, seq, depth };
}

interface Outcome {
  readonly version: number;
  readonly changes: Changes;
  readonly leaf: string | null;
  readonly nodes: readonly string[];
  readonly drafts: number;
}

/** The row of the commit, and of the session. */
async function finish(
  { db, names, session: session_id }: Place,
  { id, fingerprint }: CheckedCommit,
  { version, changes, leaf, nodes, drafts }: Outcome,
): Promise<void> {
  const row = { session_id, id, version, fingerprint, leaf, nodes: JSON.stringify(nodes) };
  await db.insertInto(names.commit).values(row).execute();
  const { seq, nodeCount: node_count, bytes } = changes;
  const meta = JSON.stringify(changes.meta);
  const state = { version, seq, leaf, node_count, bytes, drafts, meta, updated_at: timeText() };
  await db.updateTable(names.session).set(state).where('id', '=', session_id).execute();
}

/** What an earlier commit of this id did. */
async function findCommit(place: Place, { id, fingerprint }: CheckedCommit): Promise<Made | undefined> {
  const row = await place.db
    .selectFrom(place.names.commit)
    .select(['version', 'fingerprint', 'leaf', 'nodes'])
    .where('session_id', '=', place.session)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint) throw commitConflict(id);
  const ids = jsonOf(row.nodes) as string[];
  const found = new Map((await knownRows(place, 'id', [...new Set(ids)])).map((node) => [node.id, node]));
  const nodes = ids.map((node) => found.get(node)).filter((node) => node !== undefined);
  return { status: 'duplicate', version: Number(row.version), leaf: row.leaf, nodes: nodes.map(placeOnly) };
}
