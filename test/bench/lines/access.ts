/** Walking and reading messages: against a plain array. */
import { Chunk } from 'effect';
import { List } from 'immutable';
import { type Case, compare, isolated, type Result } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core } from '../harness/product.ts';
import { conversation, random } from '../harness/workload.ts';

const { Message, Messages } = core;
const READS = 1000;
const ARRAY = 'plain array';
const OURS = ['Messages, loaded', 'Messages, grown by append'];

interface Access {
  readonly get: string;
  readonly last: string;
  readonly slice: string;
  readonly each: string;
}
const byMethods: Access = { get: 'l.at(i)', last: 'l.last()', slice: 'l.slice(-20)', each: 'l.forEach(f)' };
const access: Readonly<Record<string, Access>> = {
  [ARRAY]: { ...byMethods, get: 'l[i]', last: 'l[l.length - 1]' },
  'Messages, loaded': byMethods,
  'Messages, grown by append': byMethods,
  'immutable.js List': { ...byMethods, get: 'l.get(i)', slice: 'l.takeLast(20)' },
  'effect Chunk': {
    get: 'Chunk.getUnsafe(l, i)',
    last: 'Chunk.lastUnsafe(l)',
    slice: 'Chunk.takeRight(l, 20)',
    each: 'Chunk.forEach(l, f)',
  },
};

const ends = new Map<number, Record<'last' | 'slice', Record<string, Result>>>();
for (const size of [1000, 100_000]) {
  const messages = conversation(size).map((json) => Message.fromJSON(json));
  const next = random(1);
  const places = Array.from({ length: READS }, () => Math.floor(next() * size));
  const lists: Readonly<Record<string, unknown>> = {
    [ARRAY]: messages.slice(),
    'Messages, loaded': Messages.from(messages),
    'Messages, grown by append': messages.reduce((list, message) => list.appendMessage(message), Messages.empty()),
    'immutable.js List': List(messages),
    'effect Chunk': Chunk.fromIterable(messages),
  };
  const cases = (source: (how: Access) => string): Record<string, Case> =>
    Object.fromEntries(
      Object.entries(access).map(([name, how]) => [
        name,
        isolated(`() => { ${source(how)} }`, { l: lists[name], places, size, Chunk }),
      ]),
    );
  const walk = { baseline: ARRAY, ops: size, unit: 'message' };
  const read = { baseline: ARRAY, ops: READS, unit: 'read' };
  const loop = (body: string): string => `let n = 0; for (let k = 0; k < ${READS}; k++) n += ${body}; return n;`;

  const forEach = await compare(`forEach, ${size}`, {
    ...walk,
    cases: cases(({ each }) => `let n = 0; const f = (m) => { n += m.role.length; }; ${each}; return n;`),
  });
  const forOf = await compare(`for…of, ${size}`, {
    ...walk,
    cases: cases(() => 'let n = 0; for (const m of l) n += m.role.length; return n;'),
  });
  const get = await compare(`random get, ${size}`, {
    ...read,
    cases: cases(({ get: one }) =>
      loop(`${one.replace('i)', 'places[k])').replace('[i]', '[places[k]]')}.role.length`),
    ),
  });
  const last = await compare(`last, ${size}`, { ...read, cases: cases((how) => loop(`${how.last}.role.length`)) });
  const slice = await compare(`last 20, ${size}`, { baseline: ARRAY, cases: cases((how) => `return ${how.slice};`) });
  ends.set(size, { last, slice });
  for (const name of OURS) {
    line(`forEach over ${size}: ${name} to an array`, forEach[name]?.ratio ?? NaN, 2);
    line(`for…of over ${size}: ${name} to an array`, forOf[name]?.ratio ?? NaN, 10);
    line(`random get in ${size}: ${name} to an array`, get[name]?.ratio ?? NaN, 6);
  }
}
for (const name of OURS) {
  for (const what of ['last', 'slice'] as const) {
    const growth = (ends.get(100_000)?.[what][name]?.ns ?? NaN) / (ends.get(1000)?.[what][name]?.ns ?? NaN);
    line(`${what === 'last' ? 'last' : 'last 20'} is O(1): ${name}, 100 000 to 1 000`, growth, 2);
  }
}
done();
