/** Lets writes to one thing happen one after another, in the order in which they were asked for; those to others do not wait. */
export class WriteQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether nobody is in line. */
  isFree(key: string): boolean {
    return !this.#last.has(key);
  }

  async run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const own = before === undefined ? write() : before.then(write, write);
    this.#last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key);
    }
  }
}
