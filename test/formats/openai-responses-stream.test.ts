import { readFileSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { accumulator, openaiResponses } from '../../src/formats/openai-responses/index.ts';
import { Message, Messages } from '../../src/index.ts';
import { said, shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Record<string, any>;

const recorded: Fields[] = JSON.parse(
  readFileSync(new URL('../fixtures/formats/openai-responses/streams/tool-call.events.json', import.meta.url), 'utf8'),
);

const event = (type: string, fields: Fields): Fields => ({ type: `response.${type}`, ...fields });
const begun = event('created', { response: { status: 'in_progress', model: 'gpt-5.6', output: [] } });
const added = (output_index: number, item: Fields): Fields => event('output_item.added', { output_index, item });
const done = (output_index: number, item: Fields): Fields => event('output_item.done', { output_index, item });
const message = (id: string, ...content: Fields[]): Fields => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content,
});
const words = (text: string, more: Fields = {}): Fields => ({ type: 'output_text', text, annotations: [], ...more });
const thought = (id: string, ...texts: string[]): Fields => ({
  type: 'reasoning',
  id,
  summary: texts.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: 'E',
});
const asking = (id: string, args: string, more: Fields = {}): Fields => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'f',
  arguments: args,
  ...more,
});
const text = (output_index: number, delta: string, content_index = 0): Fields =>
  event('output_text.delta', { output_index, content_index, delta });
const args = (output_index: number, delta: string): Fields =>
  event('function_call_arguments.delta', { output_index, delta });
const ended = (fields: Fields, status = 'completed'): Fields =>
  event(status, { response: { status, model: 'gpt-5.6', ...fields } });

const lastOf = (events: readonly Fields[]): Message => streamed(accumulator, events).messages.last()!;
/** What is read is the same, whether it came in events or whole. */
const isReadAs = (events: readonly Fields[], whole: Fields): void => {
  const [decoded, expected] = [streamed(accumulator, events), openaiResponses.decode(whole)];
  expect(said(decoded)).toEqual(said(expected));
  expect({ ...decoded, messages: undefined }).toEqual({ ...expected, messages: undefined });
};

