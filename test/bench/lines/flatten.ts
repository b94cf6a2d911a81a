/** The messages of all sections in one list: against one copy of the arrays. */
import { compare } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core } from '../harness/product.ts';
import { conversation } from '../harness/workload.ts';

const { Message, Messages, MessageStore, Section } = core;
const SIZE = 10_000;
const SHARES = { system: 0.01, context: 0.05, examples: 0.1, history: 0.83, draft: 0.01 };

const messages = conversation(SIZE).map((json) => Message.fromJSON(json));
let at = 0;
const arrays = Object.entries(SHARES).map(([name, share]) => ({
  name,
  items: messages.slice(at, (at += SIZE * share)),
}));
const loaded = arrays.map(({ name, items }) => Section.of(name, items));
const grown = arrays.map(({ name, items }) =>
  Section.of(
    name,
    items.reduce((list, message) => list.appendMessage(message), Messages.empty()),
  ),
);
const store = MessageStore.fromSections(...loaded);
const stores = (sections: typeof loaded) => (calls: number) =>
  Array.from({ length: calls }, () => MessageStore.fromSections(...sections));
type Stores = ReturnType<ReturnType<typeof stores>>;
const first = { calls: 64, run: (fresh: Stores, call: number) => fresh[call]?.toMessages() };

const results = await compare(`flatten 5 sections, ${SIZE} messages`, {
  baseline: 'one copy of the arrays',
  cases: {
    'one copy of the arrays': () => ([] as unknown[]).concat(...arrays.map(({ items }) => items)),
    'first, loaded': { ...first, setup: stores(loaded) },
    'first, grown by append': { ...first, setup: stores(grown) },
    again: () => store.toMessages(),
  },
});
for (const name of ['first, loaded', 'first, grown by append'])
  line(`flatten 5 sections of 10 000, ${name}, to a copy`, results[name]?.ratio ?? NaN, 2, '×', SIZE);
line('flatten again', results['again']?.ns ?? NaN, 100, 'ns');
done();
