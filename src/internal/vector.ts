const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Node<T> = readonly (Node<T> | T)[];

/** A stretch of consecutive items inside one array. */
export interface Segment<T> {
  readonly items: readonly T[];
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * A persistent vector that grows at its end: a 32-way trie of full leaves, and a tail of up to 32 items
 * that versions share. The version that ends where the shared tail ends pushes in place; any other
 * version is a branch and copies at most 31 pointers. So every push is O(1) amortised and every version
 * stays usable. A vector is a window (`start` to `end`), so dropping from either end copies nothing.
 */
export class Vector<T> {
  readonly #start: number;
  readonly #end: number;
  readonly #shift: number;
  readonly #root: Node<T>;
  readonly #tail: T[];

  private constructor(start: number, end: number, shift: number, root: Node<T>, tail: T[]) {
    this.#start = start;
    this.#end = end;
    this.#shift = shift;
    this.#root = root;
    this.#tail = tail;
  }

  static empty<T>(): Vector<T> {
    return new Vector<T>(0, 0, BITS, [], []);
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** About how many items this window keeps alive, those outside of it included. */
  get held(): number {
    return itemsIn(this.#root, this.#shift) + this.#tail.length;
  }

  /** This vector and one item more. O(1) amortised. */
  push(item: T): Vector<T> {
    const end = this.#end;
    const used = end & MASK;
    if (used === 0 && end !== 0) return this.#pushAfterFullTail(item);
    const tail = this.#tail.length === used ? this.#tail : this.#tail.slice(0, used);
    tail.push(item);
    return new Vector(this.#start, end + 1, this.#shift, this.#root, tail);
  }

  #pushAfterFullTail(item: T): Vector<T> {
    const end = this.#end;
    const shift = this.#shift;
    const overflows = end >>> BITS > 1 << shift;
    return overflows
      ? new Vector(this.#start, end + 1, shift + BITS, [this.#root, newPath(shift, this.#tail)], [item])
      : new Vector(this.#start, end + 1, shift, pushLeaf(end, shift, this.#root, this.#tail), [item]);
  }

  /** The item at `index`, which must lie within the vector. O(log32 n). */
  get(index: number): T {
    const at = this.#start + index;
    return this.#leaf(at)[at & MASK] as T;
  }

  /** The stretch that begins at `index` and ends with its leaf or with the vector. */
  segment(index: number): Segment<T> {
    const at = this.#start + index;
    const leafStart = at & ~MASK;
    return { items: this.#leaf(at), from: at - leafStart, to: Math.min(WIDTH, this.#end - leafStart) };
  }

  #leaf(at: number): readonly T[] {
    if (at >= ((this.#end - 1) & ~MASK)) return this.#tail;
    let node: Node<T> = this.#root;
    for (let level = this.#shift; level > 0; level -= BITS) node = node[(at >>> level) & MASK] as Node<T>;
    return node as readonly T[];
  }

  /** The items from `from` to `to` (exclusive), bounds within the vector. O(log32 n): nothing is copied. */
  slice(from: number, to: number): Vector<T> {
    if (from >= to) return Vector.empty();
    const end = this.#start + to;
    const tail = to === this.size ? this.#tail : (this.#leaf(end - 1) as T[]);
    return new Vector(this.#start + from, end, this.#shift, this.#root, tail);
  }

  /** This vector with another item at `index`, which must lie within it. O(log32 n). */
  set(index: number, item: T): Vector<T> {
    const at = this.#start + index;
    const tailStart = (this.#end - 1) & ~MASK;
    if (at >= tailStart) {
      const tail = this.#tail.slice(0, this.#end - tailStart).with(at & MASK, item);
      return new Vector(this.#start, this.#end, this.#shift, this.#root, tail);
    }
    return new Vector(this.#start, this.#end, this.#shift, setIn(this.#root, this.#shift, at, item), this.#tail);
  }
}

/** How many items a trie of full leaves holds. */
function itemsIn<T>(node: Node<T>, level: number): number {
  if (level === 0 || node.length === 0) return node.length;
  return ((node.length - 1) << level) + itemsIn(node.at(-1) as Node<T>, level - BITS);
}

function newPath<T>(level: number, leaf: Node<T>): Node<T> {
  return level === 0 ? leaf : [newPath(level - BITS, leaf)];
}

/** The trie with `leaf` as its last one, below a path of copies. A leaf beyond the window is overwritten. */
function pushLeaf<T>(end: number, level: number, parent: Node<T>, leaf: Node<T>): Node<T> {
  const slot = ((end - 1) >>> level) & MASK;
  const copy = parent.slice(0, slot);
  copy.push(level === BITS ? leaf : childWithLeaf(end, level - BITS, parent[slot] as Node<T> | undefined, leaf));
  return copy;
}

function childWithLeaf<T>(end: number, level: number, child: Node<T> | undefined, leaf: Node<T>): Node<T> {
  return child === undefined ? newPath(level, leaf) : pushLeaf(end, level, child, leaf);
}

function setIn<T>(node: Node<T>, level: number, at: number, item: T): Node<T> {
  const slot = (at >>> level) & MASK;
  return node.with(slot, level === 0 ? item : setIn(node[slot] as Node<T>, level - BITS, at, item));
}
