import type { Insertable } from 'kysely';
import { newId, timeText } from '../../internal/ids.ts';
import type { JsonObject } from '../../schema/json.ts';
import { copyObject } from '../check-commit.ts';
import { checkName } from '../check-names.ts';
import type { SessionInit } from '../storage.ts';
import { checkVersion, sessionExists } from '../storage-error.ts';
import { chunksOf } from './chunks-of.ts';
import type { Place } from './place.ts';
import { headOf } from './session-rows.ts';
import { failureOf } from './sql-failure.ts';
import { CONTENT, type SessionRow, type Tables } from './tables.ts';

const ROWS_AT_ONCE = 500;

/** A session that is to be. */
export interface NewSession {
  readonly row: Insertable<Tables['session']> & SessionRow;
  readonly params: JsonObject;
}

/** What a new session begins with, checked and copied; it gets an epoch of its own. */
export function newSession(id: string, { meta = {}, params = {}, forkedFrom = null }: SessionInit = {}): NewSession {
  for (const key of Object.keys(params)) checkName(key, 'params');
  const at = timeText();
  const row = {
    id,
    epoch: newId(),
    version: 0,
    seq: 0,
    leaf: null,
    node_count: 0,
    bytes: 0,
    drafts: 0,
    format: 1,
    meta: JSON.stringify(copyObject(meta, 'meta')),
    created_at: at,
    updated_at: at,
    expires_at: null,
    forked_session: forkedFrom?.session ?? null,
    forked_node: forkedFrom?.node ?? null,
  };
  return { row, params: copyObject(params, 'params') };
}

/**
 * Writes a new session.
 *
 * @throws StorageError `ALREADY_EXISTS`
 */
export async function insertSession({ db, names }: Place, { row, params }: NewSession): Promise<void> {
  try {
    await db.insertInto(names.session).values(row).execute();
  } catch (error) {
    throw failureOf(error) === 'duplicate' ? sessionExists(row.id) : error;
  }
  const values = Object.entries(params).map(([name, value]) => ({
    session_id: row.id,
    name,
    value: JSON.stringify(value),
  }));
  for (const chunk of chunksOf(values, ROWS_AT_ONCE))
    await db
      .insertInto(names.param)
      .values([...chunk])
      .execute();
}

/**
 * Removes a session with all it holds, one statement a table: nothing cascades. False where there is none.
 *
 * @throws StorageError `CONFLICT`
 */
export async function removeSession(
  { db, engine, names, session: id }: Place,
  expectVersion: number | undefined,
): Promise<boolean> {
  const row = await engine.lock(db, names, id);
  if (row === undefined) return false;
  checkVersion(headOf(row), expectVersion);
  for (const name of CONTENT) await db.deleteFrom(names[name]).where('session_id', '=', id).execute();
  await db.deleteFrom(names.session).where('id', '=', id).execute();
  return true;
}
