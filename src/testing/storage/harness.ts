import type { JsonValue } from '../../schema/json.ts';
import type { SessionStorage } from '../../storage/storage.ts';

/** What a case asks of the place that it runs at. */
export type Need = 'reopen' | 'processes' | 'scale';

/** A program of the suite that runs in another process. */
export interface SpawnedProgram {
  /** What {@link runStorageProgram} gave there; rejected where the process failed or was killed. */
  readonly result: Promise<JsonValue>;
  /** Ends the process at once, so that it can clean nothing up (SIGKILL). */
  kill(): void;
}

/**
 * A place to keep sessions at (a folder, a database), as the suite sees it. One place can serve all cases, since each
 * uses session ids of its own; a place of its own for each case tests more, since then the first use is tried too.
 */
export interface StorageHarness {
  /** Opens the place: each call gives another instance, which the suite closes where the place can be reopened. */
  open(): Promise<SessionStorage>;
  readonly can?: {
    /** Whether an instance sees what another one wrote, and what one wrote that was closed since. */
    readonly reopen?: boolean;
    /** Whether there is time for 100 000 messages and 10 000 sessions. */
    readonly scale?: boolean;
  };
  /**
   * Runs a program of the suite over the same place in another process, which opens the storage and gives back, as
   * JSON, what `runStorageProgram(program, storage, args)` resolves to. Left out where the place is of one process.
   */
  spawn?(program: string, args: readonly string[]): SpawnedProgram;
}

/** One promise of a storage, and how to find out whether it is kept. */
export interface StorageCase {
  /** Its number in the suite: `s1-05`. It stays the same when cases are added. */
  readonly id: string;
  /** What the storage does: the end of a sentence that begins with "it". */
  readonly title: string;
  readonly needs: readonly Need[];
  /** Rejects with an error that says what was expected and what came. */
  run(harness: StorageHarness): Promise<void>;
}

/**
 * What a case needs and a place does not have: where there is any, the case is to be skipped, by name and counted.
 *
 * @example
 * const inMemory = { open: async () => memoryStorage() };
 * const skipped = storageConformance.filter((one) => missingNeeds(one, inMemory).length > 0);
 * skipped.every((one) => one.needs.length > 0) // => true
 */
export function missingNeeds({ needs }: Pick<StorageCase, 'needs'>, place: StorageHarness): readonly Need[] {
  return needs.filter((need) => (need === 'processes' ? place.spawn === undefined : place.can?.[need] !== true));
}
