import { newId } from '../internal/ids.ts';
import type { Commit, CommitOptions, CommitResult, Op, SessionStorage } from './storage.ts';
import { StorageError } from './storage-error.ts';

/**
 * What happens where the session is not as expected: the write is refused (`throw`); what is new goes behind what
 * others wrote (`rebase`); it hangs where it was meant to, as a branch beside theirs, and the leaf stays (`fork`).
 */
export type ConflictPolicy = 'throw' | 'rebase' | 'fork';

/** How a session is written to. */
export interface WriteOptions extends CommitOptions {
  /** Makes a repeated write one write: the same id again changes nothing. */
  readonly commitId?: string;
  /** What was read: another state is a conflict. */
  readonly expectVersion?: number;
  readonly expectLeaf?: string | null;
  /** The incarnation of the session: another one was deleted and created again. */
  readonly expectEpoch?: string;
  /** Default: `throw`. */
  readonly onConflict?: ConflictPolicy;
  /** Told what the commit did, before the write resolves. */
  readonly onWritten?: (result: CommitResult) => void;
}

/**
 * Makes changes as one commit, by the policy where someone else has written.
 *
 * @throws StorageError
 */
export async function write(
  storage: SessionStorage,
  session: string,
  ops: readonly Op[],
  options: WriteOptions = {},
): Promise<CommitResult> {
  const result = await commitOrFollow(storage, session, commitOf(ops, options), options);
  options.onWritten?.(result);
  return result;
}

async function commitOrFollow(storage: SessionStorage, session: string, commit: Commit, options: WriteOptions) {
  try {
    return await storage.commit(session, commit, options);
  } catch (error) {
    const next = isConflict(error) ? afterConflict(commit, options, error) : madeAsFork(commit, options, error);
    if (next === undefined) throw error;
    return storage.commit(session, next, options);
  }
}

function commitOf(ops: readonly Op[], { commitId = newId(), ...options }: WriteOptions): Commit {
  const { expectVersion, expectLeaf, expectEpoch } = options;
  const expect = {
    ...(expectEpoch !== undefined && { epoch: expectEpoch }),
    ...(expectVersion !== undefined && { version: expectVersion }),
    ...(expectLeaf !== undefined && { leaf: expectLeaf }),
  };
  return { id: commitId, ops, expect };
}

function isConflict(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === 'CONFLICT';
}

/** What is written instead; undefined where the conflict is the caller's. */
function afterConflict(
  commit: Commit,
  { expectEpoch, expectLeaf, onConflict }: WriteOptions,
  { actual }: StorageError,
) {
  if (onConflict === undefined || onConflict === 'throw') return undefined;
  const expect = expectEpoch === undefined ? {} : { epoch: expectEpoch };
  if (onConflict === 'rebase' || expectLeaf === actual?.leaf) return { ...commit, expect };
  return expectLeaf === undefined ? undefined : asFork({ ...commit, expect }, expectLeaf);
}

/** As a branch beside what others wrote. */
function asFork(commit: Commit, leaf: string | null): Commit {
  return { ...commit, keepLeaf: true, ops: below(leaf, commit.ops) };
}

/** A retry of what became a branch then: its commit was another one than was asked for. */
function madeAsFork(commit: Commit, { expectLeaf, onConflict }: WriteOptions, error: unknown): Commit | undefined {
  const isMade = error instanceof StorageError && error.code === 'ID_CONFLICT' && error.path === commit.id;
  return isMade && onConflict === 'fork' && expectLeaf !== undefined ? asFork(commit, expectLeaf) : undefined;
}

/** The first node hangs below the leaf that was expected, unless it says another parent. */
function below(leaf: string | null, ops: readonly Op[]): readonly Op[] {
  const first = ops.findIndex(({ op }) => op === 'node');
  return ops.map((op, at) =>
    at === first && op.op === 'node' ? { op: 'node', node: { parentId: leaf, ...op.node } } : op,
  );
}
