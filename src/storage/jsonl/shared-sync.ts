import { setTimeout as pause } from 'node:timers/promises';
import { type FileSystem, sync } from './files.ts';

/** Brings what is written to one file to the disk, in one go for all who wait. */
export class SharedSync {
  readonly #fs: FileSystem;
  readonly #delay: number;
  /** The one that has begun: what is written from now on may not be in it. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(fs: FileSystem, delay: number) {
    this.#fs = fs;
    this.#delay = delay;
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined;
  }

  /** Settles when all that was written before this call is on the disk, or cannot be brought there. Closes the file. */
  join(fd: number): Promise<void> {
    if (this.#next === undefined) this.#next = this.#sync(fd);
    else this.#fs.closeSync(fd);
    return this.#next;
  }

  async #sync(fd: number): Promise<void> {
    await this.#running?.catch(() => undefined);
    if (this.#delay > 0) await pause(this.#delay);
    const own = (this.#running = this.#next);
    this.#next = undefined;
    try {
      await sync(this.#fs, fd, 'fdatasync');
    } finally {
      if (this.#running === own) this.#running = undefined;
      this.#fs.closeSync(fd);
    }
  }
}
