import { StorageError } from '../storage-error.ts';
import { failureOf } from './sql-failure.ts';

/** The right of this process to a folder. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a folder for this process. The lock is one of the operating system on a file beside the folder: it ends with
 * the process that holds it, however that ends, and cannot be taken from one that lives.
 *
 * @throws StorageError `BUSY` with the id of the process that has it
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const { DatabaseSync } = await import('node:sqlite');
  const { mkdirSync } = await import('node:fs');
  const paths = await import('node:path');
  const path = paths.resolve(folder);
  mkdirSync(paths.dirname(path), { recursive: true });
  const database = new DatabaseSync(`${path}.lock`);
  try {
    database.exec('BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS owner (pid INTEGER); DELETE FROM owner');
    database.prepare('INSERT INTO owner VALUES (?)').run(process.pid);
    // Between the two the owner's number becomes readable; whoever comes in between has the folder.
    database.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    const owner =
      failureOf(error) === 'busy' ? ownerIn(() => database.prepare('SELECT pid FROM owner').get()) : undefined;
    database.close();
    if (owner === undefined) throw error;
    throw new StorageError('BUSY', `${path}: process ${owner} has it open, and only one may. Close it there.`, {
      path,
    });
  }
  return { release: () => database.close() };
}

function ownerIn(read: () => Record<string, unknown> | undefined): string {
  try {
    const pid = read()?.['pid'];
    return typeof pid === 'number' ? String(pid) : 'unknown';
  } catch {
    return 'unknown';
  }
}
