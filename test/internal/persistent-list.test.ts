import { fc, it, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { Chunks } from '../../src/internal/chunks.ts';
import { PersistentList } from '../../src/internal/persistent-list.ts';
import { type Segment, Vector } from '../../src/internal/vector.ts';

/** A list, and the plain array that it must be equal to, now and for ever. */
interface Version {
  readonly list: PersistentList<number>;
  readonly model: readonly number[];
}

type Step = (version: Version, other: Version) => Version;

/** Items that no other step makes. */
let next = 0;
const fresh = (size: number): number[] => Array.from({ length: size }, () => next++);
const owned = (model: readonly number[]): Version => ({ list: PersistentList.owning([...model]), model });
const pushed = (list: PersistentList<number>, items: readonly number[]): PersistentList<number> => {
  let result = list;
  for (const item of items) result = result.push(item);
  return result;
};

/** Around every border at which a leaf, a level of the trie, a chunk or a batch is full. */
const BORDERS = [0, 1, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 2048, 2049, 4095, 4096, 4097, 4224, 4225];
const size = fc.oneof(fc.nat(40), fc.constantFrom(...BORDERS));
/** A slice bound, also one that is no bound: negative, broken, far outside. */
const bound = fc.oneof(
  fc.integer({ min: -270, max: 270 }),
  fc.constantFrom(...BORDERS, ...BORDERS.map((at) => -at), -0.5, 1.5, Number.NaN, Infinity, -Infinity),
);
const fraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

const push = size.map((count): Step => ({ list, model }) => {
  const items = fresh(count);
  return { list: pushed(list, items), model: [...model, ...items] };
});
const concatPiece = size.map((count): Step => ({ list, model }) => {
  const items = fresh(count);
  return { list: list.concat(PersistentList.owning(items)), model: [...model, ...items] };
});
const prependPiece = size.map((count): Step => ({ list, model }) => {
  const items = fresh(count);
  return { list: list.prepend(PersistentList.owning([...items])), model: [...items, ...model] };
});
const prependOneByOne = fc.nat(70).map((count): Step => ({ list, model }) => {
  const items = fresh(count);
  let result = list;
  for (const item of items) result = result.prepend(PersistentList.owning([item]));
  return { list: result, model: [...items.toReversed(), ...model] };
});
const slice = fc
  .tuple(fc.option(bound, { nil: undefined }), fc.option(bound, { nil: undefined }))
  .map(([start, end]): Step => ({ list, model }) => ({ list: list.slice(start, end), model: model.slice(start, end) }));
const dropEnd = fc.integer({ min: 1, max: 40 }).map((count): Step => ({ list, model }) => ({
  list: list.slice(0, -count),
  model: model.slice(0, -count),
}));
const set = fraction.map((where): Step => ({ list, model }) => {
  if (model.length === 0) return { list, model };
  const [item] = fresh(1) as [number];
  const index = Math.floor(where * model.length);
  return { list: list.set(index, item), model: model.with(index, item) };
});
const concatOther = fc.constant<Step>(({ list, model }, other) => ({
  list: list.concat(other.list),
  model: [...model, ...other.model],
}));
const prependOther = fc.constant<Step>(({ list, model }, other) => ({
  list: list.prepend(other.list),
  model: [...other.model, ...model],
}));

const steps = fc.array(
  fc.tuple(
    fraction,
    fraction,
    fc.oneof(
      { weight: 4, arbitrary: push },
      { weight: 2, arbitrary: fc.oneof(slice, dropEnd) },
      { weight: 2, arbitrary: set },
      concatPiece,
      prependPiece,
      prependOneByOne,
      concatOther,
      prependOther,
    ),
  ),
  { maxLength: 14 },
);

/** Reads a list in every way that there is. */
function check({ list, model }: Version): void {
  expect(list.size).toBe(model.length);
  expect(list.toArray()).toEqual(model);
  expect([...list]).toEqual(model);
  let visits = 0;
  list.forEach((item, index) => {
    if (index !== visits++ || item !== model[index]) expect.fail(`visit ${visits} gave ${item} as number ${index}`);
  });
  expect(visits).toBe(model.length);
  const places = [0, 1, 127, 128, 129, 1023, 1024, 4096, model.length >> 1, model.length - 1, model.length];
  for (const at of [...places, ...places.map((place) => -place), -model.length - 1])
    expect(list.at(at), `at(${at}) of ${model.length}`).toBe(model.at(at));
}

const pick = (versions: readonly Version[], where: number): Version =>
  versions[Math.floor(where * versions.length)] as Version;

describe('a persistent list', () => {
  test.prop([steps], { numRuns: 300 })('is what an array would be, and no version ever changes', (list) => {
    const versions = [owned([])];
    for (const [where, otherWhere, step] of list) {
      const result = step(pick(versions, where), pick(versions, otherWhere));
      if (result.model.length < 20_000) versions.push(result);
    }
    versions.forEach(check);
    check({
      list: PersistentList.joining(versions.map(({ list: each }) => each)),
      model: versions.flatMap(({ model }) => model),
    });
  });

  it('keeps every version when all of them grow from the same place', () => {
    const versions: Version[] = [owned([])];
    for (let at = 0; at < 1100; at++) {
      const { list, model } = versions.at(-1) as Version;
      versions.push({ list: list.push(at), model: [...model, at] });
    }
    const branches = versions.map(({ list, model }) => ({ list: list.push(-1), model: [...model, -1] }));
    for (const { list, model } of [...versions, ...branches]) expect(list.toArray()).toEqual(model);
  });

  it('crosses 128 × 32 and 128 × 1024 items, appended one by one', () => {
    const model = fresh(128 * 1025 + 40);
    const list = pushed(PersistentList.empty(), model);
    check({ list, model });
    for (const at of [0, 127, 128, 4095, 4096, 4223, 4224, 131_071, 131_072, 131_199, 131_200, model.length - 1]) {
      expect(list.at(at)).toBe(model[at]);
      check({ list: list.set(at, -1), model: model.with(at, -1) });
      check({ list: list.slice(0, at).push(-1), model: [...model.slice(0, at), -1] });
      check({ list: list.slice(at), model: model.slice(at) });
    }
    check({ list, model });
  });

  it('refills what a shorter version left, on every level of the trie', () => {
    const model = fresh(128 * 1024 + 257);
    const list = pushed(PersistentList.empty(), model);
    for (const kept of [128 * 1024 + 256, 128 * 1024 + 128, 128 * 1024, 128 * 992 + 1, 65_542]) {
      const more = fresh(8400);
      const refilled = pushed(list.slice(0, kept), more);
      expect(refilled.toArray()).toEqual([...model.slice(0, kept), ...more]);
    }
    expect(list.toArray()).toEqual(model);
  });

  it('replaces an item wherever it came from', () => {
    const model = [1, 2, 3, 4, 5, 6, 7];
    const list = PersistentList.owning([3, 4, 5])
      .push(6)
      .push(7)
      .prepend(PersistentList.owning([1, 2]));
    for (let at = 0; at < model.length; at++) check({ list: list.set(at, -1), model: model.with(at, -1) });
    check({ list, model });
  });

  it('joins lists of any sizes', () => {
    const sizes = [0, 1, 40, 1100];
    for (const [a, b] of sizes.flatMap((first) => sizes.map((second) => [fresh(first), fresh(second)] as const))) {
      const [left, right] = [owned(a), owned(b)];
      check({ list: left.list.concat(right.list), model: [...a, ...b] });
      check({ list: left.list.prepend(right.list), model: [...b, ...a] });
      [left, right].forEach(check);
    }
    check({ list: PersistentList.joining([]), model: [] });
  });

  it('reads an index as an array does', () => {
    const { list, model } = owned([7, 8, 9]);
    const indices = [-0, -0.5, 0.9, 2.9, -1, -3, -3.9, -4, 3, Number.NaN, Infinity, -Infinity];
    expect(indices.map((at) => list.at(at))).toEqual(indices.map((at) => model.at(at)));
  });

  it('gives itself when nothing is added to it, and the other when it is empty', () => {
    const { list } = owned([1, 2]);
    expect(PersistentList.empty<number>().concat(list)).toBe(list);
    expect(PersistentList.empty<number>().prepend(list).toArray()).toEqual([1, 2]);
    expect(list.concat(PersistentList.empty()).toArray()).toEqual([1, 2]);
    expect(list.prepend(PersistentList.empty()).toArray()).toEqual([1, 2]);
  });

  it('becomes an array however many pieces it has', () => {
    let list = PersistentList.empty<number>();
    for (let at = 0; at < 150_000; at++) list = list.prepend(PersistentList.owning([at]));
    const array = list.toArray();
    expect([array.length, array[0], array.at(-1)]).toEqual([150_000, 149_999, 0]);
    expect(array).toEqual([...list]);
  });

  it('gives a new array each time', () => {
    const { list } = owned([1]);
    list.toArray().push(2);
    expect(list.toArray()).toEqual([1]);
  });

  it('has an iterator that stays at its end, and is its own iterable', () => {
    const { list } = owned([1]);
    const iterator = list[Symbol.iterator]();
    expect(iterator[Symbol.iterator]()).toBe(iterator);
    expect([iterator.next(), iterator.next(), iterator.next()]).toEqual([
      { done: false, value: 1 },
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });

  it('lets go of what a small window leaves out', () => {
    const big = Array.from({ length: 1000 }, (_, at) => ({ at }));
    const grown = pushedItems(big);
    const windows = [
      PersistentList.owning([...big]).slice(10, 20),
      grown.slice(10, 20),
      grown.slice(-10),
      PersistentList.empty<{ at: number }>().prepend(grown).slice(10, 20),
    ];
    expect(windows.map(heldBy)).toEqual([10, 10, 10, 10]);
    expect(windows.map((list) => list.toArray().map(({ at }) => at - (list.at(0)?.at ?? 0)))).toEqual(
      windows.map(() => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    );
  });

  it('shares what a larger window leaves out', () => {
    const grown = pushedItems(fresh(1000));
    const isShared = (window: PersistentList<number>): boolean => window.segment(0).items === grown.segment(0).items;
    expect([isShared(grown.slice(0, 140)), isShared(grown.slice(0, 120))]).toEqual([true, false]);
  });
});

function pushedItems<T>(items: readonly T[]): PersistentList<T> {
  let list = PersistentList.empty<T>();
  for (const item of items) list = list.push(item);
  return list;
}

/** How many items are alive with a list, seen from its segments: whole arrays stay alive, whatever part of them is shown. */
function heldBy<T>(list: PersistentList<T>): number {
  const arrays = new Set<readonly T[]>();
  for (let at = 0; at < list.size;) {
    const { items, from, to } = list.segment(at);
    arrays.add(items);
    at += to - from;
  }
  return [...arrays].reduce((sum, items) => sum + items.length, 0);
}

/** What vectors and chunks have in common. */
interface Run<Self> {
  readonly size: number;
  readonly held: number;
  get(index: number): number;
  set(index: number, item: number): Self;
  slice(from: number, to: number): Self;
  segment(index: number): Segment<number>;
}

function itemsOf(run: Run<unknown>): number[] {
  const items: number[] = [];
  while (items.length < run.size) {
    const { items: within, from, to } = run.segment(items.length);
    items.push(...within.slice(from, to));
  }
  return items;
}

const windows = fc.tuple(fc.oneof(fc.nat(100), fc.constantFrom(...BORDERS)), fraction, fraction, fraction);

function checkWindow<Self extends Run<Self>>(
  make: (items: readonly number[]) => Self,
  [length, a, b, c]: [number, number, number, number],
): void {
  const model = fresh(length);
  const run = make(model);
  const from = Math.floor(Math.min(a, b) * (length + 1));
  const to = Math.floor(Math.max(a, b) * (length + 1));
  const window = run.slice(from, to);
  const shown = model.slice(from, to);
  expect(itemsOf(window)).toEqual(shown);
  expect(shown.map((_, at) => window.get(at))).toEqual(shown);
  if (shown.length > 0) {
    const at = Math.floor(c * shown.length);
    expect(itemsOf(window.set(at, -1))).toEqual(shown.with(at, -1));
  }
  expect(window.held).toBeGreaterThanOrEqual(window.size);
  expect(itemsOf(run)).toEqual(model);
}

describe('a vector', () => {
  const vectorOf = (items: readonly number[]): Vector<number> => {
    let vector = Vector.empty<number>();
    for (const item of items) vector = vector.push(item);
    return vector;
  };

  test.prop([windows])('shows windows and replaces items without changing', (window) => checkWindow(vectorOf, window));

  test.prop([windows, fc.nat(70)])('goes on growing after any window', ([length, a, b], count) => {
    const model = fresh(length);
    const from = Math.floor(Math.min(a, b) * length);
    const to = Math.floor(Math.max(a, b) * length);
    const more = fresh(count);
    let window = vectorOf(model).slice(from, to);
    for (const item of more) window = window.push(item);
    expect(itemsOf(window)).toEqual([...model.slice(from, to), ...more]);
  });

  it('knows how many items it keeps alive, also those behind its window', () => {
    const vector = vectorOf(fresh(40_000));
    expect(vector.held).toBe(40_000);
    expect(vector.slice(0, 10).held).toBeGreaterThanOrEqual(39_968);
    expect(vector.slice(39_990, 40_000).held).toBe(40_000);
    expect(vector.slice(5, 5).held).toBe(0);
    expect(vectorOf([]).held).toBe(0);
    expect(vectorOf(fresh(33)).held).toBe(33);
  });

  it('shares one tail among the versions that grow it in turn', () => {
    const first = vectorOf([1]);
    const second = first.push(2);
    expect(second.segment(0).items).toBe(first.segment(0).items);
    expect(first.push(3).segment(0).items).not.toBe(first.segment(0).items);
    expect(itemsOf(first)).toEqual([1]);
  });
});

describe('chunks', () => {
  const chunksOf = (items: readonly number[]): Chunks<number> => Chunks.owning([...items]);

  test.prop([windows])('show windows and replace items without changing', (window) => checkWindow(chunksOf, window));

  test.prop([windows])('that wait do so too', (window) =>
    checkWindow((items) => Chunks.owning(() => [...items], items.length), window),
  );

  it('that wait are made once, when an item is asked for, for all that share them', () => {
    const made: number[][] = [];
    const list = PersistentList.owning(() => (made.push([1, 2, 3]), [1, 2, 3]), 3);
    const more = list.slice(1).push(4);
    expect([list.size, more.size, made.length]).toEqual([3, 3, 0]);
    expect([more.at(0), list.at(-1), ...list, ...more]).toEqual([2, 3, 1, 2, 3, 2, 3, 4]);
    expect(made.length).toBe(1);
  });

  it('take a piece over as it is', () => {
    const items = fresh(3000);
    expect(Chunks.owning(items).segment(0)).toEqual({ items, from: 0, to: 3000 });
    expect(Chunks.owning(items).segment(0).items).toBe(items);
  });

  it('are cut once, and then copy only the chunk of an item that is replaced', () => {
    const whole = chunksOf(fresh(3000));
    const before = whole.set(10, -1);
    const after = before.set(1500, -2);
    expect(after.segment(0).items).toBe(before.segment(0).items);
    expect(after.segment(2048).items).toBe(before.segment(2048).items);
    expect(after.segment(1500).items).not.toBe(before.segment(1500).items);
    expect(whole.set(20, -3).segment(2048).items).toBe(after.segment(2048).items);
    expect(whole.get(10)).not.toBe(-1);
  });

  it('know how many items they keep alive', () => {
    expect(chunksOf([]).held).toBe(0);
    expect(chunksOf(fresh(10)).held).toBe(10);
    expect(chunksOf(fresh(5000)).slice(0, 1).held).toBeGreaterThanOrEqual(5000);
    expect(chunksOf(fresh(5000)).set(0, -1).slice(0, 1).held).toBeGreaterThanOrEqual(5000);
  });
});
