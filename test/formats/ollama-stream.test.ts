import { globSync, readFileSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { accumulator, ollama } from '../../src/formats/ollama/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';
import { Message, Messages } from '../../src/index.ts';
import { arbitraries } from '../../src/testing/index.ts';
import { said, shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Record<string, unknown>;

const lineOf = (message: Fields): Fields => ({
  model: 'qwen3',
  created_at: '2026-11-30T12:00:00Z',
  message,
  done: false,
});
const endOf = (message: Fields = { role: 'assistant', content: '' }, more: Fields = {}): Fields => ({
  model: 'qwen3',
  created_at: '2026-11-30T12:00:01Z',
  message,
  done: true,
  done_reason: 'stop',
  ...more,
});
const callOf = (city: string): Fields => ({ function: { name: 'weather', arguments: { city } } });
const calling = (...cities: readonly string[]): Fields => ({ content: '', tool_calls: cities.map(callOf) });

/** Cuts text into pieces of so many code units, in the middle of characters too. */
const piecesOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));

/** The lines that a server sends instead of a response: thinking, text, one call each, and the rest on the last line. */
function linesOf(response: any, length: number, isEndEarly = false): Fields[] {
  const { thinking = '', content = '', tool_calls: calls = [], ...others } = response.message;
  const messages: Fields[] = [
    ...piecesOf(thinking, length).map((piece) => ({ role: 'assistant', content: '', thinking: piece })),
    ...piecesOf(content, length).map((piece) => ({ role: 'assistant', content: piece })),
    ...calls.map((call: unknown) => ({ role: 'assistant', content: '', tool_calls: [call] })),
  ];
  const last = (isEndEarly ? messages.pop() : undefined) ?? { role: 'assistant', content: '' };
  return [...messages.map(lineOf), { ...response, message: { ...last, ...others } }];
}

function expectSame(lines: readonly Fields[], response: unknown): void {
  const decoded = streamed(accumulator, lines);
  const whole = ollama.decode(response);
  expect(said(decoded)).toEqual(said(whole));
  expect({ ...decoded, messages: undefined }).toEqual({ ...whole, messages: undefined });
}

const FIXTURES = new URL('../fixtures/formats/ollama/responses/', import.meta.url);
const recorded = globSync('*.wire.json', { cwd: FIXTURES }).toSorted();

describe('a stream', () => {
  it.each(recorded)('gives what the whole response gives: %s', (file) => {
    const response: unknown = JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8'));
    for (const isEndEarly of [false, true]) expectSame(linesOf(response, 3, isEndEarly), response);
  });

  it('shows the message so far, with one id from the first line to the last', () => {
    const answer = accumulator();
    expect(answer.message().toString()).toBe('');
    answer.push(lineOf({ role: 'assistant', content: '', thinking: 'Hm' }));
    expect(answer.message().content.parts.map(({ type, fields }) => [type, fields['text']])).toEqual([
      ['reasoning', 'Hm'],
    ]);
    answer.push(lineOf({ role: 'assistant', content: 'Hel' }));
    const shown = answer.message();
    expect([shown.toString(), shown.incomplete]).toEqual(['Hel', { reason: 'streaming' }]);
    expect(answer.message()).toBe(shown);
    answer.push(endOf({ role: 'assistant', content: 'lo' }));
    const last = answer.finish().messages.last();
    expect([last?.id, last?.timestamp, last?.incomplete]).toEqual([shown.id, shown.timestamp, undefined]);
    expect(last?.toString()).toBe('Hello');
    expect(answer.finish()).toBe(answer.finish());
  });

  it('takes no line after its end, and nothing that is no line', () => {
    const answer = accumulator();
    expect(() => answer.push('{"done":true}' as never)).toThrow(/event: expected an event of the stream/);
    answer.finish();
    expect(() => answer.push(endOf())).toThrow(expect.objectContaining({ code: 'stream_finished' }) as Error);
  });

  it('does not touch its lines, and does not look at them again', () => {
    const line = lineOf(calling('Oslo'));
    const answer = accumulator();
    answer.push(line);
    expect(line).toEqual(lineOf(calling('Oslo')));
    (line['message'] as any).tool_calls[0].function.arguments.city = 'Rome';
    answer.push(endOf());
    expect(answer.finish().messages.last()?.toolCalls.first()?.args).toEqual({ city: 'Oslo' });
  });
});

