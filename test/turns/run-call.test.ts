import { describe, expect, it, vi } from 'vitest';
import {
  type CallOptions,
  Content,
  ContentPart,
  ContentParts,
  ImageSource,
  type Message,
  MessageStore,
  runPendingTools,
  type SchemaResult,
  type StandardSchema,
  tool,
  ToolCall,
  ToolResult,
  type ToolRun,
  type Tools,
  type ToolTrace,
} from 'message-store';
import { assistant, call, store, user } from 'message-store/testing';
import * as z from 'zod';
import { capText } from '../../src/turns/cap-text.ts';

const run = (asked: ToolCall, tools: Tools, options: Partial<CallOptions> = {}): Promise<ToolRun> =>
  runPendingTools(store({ chat: [user('q'), assistant('', asked)] }), { section: 'chat', tools, ...options });

/** The answer to a call of `f`. */
async function answer(definition: Tools[string], args: ToolCall | object = {}, options: Partial<CallOptions> = {}) {
  const asked = args instanceof ToolCall ? args : call('f', { ...args });
  return (await run(asked, { f: definition }, options)).store.toMessages().last() as Message;
}

async function traceOf(definition: Tools[string], options: Partial<CallOptions> = {}): Promise<ToolTrace> {
  const { trace } = await run(call('f', '{ "n" : 1.0 }', 'c1'), { f: definition }, options);
  expect(trace).toHaveLength(1);
  return trace[0]!;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const MARK = '\n[cut: the rest is left out]';

describe('an answer', () => {
  it.each([
    ['text', 'as it is', 'as it is'],
    ['nothing', undefined, ''],
    ['null', null, 'null'],
    ['a number', 1.5, '1.5'],
    ['a list', [1, { a: [] }], '[1,{"a":[]}]'],
    ['an object', { b: 1, a: { c: null } }, '{"b":1,"a":{"c":null}}'],
    ['a list with holes', [1, undefined, () => 1], '[1,null,null]'],
    ['no number', Number.NaN, 'null'],
    ['an object with what JSON does not know', { a: undefined, b: Infinity, c: () => 1 }, '{"b":null}'],
    [
      "an object of the caller's own class",
      new (class City {
        name = 'Oslo';
      })(),
      '{"name":"Oslo"}',
    ],
    ['what a Date becomes in JSON', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ])('may be %s', async (_, value, text) => {
    const message = await answer({ run: () => value });
    expect([message.content.plainText, message.toolResult?.status]).toEqual([text, 'ok']);
    expect((await answer({ run: () => Promise.resolve(value) })).content.plainText).toBe(text);
  });

  it('may be content', async () => {
    const part = ContentPart.imageUrl('https://a.test/i');
    for (const value of [part, ContentParts.of(part), Content.of(part), ImageSource.fromUrl('https://a.test/i')])
      expect((await answer({ run: () => value })).content.toJSON()).toEqual([
        { type: 'image_url', image_url: { url: 'https://a.test/i' } },
      ]);
  });

  it.each([
    ['a BigInt', 1n],
    ['a nested BigInt', { n: [1n] }],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a circle', circular()],
    ['a Map', new Map()],
    ['a nested Map', { of: [new Map()] }],
    ['an Error', new Error('no')],
    ['bytes', new Uint8Array([1])],
  ])('is an error where JSON cannot hold it: %s', async (_, value) => {
    const message = await answer({ run: () => value });
    expect([message.toString(), message.toolResult?.status]).toEqual(['Error: tool "f" failed.', 'error']);
  });

  it('is made readable where half a character stands alone', async () => {
    expect((await answer({ run: () => 'a\uD83Db' })).toString()).toBe('a\uFFFDb');
    expect((await answer({ run: () => ({ a: ['\uD83D'] }) })).toString()).toBe('{"a":["\uFFFD"]}');
  });

  it.each(['ok', 'error', 'denied', 'cancelled'] as const)('may be a tool result, which is %s', async (status) => {
    const value = ToolResult.of({ content: 'no such city', status, callId: 'other', toolName: 'other' });
    const { trace, store: ended } = await run(call('f', {}, 'c1'), { f: { run: () => value } });
    const { toolResult } = ended.toMessages().last()!;
    expect([toolResult?.toString(), toolResult?.status, toolResult?.callId, toolResult?.toolName]).toEqual([
      'no such city',
      status,
      'c1',
      'f',
    ]);
    expect(trace[0]).toMatchObject({ result: 'no such city', status });
    expect(trace[0]).not.toHaveProperty('error');
  });

  it('carries the name of its tool and the id of its call', async () => {
    const { toolResult } = await answer({ run: () => 'x' }, call('f', {}, 'c1'));
    expect([toolResult?.toolName, toolResult?.callId]).toEqual(['f', 'c1']);
  });
});

describe('the description of an error', () => {
  const fails = tool({ run: () => Promise.reject(new Error('secret')) });
  const usual = 'Error: tool "f" failed.';

  it('gets the error and the call', async () => {
    const describeError = vi.fn<() => string>(() => 'sorry');
    const asked = call('f', {}, 'c1');
    expect((await answer(fails, asked, { describeError })).toString()).toBe('sorry');
    expect(describeError).toHaveBeenCalledExactlyOnceWith(new Error('secret'), asked);
  });

  it('is capped and made readable like any answer', async () => {
    const describeError = (): string => 'x'.repeat(40);
    const cut = await answer(fails, {}, { describeError, maxResultBytes: 30 });
    expect(cut.toString()).toBe(`xx${MARK}`);
    expect((await answer(fails, {}, { describeError: () => '\uDE00' })).toString()).toBe('\uFFFD');
  });

  it('falls back to the usual one where it fails itself, or gives no text', async () => {
    const throws = (): string => {
      throw new Error('worse');
    };
    expect((await answer(fails, {}, { describeError: throws })).toString()).toBe(usual);
    expect((await answer(fails, {}, { describeError: () => undefined as unknown as string })).toString()).toBe(usual);
  });
});

describe('the trace', () => {
  it('tells what a call did, with the arguments byte for byte', async () => {
    expect(await traceOf({ run: (input) => input })).toEqual({
      id: 'c1',
      name: 'f',
      arguments: '{ "n" : 1.0 }',
      result: '{"n":1}',
      status: 'ok',
      duration: expect.any(Number),
    });
  });

  it('keeps what a tool threw, also where that is nothing', async () => {
    const error = new Error('secret');
    expect(await traceOf({ run: () => Promise.reject(error) })).toEqual({
      id: 'c1',
      name: 'f',
      arguments: '{ "n" : 1.0 }',
      result: 'Error: tool "f" failed.',
      status: 'error',
      error,
      duration: expect.any(Number),
    });
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a tool may reject with anything
    expect(await traceOf({ run: () => Promise.reject(undefined) })).toHaveProperty('error', undefined);
  });

  it('has no error where nothing was thrown', async () => {
    const trace = await traceOf({ run: () => 'never' }, { allowed: [] });
    expect(trace).toMatchObject({ result: 'Error: tool "f" not permitted', status: 'error' });
    expect(trace).not.toHaveProperty('error');
  });

  it('tells how long the tool ran, in milliseconds', async () => {
    const now = vi.spyOn(performance, 'now');
    const clock = { now: 1000 };
    now.mockImplementation(() => clock.now);
    const takes = (ms: number): void => {
      clock.now += ms;
    };
    expect((await traceOf({ run: () => takes(250) })).duration).toBe(250);
    expect((await traceOf({ run: () => Promise.resolve().then(() => takes(40)) })).duration).toBe(40);
    expect((await traceOf({ run: () => takes(250) }, { allowed: [] })).duration).toBe(0);
    now.mockRestore();
  });

  it('shows what the model gets to read, so the text that is left after a cut', async () => {
    const trace = await traceOf({ run: () => 'x'.repeat(100) }, { maxResultBytes: 38 });
    expect(trace.result).toBe(`${'x'.repeat(10)}${MARK}`);
  });
});

describe('input that is checked', () => {
  const inputOf = async (input: StandardSchema, args: object = {}): Promise<unknown> =>
    JSON.parse((await answer({ input, run: (given) => given }, args)).toString());
  const refusalOf = async (input: StandardSchema, args: object = {}): Promise<string> => {
    const ran = vi.fn<() => unknown>();
    const message = await answer({ input, run: ran }, args);
    expect(ran).not.toHaveBeenCalled();
    expect(message.toolResult?.status).toBe('error');
    return message.toString();
  };
  const schema = (validate: (value: unknown) => SchemaResult<unknown> | Promise<SchemaResult<unknown>>) =>
    ({ '~standard': { version: 1, vendor: 'test', validate } }) satisfies StandardSchema;

  it('reaches the tool as a zod schema gives it', async () => {
    const input = z.object({ city: z.string().trim(), days: z.number().default(3) });
    expect(await inputOf(input, { city: ' Oslo ', more: true })).toEqual({ city: 'Oslo', days: 3 });
  });

  it('is refused by a zod schema with path and message, all of them', async () => {
    const city = z.object({
      city: z.string('must be a text'),
      stops: z.array(z.object({ day: z.number('must be a number') })),
    });
    expect(await refusalOf(city, { stops: [{ day: 1 }, { day: 'x' }] })).toBe(
      'Error: invalid arguments for tool "f": city: must be a text; stops.1.day: must be a number',
    );
  });

  it('may be checked by a zod schema that takes its time', async () => {
    const known = z.object({ city: z.string().refine((city) => Promise.resolve(city === 'Oslo'), 'unknown city') });
    expect(await inputOf(known, { city: 'Oslo' })).toEqual({ city: 'Oslo' });
    expect(await refusalOf(known, { city: 'Ys' })).toBe('Error: invalid arguments for tool "f": city: unknown city');
  });

  it('may be checked by any schema of the standard, at once or later', async () => {
    const given = (value: unknown) => ({ value: { seen: value } });
    expect(await inputOf(schema(given), { a: 1 })).toEqual({ seen: { a: 1 } });
    expect(
      await inputOf(
        schema((value) => Promise.resolve(given(value))),
        { a: 1 },
      ),
    ).toEqual({ seen: { a: 1 } });
  });

  it.each([
    ['without a path', { message: 'is wrong' }, 'is wrong'],
    ['with an empty path', { message: 'is wrong', path: [] }, 'is wrong'],
    ['with keys', { message: 'is wrong', path: ['a', 0, 'b'] }, 'a.0.b: is wrong'],
    ['with keys in objects', { message: 'is wrong', path: [{ key: 'a' }, { key: 1 }] }, 'a.1: is wrong'],
    ['with a symbol', { message: 'is wrong', path: [Symbol('s')] }, 'Symbol(s): is wrong'],
    ['with half a character', { message: 'not \uD83D' }, 'not \uFFFD'],
  ])('is refused by any schema of the standard: %s', async (_, issue, text) => {
    const sentence = `Error: invalid arguments for tool "f": ${text}`;
    expect(await refusalOf(schema(() => ({ issues: [issue] })))).toBe(sentence);
    expect(await refusalOf(schema(() => Promise.resolve({ issues: [issue] })))).toBe(sentence);
  });

  it('is refused like a failing tool where the check throws, and the trace keeps why', async () => {
    const error = new Error('secret');
    const throws = schema(() => {
      throw error;
    });
    const rejects = schema(() => Promise.reject(error));
    const asks = (): boolean => {
      throw error;
    };
    for (const definition of [{ input: throws }, { input: rejects }, { needsApproval: asks }]) {
      const ran = vi.fn<() => unknown>();
      const trace = await traceOf({ ...definition, run: ran });
      expect(trace).toMatchObject({ result: 'Error: tool "f" failed.', status: 'error', error });
      expect(ran).not.toHaveBeenCalled();
      const described = await traceOf({ ...definition, run: ran }, { describeError: () => 'check failed' });
      expect(described.result).toBe('check failed');
    }
  });

  it('is any object where there is no schema, and {} where there are no arguments', async () => {
    expect((await answer({ run: (given) => given }, { a: { b: [1] } })).toString()).toBe('{"a":{"b":[1]}}');
    expect((await answer({ run: (given) => given }, call('f', ' '))).toString()).toBe('{}');
  });
});

describe('a custom tool', () => {
  const asked = ToolCall.of({ id: 'c1', name: 'f', kind: 'custom', args: 'select {1' });

  it('gets its free text as input', async () => {
    expect((await answer({ run: (given) => given }, asked)).toString()).toBe('{"input":"select {1"}');
  });

  it('may have that checked', async () => {
    const input = z.object({ input: z.string().startsWith('delete', 'must delete') });
    const message = await answer({ input, run: () => 'never' }, asked);
    expect(message.toString()).toBe('Error: invalid arguments for tool "f": input: must delete');
  });
});

describe('a result', () => {
  const resultOf = async (value: unknown, maxResultBytes?: number): Promise<Content> =>
    (await answer({ run: () => value }, {}, { maxResultBytes })).content;

  it('of exactly 50 000 bytes is untouched, one byte more is cut to 50 000 with the mark', async () => {
    const whole = 'x'.repeat(50_000);
    expect((await resultOf(whole)).plainText).toBe(whole);
    const cut = (await resultOf(`${whole}x`)).toString();
    expect(cut).toBe('x'.repeat(50_000 - 28) + MARK);
    expect(bytesOf(cut)).toBe(50_000);
  });

  it('is counted in bytes, not in characters', async () => {
    const whole = 'ü'.repeat(25_000);
    expect((await resultOf(whole)).plainText).toBe(whole);
    expect((await resultOf(`${whole}x`)).plainText).toBe('ü'.repeat(24_986) + MARK);
  });

  it('that is a value is cut as JSON', async () => {
    expect((await resultOf({ text: 'x'.repeat(60) }, 40)).plainText).toBe(`{"text":"xxx${MARK}`);
  });

  it('of several parts is cut over all texts, other parts stay', async () => {
    const image = ContentPart.imageUrl('https://a.test/i');
    const texts = ['a'.repeat(20), 'b'.repeat(30), 'c'.repeat(30)].map((text) => ContentPart.text(text));
    const content = Content.of(texts[0]!, image, texts[1]!, image, texts[2]!);
    expect(await resultOf(content, 80)).toEqual(content);
    const cut = await resultOf(content, 60);
    expect(cut.toJSON()).toEqual([
      { type: 'text', text: 'a'.repeat(20) },
      { type: 'image_url', image_url: { url: 'https://a.test/i' } },
      { type: 'text', text: `${'b'.repeat(12)}${MARK}` },
      { type: 'image_url', image_url: { url: 'https://a.test/i' } },
    ]);
  });

  it('keeps what else a text part says', async () => {
    const part = ContentPart.of('text', { text: 'x'.repeat(60), note: 'n' });
    expect((await resultOf(Content.of(part), 30)).toJSON()).toEqual([{ type: 'text', text: `xx${MARK}`, note: 'n' }]);
  });
});

describe('capText', () => {
  it.each([
    ['', 0, ''],
    ['abc', 3, 'abc'],
    ['x'.repeat(28), 28, 'x'.repeat(28)],
    ['x'.repeat(29), 28, MARK],
    ['x'.repeat(31), 30, `xx${MARK}`],
  ])('keeps what fits: %j within %i', (text, max, capped) => {
    expect(capText(text, max)).toBe(capped);
  });

  it.each([
    ['two bytes', 'é', 2],
    ['three bytes', '€', 3],
    ['four bytes', '😀', 4],
  ])('cuts between characters of %s', (_, char, size) => {
    const text = char.repeat(20);
    expect(capText(text, 20 * size)).toBe(text);
    for (let room = 0; room < size; room++) {
      const capped = capText(char.repeat(40), MARK.length + 3 * size + room);
      expect(capped).toBe(char.repeat(3) + MARK);
    }
  });

  it('knows the bounds between one, two, three and four bytes', () => {
    for (const char of ['\u007F', '\u0080', '\u07FF', '\u0800', '\uFFFF', '\u{10000}']) {
      const text = char.repeat(50);
      const size = bytesOf(text);
      expect(capText(text, size)).toBe(text);
      expect(bytesOf(capText(text, size - 1))).toBeLessThan(size);
      expect(capText(text, size - 1).endsWith(MARK)).toBe(true);
    }
  });

  it('never gives more than there is room for, even where the mark has none', () => {
    expect(capText('abcdefgh', 6)).toBe('\n[cut:');
    expect(capText('abcdefgh', 0)).toBe('');
    expect(capText('abcdefgh', -1)).toBe('');
  });
});

it('answers are stored and read again with the store', async () => {
  const { store: ended } = await run(call('f'), { f: { run: () => ({ celsius: 12 }) } });
  expect(
    MessageStore.fromJSON(JSON.parse(JSON.stringify(ended)))
      .toMessages()
      .last()
      ?.toString(),
  ).toBe('{"celsius":12}');
});

function circular(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
