import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fc, test } from '@fast-check/vitest';
import {
  ChatCompletionResponse$inboundSchema as SdkResponse,
  CompletionChunk$inboundSchema as SdkChunk,
} from '@mistralai/mistralai/models/components';
import { describe, expect, it } from 'vitest';
import { Message, Messages } from '../../src/index.ts';
import { accumulator, mistral } from '../../src/formats/mistral/index.ts';
import { arbitraries } from '../../src/testing/index.ts';
import { said, shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Record<string, any>;

const chunkOf = (delta: Fields, finish_reason: string | null = null): Fields => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'magistral-medium-latest',
  choices: [{ index: 0, delta, finish_reason }],
});
const thinking = (text: string, more: Fields = {}): Fields => ({
  type: 'thinking',
  thinking: [{ type: 'text', text }],
  ...more,
});
const callsOf = (...fragments: Fields[]): Fields[] => fragments.map((fragment) => chunkOf({ tool_calls: [fragment] }));
const END = chunkOf({ content: '' }, 'stop');
const readCalls = (events: readonly Fields[]) =>
  streamed(accumulator, events)
    .messages.last()
    ?.toolCalls.map(({ id, name, args }) => ({ id, name, args }));

const pieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

/** A thought in chunks; its proof and its other fields come with the last. */
function cutThought({ thinking: list, ...others }: Fields, size: number): Fields[] {
  const { type, ...told } = others;
  const cut = list.flatMap((piece: Fields) =>
    piece['type'] === 'text' ? pieces(piece['text'], size).map((text) => ({ type: 'text', text })) : [piece],
  );
  return [...cut.map((piece: Fields) => ({ type, thinking: [piece] })), { type, thinking: [], ...told }];
}

/** A response as a stream has it: text as text or as chunks. */
function eventsOf(response: Fields, size: number, isText: boolean): Fields[] {
  const [{ message, finish_reason }] = response['choices'];
  const { content, tool_calls: calls, ...others } = message;
  const cutChunk = (chunk: Fields, at: number): Fields[] => {
    if (chunk['type'] === 'thinking') return cutThought(chunk, size).map((one) => ({ content: [one] }));
    if (chunk['type'] !== 'text' || chunk['text'] === '') return [{ content: [chunk] }];
    const isPlain = isText && at > 0;
    return pieces(chunk['text'], size).map((text) => ({ content: isPlain ? text : [{ type: 'text', text }] }));
  };
  const deltas = [
    others,
    ...(typeof content === 'string'
      ? [{ content: '' }, ...pieces(content, size).map((text) => ({ content: text }))]
      : []),
    ...(Array.isArray(content) ? [{ content: [] }, ...content.flatMap(cutChunk)] : []),
    ...(calls ?? []).flatMap((call: Fields) => cutCall(call, size).map((one) => ({ tool_calls: [one] }))),
  ];
  const told = { ...chunkOf({}), model: response['model'] };
  const chunks = deltas.map((delta) => ({ ...told, choices: [{ index: 0, delta, finish_reason: null }] }));
  return [...chunks, { ...told, choices: [{ index: 0, delta: {}, finish_reason }], usage: response['usage'] }];
}