describe('a stream', () => {
  it('gives what the whole response gives, and shows what came until then', () => {
    isReadAs(recorded, recorded.at(-1)!['response']);
    const { shown } = shownAndFinished(accumulator, recorded, ({ content, toolCalls }) => [
      ...content.parts.map(String),
      ...toolCalls.map(({ argsText }) => argsText),
    ]);
    const reasoning = 'The skyline looks like Lisbon. I need weather and time.';
    expect(shown.filter((one, at) => one.join() !== shown[at - 1]?.join())).toEqual([
      [''],
      [reasoning],
      [reasoning, 'Let me check.'],
      [reasoning, 'Let me check.', '{}'],
      [reasoning, 'Let me check.', '{"city":'],
      [reasoning, 'Let me check.', '{"city":"Lisbon"}'],
    ]);
  });

  it('shows the message so far, with one id from the first event to the last', () => {
    const answer = accumulator();
    for (const one of recorded.slice(0, 10)) answer.push(one as never);
    const shown = answer.message();
    expect([shown.toString(), shown.incomplete]).toEqual(['Let me check.', { reason: 'streaming' }]);
    expect(answer.message()).toBe(shown);
    for (const one of recorded.slice(10)) answer.push(one as never);
    const last = answer.finish().messages.last();
    expect([last?.id, last?.timestamp, last?.incomplete]).toEqual([shown.id, shown.timestamp, undefined]);
  });

  it('brings refusals, custom calls, citations, reasoning that shows, and items of hosted tools', () => {
    const citation = { type: 'url_citation', url: 'https://a.test', title: 'A', start_index: 0, end_index: 1 };
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } };
    const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'sql', input: 'select 1' };
    const shown = { ...thought('rs_1'), content: [{ type: 'reasoning_text', text: 'Hm, so.' }] };
    const output = [shown, search, message('msg_1', words('Found.', { annotations: [citation] })), custom];
    const refused = message('msg_2', { type: 'refusal', refusal: 'I will not.' });
    const events = [
      begun,
      added(0, thought('rs_1')),
      event('reasoning_text.delta', { output_index: 0, content_index: 0, delta: 'Hm,' }),
      event('reasoning_text.delta', { output_index: 0, content_index: 0, delta: ' so.' }),
      event('reasoning_text.done', { output_index: 0, content_index: 0, text: 'Hm, so.' }),
      done(0, shown),
      added(1, { ...search, status: 'in_progress', action: {} }),
      event('web_search_call.searching', { output_index: 1 }),
      done(1, search),
      added(2, message('msg_1')),
      event('content_part.added', { output_index: 2, content_index: 0, part: words('') }),
      text(2, 'Found.'),
      event('output_text.annotation.added', {
        output_index: 2,
        content_index: 0,
        annotation_index: 0,
        annotation: citation,
      }),
      added(3, { ...custom, input: '' }),
      event('custom_tool_call_input.delta', { output_index: 3, delta: 'select' }),
      event('custom_tool_call_input.delta', { output_index: 3, delta: ' 1' }),
      added(4, message('msg_2')),
      event('refusal.delta', { output_index: 4, content_index: 0, delta: 'I will' }),
      event('refusal.done', { output_index: 4, content_index: 0, refusal: 'I will not.' }),
    ];
    const whole = [...output, refused];
    isReadAs([...events, ended({ output: whole })], { status: 'completed', model: 'gpt-5.6', output: whole });
    isReadAs([...events, ended({ output: [] })], { status: 'completed', model: 'gpt-5.6', output: whole });
    const cut = lastOf(events);
    expect(cut.content.parts.map(({ type }) => type)).toEqual([
      'reasoning',
      'web_search_call',
      'text',
      'tool_call',
      'refusal',
    ]);
    expect(cut.content.parts.at(2)?.get('annotations')).toEqual([citation]);
    expect(cut.toolCalls.first()).toMatchObject({ kind: 'custom', id: 'c1', argsText: 'select 1' });
  });

  it('writes the reason and the usage into the message where that is wanted', () => {
    const { messages } = streamed(() => accumulator({ record: true }), recorded);
    expect(messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'tool_calls', raw: 'completed' },
      usage: { inputTokens: 90, outputTokens: 40, cachedInputTokens: 64, reasoningTokens: 16 },
    });
  });

  it('marks calls that the limit of tokens cut: they must not be run', () => {
    const cut = asking('c1', '{"a', { status: 'incomplete' });
    const end = { incomplete_details: { reason: 'max_output_tokens' } };
    const events = [begun, added(0, asking('c1', '')), args(0, '{"a'), done(0, cut)];
    isReadAs([...events, ended({ ...end, output: [cut] }, 'incomplete')], {
      status: 'incomplete',
      model: 'gpt-5.6',
      ...end,
      output: [cut],
    });
    const { messages, finish } = streamed(accumulator, [...events, ended({ ...end, output: [] }, 'incomplete')]);
    expect(messages.last()?.incomplete).toEqual({ reason: 'length' });
    expect(messages.last()?.toolCalls.first()?.isMalformed()).toBe(true);
    expect(finish).toEqual({ reason: 'length', raw: 'max_output_tokens' });
  });
});

