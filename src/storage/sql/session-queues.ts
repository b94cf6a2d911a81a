/** Makes what is asked for one key wait in line; different keys never wait for each other. */
export class SessionQueues {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    this.#tails.set(key, own);
    try {
      return await own;
    } finally {
      if (this.#tails.get(key) === own) this.#tails.delete(key);
    }
  }

  /** Waits until nothing is in line. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled(this.#tails.values());
  }
}
