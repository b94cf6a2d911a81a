/** Checking and repairing tool turns: against the `JSON.stringify` of the same messages. Appending with a check: against appending without. */
import type { MessageJSON, Messages, MessageStore } from '../../../src/index.ts';
import { type Case, compare, isolated, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core } from '../harness/product.ts';
import { conversation } from '../harness/workload.ts';

const { Message, repair, turns, validate } = core;

/** The same number of messages with every fourth answer lost, every fourth moved behind what follows it, every fourth given twice. */
function broken(messages: readonly MessageJSON[]): MessageJSON[] {
  const out: MessageJSON[] = [];
  let late: MessageJSON[] = [];
  let answers = 0;
  for (const message of messages) {
    const isAnswer = message.role === 'tool';
    const harm = isAnswer ? answers++ % 4 : 0;
    if (harm === 2) late.push(message);
    else if (harm !== 1) out.push(message);
    if (harm === 3) out.push(message);
    if (isAnswer) continue;
    out.push(...late);
    late = [];
  }
  return [...out, ...late];
}

const JOBS: Readonly<Record<string, (messages: Messages) => unknown>> = {
  validate: (messages) => validate(messages),
  repair: (messages) => repair(messages),
};
const HISTORIES: Readonly<Record<string, (messages: readonly MessageJSON[]) => readonly MessageJSON[]>> = {
  valid: (messages) => messages,
  broken,
};
const EACH = '() => { for (const messages of lists) run(messages); }';

const STRINGIFY = 'JSON.stringify';
const [SMALL, LARGE] = [1000, 100_000];
for (const [history, make] of Object.entries(HISTORIES)) {
  // The same messages twice, as many short lists and as one long list: a short list that is done again and again
  // stays in the cache of the processor, where no long one has room.
  const parts = Array.from({ length: LARGE / SMALL }, (_, seed) => make(conversation(SMALL, seed)));
  const json = parts.flat();
  const short = parts.map((part) => core.Messages.from(part.map((one) => Message.fromJSON(one))));
  const long = [core.Messages.from(short.flatMap((messages) => [...messages]))];
  const cases: Record<string, Case> = { [STRINGIFY]: () => JSON.stringify(json) };
  for (const [job, run] of Object.entries(JOBS)) {
    const baseline = `${job}, lists of ${SMALL}`;
    cases[baseline] = isolated(EACH, { run, lists: short });
    cases[job] = { run: isolated(EACH, { run, lists: long }), baseline };
  }
  const results = await compare(`check and repair tool turns, ${history} history, ${LARGE}`, {
    baseline: STRINGIFY,
    cases,
    ops: json.length,
    unit: 'message',
    rounds: rounds(9),
    keep: false,
  });
  const nsOf = (name: string): number => results[name]?.ns ?? NaN;
  for (const job of Object.keys(JOBS)) {
    line(`${job} ${LARGE}, ${history}, to ${STRINGIFY} of them`, nsOf(job) / nsOf(STRINGIFY), 1, '×', LARGE);
    const growth = results[job]?.ratio ?? NaN;
    line(`${job} is linear, ${history}: one list of ${LARGE} to as many in lists of ${SMALL}`, growth, 2, '×', LARGE);
  }
}

const SIZE = 1000;
const emptyStore = core.MessageStore.fromSections(core.Section.empty('system'), core.Section.empty('chat'));
const items = conversation(SIZE).map((json) =>
  Message.fromJSON(json).withToolCalls([]).withToolResult(undefined).withRole('user'),
);
const KEEP_ALL = `(versions) => {
  let store = emptyStore;
  for (let at = 0; at < size; at++) versions[at] = store = add(store, items[at]);
}`;
const PLAIN = 'store.section(…).appendMessages';
const CHECKED = 'turns(store, section).appendUser';
const ADDS: Readonly<Record<string, (store: MessageStore, item: (typeof items)[number]) => MessageStore>> = {
  [PLAIN]: (store, item) => store.section('chat').appendMessages(item),
  [CHECKED]: (store, item) => turns(store, 'chat').appendUser(item),
};
const cases: Record<string, Case> = {};
for (const [name, add] of Object.entries(ADDS)) {
  const setup = (): null[] => Array.from({ length: SIZE }, () => null);
  cases[name] = { setup, run: isolated(KEEP_ALL, { emptyStore, add, size: SIZE, items }) };
}
const appended = await compare(`append a message of the user, every version kept, ${SIZE}`, {
  baseline: PLAIN,
  cases,
  ops: SIZE,
  unit: 'append',
  rounds: rounds(11),
  keep: false,
});
line(`${CHECKED} to ${PLAIN}, ${SIZE} versions`, appended[CHECKED]?.ratio ?? NaN, 3, '×', SIZE);
done();
