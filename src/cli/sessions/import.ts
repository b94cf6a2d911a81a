import { stat } from 'node:fs/promises';
import type { SessionStorage } from '../../storage/storage.ts';
import { type Failure, placed } from '../failure.ts';
import { openDocuments } from '../input/open-documents.ts';
import { STDIN } from '../input/read-lines.ts';
import { note, type Output, withOutput } from '../output.ts';
import { type Progress, showProgress } from '../progress.ts';
import { type Incoming, sessionsIn } from './incoming.ts';
import { withStore } from './open-store.ts';
import { type Outcome, writeSession } from './write-session.ts';

/** The options of `sessions import`. */
export interface ImportOptions {
  /** The id of the only session. */
  readonly id?: string;
  /** Whether sessions whose ids are in use are left alone. */
  readonly skipExisting?: boolean;
}

/** Where sessions are imported to. */
interface Target extends ImportOptions {
  readonly storage: SessionStorage;
  readonly output: Output;
  readonly progress: Progress;
}

/**
 * Writes what files hold into a store, which is made where there is none, and prints the ids of the sessions. Gives how
 * many conversations of lists could not be read; they are told and left out.
 */
export async function importSessions(text: string, files: readonly string[], options: ImportOptions): Promise<number> {
  const sizes = await Promise.all(files.map(sizeOf));
  const progress = showProgress(sizes.reduce((sum, size) => sum + size, 0));
  try {
    return await withStore(text, 'create', ({ storage }) =>
      withOutput(undefined, async (output) => {
        let failed = 0;
        for (const file of files) failed += await importFile(file, { ...options, storage, output, progress });
        return failed;
      }),
    );
  } finally {
    progress.hide();
  }
}

async function sizeOf(file: string): Promise<number> {
  return file === STDIN ? 0 : ((await stat(file).catch(() => undefined))?.size ?? 0);
}

/** Messages without a time get that of the file: so the same file gives the same sessions again. */
async function timeOf(file: string): Promise<number> {
  const found = file === STDIN ? undefined : await stat(file).catch(() => undefined);
  return Math.floor(found?.mtimeMs ?? Date.now());
}

async function importFile(file: string, target: Target): Promise<number> {
  const { id, progress } = target;
  let failed = 0;
  const skip = (failure: Failure): Promise<void> => {
    failed++;
    progress.hide();
    return note(failure.message);
  };
  const { isList, documents } = await openDocuments(file, progress.add);
  const options = { time: await timeOf(file), ...(id !== undefined && { id }), ...(isList && { skip }) };
  for await (const incoming of sessionsIn(documents, options)) await importOne(incoming, target);
  return failed;
}

async function importOne(incoming: Incoming, { storage, output, progress, skipExisting = false }: Target) {
  const { id, place, notes } = incoming;
  const outcome = await written(storage, incoming, skipExisting);
  const said = outcome === 'written' ? [] : [`${place}: session ${JSON.stringify(id)}: ${SAID[outcome]}`];
  if (process.stdout.isTTY || notes.length + said.length > 0) progress.hide();
  for (const text of [...notes, ...said]) await note(text);
  if (outcome !== 'skipped') await output.write(`${id}\n`);
}

const SAID = {
  known: 'was imported already',
  skipped: 'there is one of this id already: left alone',
} as const;

async function written(storage: SessionStorage, incoming: Incoming, skipExisting: boolean): Promise<Outcome> {
  try {
    return await writeSession(storage, incoming, skipExisting);
  } catch (error) {
    throw placed(incoming.place, error);
  }
}
