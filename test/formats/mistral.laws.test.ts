import { fc, it } from '@fast-check/vitest';
import { type Message, Messages, type MessageStore, validate } from 'message-store';
import { mistral, type MistralOptions, toSdk } from 'message-store/formats/mistral';
import { openaiChat } from 'message-store/formats/openai-chat';
import { arbitraries, checkMistral } from 'message-store/testing';
import { describe, expect, test } from 'vitest';
import { deepFrozen, scribbleOver } from '../support/model-values.ts';
import { lacksRealData, realConversations } from '../support/real-conversations.ts';
import { damaged, damages, wellFormed, wellFormedOrOpen } from '../turns/histories.ts';

const any = arbitraries(fc);

/** An object of these fields, some of which may be missing. */
const object = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<any> =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
const is = fc.constant;

const text = object({ type: is('text'), text: any.text });
const url = fc.constantFrom('https://a.test/i.png', 'data:image/png;base64,iVBORw0KGgo=', 'http://a.test/i');
const detail = fc.constantFrom('low', 'auto', 'high');
const image = object({ type: is('image_url'), image_url: fc.oneof(url, object({ url }, { detail })) });
const document = object(
  {
    type: is('document_url'),
    document_url: fc.constantFrom('https://a.test/a.pdf', 'data:application/pdf;base64,JVBERi0='),
  },
  { document_name: any.text },
);
const file = object({ type: is('file'), file_id: fc.uuid() });
const audio = object({
  type: is('input_audio'),
  input_audio: fc.constantFrom('UklGRg==', 'SUQz', 'AAAA', 'https://a.test/a.mp3', 'data:audio/wav;base64,UklGRg=='),
});
const reference = object({ type: is('reference'), reference_ids: fc.array(fc.oneof(fc.nat(), any.text)) });
const found = object({ type: is('tool_reference'), tool: is('web_search'), title: any.text }, { url: is(null) });
const thinking = object(
  { type: is('thinking'), thinking: fc.array(fc.oneof(text, reference, found), { maxLength: 3 }) },
  { signature: fc.oneof(is('c2ln'), is(null)), closed: fc.boolean() },
);
const chunk = fc.oneof(text, image, document, file, audio, reference, thinking);
const listOf = (one: fc.Arbitrary<unknown>) => fc.array(one, { minLength: 1, maxLength: 3 });
const contentOf = (one: fc.Arbitrary<unknown>) => fc.oneof(any.text, listOf(one));

const system = object({ role: is('system'), content: contentOf(fc.oneof(text, thinking)) });
const user = object({ role: is('user'), content: fc.oneof(contentOf(chunk), is([]), is(null)) });
const prefix = is(false);
const spoken = object(
  {
    role: is('assistant'),
    content: fc.oneof(
      any.text.filter((said) => said !== ''),
      listOf(chunk),
    ),
  },
  { prefix },
);
const args = fc.oneof(
  any.jsonObject,
  any.jsonObject.map((value) => JSON.stringify(value)),
  is('{ "n": 1 }'),
);
const call = object(
  { function: object({ name: fc.constantFrom('weather', 'a-b_C'), arguments: args }) },
  { type: is('function'), index: fc.nat(9) },
);
const answered = object({ content: fc.oneof(contentOf(chunk), is(null)) }, { name: is('weather') });
/** A turn with an answer to each of its calls. */
const turn = fc
  .record({
    asked: object({ role: is('assistant') }, { content: fc.oneof(contentOf(chunk), is([]), is(null)), prefix }),
    calls: fc.array(fc.tuple(call, answered), { minLength: 1, maxLength: 3 }),
  })
  .map(({ asked, calls }) => [
    { ...asked, tool_calls: calls.map(([one], at) => ({ id: `abcDEF00${at}`, ...one })) },
    ...calls.map(([, one], at) => ({ role: 'tool', tool_call_id: `abcDEF00${at}`, ...one })),
  ]);
const start = fc.oneof(
  fc.tuple(fc.array(system, { maxLength: 2 }), user).map(([instructions, one]) => [...instructions, one]),
  fc.tuple(spoken, user),
);
const middle = fc.oneof(
  fc.tuple(user, system, spoken),
  user.map((one) => [one]),
  spoken.map((one) => [one]),
  turn,
);
const end = fc.oneof(
  user.map((one) => [one]),
  turn,
  spoken.map((one) => [{ ...one, prefix: true }]),
);
const request = fc
  .tuple(start, fc.array(middle, { maxLength: 4 }), end)
  .map(([first, between, last]) => ({ messages: [...first, ...between.flat(), ...last] as any[] }));
const NOTHING = { losses: [], repairs: [] };

