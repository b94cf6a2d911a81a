/** Lets writes to one thing happen one after another, in the order in which they were asked for; those to others do not wait. */
export class WriteQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const own = after(this.#last.get(key), write);
    this.#last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key);
    }
  }
}

async function after<T>(before: Promise<unknown> | undefined, write: () => Promise<T>): Promise<T> {
  await before?.catch(() => undefined);
  return write();
}
