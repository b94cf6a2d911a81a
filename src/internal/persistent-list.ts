import type { OwnItems } from './chunks.ts';
import { clampedSlice } from './clamped-slice.ts';
import { Head } from './head.ts';
import { type Segment, Vector } from './vector.ts';

/**
 * An immutable list that grows cheaply at both ends and shares what is unchanged: `head` holds what was loaded and
 * prepended, `back` what was appended.
 */
export class PersistentList<T> {
  readonly #head: Head<T>;
  readonly #back: Vector<T>;

  private constructor(head: Head<T>, back: Vector<T>) {
    this.#head = head;
    this.#back = back;
  }

  static empty<T>(): PersistentList<T> {
    return PersistentList.owning<T>([]);
  }

  /** A list over `items`: the caller must not change the array afterwards. If they are still to be made, `size` says how many will be. */
  static owning<T>(items: OwnItems<T>, size?: number): PersistentList<T> {
    return new PersistentList<T>(Head.owning(items, size), Vector.empty());
  }

  /** The items of several lists one after another. Costs one flat copy. */
  static joining<T>(lists: readonly PersistentList<T>[]): PersistentList<T> {
    return PersistentList.owning(joined(lists.flatMap((list) => list.#arrays())));
  }

  get size(): number {
    return this.#head.size + this.#back.size;
  }

  /** The item at `index`, from the end when negative; undefined outside. O(log32 n). */
  at(index: number): T | undefined {
    const position = fromStart(index, this.size);
    const inBack = position - this.#head.size;
    if (inBack >= 0) return inBack < this.#back.size ? this.#back.get(inBack) : undefined;
    return position >= 0 ? this.#head.get(position) : undefined;
  }

  /** This list and one item more. O(1) amortised. */
  push(item: T): PersistentList<T> {
    return new PersistentList(this.#head, this.#back.push(item));
  }

  /** This list and the items of another; costs the smaller of the two, or one flat copy of both. */
  concat(others: PersistentList<T>): PersistentList<T> {
    if (this.size === 0) return others;
    if (others.size > this.size) return PersistentList.joining([this, others]);
    let back = this.#back;
    others.forEach((item) => {
      back = back.push(item);
    });
    return new PersistentList(this.#head, back);
  }

  /** The items of another in front of these; costs their number. */
  prepend(others: PersistentList<T>): PersistentList<T> {
    if (others.size > this.size) return others.concat(this);
    return new PersistentList(this.#head.prepend(others.toArray()), this.#back);
  }

  /**
   * The items from `start` to `end` (exclusive), negative ones counted from the end. O(log32 n): a window
   * over the same items. A window that would keep eight times its size alive is copied instead, so that
   * what was dropped can be freed.
   */
  slice(start = 0, end: number = this.size): PersistentList<T> {
    const from = fromStart(start, this.size);
    const to = Math.max(from, fromStart(end, this.size));
    const windowed = this.#window(from, to);
    const held = windowed.#head.held + windowed.#back.held;
    return windowed.size * 8 < held ? PersistentList.owning(windowed.toArray()) : windowed;
  }

  #window(from: number, to: number): PersistentList<T> {
    const inHead = this.#head.size;
    return new PersistentList(clampedSlice(this.#head, from, to), clampedSlice(this.#back, from - inHead, to - inHead));
  }

  /** This list with another item at `index`, which must lie within it. O(log32 n), within a loaded piece one chunk of 1 024. */
  set(index: number, item: T): PersistentList<T> {
    const inBack = index - this.#head.size;
    return inBack < 0
      ? new PersistentList(this.#head.set(index, item), this.#back)
      : new PersistentList(this.#head, this.#back.set(inBack, item));
  }

  forEach(visit: (item: T, index: number) => void): void {
    for (let index = 0; index < this.size;) {
      const { items, from, to } = this.segment(index);
      for (let at = from; at < to; at++) visit(items[at] as T, index++);
    }
  }

  /** The items as a new array. */
  toArray(): T[] {
    return joined(this.#arrays());
  }

  #arrays(): (readonly T[])[] {
    const arrays: (readonly T[])[] = [];
    for (let index = 0; index < this.size;) {
      const { items, from, to } = this.segment(index);
      arrays.push(from === 0 && to === items.length ? items : items.slice(from, to));
      index += to - from;
    }
    return arrays;
  }

  /** The longest stretch in one array that begins at `index`, which must lie within the list. */
  segment(index: number): Segment<T> {
    const inBack = index - this.#head.size;
    return inBack < 0 ? this.#head.segment(index) : this.#back.segment(inBack);
  }

  [Symbol.iterator](): IterableIterator<T> {
    return new ListIterator(this);
  }
}

/** Walks stretch by stretch; a generator would be several times slower. */
class ListIterator<T> implements IterableIterator<T> {
  readonly #list: PersistentList<T>;
  #index = 0;
  #items: readonly T[] = [];
  #at = 0;
  #to = 0;

  constructor(list: PersistentList<T>) {
    this.#list = list;
  }

  next(): IteratorResult<T, undefined> {
    if (this.#at === this.#to && !this.#advance()) return { done: true, value: undefined };
    this.#index++;
    return { done: false, value: this.#items[this.#at++] as T };
  }

  #advance(): boolean {
    if (this.#index >= this.#list.size) return false;
    const { items, from, to } = this.#list.segment(this.#index);
    this.#items = items;
    this.#at = from;
    this.#to = to;
    return true;
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** So many arguments fit on any stack. */
const MAX_ARGUMENTS = 4096;

/** One array of many. `concat` is the fastest way, but all that it joins must fit into one call. */
function joined<T>(parts: readonly (readonly T[])[]): T[] {
  return parts.length <= MAX_ARGUMENTS ? ([] as T[]).concat(...parts) : (parts as T[][]).flat();
}

/** An index or bound as arrays read it: whole, and counted from the end when negative. */
function fromStart(index: number, size: number): number {
  const whole = Math.trunc(index) || 0;
  return whole < 0 ? size + whole : whole;
}
