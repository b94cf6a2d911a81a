import { setTimeout as pause } from 'node:timers/promises';
import { sync } from './files.ts';
import type { OpenFile, OpenFiles } from './open-files.ts';

/** Brings what is written to one file to the disk, in one go for all who wait. */
export class SharedSync {
  readonly #files: OpenFiles;
  readonly #delay: number;
  /** The one that has begun: what is written from now on may not be in it. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(files: OpenFiles, delay: number) {
    this.#files = files;
    this.#delay = delay;
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined;
  }

  /** Settles when all that was written before this call is on the disk, or cannot be brought there. It begins at once where it can. */
  join(file: OpenFile): Promise<void> {
    if (this.isIdle && this.#delay === 0) return (this.#running = this.#sync(file));
    return (this.#next ??= this.#syncLater(file));
  }

  async #sync(file: OpenFile): Promise<void> {
    this.#files.hold(file);
    try {
      await sync(this.#files.fs, file.fd, 'fdatasync');
    } finally {
      this.#running = undefined;
      this.#files.letGo(file);
    }
  }

  async #syncLater(file: OpenFile): Promise<void> {
    this.#files.hold(file);
    try {
      await this.#running?.catch(() => undefined);
      if (this.#delay > 0) await pause(this.#delay);
      this.#running = this.#next;
      this.#next = undefined;
      await this.#sync(file);
    } finally {
      this.#files.letGo(file);
    }
  }
}