describe('odd streams', () => {
  it('may have pings, and events that are not known', () => {
    isReadAs(
      [
        { type: 'keepalive', sequence_number: 1 },
        begun,
        event('queued', {}),
        added(0, message('msg_1')),
        event('future_text.delta', { output_index: 0, delta: 'no' }),
        event('future', { output_index: 0, content_index: 0, delta: 'no' }),
        text(0, 'Yes.'),
        { type: 'response.output_text.delta', output_index: 0, content_index: 0 },
        event('content_part.added', { output_index: 0, content_index: 1 }),
        event('output_text.annotation.added', { output_index: 0, content_index: 0 }),
        { type: 5 },
        {},
        event('output_item.added', { output_index: 1 }),
        ended({ output: [] }),
      ],
      { status: 'completed', model: 'gpt-5.6', output: [message('msg_1', words('Yes.'))] },
    );
  });

  it.each<[string, (events: Fields[]) => Fields[]]>([
    ['one index for all items', (events) => events.map((one) => ({ ...one, output_index: 0 }))],
    ['another id with each event', (events) => events.map((one, at) => ({ ...one, item_id: `x${at}` }))],
    ['no index', (events) => events.map((one) => ({ ...one, output_index: undefined }))],
  ])('may have %s', (_, spoilt) => {
    const [first, second] = [asking('c1', '{"a":1}'), asking('c2', '{"a":2}')];
    const events = [
      added(0, { ...first, arguments: '' }),
      { ...args(0, '{"a":'), item_id: 'fc_c1' },
      { ...args(0, '1}'), item_id: 'fc_c1' },
      { ...event('function_call_arguments.done', { output_index: 0, arguments: '{"a":1}' }), item_id: 'fc_c1' },
      done(0, first),
      added(1, { ...second, arguments: '' }),
      { ...args(1, '{"a":2}'), item_id: 'fc_c2' },
      done(1, second),
    ];
    const { shown, decoded } = shownAndFinished(accumulator, [begun, ...spoilt(events)], ({ toolCalls }) =>
      toolCalls.map(({ argsText }) => argsText),
    );
    expect(shown).toContainEqual(['{"a":']);
    expect(shown).toContainEqual(['{"a":1}', '{}']);
    expect(decoded.messages.last()?.toolCalls.map(({ id, args: given }) => [id, given])).toEqual([
      ['c1', { a: 1 }],
      ['c2', { a: 2 }],
    ]);
  });

  it('may tell nothing of an item but its end', () => {
    const cut = lastOf([begun, done(0, message('msg_1', words('a'))), done(1, message('msg_2', words('b')))]);
    expect(cut.toString()).toBe('a\nb');
  });

  it('may begin with what is there already, and correct it at the end', () => {
    const events = [begun, added(0, message('msg_1', words('He')))];
    expect(lastOf([...events, text(0, 'y')]).toString()).toBe('Hey');
    const corrected = event('output_text.done', { output_index: 0, content_index: 0, text: 'Hello' });
    expect(lastOf([...events, text(0, 'y'), corrected]).toString()).toBe('Hello');
    const part = event('content_part.done', { output_index: 0, content_index: 0, part: words('Hello!') });
    expect(lastOf([...events, corrected, part]).toString()).toBe('Hello!');
  });

  it('hold back half a character until the other half comes', () => {
    const { shown, decoded } = shownAndFinished(accumulator, [
      begun,
      added(0, message('msg_1')),
      text(0, 'hi\uD83D'),
      text(0, '\uDE00'),
      ended({ output: [] }),
    ]);
    expect(shown.slice(2)).toEqual(['hi', 'hi😀', 'hi😀']);
    expect(decoded.report.repairs).toEqual([]);
  });
});