function cutCall({ function: inner, index, ...call }: Fields, size: number): Fields[] {
  const { name, arguments: args } = inner;
  const [first, ...others] = typeof args === 'string' ? pieces(args, size) : [args];
  return [
    { ...call, index, function: { name, arguments: first ?? '' } },
    ...others.map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

describe('a stream', () => {
  const recorded = fileURLToPath(new URL('../fixtures/formats/mistral/responses/', import.meta.url));
  const responses = globSync('*.wire.json', { cwd: recorded }).map((file) => ({
    file,
    response: JSON.parse(readFileSync(recorded + file, 'utf8')) as Fields,
  }));

  it.each(responses)('gives what the whole response gives: $file', ({ response }) => {
    const whole = mistral.decode(response);
    const decoded = streamed(accumulator, eventsOf(response, 5, true));
    expect(said(decoded)).toEqual(said(whole));
    expect({ ...decoded, messages: undefined }).toEqual({ ...whole, messages: undefined });
  });

  it.each(responses)('of events of the package says what its whole response says: $file', ({ response }) => {
    const whole = mistral.decode(SdkResponse.parse(response));
    // The package knows no call without a name.
    const events = eventsOf(response, 1000, true).map((chunk) => ({ data: SdkChunk.parse(chunk) }));
    const decoded = streamed(accumulator, events);
    const [[own], [expected]] = [said(decoded), said(whole)] as [Fields[], Fields[]];
    // It fills in that a response is no prefix, but not in a stream.
    expect({ ...own, _origin: undefined }).toEqual({ ...expected, _origin: undefined });
    expect({ ...decoded, messages: undefined }).toEqual({ ...whole, messages: undefined });
  });

  it('shows the message so far, with one id from the first event to the last', () => {
    const answer = accumulator();
    expect(answer.message().toString()).toBe('');
    const shown = [
      chunkOf({ role: 'assistant', content: '' }),
      chunkOf({ content: [thinking('The skyline ')] }),
      chunkOf({ content: [thinking('looks like Lisbon.')] }),
      chunkOf({ content: 'Let me ' }),
      chunkOf({ content: 'check.' }),
      ...callsOf({ id: 'wthr00001', index: 0, function: { name: 'get_weather', arguments: '{}' } }),
    ].map((event) => {
      answer.push(event);
      return answer.message();
    });
    expect(shown.map(String)).toEqual(['', '', '', 'Let me ', 'Let me check.', 'Let me check.']);
    expect(shown[2]?.content.parts.first()?.get('text')).toBe('The skyline looks like Lisbon.');
    expect(shown[3]?.content.parts.first()).toBe(shown[4]?.content.parts.first());
    expect(shown[5]?.toolCalls.map(({ name }) => name)).toEqual(['get_weather']);
    expect(shown[5]?.incomplete).toEqual({ reason: 'streaming' });
    answer.push(chunkOf({}, 'tool_calls'));
    const last = answer.finish().messages.last();
    expect([last?.id, last?.incomplete]).toEqual([shown[0]?.id, undefined]);
    expect(answer.message()).toBe(last);
  });

  it('takes no event after its end, and nothing that is no event', () => {
    const answer = accumulator();
    expect(() => answer.push('[DONE]' as never)).toThrow(/event: expected an event of the stream/);
    answer.finish();
    expect(() => answer.push(END)).toThrow(expect.objectContaining({ code: 'stream_finished' }) as Error);
  });
});

describe('calls', () => {
  const two = [
    { id: 'abcDEF001', name: 'w', args: { c: 1 } },
    { id: 'abcDEF002', name: 'w', args: { c: 2 } },
  ];

  it.each([
    {
      way: 'whole',
      fragments: [
        { index: 0, id: 'abcDEF001', function: { name: 'w', arguments: '{"c":1}' } },
        { index: 1, id: 'abcDEF002', function: { name: 'w', arguments: '{"c":2}' } },
      ],
    },
    {
      way: 'in fragments that take turns',
      fragments: [
        { index: 0, id: 'abcDEF001', function: { name: 'w', arguments: '{"c":' } },
        { index: 1, id: 'abcDEF002', function: { name: 'w', arguments: '{"c"' } },
        { index: 0, function: { arguments: '1}' } },
        { index: 1, function: { arguments: ':2}' } },
      ],
    },
    {
      way: 'with one index for all, as the package fills it in',
      fragments: [
        { index: 0, id: 'abcDEF001', function: { name: 'w', arguments: '{"c":1}' } },
        { index: 0, id: 'abcDEF002', function: { name: 'w', arguments: '{"c":' } },
        { index: 0, id: 'null', function: { name: '', arguments: '2}' } },
      ],
    },
    {
      way: 'with ids and names in each fragment, and no index',
      fragments: [
        { id: 'abcDEF001', function: { name: 'w', arguments: '{"c":' } },
        { id: 'abcDEF002', function: { name: 'w', arguments: '{"c":2' } },
        { id: 'abcDEF001', function: { name: 'w', arguments: '1}' } },
        { id: 'abcDEF002', function: { name: 'w', arguments: '}' } },
      ],
    },
    {
      way: 'with an id that comes late, and arguments as an object',
      fragments: [
        { index: 0, function: { name: 'w', arguments: null } },
        { index: 0, id: 'abcDEF001', function: { arguments: { c: 1 } } },
        7,
        { index: 1, id: 'abcDEF002', function: { name: 'w', arguments: { c: 2 } } },
      ],
    },
  ])('come $way', ({ fragments }) => {
    expect(readCalls([...callsOf(...(fragments as Fields[])), END])).toEqual(two);
  });

  it('may have neither index nor id', () => {
    const fragments = callsOf(
      { function: { name: 'w', arguments: '{"c":1}' } },
      { function: { name: 'w', arguments: '{"c":' } },
      { function: { arguments: '2}' } },
      { function: { name: 'v', arguments: '' } },
    );
    expect(readCalls([...fragments, END])?.map(({ name, args }) => [name, args])).toEqual([
      ['w', { c: 1 }],
      ['w', { c: 2 }],
      ['v', {}],
    ]);
  });

  it('that the limit cut are marked, and go out with an answer that says so', () => {
    const cut = '{"path":"a.txt","text":"Once up';
    const { messages, finish } = streamed(accumulator, [
      ...callsOf({ index: 0, id: 'abcDEF001', function: { name: 'write', arguments: cut } }),
      chunkOf({}, 'model_length'),
    ]);
    expect(finish).toEqual({ reason: 'length', raw: 'model_length' });
    const [message] = [...messages] as [Message];
    expect(message.incomplete).toEqual({ reason: 'length' });
    expect(message.toolCalls.first()?.argsText).toBe(cut);
    const { payload } = mistral.encode(Messages.of(Message.asUser('Write it.'), message), { openTurn: 'cancel' });
    expect(payload.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] });
    expect(payload.messages[2]?.content).toContain('interrupted');
  });
});

