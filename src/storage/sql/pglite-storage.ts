import { Kysely, type PGlite, PGliteDialect } from 'kysely';
import { loadPackage } from './load-package.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { ownedStorage, type SqlStorage, type SqlTablesOptions } from './sql-storage.ts';

/**
 * Sessions in PGlite, the PostgreSQL that runs inside the process, through the package `@electric-sql/pglite`. A
 * folder (`memory://` for none) is opened, and closed with the storage; an instance stays the caller's to close.
 *
 * Two processes on one folder would destroy it: the file `<folder>.lock` beside it, which the operating system gives
 * up for a process that has died, lets one in. The other gets `BUSY` at the first use.
 *
 * @throws MessageStoreError `missing_package` at the first use, when a folder is given and the package is not installed
 */
export function pgliteStorage(target: string | PGlite, options: SqlTablesOptions = {}): SqlStorage {
  if (typeof target !== 'string')
    return storageOf(
      new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: target }) }),
      options,
      isInMemory(target),
    );
  let lock: FolderLock | undefined;
  const isMemory = target.startsWith('memory:');
  const open = async (): Promise<PGlite> => {
    const module = await loadPackage('@electric-sql/pglite', () => import('@electric-sql/pglite'));
    if (!isMemory) lock ??= await lockFolder(target);
    return module.PGlite.create(target);
  };
  const kysely = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: open }) });
  return storageOf(kysely, options, isMemory, async () => {
    await kysely.destroy();
    lock?.release();
  });
}

/** PGlite does not wait for the disk. */
function storageOf(
  kysely: Kysely<unknown>,
  options: SqlTablesOptions,
  isMemory: boolean,
  close?: () => Promise<void>,
): SqlStorage {
  return ownedStorage(
    kysely,
    { ...options, dialect: 'postgres' },
    { multiProcess: false, durability: isMemory ? 'memory' : 'process-crash', ...(close && { close }) },
  );
}

function isInMemory(instance: PGlite): boolean {
  const { dataDir } = instance as { readonly dataDir?: string };
  return dataDir === undefined || dataDir === '' || dataDir.startsWith('memory:');
}
