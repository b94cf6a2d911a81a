import type { ColumnType, Kysely, Selectable } from 'kysely';

/** A number of 64 bits: some drivers give it as text, so read it with `Number`. */
type Whole = ColumnType<number | string, number, number>;

interface SessionTable {
  id: string;
  epoch: string;
  version: Whole;
  seq: Whole;
  /** The leaf's id. */
  leaf: string | null;
  node_count: Whole;
  bytes: Whole;
  /** How many drafts it has. */
  drafts: Whole;
  format: Whole;
  meta: string;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  forked_session: string | null;
  forked_node: string | null;
}

/** A session: the one row that each of its commits locks. */
export type SessionRow = Selectable<SessionTable>;

interface NodeTable {
  session_id: string;
  seq: Whole;
  id: string;
  parent_seq: ColumnType<number | string | null, number | null, number | null>;
  depth: Whole;
  section: string;
  type: string;
  at: string;
  bytes: Whole;
  data: string;
}

/** What stands in the tables. */
export interface Tables {
  session: SessionTable;
  node: NodeTable;
  /** A node that stands in a section a second time, with a place of its own in the order. */
  place: { session_id: string; seq: Whole; node_seq: Whole; section: string };
  label: { session_id: string; target_seq: Whole; label: string };
  section: { session_id: string; name: string; n: Whole; policy: string | null; extra: string | null };
  param: { session_id: string; name: string; value: string };
  draft: { session_id: string; id: string; node: string };
  /** An accepted commit; `nodes` is the JSON text of its nodes' ids. */
  commit: { session_id: string; id: string; version: Whole; fingerprint: string; leaf: string | null; nodes: string };
  schema: { version: Whole };
}

export type Db = Kysely<Tables>;

/** The real name of each table, typed as the short one. */
export type TableNames = { readonly [Name in keyof Tables]: Name };

/** All tables of a session's content, commits included. */
export const CONTENT = ['node', 'place', 'label', 'section', 'param', 'draft', 'commit'] as const;

/** The names with a prefix before them. */
export function tableNames(prefix: string): TableNames {
  const names = ['session', 'schema', ...CONTENT].map((name) => [name, prefix + name]);
  return Object.fromEntries(names) as TableNames;
}
