/** Different appends to one and the same list: no branch copies the base. */
import { Chunk } from 'effect';
import { List } from 'immutable';
import { compare } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core, PersistentList } from '../harness/product.ts';
import { conversation } from '../harness/workload.ts';

const { Message, Messages } = core;
const SIZE = 100_000;
const BRANCHES = 32;

const plain = conversation(SIZE);
const messages = plain.map((json) => Message.fromJSON(json));
const added = messages.slice(0, BRANCHES);
const loaded = Messages.of(...messages.slice(0, 10)).appendMessages([...messages.slice(10)]);
let grown = Messages.empty();
for (const message of messages) grown = grown.appendMessage(message);
let internal = PersistentList.empty<unknown>();
for (const message of messages) internal = internal.push(message);
const list = List(plain);
const chunk = Chunk.fromIterable(plain);

const results = await compare(`${BRANCHES} different appends to one base of ${SIZE}`, {
  baseline: 'array spread',
  ops: BRANCHES,
  unit: 'branch',
  cases: {
    'array spread': () => added.map((message) => [...messages, message]),
    'internal list': () => added.map((message) => internal.push(message)),
    'Messages, grown by append': () => added.map((message) => grown.appendMessage(message)),
    'Messages, loaded': () => added.map((message) => loaded.appendMessage(message)),
    'immutable.js List.push': () => added.map((message) => list.push(message as never)),
    'effect Chunk.append': () => added.map((message) => Chunk.append(chunk, message as never)),
  },
});
for (const name of ['internal list', 'Messages, grown by append', 'Messages, loaded']) {
  line(`branch from a base of 100 000: ${name}`, results[name]?.ns ?? NaN, 2000, 'ns');
}
done();
