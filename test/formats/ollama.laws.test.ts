import { fc, it } from '@fast-check/vitest';
import { type Message, Messages, type MessageStore, validate } from 'message-store';
import { ollama, type OllamaOptions } from 'message-store/formats/ollama';
import { openaiChat } from 'message-store/formats/openai-chat';
import { arbitraries, checkOllama } from 'message-store/testing';
import { describe, expect, test } from 'vitest';
import { deepFrozen, scribbleOver } from '../support/model-values.ts';
import { lacksRealData, realConversations } from '../support/real-conversations.ts';
import { damaged, damages, wellFormed, wellFormedOrOpen } from '../turns/histories.ts';

const any = arbitraries(fc);

/** An object of these fields, some of which may be missing. */
const object = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
) => fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
const is = fc.constant;

const vendor = any.json;
const base64 = fc.oneof(
  fc.constantFrom('iVBORw0KGgo=', '/9j/4AAQ', 'R0lGODlh', 'UklGRhoAAABXRUJQ'),
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')),
);
const images = fc.array(base64, { minLength: 1, maxLength: 3 });
const thinking = any.text;
const name = fc.constantFrom('weather', 'time', 'browser.tabs.open');
const type = is('function');

const single = fc.oneof(
  object({ role: is('system'), content: any.text }, { images, vendor }),
  object({ role: is('user'), content: any.text }, { images, vendor }),
  object({ role: is('assistant'), content: any.text }, { images, thinking, vendor }),
);
const call = object(
  { function: object({ name, arguments: any.jsonObject }, { index: fc.nat(), vendor }) },
  { type, vendor },
);
/** A turn with an answer to each of its calls; all have an id, or none; each answer may tell its call, or not. */
const turn = fc
  .record({
    asked: object({ role: is('assistant'), content: any.text }, { images, thinking, vendor }),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    ids: fc.option(
      fc.uniqueArray(
        any.id.filter((id) => id.trim() !== ''),
        { minLength: 3, maxLength: 3 },
      ),
    ),
    answers: fc.array(object({ content: any.text, isNamed: fc.boolean(), hasId: fc.boolean() }, { images, vendor }), {
      minLength: 3,
      maxLength: 3,
    }),
  })
  .map(({ asked, calls, ids, answers }) => {
    const isNamed = answers.every((answer) => (answer as any).isNamed);
    const hasIds = answers.every((answer) => (answer as any).hasId);
    return [
      {
        ...(asked as object),
        tool_calls: calls.map((one, at) => ({ ...(ids && { id: ids[at] }), ...(one as object) })),
      },
      ...calls.map((one: any, at) => {
        const { isNamed: _named, hasId: _id, ...answer } = answers[at] as any;
        const link = {
          ...(isNamed && { tool_name: one.function.name }),
          ...(hasIds && ids && { tool_call_id: ids[at] }),
        };
        return { role: 'tool', ...link, ...answer };
      }),
    ];
  });
const exchange = fc.oneof(
  single.map((message) => [message]),
  turn,
);
const request = fc.array(exchange, { maxLength: 5 }).map((exchanges) => ({ messages: exchanges.flat() }));
const nothing = { losses: [], repairs: [] };

describe('any request', () => {
  it.prop([request])('is one that the checker takes, goes out again as it came, with nothing to report', (wire) => {
    expect(checkOllama(wire)).toEqual([]);
    const { messages, report } = ollama.decode(wire);
    expect(report).toEqual(nothing);
    expect(ollama.encode(messages)).toEqual({ payload: wire, report: nothing });
    expect(ollama.encode(messages, { invalid: 'throw', losses: 'throw' }).payload).toEqual(wire);
  });

  it.prop([request])('goes out again after its way through a stored text', (wire) => {
    const stored = JSON.stringify(ollama.decode(wire).messages);
    expect(ollama.encode(Messages.fromJSON(JSON.parse(stored))).payload).toEqual(wire);
    expect(ollama.encode(Messages.from(JSON.parse(stored))).payload).toEqual(wire);
  });

  it.prop([request])('is not touched, and not kept', (wire) => {
    ollama.decode(deepFrozen(structuredClone(wire)));
    const given = structuredClone(wire);
    const { messages } = ollama.decode(given);
    expect(given).toEqual(wire);
    scribbleOver(given);
    expect(ollama.encode(messages).payload).toEqual(wire);
  });

  it.prop([request])('gives the same ids of calls each time, and distinct ones in each turn', (wire) => {
    const idsOf = () => ollama.decode(wire).messages.map(({ toolCalls }) => toolCalls.map((one) => one.idString()));
    expect(idsOf()).toEqual(idsOf());
    for (const ids of idsOf()) expect([new Set(ids).size, ids.includes('')]).toEqual([ids.length, false]);
  });

  it.prop([request])('is read the same the short way and the long way', (wire) => {
    const read = (list: readonly unknown[]) =>
      ollama.decode(list).messages.map((one) => ({ ...one.toJSON(), id: undefined, createdAt: undefined }));
    const long = wire.messages.map((one) => ({ images: null, ...(one as object) }));
    expect(read(long)).toEqual(read(wire.messages));
  });

  it.prop([request])('is read strictly, too', (wire) => {
    const { messages, report } = ollama.decode(wire, { strict: true });
    expect(ollama.encode(messages).payload).toEqual(wire);
    expect(report).toEqual(nothing);
  });
});

/** The same, as if all that came from one of the providers had come from here. */
const fromHere = (messages: Messages): Messages =>
  Messages.fromJSON(JSON.parse(JSON.stringify(messages).replaceAll('"provider":"openai-chat"', '"provider":"ollama"')));
