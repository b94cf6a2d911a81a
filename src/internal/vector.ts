/** A leaf holds 128 items, so that most lists are two or three levels deep; an inner node has 32 children. */
const LEAF_BITS = 7;
const WIDTH = 1 << LEAF_BITS;
const MASK = WIDTH - 1;
const NODE_BITS = 5;
const NODE_WIDTH = 1 << NODE_BITS;

/** Up to 128 items. */
type Leaf<T> = readonly T[];
/** Up to 32 nodes; on the lowest level (0) their children are leaves. */
type Node<T> = readonly (Node<T> | Leaf<T>)[];

/** A stretch of consecutive items inside one array. */
export interface Segment<T> {
  readonly items: readonly T[];
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * A persistent vector that grows at its end: a 32-way trie of full leaves, and a tail of up to 128 items
 * that versions share. The version that ends where the shared tail ends pushes in place; any other
 * version is a branch and copies at most 127 pointers. So every push is O(1) amortised and every version
 * stays usable. A vector is a window (`start` to `end`), so dropping from either end copies nothing.
 */
export class Vector<T> {
  readonly #start: number;
  readonly #end: number;
  /** The level of the root: the number of a leaf, shifted by it, gives the slot in the root. */
  readonly #level: number;
  readonly #root: Node<T>;
  readonly #tail: T[];

  private constructor(start: number, end: number, level: number, root: Node<T>, tail: T[]) {
    this.#start = start;
    this.#end = end;
    this.#level = level;
    this.#root = root;
    this.#tail = tail;
  }

  static empty<T>(): Vector<T> {
    return new Vector<T>(0, 0, 0, [], []);
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** About how many items this window keeps alive, those outside of it included. */
  get held(): number {
    return leavesIn(this.#root, this.#level) * WIDTH + this.#tail.length;
  }

  /** This vector and one item more. O(1) amortised. */
  push(item: T): Vector<T> {
    const end = this.#end;
    const used = end & MASK;
    if (used === 0 && end !== 0) return this.#pushAfterFullTail(item);
    const tail = this.#tail.length === used ? this.#tail : this.#tail.slice(0, used);
    tail.push(item);
    return new Vector(this.#start, end + 1, this.#level, this.#root, tail);
  }

  #pushAfterFullTail(item: T): Vector<T> {
    const end = this.#end;
    const level = this.#level;
    const leafNumber = (end >>> LEAF_BITS) - 1;
    return leafNumber >>> level >= NODE_WIDTH
      ? new Vector(this.#start, end + 1, level + NODE_BITS, [this.#root, newPath(level, this.#tail)], [item])
      : new Vector(this.#start, end + 1, level, pushLeaf(leafNumber, level, this.#root, this.#tail), [item]);
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
    const leafNumber = at >>> LEAF_BITS;
    let node = this.#root;
    for (let level = this.#level; level > 0; level -= NODE_BITS) node = node[slotOf(leafNumber, level)] as Node<T>;
    return node[leafNumber & (NODE_WIDTH - 1)] as Leaf<T>;
  }

  /** The items from `from` to `to` (exclusive), bounds within the vector. O(log32 n): nothing is copied. */
  slice(from: number, to: number): Vector<T> {
    if (from >= to) return Vector.empty();
    const end = this.#start + to;
    const tail = to === this.size ? this.#tail : (this.#leaf(end - 1) as T[]);
    return new Vector(this.#start + from, end, this.#level, this.#root, tail);
  }

  /** This vector with another item at `index`, which must lie within it. O(log32 n). */
  set(index: number, item: T): Vector<T> {
    const at = this.#start + index;
    const tailStart = (this.#end - 1) & ~MASK;
    if (at >= tailStart) {
      const tail = this.#tail.slice(0, this.#end - tailStart).with(at & MASK, item);
      return new Vector(this.#start, this.#end, this.#level, this.#root, tail);
    }
    return new Vector(this.#start, this.#end, this.#level, setIn(this.#root, this.#level, at, item), this.#tail);
  }
}

function slotOf(leafNumber: number, level: number): number {
  return (leafNumber >>> level) & (NODE_WIDTH - 1);
}

/** How many leaves a trie holds. */
function leavesIn<T>(node: Node<T>, level: number): number {
  if (level === 0 || node.length === 0) return node.length;
  return ((node.length - 1) << level) + leavesIn(node.at(-1) as Node<T>, level - NODE_BITS);
}

/** A node of this level with nothing but a leaf below it. */
function newPath<T>(level: number, leaf: Leaf<T>): Node<T> {
  return [level === 0 ? leaf : newPath(level - NODE_BITS, leaf)];
}

/** The trie with `leaf` as its last one, below a path of copies. A leaf beyond the window is overwritten. */
function pushLeaf<T>(leafNumber: number, level: number, parent: Node<T>, leaf: Leaf<T>): Node<T> {
  const slot = slotOf(leafNumber, level);
  const copy = parent.slice(0, slot);
  copy.push(level === 0 ? leaf : childWithLeaf(leafNumber, level - NODE_BITS, parent[slot] as Node<T>, leaf));
  return copy;
}

function childWithLeaf<T>(leafNumber: number, level: number, child: Node<T> | undefined, leaf: Leaf<T>): Node<T> {
  return child === undefined ? newPath(level, leaf) : pushLeaf(leafNumber, level, child, leaf);
}

function setIn<T>(node: Node<T>, level: number, at: number, item: T): Node<T> {
  const slot = slotOf(at >>> LEAF_BITS, level);
  const child = node[slot];
  return node.with(
    slot,
    level === 0 ? (child as Leaf<T>).with(at & MASK, item) : setIn(child as Node<T>, level - NODE_BITS, at, item),
  );
}
