import type { Segment } from './vector.ts';

const BITS = 10;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** Items in one array, or what makes it when one of them is first asked for. */
export type OwnItems<T> = readonly T[] | (() => readonly T[]);

/** Items in one array, and the same cut into chunks once the first of them was replaced. */
interface Source<T> {
  readonly size: number;
  items: OwnItems<T>;
  chunks?: readonly (readonly T[])[];
}

/**
 * Items that came in one piece: one array until an item is replaced, then chunks of 1 024, so that only the
 * first replacement costs a copy and every further one copies a chunk. A window, like a vector.
 */
export class Chunks<T> {
  readonly #source: Source<T> | undefined;
  readonly #chunks: readonly (readonly T[])[];
  readonly #start: number;
  readonly #end: number;

  private constructor(source: Source<T> | undefined, chunks: readonly (readonly T[])[], start: number, end: number) {
    this.#source = source;
    this.#chunks = chunks;
    this.#start = start;
    this.#end = end;
  }

  /** Takes `items` over: the caller must not change the array afterwards. If they are still to be made, `size` says how many will be. */
  static owning<T>(items: OwnItems<T>, size = items.length): Chunks<T> {
    return new Chunks({ size, items }, [], 0, size);
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** About how many items this window keeps alive, those outside of it included. */
  get held(): number {
    return this.#source?.size ?? this.#chunks.length * WIDTH;
  }

  /** The item at `index`, which must lie within. O(1). */
  get(index: number): T {
    const at = this.#start + index;
    const source = this.#source;
    return (source === undefined ? (this.#chunks[at >>> BITS] as readonly T[])[at & MASK] : flat(source)[at]) as T;
  }

  /** The stretch that begins at `index` and ends with its chunk or with the window. */
  segment(index: number): Segment<T> {
    const at = this.#start + index;
    if (this.#source !== undefined) return { items: flat(this.#source), from: at, to: this.#end };
    const chunkStart = at & ~MASK;
    const items = this.#chunks[at >>> BITS] as readonly T[];
    return { items, from: at - chunkStart, to: Math.min(WIDTH, this.#end - chunkStart) };
  }

  /** The items from `from` to `to` (exclusive), bounds within. O(1). */
  slice(from: number, to: number): Chunks<T> {
    return new Chunks(this.#source, this.#chunks, this.#start + from, this.#start + to);
  }

  /** The same items with another at `index`. */
  set(index: number, item: T): Chunks<T> {
    const at = this.#start + index;
    const chunks = this.#source === undefined ? this.#chunks : (this.#source.chunks ??= cut(flat(this.#source)));
    const chunk = (chunks[at >>> BITS] as readonly T[]).with(at & MASK, item);
    return new Chunks(undefined, chunks.with(at >>> BITS, chunk), this.#start, this.#end);
  }
}

function flat<T>(source: Source<T>): readonly T[] {
  if (typeof source.items === 'function') source.items = source.items();
  return source.items;
}

function cut<T>(items: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += WIDTH) chunks.push(items.slice(at, at + WIDTH));
  return chunks;
}