describe('odd streams', () => {
  it('that broke off leave the message so far: thoughts without proof, calls that must not be run', () => {
    const { messages, finish } = streamed(accumulator, [
      chunkOf({ content: [thinking('because', { signature: 'AAAA' })] }),
      ...callsOf(
        { index: 0, id: 'abcDEF001', function: { name: 'w', arguments: '{"c":' } },
        { index: 1, function: { arguments: '{' } },
      ),
    ]);
    const [message] = [...messages] as [Message];
    expect(finish).toBeUndefined();
    expect(message.incomplete).toEqual({ reason: 'aborted' });
    expect(message.toJSON()).toMatchObject({ _origin: { provider: 'mistral', model: 'magistral-medium-latest' } });
    expect(message.content.parts.map((part) => part.toJSON())).toEqual([
      { type: 'reasoning', text: 'because', _origin: { provider: 'mistral', model: 'magistral-medium-latest' } },
    ]);
    expect(message.toolCalls.map(({ id }) => id)).toEqual(['abcDEF001', undefined]);
    expect(Message.fromJSON(message.toJSON()).equals(message)).toBe(true);
    const { payload } = mistral.encode(Messages.of(Message.asUser('Why?'), message), { openTurn: 'cancel' });
    expect(JSON.stringify(payload)).not.toContain('AAAA');
  });

  it('keep the proof of a thought behind which something else came', () => {
    const { messages } = streamed(accumulator, [
      chunkOf({ content: [thinking('because', { signature: 'AAAA' })] }),
      chunkOf({ content: [thinking('then')] }),
    ]);
    expect(messages.last()?.content.parts.map((part) => part.toJSON())).toMatchObject([
      { text: 'because', _origin: { data: { signature: 'AAAA' } } },
      { text: 'then' },
    ]);
  });

  it('that broke off before anything was said leave nothing', () => {
    const decoded = streamed(accumulator, [chunkOf({ role: 'assistant', content: '' })]);
    expect([decoded.messages.size, decoded.finish]).toEqual([0, undefined]);
  });

  it.each([
    { error: { message: 'Overloaded', code: 529 } },
    { object: 'error', message: 'Overloaded', type: 'service_unavailable', code: '3505' },
    { data: { error: 'Overloaded' } },
  ])('may end with an error: %j', (event) => {
    const { messages, finish } = streamed(accumulator, [chunkOf({ content: 'Wait' }), event]);
    expect(finish).toEqual({ reason: 'error', raw: 'Overloaded' });
    expect([messages.last()?.toString(), messages.last()?.incomplete]).toEqual(['Wait', { reason: 'error' }]);
  });

  it('may hold what is not known here, and the usage in a chunk of its own', () => {
    const { messages, usage, report } = streamed(accumulator, [
      { type: 'ping' },
      { choices: [7, { index: 0, delta: 'x' }, { index: 0, delta: { content: [null, { text: 'untyped' }, 5] } }] },
      chunkOf({ role: 'assistant', content: null, tool_calls: null, index: 0 }),
      chunkOf({ content: 'Yes', reasoning_content: 'Hm' }),
      chunkOf({ reasoning_content: '.', vendor: { a: 1 } }),
      END,
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } },
    ]);
    const whole = mistral.decode({
      model: 'magistral-medium-latest',
      choices: [
        {
          message: { content: [{ type: 'text', text: 'Yes' }], reasoning_content: 'Hm.', vendor: { a: 1 } },
          finish_reason: 'stop',
        },
      ],
    });
    expect(messages.map((message) => message.toJSON())).toMatchObject(said(whole).map(withoutIdentity));
    expect([usage, report]).toEqual([{ inputTokens: 3, outputTokens: 1 }, whole.report]);
  });

  it('hold back half a character until the other half comes', () => {
    const { shown, decoded } = shownAndFinished(accumulator, [
      chunkOf({ content: 'hi\uD83D' }),
      chunkOf({ content: '\uDE00' }),
      END,
    ]);
    expect(shown).toEqual(['hi', 'hi😀', 'hi😀']);
    expect(decoded.report.repairs).toEqual([]);
  });

  it('may have thoughts as plain text, and keep chunks that the package does not know', () => {
    const parts = [
      { type: 'thinking', thinking: 'Hm, so.' },
      { type: 'text', text: 'Yes.' },
      { type: 'video', url: 'x' },
    ];
    const decoded = streamed(accumulator, [
      chunkOf({ content: [{ type: 'thinking', thinking: 'Hm' }] }),
      chunkOf({ content: [{ type: 'thinking', thinking: ', so.' }] }),
      chunkOf({ content: 'Yes.' }),
      { data: SdkChunk.parse(chunkOf({ content: [{ type: 'video', url: 'x' }] })) },
      END,
    ]);
    const [answer] = [...decoded.messages] as [Message];
    const { payload } = mistral.encode(Messages.of(Message.asUser('q'), answer, Message.asUser('r')));
    expect(payload.messages[1]?.content).toEqual(parts);
  });

  it('tell that only the first choice is read', () => {
    const { report, messages } = streamed(accumulator, [
      { choices: [{ index: 1, delta: { content: 'No' } }] },
      chunkOf({ content: 'Yes' }, 'stop'),
    ]);
    expect(messages.map(String)).toEqual(['Yes']);
    expect(report.losses.map(({ path, rule }) => [path, rule])).toEqual([['choices[1]', 'further-choice']]);
  });

  it('write the reason and the usage into the message where that is wanted', () => {
    const events = [{ ...chunkOf({ content: 'Yes' }, 'stop'), usage: { prompt_tokens: 3, completion_tokens: 1 } }];
    const { messages } = streamed(() => accumulator({ record: true }), events);
    expect(messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'stop', raw: 'stop' },
      usage: { inputTokens: 3, outputTokens: 1 },
    });
  });
});