describe('any request', () => {
  it.prop([request])('is one that the checker takes, goes out again as it came, with nothing to report', (wire) => {
    expect(checkMistral(wire)).toEqual([]);
    const { messages, report } = mistral.decode(wire);
    expect(report).toEqual(NOTHING);
    expect(mistral.encode(messages)).toEqual({ payload: wire, report: NOTHING });
    expect(mistral.encode(messages, { invalid: 'throw', losses: 'throw' }).payload).toEqual(wire);
  });

  it.prop([request])('goes out again after its way through a stored text, and is taken strictly', (wire) => {
    const { messages, report } = mistral.decode(wire, { strict: true });
    expect(report).toEqual(NOTHING);
    expect(mistral.encode(Messages.fromJSON(JSON.parse(JSON.stringify(messages)))).payload).toEqual(wire);
  });

  it.prop([request])('is read just so from the spelling of the package', (wire) => {
    const { messages } = toSdk(wire, { model: 'm' });
    expect(mistral.encode(mistral.decode({ messages }).messages).payload).toEqual(wire);
  });

  it.prop([request])('is not touched, and not kept', (wire) => {
    mistral.decode(deepFrozen(structuredClone(wire)));
    const given = structuredClone(wire);
    const { messages } = mistral.decode(given);
    expect(given).toEqual(wire);
    scribbleOver(given);
    const { payload } = mistral.encode(messages);
    expect(payload).toEqual(wire);
    scribbleOver(payload);
    expect(mistral.encode(messages).payload).toEqual(wire);
  });

  it.prop([request, fc.nat(), any.jsonObject])('keeps unknown keys and chunks for the way back', (wire, at, vendor) => {
    const { messages } = wire;
    const odd = messages[at % messages.length];
    const told = { ...odd, vendor, ...(odd.role !== 'system' && { content: [{ ...vendor, type: 'video' }] }) };
    const changed = { messages: messages.with(at % messages.length, told) };
    const again = mistral.encode(mistral.decode(changed).messages);
    expect(again).toEqual({ payload: changed, report: NOTHING });
  });
});

/** A key that means nothing keeps a message from the short way, and goes nowhere. */
const theLongWay = (item: any) => ({ ...item, _note: 1 });

describe('any message', () => {
  it.prop([request])('is read the same on the short way and on the long one', ({ messages }) => {
    const readBy = (list: readonly any[]) =>
      mistral
        .decode(list)
        .messages.map(({ role, content, toolCalls, toolResult }) => [
          role,
          content.toJSON(),
          toolCalls.toJSON(),
          toolResult?.toJSON(),
        ]);
    expect(readBy(messages)).toEqual(readBy(messages.map(theLongWay)));
  });
});

