/** What is kept on the heap: by a version, by a message. */
import { List } from 'immutable';
import { Chunk } from 'effect';
import { done, line } from '../harness/lines.ts';
import { retained } from '../harness/memory.ts';
import { toLangChain } from '../harness/peers.ts';
import { core, PersistentList } from '../harness/product.ts';
import { conversation, storeJSON } from '../harness/workload.ts';

const { Message, Messages, MessageStore } = core;

const VERSIONS = 5000;
const plain = conversation(VERSIONS);
const messages = plain.map((json) => Message.fromJSON(json));

/** All versions of a list that grows by one at a time; its items were there before. */
function versions<T>(empty: T, add: (list: T, at: number) => T): () => T[] {
  return () => {
    const all = new Array<T>(VERSIONS);
    for (let at = 0, list = empty; at < VERSIONS; at++) all[at] = list = add(list, at);
    return all;
  };
}

const store = MessageStore.parse(JSON.stringify(storeJSON(conversation(10))));
const perVersion = {
  'array push': versions<unknown[]>([], (list, at) => (list.push(plain[at]), list)),
  'internal list': versions(PersistentList.empty<unknown>(), (list, at) => list.push(plain[at])),
  Messages: versions(Messages.empty(), (list, at) => list.appendMessage(messages[at] as never)),
  MessageStore: versions(store, (list, at) => list.section('chat').appendMessages(messages[at] as never)),
  'immutable.js List': versions(List<unknown>(), (list, at) => list.push(plain[at])),
  'effect Chunk': versions<Chunk.Chunk<unknown>>(Chunk.empty(), (list, at) => Chunk.append(list, plain[at])),
};
console.log(`\n### heap per kept version, ${VERSIONS} appends\n\n| structure | bytes |\n|---|---|`);
const bytes: Record<string, number> = {};
for (const [name, build] of Object.entries(perVersion)) {
  bytes[name] = (await retained(build)) / VERSIONS;
  console.log(`| ${name} | ${bytes[name].toFixed(0)} |`);
}
line('heap per kept version: internal list', bytes['internal list'] ?? NaN, 200, 'B');
line('heap per kept version: Messages', bytes['Messages'] ?? NaN, 200, 'B');

const COUNT = 20_000;
const json = conversation(COUNT);
const listText = JSON.stringify(json);
const storeText = JSON.stringify(storeJSON(json));
const perMessage = {
  'plain object': () => JSON.parse(listText) as unknown,
  'MessageStore.parse': () => MessageStore.parse(storeText),
  'MessageStore.parse, and read': () => {
    const loaded = MessageStore.parse(storeText);
    loaded.sections.forEach(({ messages }) => messages.first());
    return loaded;
  },
  'LangChain messages': () => toLangChain(JSON.parse(listText) as typeof json),
};
console.log(`\n### heap per message, ${COUNT} messages\n\n| form | bytes |\n|---|---|`);
for (const [name, build] of Object.entries(perMessage)) {
  bytes[name] = (await retained(build)) / COUNT;
  console.log(`| ${name} | ${bytes[name].toFixed(0)} |`);
}
line('heap per message of about 200 characters', bytes['MessageStore.parse, and read'] ?? NaN, 900, 'B');
done();
