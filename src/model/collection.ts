/** The method that Node's `console.log` calls. */
const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');

/** What a collection asks of its elements. */
interface Element {
  equals(other: never): boolean;
}

/** What all immutable collections share. Each change gives a new collection of the same kind. */
export abstract class Collection<T extends Element> implements Iterable<T> {
  protected constructor() {}

  /** The number of elements. */
  abstract get size(): number;

  /** The element at `index`, counted from the end when negative; undefined outside. */
  abstract at(index: number): T | undefined;

  /** Calls `visit` with each element in order; the fastest way to walk. */
  abstract forEach(visit: (element: T, index: number) => void): void;

  /** The elements in order; spread gives them as an array. */
  abstract [Symbol.iterator](): IterableIterator<T>;

  /** What `fromJSON` reads back. */
  abstract toJSON(): unknown;

  /** What `console.log` shows in Node: the elements. */
  [INSPECT](): readonly T[] {
    return [...this];
  }

  /** A collection of the same kind. */
  protected abstract rebuild(elements: readonly T[]): this;

  /** The first element; undefined when there is none. */
  first(): T | undefined {
    return this.at(0);
  }

  /** The last element; undefined when there is none. */
  last(): T | undefined {
    return this.at(-1);
  }

  /** Whether there is nothing in it. */
  isEmpty(): boolean {
    return this.size === 0;
  }

  /** What `transform` makes of each element, as an array. */
  map<U>(transform: (element: T, index: number) => U): U[] {
    const out: U[] = [];
    this.forEach((element, index) => out.push(transform(element, index)));
    return out;
  }

  /** The elements that `accept` accepts; this collection itself when it accepts all. */
  filter(accept: (element: T, index: number) => boolean): this {
    const kept: T[] = [];
    this.forEach((element, index) => {
      if (accept(element, index)) kept.push(element);
    });
    return kept.length === this.size ? this : this.rebuild(kept);
  }

  /** Folds the elements into one value, from the first to the last. */
  reduce<U>(fold: (result: U, element: T, index: number) => U, initial: U): U {
    let result = initial;
    this.forEach((element, index) => {
      result = fold(result, element, index);
    });
    return result;
  }

  /** Whether another collection of the same kind holds equal elements in the same order. */
  equals(other: this): boolean {
    if (this === other) return true;
    if (this.constructor !== other.constructor || this.size !== other.size) return false;
    const others = other[Symbol.iterator]();
    for (const element of this) if (!element.equals(others.next().value as never)) return false;
    return true;
  }
}

/** A collection over a frozen array: for lists that stay short. */
export abstract class ArrayCollection<T extends Element> extends Collection<T> {
  protected readonly items: readonly T[];

  protected constructor(items: readonly T[]) {
    super();
    this.items = Object.freeze(items);
    Object.freeze(this);
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): T | undefined {
    // Most are asked for by their place, and `at` takes its time on a frozen array.
    return this.items[index] ?? this.items.at(index);
  }

  forEach(visit: (element: T, index: number) => void): void {
    this.items.forEach((element, index) => visit(element, index));
  }

  /** The elements in order; spread gives them as an array. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.items[Symbol.iterator]();
  }
}