const histories = fc.oneof(
  wellFormedOrOpen,
  any.messages,
  fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)),
  fc.tuple(any.messages, damages).map(([messages, list]) => damaged(messages, list)),
);
const options: fc.Arbitrary<MistralOptions> = fc.record(
  {
    thinking: fc.boolean(),
    foreignReasoning: fc.constantFrom('drop', 'text'),
    toolMedia: fc.boolean(),
    userAfterTool: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
);
/** Messages that are not instructions: those may be put first. */
const said = (payload: { messages: { role: string }[] }) =>
  payload.messages.filter(({ role }) => role !== 'system').map((one) => JSON.stringify(one));

describe('any history, valid or broken', () => {
  it.prop([histories, options], { numRuns: 300 })('goes out as a request that the checker takes', (messages, own) => {
    const { payload, report } = mistral.encode(messages, { ...own, openTurn: 'cancel' });
    expect(checkMistral(payload)).toEqual([]);
    for (const { path } of [...report.losses, ...report.repairs]) expect(path).toMatch(/^messages\[\d+\]/);
  });

  it.prop([histories])('comes back as a history whose calls are answered, and goes out again as it did', (messages) => {
    const { payload } = mistral.encode(messages, { openTurn: 'cancel' });
    const again = mistral.decode(JSON.parse(JSON.stringify(payload)), { strict: true });
    expect(validate(again.messages, { allowOpenTail: false })).toEqual([]);
    expect(mistral.encode(again.messages)).toEqual({ payload, report: NOTHING });
  });

  it.prop([wellFormed, options])('keeps the bytes of what was sent before, when it grows', (messages, own) => {
    const whole = said(mistral.encode(messages, own).payload);
    let grown = Messages.empty();
    for (const exchange of messages.exchanges()) {
      grown = grown.appendMessages(exchange.messages);
      const kept = said(mistral.encode(grown, own).payload).slice(0, -1);
      expect(kept).toEqual(whole.slice(0, kept.length));
    }
  });

  it.prop([wellFormed])('says again what it said, save what was told to be left out or put between', (messages) => {
    const { payload, report } = mistral.encode(messages);
    const texts = (list: Messages) => list.filter(({ role }) => role === 'user').map((one) => one.toString());
    const standIns = report.repairs.filter(({ message }) => message.includes('for the user')).length;
    const emptied = report.losses.filter(({ rule }) => rule === 'emptied-message').map(({ path }) => path);
    const kept = messages.filter((_, at) => !emptied.includes(`messages[${at}]`));
    expect(texts(mistral.decode(payload).messages).slice(messages.first()?.isAssistant() ? standIns : 0)).toEqual([
      ...texts(kept),
      ...(messages.first()?.isAssistant() ? [] : Array.from({ length: standIns }, () => '(no message)')),
    ]);
  });
});

describe('any store', () => {
  const sent = (store: MessageStore) => mistral.encode(store, { openTurn: 'cancel' });

  it.prop([any.store])('is encoded the same each time, and stays as it was, whatever is done to a payload', (store) => {
    const before = JSON.stringify(store);
    const { payload } = sent(store);
    const once = JSON.stringify(payload);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
    scribbleOver(payload);
    expect(JSON.stringify(store)).toBe(before);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
  });

  it.prop([any.store])('gives one wire message for each of its own, or tells which it left out or made up', (store) => {
    const { payload, report } = sent(store);
    const told = [...report.losses, ...report.repairs];
    const count = (...rules: string[]) => told.filter(({ rule }) => rules.includes(rule)).length;
    const size =
      store.toMessages().size + count('synthesised', 'stand-in') - count('emptied-message', 'dropped', 'joined');
    expect(payload.messages).toHaveLength(size);
  });
});

describe.skipIf(lacksRealData)('real conversations (200 of a tool-using agent; needs REAL_DATA)', () => {
  it('go out as requests that the checker takes, and come back with every text, call and answer', () => {
    for (const conversation of realConversations) {
      const { messages } = openaiChat.decode(conversation);
      const { payload, report } = mistral.encode(messages);
      expect([checkMistral(payload), report.losses]).toEqual([[], []]);
      const back = mistral.decode(payload).messages;
      expect(back.map(saidBy)).toEqual(messages.map(saidBy));
    }
  });
});

/** What a message says, ids left out. */
const saidBy = ({ role, content, toolCalls }: Message) => [
  role,
  content.toString(),
  toolCalls.map(({ name, argsText }) => [name, argsText]),
];

test('the checker finds what the server refuses', () => {
  const broken = (...messages: unknown[]) => checkMistral({ messages });
  const q = { role: 'user', content: 'q' };
  const asked = { role: 'assistant', tool_calls: [{ id: 'abcDEF123', function: { name: 'f', arguments: '{}' } }] };
  const answer = { role: 'tool', tool_call_id: 'abcDEF123', content: 'r' };
  expect(broken(q, asked, answer)).toEqual([]);
  expect([checkMistral(5), broken(), broken(5)].flat()).toHaveLength(3);
  expect(broken(q, { role: 'system', content: 's' })).toEqual([
    'messages: the last one is a user, a tool, or continued',
  ]);
  expect(broken(q, { role: 'assistant', content: 'a' }, { role: 'system', content: 's' }, q)).toEqual([
    'messages[2]: system after assistant',
  ]);
  expect(broken(asked, answer)).toEqual(['messages: calls at the very beginning']);
  expect(broken(q, asked, q)).toEqual(['messages: calls at the end have no answer']);
  expect(broken(q, asked, answer, answer)).toEqual(['messages[3]: answers no call']);
  expect(broken({ role: 'developer', content: 'x' }, q)[0]).toBe('messages[0]: unknown role developer');
  expect(broken({ ...q, name: 'n' })).toEqual(['messages[0]: unknown key name on user']);
  expect(broken(q, { role: 'assistant', content: '', prefix: true })).toEqual([
    'messages[1]: neither content nor calls',
  ]);
  expect(broken({ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'x' } }] })).toHaveLength(1);
  expect(broken({ role: 'user', content: 'half \ud83d' })).toEqual(['messages: half of a character']);
  const call = (change: object, inner: object = {}) =>
    broken(
      q,
      {
        ...asked,
        tool_calls: [{ ...asked.tool_calls[0], ...change, function: { name: 'f', arguments: '{}', ...inner } }],
      },
      answer,
    );
  expect(call({ type: 'custom' })).toHaveLength(1);
  expect(call({}, { name: 'a.b' })).toHaveLength(1);
  expect(call({}, { arguments: '[]' })).toHaveLength(1);
  expect(call({ id: 'call_1' })).toContain('messages[1].tool_calls[0]: an id of nine letters and digits');
});
