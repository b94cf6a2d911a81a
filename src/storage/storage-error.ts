import { MessageStoreError, type StorageErrorCode } from '../errors.ts';
import type { CommitOptions, SessionHead } from './storage.ts';

/** The state that a caller had not expected. */
export interface ActualState {
  readonly version: number;
  readonly leaf: string | null;
}

/** What a {@link StorageError} knows beside its sentence. */
export interface StorageErrorDetails {
  /** The session, or the field of what was given. */
  readonly path?: string;
  readonly value?: unknown;
  readonly cause?: unknown;
  readonly actual?: ActualState | undefined;
}

/** The same call can succeed when it is made again, once what stood in its way is gone. */
const RETRYABLE = /* @__PURE__ */ new Set<StorageErrorCode>(['BUSY', 'NO_SPACE', 'OUTCOME_UNKNOWN']);

/**
 * A storage could not do what it was asked. Nothing was changed, save where the code is `OUTCOME_UNKNOWN`: then the
 * same commit, made again with the same id, finds out and never doubles anything.
 */
export class StorageError extends MessageStoreError {
  override readonly name = 'StorageError';
  declare readonly code: StorageErrorCode;
  /** Whether the same call can succeed when it is made again, once what stood in its way is gone. A `CONFLICT` wants a look at the new state first. */
  readonly retryable: boolean;
  /** What the state is, where another one was expected. */
  readonly actual: ActualState | undefined;

  constructor(code: StorageErrorCode, message: string, details: StorageErrorDetails = {}) {
    super(code, message, details);
    this.retryable = RETRYABLE.has(code);
    this.actual = details.actual;
  }
}

/** The error of a session that is not there. */
export function noSession(id: string): StorageError {
  return new StorageError('NOT_FOUND', `session ${JSON.stringify(id)}: there is none of this id. Create it first.`, {
    path: id,
  });
}

/** The error of a message that is not in its session. */
export function noMessage(session: string, id: string): StorageError {
  const where = { path: session, value: id };
  return new StorageError(
    'NOT_FOUND',
    `session ${JSON.stringify(session)}: there is no message ${JSON.stringify(id)}.`,
    where,
  );
}

/** The error of a session that is there already. */
export function sessionExists(id: string): StorageError {
  return new StorageError('ALREADY_EXISTS', `session ${JSON.stringify(id)}: there is one of this id already.`, {
    path: id,
  });
}

/** The error of a storage that was closed. */
export function closed(): StorageError {
  return new StorageError('CLOSED', 'the storage was closed: open another one.');
}

/**
 * Refuses what was called off.
 *
 * @throws StorageError `ABORTED`
 */
export function checkSignal(signal: CommitOptions['signal']): void {
  if (signal?.aborted === true)
    throw new StorageError('ABORTED', 'the write was called off before it began: nothing was written.', {
      cause: signal.reason,
    });
}

/**
 * Refuses to delete a session that has changed.
 *
 * @throws StorageError `CONFLICT`
 */
export function checkVersion({ id, version, leaf }: SessionHead, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  throw new StorageError(
    'CONFLICT',
    `session ${JSON.stringify(id)}: expected version ${expected}, got ${version}: someone else has written. Look at it again before it is deleted.`,
    { path: id, value: expected, actual: { version, leaf } },
  );
}