describe('a stream that broke off', () => {
  const sent = (answer: Message): any[] =>
    openaiResponses.encode(Messages.of(Message.asUser('q'), answer, Message.asUser('Go on.')), { openTurn: 'cancel' })
      .payload.input as any[];
  const thinking = [
    begun,
    added(0, { ...thought('rs_1'), encrypted_content: 'half' }),
    event('reasoning_summary_part.added', {
      output_index: 0,
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    }),
    event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'One.' }),
    event('reasoning_summary_text.delta', { output_index: 0, summary_index: 1, delta: 'Two\uD83D' }),
  ];

  it('leaves what was thought without its proof, which never goes out as reasoning', () => {
    const cut = lastOf(thinking);
    expect(cut.content.parts.map((part) => [part.type, part.toString(), part.origin])).toEqual([
      ['reasoning', 'One.\nTwo', { provider: 'openai-responses', model: 'gpt-5.6' }],
    ]);
    expect(cut.incomplete).toEqual({ reason: 'aborted' });
    const stored = Message.fromJSON(JSON.parse(JSON.stringify(cut)));
    expect(stored.equals(cut)).toBe(true);
    expect(sent(stored)).toEqual([
      { role: 'user', content: 'q' },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  it('leaves items that had ended as they came', () => {
    const cut = lastOf([...thinking, done(0, thought('rs_1', 'One.')), added(1, message('msg_1')), text(1, 'Let me')]);
    expect(cut.origin).toEqual({ provider: 'openai-responses', model: 'gpt-5.6' });
    expect(sent(cut).slice(1, 3)).toEqual([thought('rs_1', 'One.'), { role: 'assistant', content: 'Let me' }]);
    const whole = lastOf([begun, done(0, message('msg_1', words('All.'))), added(1, message('msg_2')), text(1, 'Ha')]);
    expect(sent(whole).slice(1, 3)).toEqual([message('msg_1', words('All.')), { role: 'assistant', content: 'Ha' }]);
  });

  it('leaves calls as far as they have a name, none of which may be run', () => {
    const cut = lastOf([
      begun,
      added(0, message('msg_1')),
      text(0, 'Let me\uD83D'),
      added(1, asking('c1', '')),
      args(1, '{"path":"a'),
      added(2, { type: 'function_call', call_id: 'c2', arguments: '' }),
      added(3, { type: 'web_search_call', id: 'ws_1' }),
    ]);
    expect(cut.toString()).toBe('Let me');
    expect(cut.toolCalls.map(({ id, argsText }) => [id, argsText])).toEqual([['c1', '{"path":"a']]);
    expect(cut.content.parts.size).toBe(1);
    expect(cut.incomplete).toEqual({ reason: 'aborted' });
    expect(sent(cut).slice(1, 4)).toEqual([
      { role: 'assistant', content: 'Let me' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: expect.stringContaining('interrupted') as string,
      },
    ]);
  });

  it('leaves nothing where nothing was said', () => {
    const { messages, finish } = streamed(accumulator, [begun, added(0, message('msg_1'))]);
    expect([messages.size, finish]).toEqual([0, undefined]);
  });

  it.each<[string, Fields, string]>([
    ['an error', { type: 'error', code: 'rate_limit', message: 'Slow down', param: null }, 'Slow down'],
    ['an error without words', { type: 'error', code: 'rate_limit', message: null, param: null }, 'rate_limit'],
    ['an error as a server tells it', { error: { message: 'Overloaded' } }, 'Overloaded'],
    ['a failure', ended({ error: { code: 'server_error', message: 'x' }, output: [] }, 'failed'), 'x'],
    ['a failure without a word', ended({ error: null, output: [] }, 'failed'), 'failed'],
  ])('tells of %s', (_, failure, raw) => {
    const { messages, finish } = streamed(accumulator, [begun, added(0, message('msg_1')), text(0, 'Wait'), failure]);
    expect(finish).toEqual({ reason: 'error', raw });
    expect([messages.last()?.toString(), messages.last()?.incomplete]).toEqual(['Wait', { reason: 'error' }]);
  });

  it('tells of a failure before anything came as the whole response does', () => {
    const response = { status: 'failed', model: 'gpt-5.6', error: { message: 'x' }, output: [] };
    isReadAs([begun, event('failed', { response })], response);
  });
});

/** A text, cut anywhere, also in the middle of a character. */
const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 4 });
const textEvents = (name: string, at: Fields, texts: readonly string[], key = 'text'): Fields[] => [
  ...texts
    .flatMap((one) => (one.length > 1 ? [one.slice(0, 1), one.slice(1)] : [one]))
    .map((delta) => ({
      ...event(`${name}.delta`, at),
      delta,
    })),
  event(`${name}.done`, { ...at, [key]: texts.join('') }),
];
interface Streamed {
  readonly item: Fields;
  readonly events: Fields[];
}
const framed = (at: number, start: Fields, item: Fields, events: Fields[]): Streamed => ({
  item,
  events: [added(at, start), ...events, done(at, item)],
});
const saidItem = fc
  .array(fc.tuple(fc.constantFrom('output_text', 'refusal'), pieces), { minLength: 1, maxLength: 2 })
  .map((parts) => (at: number): Streamed => {
    const partOf = (type: string, given: string): Fields =>
      type === 'refusal' ? { type, refusal: given } : words(given);
    const item = message(`msg_${at}`, ...parts.map(([type, texts]) => partOf(type, texts.join(''))));
    const events = parts.flatMap(([type, texts], content_index) => {
      const place = { item_id: item['id'], output_index: at, content_index };
      return [
        event('content_part.added', { ...place, part: partOf(type, '') }),
        ...textEvents(type, place, texts, type === 'refusal' ? 'refusal' : 'text'),
        event('content_part.done', { ...place, part: item['content'][content_index] }),
      ];
    });
    return framed(at, { ...item, status: 'in_progress', content: [] }, item, events);
  });
