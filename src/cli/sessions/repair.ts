import type { SessionStorage } from '../../storage/storage.ts';
import { headOf } from '../../storage/read-nodes.ts';
import { printable } from '../failure.ts';
import { withOutput } from '../output.ts';
import { withStore } from './open-store.ts';

/** What a storage did to put a session in order. */
interface Repaired {
  /** The file as it was before; null where nothing was to be done. */
  readonly backup: string | null;
  /** How many lines were left out. */
  readonly removed: number;
  /** How many lines were changed. */
  readonly changed: number;
}

/** A storage whose damaged sessions can be put in order. */
interface Repairable {
  repair(id: string): Promise<Repaired>;
}

/** Puts sessions in order, and prints what was done and where the copy of each as it was is. */
export async function repairSessions(text: string, ids: readonly string[]): Promise<void> {
  await withStore(text, 'write', ({ storage }) =>
    withOutput(undefined, async (output) => {
      for (const id of ids) {
        const said = canRepair(storage) ? sentenceOf(await storage.repair(id)) : await nothingByHand(storage, id);
        await output.write(`${printable(`session ${JSON.stringify(id)}: ${said}`)}\n`);
      }
    }),
  );
}

function canRepair(storage: SessionStorage): storage is SessionStorage & Repairable {
  return 'repair' in storage && typeof storage.repair === 'function';
}

async function nothingByHand(storage: SessionStorage, id: string): Promise<string> {
  await headOf(storage, id);
  return 'there is nothing to repair by hand in a store of this kind';
}

function sentenceOf({ backup, removed, changed }: Repaired): string {
  if (backup === null) return 'nothing is to be repaired';
  return `${lines(removed)} left out, ${lines(changed)} changed; as it was: ${backup}`;
}

function lines(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
}
