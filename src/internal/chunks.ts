import type { Segment } from './vector.ts';

const BITS = 10;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/**
 * Items that came in one piece, cut into chunks of 1 024: as cheap to build and to read as one array,
 * and replacing one item copies one chunk. A window, like a vector.
 */
export class Chunks<T> {
  readonly #chunks: readonly (readonly T[])[];
  readonly #start: number;
  readonly #end: number;

  private constructor(chunks: readonly (readonly T[])[], start: number, end: number) {
    this.#chunks = chunks;
    this.#start = start;
    this.#end = end;
  }

  /** Takes `items` over: the caller must not change the array afterwards. */
  static owning<T>(items: readonly T[]): Chunks<T> {
    if (items.length <= WIDTH) return new Chunks([items], 0, items.length);
    const chunks: T[][] = [];
    for (let at = 0; at < items.length; at += WIDTH) chunks.push(items.slice(at, at + WIDTH));
    return new Chunks(chunks, 0, items.length);
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** About how many items this window keeps alive, those outside of it included. */
  get held(): number {
    return (this.#chunks.length - 1) * WIDTH + (this.#chunks[0] as readonly T[]).length;
  }

  /** The item at `index`, which must lie within. O(1). */
  get(index: number): T {
    const at = this.#start + index;
    return (this.#chunks[at >>> BITS] as readonly T[])[at & MASK] as T;
  }

  /** The stretch that begins at `index` and ends with its chunk or with the window. */
  segment(index: number): Segment<T> {
    const at = this.#start + index;
    const chunkStart = at & ~MASK;
    const items = this.#chunks[at >>> BITS] as readonly T[];
    return { items, from: at - chunkStart, to: Math.min(WIDTH, this.#end - chunkStart) };
  }

  /** The items from `from` to `to` (exclusive), bounds within. O(1). */
  slice(from: number, to: number): Chunks<T> {
    return new Chunks(this.#chunks, this.#start + from, this.#start + to);
  }

  /** The same items with another at `index`; copies its chunk and the list of chunks. */
  set(index: number, item: T): Chunks<T> {
    const at = this.#start + index;
    const chunk = (this.#chunks[at >>> BITS] as readonly T[]).with(at & MASK, item);
    return new Chunks(this.#chunks.with(at >>> BITS, chunk), this.#start, this.#end);
  }
}
