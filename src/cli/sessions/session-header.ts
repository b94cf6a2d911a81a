import { isRecord, type JsonObject } from '../../schema/json.ts';
import type { ForkOrigin, SessionHead } from '../../storage/storage.ts';
import { Failure } from '../failure.ts';

/** The entry of a session's metadata that says that it is not wholly imported yet, and from what. */
export const IMPORTING = 'importing';
const FORMAT = 'message-store/session';
const VERSION = 1;

/** The first line of an exported session; its changes follow, one a line, the leaf as the last. */
export interface SessionHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly nodeCount: number;
  readonly forkedFrom: ForkOrigin | null;
  readonly meta: JsonObject;
}

/** The header of a session. */
export function headerOf({ id, createdAt, updatedAt, nodeCount, forkedFrom, meta }: SessionHead): SessionHeader {
  const { [IMPORTING]: _, ...kept } = meta;
  return { format: FORMAT, version: VERSION, id, createdAt, updatedAt, nodeCount, forkedFrom, meta: kept };
}

/**
 * The header that a line of JSON is; undefined where it is something else.
 *
 * @throws Failure naming the place, when it is newer than this code, or lacks something
 */
export function readHeader(value: unknown, place: string): SessionHeader | undefined {
  if (!isRecord(value) || value['format'] !== FORMAT) return undefined;
  const { version, id, meta = {}, forkedFrom = null } = value;
  if (version !== VERSION)
    throw new Failure(place, `expected an exported session of version ${VERSION}, got ${JSON.stringify(version)}`);
  if (typeof id !== 'string' || !isRecord(meta) || !isOrigin(forkedFrom))
    throw new Failure(place, 'expected an exported session with id, meta and forkedFrom');
  const { [IMPORTING]: _, ...kept } = meta as JsonObject;
  return { ...(value as unknown as SessionHeader), meta: kept, forkedFrom };
}

function isOrigin(value: unknown): value is ForkOrigin | null {
  if (value === null) return true;
  return isRecord(value) && typeof value['session'] === 'string' && isIdOrNull(value['node']);
}

function isIdOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
