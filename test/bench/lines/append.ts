/** Appending one message at a time, every version kept: against `push` on one array. */
import { Chunk } from 'effect';
import { Immer } from 'immer';
import { List } from 'immutable';
import type { Messages, MessageStore } from '../../../src/index.ts';
import { type Case, compare, isolated, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core, PersistentList } from '../harness/product.ts';
import { conversation } from '../harness/workload.ts';

const { Message, Section } = core;
const immer = new Immer();
const emptyStore = core.MessageStore.fromSections(Section.empty('system'), Section.empty('chat'));

interface Pushable {
  push(item: unknown): unknown;
}

interface Structure {
  readonly empty: () => unknown;
  readonly add: (list: never, item: never) => unknown;
  /** What is appended: plain objects, or messages. */
  readonly items?: 'messages';
  /** The largest number of versions that is measured. */
  readonly cap?: number;
  /** What must be reached. */
  readonly target?: number;
}

const PUSH = 'array push';
const structures: Readonly<Record<string, Structure>> = {
  [PUSH]: { empty: () => [], add: (list: unknown[], item) => (list.push(item), list) },
  'internal list': {
    empty: () => PersistentList.empty(),
    add: (list: never, item) => (list as Pushable).push(item),
    target: 8,
  },
  'Messages.appendMessage': {
    empty: () => core.Messages.empty(),
    add: (list: never, item) => (list as Messages).appendMessage(item),
    items: 'messages',
    target: 20,
  },
  'store.section(…).appendMessages': {
    empty: () => emptyStore,
    add: (store: never, item) => (store as MessageStore).section('chat').appendMessages(item),
    items: 'messages',
    target: 60,
  },
  'array spread': { empty: () => [], add: (list: unknown[], item) => [...list, item], cap: 1000 },
  'immer produce(push)': {
    empty: () => [],
    add: (list: unknown[], item) => immer.produce(list, (draft) => void draft.push(item)),
    cap: 100,
  },
  'immutable.js List.push': { empty: () => List(), add: (list: never, item) => (list as Pushable).push(item) },
  'effect Chunk.append': { empty: () => Chunk.empty(), add: (list: never, item) => Chunk.append(list, item) },
};
const KEEP_ALL = `(versions) => {
  let list = empty();
  for (let at = 0; at < size; at++) versions[at] = list = add(list, items[at]);
}`;

const ratios = new Map<string, Map<number, number>>();
for (const size of [10, 100, 1000, 10_000, 100_000]) {
  const plain = conversation(size);
  const messages = plain.map((json) => Message.fromJSON(json));
  const isBig = size >= 10_000;
  const cases: Record<string, Case> = {};
  for (const [name, { empty, add, items, cap = Infinity }] of Object.entries(structures)) {
    if (size > cap) continue;
    const scope = { empty, add, size, items: items === 'messages' ? messages : plain };
    // Filled, since `new Array(100_000)` is a slow dictionary.
    cases[name] = { setup: () => Array.from({ length: size }, () => null), run: isolated(KEEP_ALL, scope) };
  }
  const results = await compare(`append one at a time, every version kept, ${size}`, {
    baseline: PUSH,
    cases,
    ops: size,
    unit: 'append',
    rounds: rounds(isBig ? 7 : 11),
    keep: false,
  });
  for (const [name, { target }] of Object.entries(structures)) {
    const ratio = results[name]?.ratio;
    if (target === undefined || ratio === undefined) continue;
    line(`append, ${size} versions: ${name} to push`, ratio, target, '×', size);
    ratios.set(name, (ratios.get(name) ?? new Map<number, number>()).set(size, ratio));
  }
}
for (const [name, bySize] of ratios) {
  const growth = (bySize.get(100_000) ?? NaN) / (bySize.get(1000) ?? NaN);
  line(`append stays flat: ${name}, ratio at 100 000 to that at 1 000`, growth, 2, '×', 100_000);
}
done();
