import type { StorageErrorCode } from '../../errors.ts';
import { MessageStoreError } from '../../errors.ts';
import { StorageError } from '../storage-error.ts';
import { type Failure, failureOf } from './sql-failure.ts';

const CODES: Readonly<Record<Failure, readonly [code: StorageErrorCode, sentence: string]>> = {
  busy: ['BUSY', 'others kept it busy for too long. Make the same call again.'],
  duplicate: ['BUSY', 'another writer stored the same key at the same time. Make the same call again.'],
  full: ['NO_SPACE', 'there is no space left. Nothing was written; the same call succeeds once there is.'],
  permission: ['PERMISSION', 'this account or process may not do that. Nothing was written.'],
  'read-only': ['READ_ONLY', 'it can only be read. Nothing was written.'],
  lost: ['BUSY', 'the connection was lost before anything was made to last. Make the same call again.'],
  'too-large': ['TOO_LARGE', 'it does not take so much at once. Nothing was written.'],
  'no-table': ['NOT_FOUND', 'its tables are not there. Call migrate() once, or leave autoMigrate on.'],
  damaged: ['DAMAGED', 'it is damaged. Restore a copy of it.'],
  unknown: ['DAMAGED', 'it refused.'],
};

/** The error of this library for an error of a driver. */
export function storageErrorOf(error: unknown): MessageStoreError {
  if (MessageStoreError.isInstance(error)) return error;
  const [code, sentence] = CODES[failureOf(error)];
  return new StorageError(code, `the database: ${sentence}${detailOf(error)}`, { cause: error });
}

/** The error of a commit of which nobody knows whether it was made. */
export function unknownOutcome(error: unknown): StorageError {
  return new StorageError(
    'OUTCOME_UNKNOWN',
    `the database: no answer came to COMMIT, and it may have been made. Make the same commit again, with the same id.${detailOf(error)}`,
    { cause: error },
  );
}

function detailOf(error: unknown): string {
  return error instanceof Error ? ` (${error.message})` : '';
}
