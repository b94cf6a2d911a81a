import type { SessionLog } from './session-log.ts';

/** What a log takes in memory, measured by its file. */
const FACTOR = 2;

/** The logs that were used last, as many as fit; the last one always does. */
export class LogCache {
  readonly #maxBytes: number;
  readonly #logs = new Map<string, { readonly log: SessionLog; readonly bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(path: string): SessionLog | undefined {
    return this.#logs.get(path)?.log;
  }

  /** Keeps a log as the one that was used last. */
  keep(path: string, log: SessionLog): void {
    this.delete(path);
    const bytes = log.offset * FACTOR;
    this.#logs.set(path, { log, bytes });
    this.#bytes += bytes;
    for (const [oldest] of this.#logs) {
      if (this.#bytes <= this.#maxBytes || oldest === path) return;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    this.#bytes -= this.#logs.get(path)?.bytes ?? 0;
    this.#logs.delete(path);
  }

  clear(): void {
    this.#logs.clear();
    this.#bytes = 0;
  }
}