const thoughtItem = fc.array(pieces, { maxLength: 2 }).map((summaries) => (at: number): Streamed => {
  const item = thought(`rs_${at}`, ...summaries.map((texts) => texts.join('')));
  const events = summaries.flatMap((texts, summary_index) => {
    const place = { item_id: item['id'], output_index: at, summary_index };
    const part = { type: 'summary_text', text: '' };
    return [
      event('reasoning_summary_part.added', { ...place, part }),
      ...textEvents('reasoning_summary_text', place, texts),
    ];
  });
  return framed(at, { ...item, summary: [], encrypted_content: 'half' }, item, events);
});
const callItem = pieces.map((texts) => (at: number): Streamed => {
  const item = asking(`c${at}`, texts.join(''), { status: 'completed' });
  const place = { item_id: item['id'], output_index: at };
  const events = textEvents('function_call_arguments', place, texts, 'arguments');
  return framed(at, { ...item, status: 'in_progress', arguments: '' }, item, events);
});
const responses = fc
  .record({
    makers: fc.array(fc.oneof(saidItem, thoughtItem, callItem), { minLength: 1, maxLength: 4 }),
    status: fc.constantFrom('completed', 'incomplete'),
    usage: fc.constantFrom(null, { input_tokens: 5, output_tokens: 3 }),
  })
  .map(({ makers, status, usage }) => {
    const items = makers.map((make, at) => make(at));
    const details = status === 'incomplete' ? { incomplete_details: { reason: 'max_output_tokens' } } : {};
    return {
      events: [begun, ...items.flatMap(({ events }) => events)],
      response: { status, model: 'gpt-5.6', ...details, usage, output: items.map(({ item }) => item) },
    };
  });

describe('any response, cut anywhere into events', () => {
  test.prop([responses])('is read as it is read whole', ({ events, response }) => {
    const { status } = response;
    isReadAs([...events, event(status, { response })], response);
  });

  test.prop([responses])('is shown, and kept, as it is read whole', ({ events, response }) => {
    const whole = openaiResponses.decode(response).messages.last();
    const shown = lastOf(events);
    expect([shown?.content.toJSON(), shown?.toolCalls.toJSON()]).toEqual([
      whole?.content.toJSON(),
      whole?.toolCalls.toJSON(),
    ]);
    expect(shown?.origin).toEqual(whole?.origin);
  });

  test.prop([responses])('is put together where a server leaves the items out of its end', ({ events, response }) => {
    const open = events.filter(({ type, item }) => type !== 'response.output_item.done' || item.type === 'reasoning');
    const { messages, finish, usage } = streamed(accumulator, [
      ...open,
      event(response.status, { response: { ...response, output: [] } }),
    ]);
    const whole = openaiResponses.decode(response);
    expect([finish, usage]).toEqual([whole.finish, whole.usage]);
    expect(messages.map(({ content, toolCalls }) => [content.toString(), toolCalls.map((c) => c.argsText)])).toEqual(
      whole.messages.map(({ content, toolCalls }) => [content.toString(), toolCalls.map((c) => c.argsText)]),
    );
  });

  test.prop([responses])('never shows half a character', ({ events }) => {
    const { shown } = shownAndFinished(accumulator, events, (one) => JSON.stringify(one));
    for (const one of shown) expect(/\\ud[89a-f]/i.test(one)).toBe(false);
  });
});