describe('calls', () => {
  const callsIn = (lines: readonly Fields[]) => {
    const { messages, finish } = streamed(accumulator, lines);
    const calls = messages.last()?.toolCalls.map(({ id, args }) => [id, args['city']]) ?? [];
    return {
      text: messages.last()?.toString(),
      cities: calls.map(([, city]) => city),
      ids: calls.map(([id]) => id),
      finish,
    };
  };

  it.each<[string, Fields[], string, string[]]>([
    ['in several lines', [lineOf(calling('A')), lineOf(calling('B')), endOf({ content: '' })], '', ['A', 'B']],
    ['in one line', [lineOf(calling('A', 'B')), endOf()], '', ['A', 'B']],
    ['only in the last line', [endOf({ content: 'x', tool_calls: [callOf('A')] })], 'x', ['A']],
    ['the same one twice', [lineOf(calling('A')), lineOf(calling('A')), endOf()], '', ['A', 'A']],
  ])('are read wherever they stand, with ids that differ: %s', (_, lines, text, cities) => {
    const read = callsIn(lines);
    expect([read.text, read.cities]).toEqual([text, cities]);
    expect(read.finish).toEqual({ reason: 'tool_calls', raw: 'stop' });
    expect(new Set(read.ids).size).toBe(cities.length);
    for (const id of read.ids) expect(id).toMatch(/^[a-z0-9]{9}$/);
    const whole = ollama.decode(endOf({ role: 'assistant', content: text, tool_calls: cities.map(callOf) }));
    expect(read.ids).toEqual(whole.messages.last()?.toolCalls.map(({ id }) => id));
  });

  it('keep the ids that the server gave, and send back no others', () => {
    const given = { id: 'call_1', function: { index: 0, name: 'weather', arguments: {} } };
    const { shown, decoded } = shownAndFinished(
      accumulator,
      [lineOf({ tool_calls: [given, callOf('A')] }), endOf()],
      (so) => so.toolCalls.map(({ id }) => id),
    );
    expect(shown[0]).toEqual(['call_1', undefined]);
    const { payload } = ollama.encode(decoded.messages, { openTurn: 'cancel' });
    expect((payload.messages[0] as any).tool_calls).toEqual([given, callOf('A')]);
  });

  it('are marked as incomplete where the limit may have cut them, and go out with an answer that says so', () => {
    const lines = [lineOf(calling('A')), endOf(undefined, { done_reason: 'length' })];
    const { messages, finish } = streamed(accumulator, lines);
    const [message] = [...messages] as [Message];
    expect([finish?.reason, message.incomplete]).toEqual(['length', { reason: 'length' }]);
    const { payload } = ollama.encode(Messages.of(message), { openTurn: 'cancel' });
    expect(payload.messages[1]).toEqual({
      role: 'tool',
      tool_name: 'weather',
      content: expect.stringContaining('interrupted') as string,
    });
  });

  it('are refused with their place where they are none, and what came before stays', () => {
    const answer = accumulator();
    answer.push(lineOf({ content: 'Wait', ...{ tool_calls: [callOf('A')] } }));
    expect(() => answer.push(lineOf({ content: '', tool_calls: [5] }))).toThrow('message.tool_calls[1]');
    expect(() => answer.push(lineOf({ content: '', tool_calls: {} }))).toThrow('message.tool_calls: expected a list');
    expect(() => answer.push(lineOf({ content: ['a'] }))).toThrow('message.content: expected text');
    const [message] = [...answer.finish().messages] as [Message];
    expect([message.toString(), message.toolCalls.size]).toEqual(['Wait', 1]);
  });
});