const histories = fc
  .oneof(
    wellFormedOrOpen,
    any.messages,
    fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)),
    fc.tuple(any.messages, damages).map(([messages, list]) => damaged(messages, list)),
  )
  .chain((messages) => fc.constantFrom(messages, fromHere(messages)));
const options: fc.Arbitrary<OllamaOptions> = fc.record(
  {
    reasoning: fc.constantFrom('own', 'all'),
    toolCallIds: fc.constantFrom('own', 'all'),
    instructions: fc.constantFrom('separate', 'merged'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

describe('any history, valid or broken', () => {
  it.prop([histories, options])('goes out as a request that the checker takes', (messages, own) => {
    const { payload, report } = ollama.encode(messages, { ...own, openTurn: 'cancel' });
    expect(checkOllama(payload)).toEqual([]);
    for (const { path } of [...report.losses, ...report.repairs]) expect(path).toMatch(/^messages\[\d+\]/);
  });

  it.prop([histories])('is sent with an answer right behind each call', (messages) => {
    const { payload } = ollama.encode(messages, { openTurn: 'cancel' });
    const read = ollama.decode(payload).messages;
    expect(validate(read, { allowOpenTail: false })).toEqual([]);
    expect(ollama.encode(read, { invalid: 'throw' }).report.repairs).toEqual([]);
  });

  it.prop([histories])('settles at the second time when what was sent comes back', (messages) => {
    const sentAgain = (payload: unknown): unknown => ollama.encode(ollama.decode(payload).messages).payload;
    const second = sentAgain(ollama.encode(messages, { openTurn: 'cancel' }).payload);
    expect(sentAgain(second)).toEqual(second);
  });

  it.prop([wellFormed, options])('keeps the bytes of what was sent before, when it grows', (messages, own) => {
    const sent = (some: Messages) => ollama.encode(some, own).payload.messages.map((one) => JSON.stringify(one));
    const whole = sent(messages);
    let grown = Messages.empty();
    for (const exchange of messages.exchanges()) {
      grown = grown.appendMessages(exchange.messages);
      const kept = sent(grown).slice(0, -1);
      expect(kept).toEqual(whole.slice(0, kept.length));
    }
  });
});

describe('any store', () => {
  const sent = (store: MessageStore) => ollama.encode(store, { openTurn: 'cancel' });

  it.prop([any.store])('is encoded the same each time, and stays as it was, whatever is done to a payload', (store) => {
    const text = JSON.stringify(store);
    const { payload } = sent(store);
    const once = JSON.stringify(payload);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
    scribbleOver(payload);
    expect(JSON.stringify(store)).toBe(text);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
  });

  it.prop([any.store])('gives one wire message for each of its own, or tells which it left out or made up', (store) => {
    const { payload, report } = sent(store);
    const told = [...report.losses, ...report.repairs];
    const count = (...rules: string[]) => told.filter(({ rule }) => rules.includes(rule)).length;
    const size = store.toMessages().size + count('synthesised') - count('emptied-message', 'dropped', 'joined');
    expect(payload.messages).toHaveLength(size);
  });
});

describe.skipIf(lacksRealData)('real conversations (200 of a tool-using agent; needs REAL_DATA)', () => {
  it('go out as requests that the checker takes, and come back with every text, call and answer', () => {
    for (const conversation of realConversations) {
      const { messages } = openaiChat.decode(conversation);
      const { payload, report } = ollama.encode(messages);
      expect([checkOllama(payload), report.repairs]).toEqual([[], []]);
      const calls = messages.map(({ toolCalls }) => [...toolCalls]).flat();
      expect(report.losses.map(({ rule }) => rule)).toEqual(calls.map(() => 'call-id'));
      const back = ollama.decode(payload).messages;
      expect(back.map(saidBy)).toEqual(messages.map(saidBy));
      expect(validate(back)).toEqual([]);
    }
  });
});

/** What a message says, ids left out. */
const saidBy = ({ role, content, toolCalls }: Message) => [
  role,
  content.toString(),
  toolCalls.map(({ name: tool, args }) => [tool, args]),
];

test('the checker finds what the server refuses', () => {
  const broken = (...messages: unknown[]) => checkOllama({ messages });
  const asked = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: {} } }] };
  expect([checkOllama({}), broken(5), broken({ role: 'developer', content: '' })]).toEqual([
    ['messages: no list'],
    ['messages[0]: no object'],
    ['messages[0]: unknown role'],
  ]);
  expect(
    broken({ role: 'user', content: [], images: ['data:image/png;base64,AA=='], name: 'n', tool_name: 5 }),
  ).toEqual([
    'messages[0]: content is one text',
    'messages[0]: no name',
    'messages[0]: no tool_name on user',
    'messages[0]: tool_name is text',
    'messages[0]: images are bare base64',
  ]);
  for (const args of ['{}', [], undefined])
    expect(broken({ ...asked, tool_calls: [{ function: { name: 'f', arguments: args } }] })[0]).toBe(
      'messages[0]: calls are functions with an object',
    );
  expect(broken(asked, { role: 'user', content: 'x' }, { role: 'tool', content: '' }, asked)).toEqual([
    'messages[1]: 1 calls before it have no answer',
    'messages[2]: answers no call',
    '1 calls at the end have no answer',
  ]);
  expect(broken(asked, { role: 'tool', tool_name: 'g', content: 'half \ud83d' })).toEqual([
    'messages[1]: has the name of another tool',
    'half of a character',
  ]);
});
