import type { Engine } from './engine.ts';
import { storageErrorOf, unknownOutcome } from './sql-error.ts';
import { type Failure, failureOf } from './sql-failure.ts';
import type { Db } from './tables.ts';

/** How long what others stand in the way of is tried again, in milliseconds. */
const PATIENCE = 5000;
const LONGEST_PAUSE = 30;
/** How often a key that another writer stored first is tried again. */
const MAX_RACES = 10;

/**
 * Makes the same attempt until nobody stands in its way, waiting a little longer each time without holding up the
 * process.
 *
 * @throws MessageStoreError
 */
export async function persist<T>(attempt: () => Promise<T>, isWrite = false): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (let turn = 0; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      const failure = failureOf(error);
      const isWorthIt = failure === 'busy' || (isWrite && failure === 'duplicate' && turn < MAX_RACES);
      if (!isWorthIt || performance.now() > end) throw storageErrorOf(error);
      await pause(Math.min(LONGEST_PAUSE, 2 ** Math.min(turn, 6)) * Math.random());
    }
  }
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

/** After these errors of COMMIT nothing was made. */
const REFUSED: ReadonlySet<Failure> = /* @__PURE__ */ new Set<Failure>(['busy', 'duplicate', 'full', 'read-only']);

/**
 * A transaction whose errors tell whether it was made.
 *
 * @throws StorageError `OUTCOME_UNKNOWN` where COMMIT got no answer
 */
export async function transact<T>(engine: Engine, db: Db, body: (transaction: Db) => Promise<T>): Promise<T> {
  let [cause, isDone]: [unknown, boolean] = [undefined, false];
  try {
    return await engine.transaction(db, async (transaction) => {
      try {
        const result = await body(transaction);
        isDone = true;
        return result;
      } catch (error) {
        cause = error;
        throw error;
      }
    });
  } catch (error) {
    if (!isDone) throw cause ?? error;
    throw REFUSED.has(failureOf(error)) ? error : unknownOutcome(error);
  }
}