describe('odd streams', () => {
  it('may have lines without a message, unknown events, unknown keys and nulls', () => {
    const { messages, usage } = streamed(accumulator, [
      {},
      { status: 'success' },
      lineOf({ role: 'assistant', content: null, thinking: null, tool_calls: null, vendor: 1 }),
      lineOf({ content: 'Hi' }),
      endOf(undefined, { prompt_eval_count: 3, eval_count: 1, error: null }),
    ]);
    expect([messages.last()?.toString(), messages.last()?.extra]).toEqual(['Hi', { vendor: 1 }]);
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 1 });
  });

  it('hold back half a character until the other half comes', () => {
    const lines = [lineOf({ content: 'hi\uD83D' }), lineOf({ content: '\uDE00' }), endOf()];
    const { shown, decoded } = shownAndFinished(accumulator, lines);
    expect(shown).toEqual(['hi', 'hi😀', 'hi😀']);
    expect(decoded.report.repairs).toEqual([]);
  });

  it('tell a broken character of a call at the end', () => {
    const { shown, decoded } = shownAndFinished(accumulator, [lineOf(calling('Os\uD83D')), endOf()], (so) =>
      so.toJSON(),
    );
    for (const json of shown) expect(Message.fromJSON(json).toolCalls.first()?.args).toEqual({ city: 'Os\uFFFD' });
    expect(decoded.report.repairs.map(({ path, rule }) => [path, rule])).toEqual([
      ['message.tool_calls[0].function.arguments.city', 'lone-surrogate'],
    ]);
  });

  it('that broke off leave the message so far, whose calls must not be run', () => {
    const lines = [lineOf({ thinking: 'Hm' }), lineOf({ content: 'Let me see\uD83D' }), lineOf(calling('A'))];
    const { messages, finish } = streamed(accumulator, lines);
    const [message] = [...messages] as [Message];
    expect([message.toString(), message.incomplete, finish]).toEqual(['Let me see', { reason: 'aborted' }, undefined]);
    expect(message.toolCalls.map(({ name, args }) => [name, args])).toEqual([['weather', { city: 'A' }]]);
    expect(Message.fromJSON(message.toJSON()).equals(message)).toBe(true);
    const { payload } = ollama.encode(messages, { openTurn: 'cancel' });
    expect(payload.messages).toEqual([
      { role: 'assistant', content: 'Let me see', thinking: 'Hm', tool_calls: [callOf('A')] },
      { role: 'tool', tool_name: 'weather', content: expect.any(String) as string },
    ]);
    expect(openaiChat.encode(messages, { openTurn: 'cancel' }).payload.messages).toHaveLength(2);
  });

  it('that broke off before anything was said leave nothing', () => {
    expect(streamed(accumulator, [lineOf({ role: 'assistant', content: '' })]).messages.isEmpty()).toBe(true);
  });

  it.each([
    ['CUDA error: out of memory', 'CUDA error: out of memory'],
    [{ message: 'overloaded' }, 'overloaded'],
  ])('may end with an error: %j', (error, raw) => {
    const { messages, finish } = streamed(accumulator, [lineOf({ content: 'Wait' }), { error }]);
    expect(finish).toEqual({ reason: 'error', raw });
    expect([messages.last()?.toString(), messages.last()?.incomplete]).toEqual(['Wait', { reason: 'error' }]);
  });

  it('write the reason and the usage into the message where that is wanted', () => {
    const start = () => accumulator({ record: true });
    const { messages } = streamed(start, [endOf({ content: 'Yes' }, { prompt_eval_count: 3, eval_count: 1 })]);
    expect(messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'stop', raw: 'stop' },
      usage: { inputTokens: 3, outputTokens: 1 },
    });
  });
});

describe('any response, cut anywhere', () => {
  const any = arbitraries(fc);
  const wild = fc.string({ unit: 'binary', maxLength: 30 });
  const filled = wild.filter((text) => text !== '');
  const call = fc.record(
    {
      id: any.id,
      function: fc.record({ name: fc.constantFrom('f', 'g'), arguments: any.jsonObject, index: fc.nat() }),
      vendor: any.json,
    },
    { requiredKeys: ['function'], noNullPrototype: true },
  );
  const message = fc.record(
    { role: fc.constant('assistant'), content: wild, thinking: filled, tool_calls: fc.array(call), vendor: any.json },
    { requiredKeys: ['role', 'content'], noNullPrototype: true },
  );
  const response = fc.record(
    {
      message,
      done: fc.constant(true),
      created_at: fc.constantFrom('2026-11-30T12:00:00Z', '2026-11-30T12:00:01Z'),
      done_reason: fc.constantFrom('stop', 'length', 'load'),
      prompt_eval_count: fc.nat(),
      eval_count: fc.nat(),
    },
    { requiredKeys: ['message', 'done'], noNullPrototype: true },
  );

  test.prop([response, fc.integer({ min: 1, max: 5 }), fc.boolean()])(
    'is read as the whole is',
    (whole, length, isEndEarly) => {
      expectSame(linesOf(whole, length, isEndEarly), whole);
    },
  );

  test.prop([response, fc.integer({ min: 1, max: 5 })])(
    'shows what can be stored at any time, and only more of it',
    (whole, length) => {
      const lines = linesOf(whole, length).slice(0, -1);
      const { shown } = shownAndFinished(accumulator, lines, (so) => so);
      let before = '';
      for (const one of shown) {
        expect(Message.fromJSON(JSON.parse(JSON.stringify(one))).equals(one)).toBe(true);
        expect(one.toString().startsWith(before.replace(/\uFFFD$/, ''))).toBe(true);
        before = one.toString();
      }
    },
  );
});
