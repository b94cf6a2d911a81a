import { Chunks, type OwnItems } from './chunks.ts';
import { clampedSlice } from './clamped-slice.ts';
import { type Segment, Vector } from './vector.ts';

/**
 * The part of a list that stays while the list grows at its end: `front` (prepended items, last one first),
 * then `middle` (items that came in one piece).
 */
export class Head<T> {
  readonly size: number;
  readonly #front: Vector<T>;
  readonly #middle: Chunks<T>;

  private constructor(front: Vector<T>, middle: Chunks<T>) {
    this.size = front.size + middle.size;
    this.#front = front;
    this.#middle = middle;
  }

  /** {@link Chunks.owning} */
  static owning<T>(items: OwnItems<T>, size?: number): Head<T> {
    return new Head<T>(Vector.empty(), Chunks.owning(items, size));
  }

  /** About how many items this keeps alive, those outside of its window included. */
  get held(): number {
    return this.#front.held + this.#middle.held;
  }

  /** The item at `index`, which must lie within. */
  get(index: number): T {
    const inFront = this.#front.size;
    return index < inFront ? this.#front.get(inFront - 1 - index) : this.#middle.get(index - inFront);
  }

  /** The longest stretch in one array that begins at `index`, which must lie within. */
  segment(index: number): Segment<T> {
    const inFront = this.#front.size;
    return index < inFront
      ? { items: [this.#front.get(inFront - 1 - index)], from: 0, to: 1 }
      : this.#middle.segment(index - inFront);
  }

  /** With items in front. Costs their number. */
  prepend(items: readonly T[]): Head<T> {
    let front = this.#front;
    for (const item of items.toReversed()) front = front.push(item);
    return new Head(front, this.#middle);
  }

  /** The items from `from` to `to` (exclusive), as far as they lie within. Nothing is copied. */
  slice(from: number, to: number): Head<T> {
    const inFront = this.#front.size;
    return new Head(
      clampedSlice(this.#front, inFront - to, inFront - from),
      clampedSlice(this.#middle, from - inFront, to - inFront),
    );
  }

  /** The same items with another at `index`, which must lie within. */
  set(index: number, item: T): Head<T> {
    const inFront = this.#front.size;
    return index < inFront
      ? new Head(this.#front.set(inFront - 1 - index, item), this.#middle)
      : new Head(this.#front, this.#middle.set(index - inFront, item));
  }
}