function withoutIdentity(message: unknown): object {
  const { id: _id, createdAt: _createdAt, ...others } = message as Fields;
  return others;
}

describe('any response, cut anywhere', () => {
  const any = arbitraries(fc);
  const object = (
    required: Record<string, fc.Arbitrary<unknown>>,
    optional: Record<string, fc.Arbitrary<unknown>> = {},
  ) =>
    fc.record(
      { ...required, ...optional },
      { requiredKeys: Object.keys(required), noNullPrototype: true },
    ) as fc.Arbitrary<Fields>;
  const is = fc.constant;
  const text = fc.string({ unit: 'binary', minLength: 1 });
  const textChunk = object({ type: is('text'), text });
  const reference = object({ type: is('reference'), reference_ids: fc.array(fc.nat()) });
  /** Neighbours that would come as pieces of one. */
  const apart = (list: Fields[], isPiece: (one: Fields) => boolean): Fields[] =>
    list.filter((one, at) => !(isPiece(one) && one['type'] === list[at - 1]?.['type']));
  const thought = object(
    {
      type: is('thinking'),
      thinking: fc
        .array(fc.oneof(textChunk, reference), { maxLength: 3 })
        .map((list) => apart(list, ({ type }) => type === 'text')),
    },
    { signature: fc.constantFrom('c2ln', null), closed: fc.boolean() },
  );
  const chunks = fc
    .array(fc.oneof(textChunk, reference, thought, is({ type: 'image_url', image_url: 'https://a.test/i.png' })), {
      maxLength: 5,
    })
    .map((list) => apart(list, ({ type }) => type === 'text' || type === 'thinking'));
  const args = fc.oneof(
    any.jsonObject,
    any.jsonObject.map((value) => JSON.stringify(value)),
    fc.string(),
  );
  const call = object(
    { function: object({ name: fc.constantFrom('f', 'g'), arguments: args }) },
    { type: is('function') },
  );
  const calls = fc
    .array(call, { minLength: 1, maxLength: 3 })
    .map((list) => list.map((one, at) => ({ ...one, id: `abcDEF00${at}`, index: at })));
  const message = object(
    { role: is('assistant'), content: fc.oneof(fc.string({ unit: 'binary' }), chunks, is(null)) },
    { tool_calls: calls, prefix: is(false), vendor: any.jsonObject },
  );
  const response = object(
    {
      model: is('m'),
      choices: fc.tuple(object({ message, finish_reason: fc.constantFrom('stop', 'length', 'tool_calls') })),
    },
    { usage: is({ prompt_tokens: 3, completion_tokens: 1 }) },
  );

  test.prop([response, fc.integer({ min: 1, max: 4 }), fc.boolean()])(
    'is read as if it had come whole',
    (given, size, isText) => {
      const { shown, decoded } = shownAndFinished(accumulator, eventsOf(given, size, isText));
      const whole = mistral.decode(given);
      expect(said(decoded)).toEqual(said(whole));
      expect({ ...decoded, messages: undefined }).toEqual({ ...whole, messages: undefined });
      for (const one of shown) expect(one.isWellFormed()).toBe(true);
    },
  );
});
