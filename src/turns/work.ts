import { type AbortSignalLike, platform, type PlatformAbortSignal } from '../internal/platform.ts';

/** What runs at once, with a signal of its own: its results come in the order in which they are done. */
export class Work<Result> {
  /** Kept when the work is over before it is done. */
  readonly aborted: Promise<undefined>;
  readonly #caller: AbortSignalLike | undefined;
  readonly #stop = new platform.AbortController();
  readonly #done: Result[] = [];
  #taken = 0;
  #started = 0;
  #wake: () => void = () => {};

  constructor(signal: AbortSignalLike | undefined) {
    this.#caller = signal;
    signal?.addEventListener('abort', this.#onAbort);
    this.aborted = new Promise((resolve) => {
      this.signal.addEventListener('abort', () => resolve(undefined));
    });
  }

  /** Aborts with the caller's, and when nobody waits for the results any more. */
  get signal(): PlatformAbortSignal {
    return this.#stop.signal;
  }

  readonly #onAbort = (): void => {
    this.#stop.abort(this.#caller?.reason);
    this.#wake();
  };

  /** Takes up a piece of work, which never rejects. */
  async add(piece: Promise<Result>): Promise<void> {
    this.#started++;
    const result = await piece;
    if (!this.signal.aborted) this.#done.push(result);
    this.#wake();
  }

  /** The next result; undefined when there are no more, or the signal aborted before it came. */
  async next(): Promise<Result | undefined> {
    if (this.#taken === this.#started) return undefined;
    while (this.#taken === this.#done.length && !this.signal.aborted) await this.#news();
    return this.#done[this.#taken++];
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Stops listening, and what still runs. */
  end(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort);
    if (this.#done.length < this.#started) this.#stop.abort();
  }
}
