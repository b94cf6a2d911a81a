import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { Message, Messages } from '../../src/index.ts';
import { accumulator, openaiChat } from '../../src/formats/openai-chat/index.ts';
import { said, shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Record<string, unknown>;

const chunkOf = (delta: Fields, finish: string | null = null): Fields => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const callsOf = (...fragments: Fields[]): Fields[] => fragments.map((fragment) => chunkOf({ tool_calls: [fragment] }));

const END = chunkOf({}, 'tool_calls');

const readCalls = (events: readonly Fields[]) =>
  streamed(accumulator, events)
    .messages.last()
    ?.toolCalls.map(({ id, name, args }) => ({ id, name, args }));

describe('a stream', () => {
  it('gives what the whole response gives, and each message on the way', () => {
    const events = [
      chunkOf({ role: 'assistant', content: null, refusal: null }),
      ...callsOf(
        { index: 0, id: 'wthr00001', type: 'function', function: { name: 'get_weather', arguments: '' } },
        { index: 0, function: { arguments: '{"city":' } },
        { index: 0, function: { arguments: '"Lisbon"}' } },
        { index: 1, id: 'time00002', type: 'function', function: { name: 'get_time', arguments: '' } },
        { index: 1, function: { arguments: '{}' } },
      ),
      END,
      { choices: [], usage: { prompt_tokens: 90, completion_tokens: 40, total_tokens: 130 } },
    ];
    const decoded = streamed(accumulator, events);
    const whole = openaiChat.decode({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: [
              { id: 'wthr00001', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' } },
              { id: 'time00002', type: 'function', function: { name: 'get_time', arguments: '{}' } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 90, completion_tokens: 40, total_tokens: 130 },
    });
    expect(said(decoded)).toEqual(said(whole));
    expect({ ...decoded, messages: undefined }).toEqual({ ...whole, messages: undefined });
    expect(decoded).toMatchObject({
      finish: { reason: 'tool_calls', raw: 'tool_calls' },
      usage: { inputTokens: 90, outputTokens: 40 },
    });
  });

  it('shows the message so far, with one id from the first event to the last', () => {
    const answer = accumulator();
    expect(answer.message().toString()).toBe('');
    answer.push(chunkOf({ content: 'Hel' }));
    const shown = answer.message();
    expect(shown.toString()).toBe('Hel');
    expect(shown.incomplete).toEqual({ reason: 'streaming' });
    expect(answer.message()).toBe(shown);
    answer.push(chunkOf({ content: 'lo' }, 'stop'));
    expect(answer.message().toString()).toBe('Hello');
    const last = answer.finish().messages.last();
    expect(last?.id).toBe(shown.id);
    expect(last?.timestamp).toBe(shown.timestamp);
    expect(last?.incomplete).toBeUndefined();
    expect(answer.message()).toBe(last);
    expect(answer.finish()).toBe(answer.finish());
  });

  it('takes no event after its end, and nothing that is no event', () => {
    const answer = accumulator();
    expect(() => answer.push('[DONE]' as never)).toThrow(/event: expected an event of the stream, got "\[DONE\]"/);
    answer.finish();
    expect(() => answer.push(chunkOf({ content: 'x' }))).toThrow(
      expect.objectContaining({ code: 'stream_finished' }) as Error,
    );
  });
});

describe('calls in fragments', () => {
  it('belong to the call at their index, not to the last one', () => {
    const fragments = callsOf(
      { index: 0, id: 'A', function: { name: 'add', arguments: '{"a":' } },
      { index: 1, id: 'B', function: { name: 'mul', arguments: '{"b":' } },
      { index: 0, function: { arguments: '1}' } },
      { index: 1, function: { arguments: '2}' } },
    );
    expect(readCalls([...fragments, END])).toEqual([
      { id: 'A', name: 'add', args: { a: 1 } },
      { id: 'B', name: 'mul', args: { b: 2 } },
    ]);
  });

  const two = [
    { id: 'A', name: 'w', args: { c: 1 } },
    { id: 'B', name: 'w', args: { c: 2 } },
  ];

  it.each([
    {
      fault: 'one index for all',
      fragments: [
        { index: 0, id: 'A', function: { name: 'w', arguments: '{"c":1}' } },
        { index: 0, id: 'B', function: { name: 'w', arguments: '{"c":' } },
        { index: 0, function: { arguments: '2}' } },
      ],
    },
    {
      fault: 'no index',
      fragments: [
        { id: 'A', function: { name: 'w', arguments: '{"c":' } },
        { function: { arguments: '1}' } },
        { id: 'B', function: { name: 'w', arguments: '{"c":2}' } },
      ],
    },
    {
      fault: 'names and ids with each fragment',
      fragments: [
        { index: 0, id: 'A', function: { name: 'w', arguments: '{"c":' } },
        { index: 1, id: 'B', function: { name: 'w', arguments: '{"c":' } },
        { index: 0, id: 'A', function: { name: 'w', arguments: '1}' } },
        { index: 1, id: 'B', function: { name: 'w', arguments: '2}' } },
      ],
    },
    {
      fault: 'ids without indexes with each fragment',
      fragments: [
        { id: 'A', function: { name: 'w', arguments: '{"c":' } },
        { id: 'B', function: { name: 'w', arguments: '{"c":2' } },
        { id: 'A', function: { name: 'w', arguments: '1}' } },
        { id: 'B', function: { name: 'w', arguments: '}' } },
      ],
    },
    {
      fault: 'arguments as an object, and null',
      fragments: [
        { index: 0, id: 'A', function: { name: 'w', arguments: null } },
        { index: 0, id: '', function: { name: '', arguments: { c: 1 } } },
        { index: 1, id: 'B', function: { name: 'w', arguments: { c: 2 } } },
      ],
    },
  ])('survive $fault', ({ fragments }) => {
    expect(readCalls([...callsOf(...fragments), END])).toEqual(two);
  });

  it('survive whole calls with neither index nor id', () => {
    const fragments = callsOf(
      { function: { name: 'w', arguments: '{"c":1}' } },
      { function: { name: 'w', arguments: '{"c":2}' } },
      { function: { name: 'v', arguments: '' } },
    );
    expect(readCalls([...fragments, END])?.map(({ name, args }) => [name, args])).toEqual([
      ['w', { c: 1 }],
      ['w', { c: 2 }],
      ['v', {}],
    ]);
  });

  it('may be custom', () => {
    const fragments = callsOf(
      { index: 0, id: 'A', type: 'custom', custom: { name: 'sql', input: 'select' } },
      { index: 0, custom: { input: ' 1' } },
    );
    const [call] = [...(streamed(accumulator, [...fragments, END]).messages.last()?.toolCalls ?? [])];
    expect(call).toMatchObject({ kind: 'custom', id: 'A', name: 'sql', argsText: 'select 1' });
  });

  it('are marked as incomplete where the limit cut them, and go out with an answer that says so', () => {
    const cut = '{"path":"a.txt","text":"Once up';
    const { messages, finish } = streamed(accumulator, [
      ...callsOf({ index: 0, id: 'c1', function: { name: 'write', arguments: cut } }),
      chunkOf({}, 'length'),
    ]);
    expect(finish?.reason).toBe('length');
    const [message] = [...messages] as [Message];
    expect(message.incomplete).toEqual({ reason: 'length' });
    expect(message.toolCalls.first()?.argsText).toBe(cut);
    expect(message.toolCalls.first()?.isMalformed()).toBe(true);
    const { payload } = openaiChat.encode(Messages.of(Message.asUser('Write it.'), message), { openTurn: 'cancel' });
    expect(payload.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'write', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('interrupted') as string },
    ]);
  });
});

describe('odd streams', () => {
  it('may begin with a chunk without choices, and end with one that has only the usage', () => {
    const { messages, usage } = streamed(accumulator, [
      { choices: [], prompt_filter_results: [] },
      chunkOf({ role: 'assistant', content: '' }),
      chunkOf({ content: 'Hi' }),
      chunkOf({}, 'stop'),
      { usage: { prompt_tokens: 3, completion_tokens: 1 } },
    ]);
    expect(messages.last()?.toString()).toBe('Hi');
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 1 });
  });

  it('may tell the content as text and as lists of parts, in turns', () => {
    const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
    const events = [
      chunkOf({ role: 'assistant', content: null }),
      chunkOf({ content: '' }),
      chunkOf({ content: [thinking('Hm\uD83D')] }),
      chunkOf({ content: [{ type: 'text', text: 'O' }] }),
      chunkOf({ content: 'slo' }),
      chunkOf({ content: [{ type: 'reference', ids: [1] }] }),
      chunkOf({ content: '.' }),
    ];
    const { shown, decoded } = shownAndFinished(accumulator, [...events, chunkOf({}, 'stop')]);
    expect(shown.slice(1)).toEqual(['', '', 'O', 'Oslo', 'Oslo', 'Oslo\n.', 'Oslo\n.']);
    const read = openaiChat.decode([
      {
        role: 'assistant',
        content: [
          thinking('Hm\uD83D'),
          { type: 'text', text: 'Oslo' },
          { type: 'reference', ids: [1] },
          { type: 'text', text: '.' },
        ],
      },
    ]);
    const content = read.messages.last()!.content.toJSON();
    expect(decoded.messages.last()!.content.toJSON()).toEqual(content);
    expect(streamed(accumulator, events).messages.last()!.content.toJSON()).toEqual(content);
    const other = [chunkOf({ content: null }), chunkOf({ content: 'Oslo.' }), chunkOf({}, 'stop')];
    expect(streamed(accumulator, other).messages.last()!.content.toJSON()).toBe('Oslo.');
  });

  it('hold back half a character until the other half comes', () => {
    const { shown, decoded } = shownAndFinished(accumulator, [
      chunkOf({ content: 'hi\uD83D' }),
      chunkOf({ content: '\uDE00' }),
      chunkOf({}, 'stop'),
    ]);
    expect(shown).toEqual(['hi', 'hi😀', 'hi😀']);
    expect(decoded.messages.last()?.toString()).toBe('hi😀');
    expect(decoded.report.repairs).toEqual([]);
  });

  it('that broke off leave the message so far, whose calls must not be run', () => {
    const { messages, finish } = streamed(accumulator, [
      chunkOf({ content: 'Let me see\uD83D' }),
      ...callsOf({ index: 0, id: 'c1', function: { name: 'w', arguments: '{"c":' } }, { index: 1, function: {} }),
    ]);
    const [message] = [...messages] as [Message];
    expect(message.toString()).toBe('Let me see');
    expect(message.incomplete).toEqual({ reason: 'aborted' });
    expect(message.toolCalls.map(({ id }) => id)).toEqual(['c1']);
    expect(finish).toBeUndefined();
    expect(Message.fromJSON(message.toJSON()).equals(message)).toBe(true);
  });

  it('that broke off before anything was said leave nothing', () => {
    expect(streamed(accumulator, [chunkOf({ role: 'assistant', content: '' })]).messages.isEmpty()).toBe(true);
  });

  it('may end with an error', () => {
    const { messages, finish } = streamed(accumulator, [
      chunkOf({ content: 'Wait' }),
      { error: { message: 'Overloaded', code: 529 } },
    ]);
    expect(finish).toEqual({ reason: 'error', raw: 'Overloaded' });
    expect(messages.last()?.incomplete).toEqual({ reason: 'error' });
    expect(messages.last()?.toString()).toBe('Wait');
  });

  it.each(['reasoning_content', 'reasoning'])('tell what was thought in %s', (key) => {
    const events = [
      chunkOf({ [key]: 'Hm' }),
      chunkOf({ [key]: ', so.' }),
      chunkOf({ content: 'Yes.' }),
      chunkOf({}, 'stop'),
    ];
    const { shown, decoded } = shownAndFinished(accumulator, events, (message) => message.content.parts.first()?.type);
    expect(shown[0]).toBe('reasoning');
    const whole = openaiChat.decode({
      choices: [{ message: { role: 'assistant', content: 'Yes.', [key]: 'Hm, so.' }, finish_reason: 'stop' }],
    });
    expect(said(decoded)).toEqual(said(whole));
    expect(openaiChat.encode(decoded.messages).payload.messages).toEqual([
      { role: 'assistant', content: 'Yes.', [key]: 'Hm, so.' },
    ]);
  });

  it('may speak, which ends without a reason', () => {
    const { messages, finish } = streamed(accumulator, [
      chunkOf({ audio: { id: 'audio_1', transcript: 'Hel' } }),
      chunkOf({ audio: { transcript: 'lo', data: 'AAAA' } }),
      chunkOf({ audio: { data: 'BBBB' } }),
      chunkOf({ audio: { expires_at: 1 } }),
    ]);
    expect(messages.last()?.extra['audio']).toEqual({
      id: 'audio_1',
      transcript: 'Hello',
      data: 'AAAABBBB',
      expires_at: 1,
    });
    expect(finish).toBeUndefined();
  });

  it('tell that only the first choice is read', () => {
    const { report } = streamed(accumulator, [
      { choices: [{ index: 1, delta: { content: 'No' } }] },
      chunkOf({ content: 'Yes' }, 'stop'),
    ]);
    expect(report.losses.map(({ path, rule }) => [path, rule])).toEqual([['choices[1]', 'further-choice']]);
  });

  it('write the reason and the usage into the message where that is wanted', () => {
    const { messages } = streamed(
      () => accumulator({ record: true }),
      [chunkOf({ content: 'Yes' }, 'stop'), { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } }],
    );
    expect(messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'stop', raw: 'stop' },
      usage: { inputTokens: 3, outputTokens: 1 },
    });
  });
});

describe('any text, cut anywhere', () => {
  const pieces = fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }).map((texts) => {
    const units = texts.join('');
    return Array.from({ length: Math.ceil(units.length / 3) }, (_, at) => units.slice(at * 3, at * 3 + 3));
  });

  test.prop([pieces])('is read as it was', (texts) => {
    const events = [...texts.map((content) => chunkOf({ content })), chunkOf({}, 'stop')];
    const { shown, decoded } = shownAndFinished(accumulator, events);
    const text = texts.join('');
    expect(decoded.messages.last()?.toString()).toBe(text);
    for (const one of shown) expect(one.isWellFormed() && text.startsWith(one)).toBe(true);
  });
});
