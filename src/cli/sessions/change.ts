import { forkSession } from '../../storage/fork-session.ts';
import { headOf } from '../../storage/read-nodes.ts';
import { Sessions } from '../../storage/sessions.ts';
import { Failure } from '../failure.ts';
import { withOutput } from '../output.ts';
import { withStore } from './open-store.ts';
import { messageNamed } from './read-store.ts';

/** The options of `sessions fork`. */
export interface ForkOptions {
  /** The end of the path that is copied: a message or a label. */
  readonly at?: string;
  readonly whole?: boolean;
  readonly id?: string;
}

/** Copies a session, or a path of it, and prints the id of the copy. */
export async function fork(text: string, id: string, { at, whole = false, id: newId }: ForkOptions): Promise<void> {
  const made = await withStore(text, 'write', async ({ storage }) => {
    await headOf(storage, id);
    const end = at === undefined ? {} : { at: await messageNamed(storage, id, at) };
    return forkSession(storage, id, { ...end, whole, ...(newId !== undefined && { newId }) });
  });
  await withOutput(undefined, (output) => output.write(`${made}\n`));
}

/** Gives a message a label; takes its label away where none is given. */
export async function label(text: string, id: string, message: string, name?: string): Promise<void> {
  await withStore(text, 'write', async ({ storage }) => {
    await headOf(storage, id);
    const target = await messageNamed(storage, id, message);
    const sessions = new Sessions(storage);
    if (name !== undefined) await sessions.addLabel(id, target, name);
    else if (!(await sessions.removeLabel(id, target)))
      throw new Failure(`session ${JSON.stringify(id)}`, `the message ${JSON.stringify(target)} has no label`);
  });
}
