import { type RawBuilder, sql } from 'kysely';
import { parseJsonText } from '../../internal/json-text.ts';
import type { JsonValue } from '../../schema/json.ts';
import type { StoredNode } from '../storage.ts';
import type { TableNames } from './tables.ts';

/** A row of a node as it comes from a driver: numbers may be text. */
export interface RawNode {
  readonly seq: number | string;
  readonly id: string;
  readonly parent_id: string | null;
  readonly depth: number | string;
  readonly section: string;
  readonly type: string;
  readonly at: string;
  readonly bytes: number | string;
  readonly data: string;
}

/** The most ids of one statement: all databases take that many parameters. */
export const IDS_AT_ONCE = 5000;

/** The columns of {@link RawNode} of the node table under the name `n`, save `seq` and `section`. */
export function nodeColumns(names: TableNames): RawBuilder<unknown> {
  return sql`n.id, ${parentId(names)} as parent_id, n.depth, n.type, n.at, n.bytes, n.data`;
}

/** The id of a node's parent; null of an orphan too. Asked for row by row, since planners like to join whole sessions. */
export function parentId(names: TableNames): RawBuilder<string | null> {
  return sql`(select up.id from ${sql.table(names.node)} as up where up.session_id = n.session_id and up.seq = n.parent_seq)`;
}

/** The nodes of rows; a row whose data cannot be read is left out: `problems` has it. */
export function nodesOf(rows: readonly RawNode[]): StoredNode[] {
  return rows.map((row) => nodeOf(row, row.parent_id)).filter((node) => node !== undefined);
}

/** The node of a row; undefined where its data cannot be read. */
export function nodeOf(row: Omit<RawNode, 'parent_id'>, parent: string | null): StoredNode | undefined {
  const data = jsonOf(row.data);
  if (data === undefined) return undefined;
  const { id, section, type, at } = row;
  return {
    id,
    parentId: parent,
    section,
    type,
    at,
    data,
    seq: Number(row.seq),
    depth: Number(row.depth),
    bytes: Number(row.bytes),
  };
}

/** What JSON text says; undefined where it is none. */
export function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJsonText(text) as JsonValue;
  } catch {
    return undefined;
  }
}
