import type { Durability } from '../storage.ts';
import { unknownOutcome } from './append.ts';
import type { OpenFile, OpenFiles } from './open-files.ts';
import { SharedSync } from './shared-sync.ts';

/** Brings what was written to the disk, file by file, and claims no more than was reached. */
export class Durable {
  readonly #files: OpenFiles;
  readonly #delay: number;
  /** By the file itself: what was deleted or replaced may still be on its way to the disk when its name leads to another one. */
  readonly #syncs = new Map<string, SharedSync>();
  /** Up to which version the disk has failed: the system believes it written, and would say so when asked again. */
  readonly #doubtful = new Map<string, number>();

  constructor(files: OpenFiles, delay: number) {
    this.#files = files;
    this.#delay = delay;
  }

  /**
   * What holds of a version that was written to this file.
   *
   * @throws StorageError `OUTCOME_UNKNOWN`
   */
  async reach(path: string, file: OpenFile, version: number, isNew: boolean): Promise<Durability> {
    if (!isNew && version <= (this.#doubtful.get(path) ?? 0)) return 'process-crash';
    const key = `${file.ino} ${path}`;
    const shared = this.#sharedSync(key);
    try {
      await shared.join(file);
      return 'power-loss';
    } catch (cause) {
      this.#doubtful.set(path, Math.max(version, this.#doubtful.get(path) ?? 0));
      throw unknownOutcome(path, cause);
    } finally {
      if (shared.isIdle) this.#syncs.delete(key);
    }
  }

  /** What another file of this name has to do with nothing that was. */
  forget(path: string): void {
    this.#doubtful.delete(path);
  }

  #sharedSync(key: string): SharedSync {
    const known = this.#syncs.get(key);
    if (known !== undefined) return known;
    const shared = new SharedSync(this.#files, this.#delay);
    this.#syncs.set(key, shared);
    return shared;
  }
}
