import type { JsonObject } from '../../schema/json.ts';
import { isRecord } from '../../schema/json.ts';
import type { SessionHead } from '../storage.ts';
import { jsonOf } from './node-rows.ts';
import type { SessionRow } from './tables.ts';

/** What the row of a session says. */
export function headOf(row: SessionRow): SessionHead {
  const { id, epoch, leaf } = row;
  const [version, seq, format, nodeCount, bytes] = [row.version, row.seq, row.format, row.node_count, row.bytes].map(
    Number,
  ) as [number, number, number, number, number];
  const { created_at: createdAt, updated_at: updatedAt, expires_at: expiresAt, forked_session: session } = row;
  const forkedFrom = session === null ? null : { session, node: row.forked_node };
  const meta = objectOf(row.meta);
  return {
    id,
    epoch,
    version,
    leaf,
    seq,
    createdAt,
    updatedAt,
    expiresAt,
    format,
    nodeCount,
    bytes,
    forkedFrom,
    meta,
  };
}

/** The object that JSON text says; an empty one where it says none: `problems` has it. */
export function objectOf(text: string): JsonObject {
  const value = jsonOf(text);
  return isRecord(value) ? value : {};
}
