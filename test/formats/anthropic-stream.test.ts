import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { accumulator, anthropic } from '../../src/formats/anthropic/index.ts';
import { Message, Messages } from '../../src/index.ts';
import { arbitraries } from '../../src/testing/index.ts';
import { said, shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Record<string, any>;

const read = (path: string): any =>
  JSON.parse(readFileSync(new URL(`../fixtures/formats/anthropic/${path}`, import.meta.url), 'utf8'));
const recorded: Fields[] = read('streams/tool-calls.events.json');

const begun = (message: Fields = {}): Fields => ({
  type: 'message_start',
  message: { type: 'message', role: 'assistant', model: 'claude-a', content: [], stop_reason: null, ...message },
});
const block = (index: number, content_block: Fields): Fields => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, type: string, fields: Fields): Fields => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...fields },
});
const text = (index: number, words: string): Fields => delta(index, 'text_delta', { text: words });
const json = (index: number, partial_json: string): Fields => delta(index, 'input_json_delta', { partial_json });
const stop = (index: number): Fields => ({ type: 'content_block_stop', index });
const ended = (stop_reason: string, usage?: Fields): Fields[] => [
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' },
];
const use = (index: number, id: string, name: string): Fields =>
  block(index, { type: 'tool_use', id, name, input: {} });

const lastOf = (events: readonly Fields[]): Message => streamed(accumulator, events).messages.last()!;
const response = (content: readonly Fields[], stop_reason: string): Fields => ({
  type: 'message',
  role: 'assistant',
  model: 'claude-a',
  content,
  stop_reason,
});
/** What is read is the same, whether it came in events or whole. */
const isReadAs = (events: readonly Fields[], whole: Fields): void => {
  const [decoded, expected] = [streamed(accumulator, events), anthropic.decode(whole)];
  expect(said(decoded)).toEqual(said(expected));
  expect({ ...decoded, messages: undefined }).toEqual({ ...expected, messages: undefined });
};

describe('a stream', () => {
  it('gives what the whole response gives', () => {
    isReadAs(recorded, read('responses/tool-calls.wire.json'));
  });

  it('is read alike from the helper of the package, which changes the message that it hands out', async () => {
    const sse = recorded.map((event) => `event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const client = new Anthropic({
      apiKey: 'none',
      fetch: () => Promise.resolve(new Response(sse, { headers: { 'content-type': 'text/event-stream' } })),
    });
    const answer = accumulator();
    const stream = client.messages.stream({ model: 'claude-opus-5', max_tokens: 1, messages: [] });
    await stream.done();
    for await (const event of client.messages.stream({ model: 'claude-opus-5', max_tokens: 1, messages: [] }))
      answer.push(event);
    const whole = anthropic.decode(await stream.finalMessage());
    expect(said(answer.finish())).toEqual(said(whole));
    expect(answer.finish().usage).toEqual(whole.usage);
  });

  it('shows the message so far, with one id from the first event to the last', () => {
    const answer = accumulator();
    for (const event of recorded.slice(0, 3)) answer.push(event as never);
    const shown = answer.message();
    expect([shown.incomplete, shown.toString()]).toEqual([{ reason: 'streaming' }, '']);
    expect(shown.content.parts.first()?.toString()).toBe('The skyline looks like Lisbon. I need weather and time.');
    expect(answer.message()).toBe(shown);
    for (const event of recorded.slice(3)) answer.push(event as never);
    expect(answer.message().toolCalls.map(({ args }) => args)).toEqual([{ city: 'Lisbon' }, {}]);
    const last = answer.finish().messages.last();
    expect([last?.id, last?.timestamp, last?.incomplete]).toEqual([shown.id, shown.timestamp, undefined]);
    expect(answer.message()).toBe(last);
  });

  it('shows on the way what it holds, in its order', () => {
    const events = [
      begun(),
      block(0, { type: 'text', text: '' }),
      text(0, 'Let '),
      text(0, 'me.'),
      stop(0),
      use(1, 'c1', 'f'),
      json(1, '{"a":'),
      json(1, '1}'),
      stop(1),
      block(2, { type: 'text', text: 'So' }),
      ...ended('end_turn'),
    ];
    const { shown } = shownAndFinished(accumulator, events, (message) =>
      [...message.blocks()].map((one) => (one.type === 'part' ? one.part.toString() : one.call.argsText)),
    );
    expect(shown).toEqual([
      [''],
      [''],
      ['Let '],
      ['Let me.'],
      ['Let me.'],
      ['Let me.', '{}'],
      ['Let me.', '{"a":'],
      ['Let me.', '{"a":1}'],
      ['Let me.', '{"a":1}'],
      ['Let me.', '{"a":1}', 'So'],
      ['Let me.', '{"a":1}', 'So'],
      ['Let me.', '{"a":1}', 'So'],
    ]);
  });

  it('takes pings, and events and deltas that are not known', () => {
    isReadAs(
      [
        { type: 'ping' },
        begun(),
        block(0, { type: 'text', text: '' }),
        { type: 'future_event', index: 0, delta: { text: 'no' } },
        text(0, 'Yes.'),
        delta(0, 'thinking_delta', { thinking: 'no' }),
        { type: 'content_block_start', index: 3 },
        { type: 'content_block_delta', index: 0 },
        stop(0),
        ...ended('end_turn'),
      ],
      response([{ type: 'text', text: 'Yes.' }], 'end_turn'),
    );
  });

  it('keeps blocks of a server that gives all of them one index', () => {
    isReadAs(
      [
        begun(),
        use(0, 'c1', 'f'),
        json(0, '{"a":1}'),
        stop(0),
        use(0, 'c2', 'f'),
        json(0, '{"a":2}'),
        stop(0),
        ...ended('tool_use'),
      ],
      response(
        [1, 2].map((a) => ({ type: 'tool_use', id: `c${a}`, name: 'f', input: { a } })),
        'tool_use',
      ),
    );
  });

  it('brings citations, tools of the server, and values that are told anew', () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.test', encrypted_index: 'x' };
    const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ url: 'https://a.test' }] };
    isReadAs(
      [
        begun(),
        block(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
        json(0, '{"query":'),
        json(0, '"x"}'),
        stop(0),
        block(1, result),
        stop(1),
        block(2, { type: 'text', text: '', citations: [] }),
        delta(2, 'citations_delta', { citation }),
        text(2, 'Found.'),
        delta(2, 'citations_delta', { citation: { ...citation, encrypted_index: 'y' } }),
        stop(2),
        block(3, { type: 'compaction', content: null }),
        delta(3, 'compaction_delta', { content: 'Summary', encrypted_content: 'E' }),
        stop(3),
        block(4, { type: 'redacted_thinking', data: 'ENC' }),
        stop(4),
        ...ended('end_turn'),
      ],
      response(
        [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
          result,
          { type: 'text', text: 'Found.', citations: [citation, { ...citation, encrypted_index: 'y' }] },
          { type: 'compaction', content: 'Summary', encrypted_content: 'E' },
          { type: 'redacted_thinking', data: 'ENC' },
        ],
        'end_turn',
      ),
    );
  });

  it('counts what was told last, and what was told once', () => {
    const { usage } = streamed(accumulator, [
      begun({ usage: { input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 1 } }),
      block(0, { type: 'text', text: 'Hi' }),
      ...ended('end_turn', { input_tokens: null, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } }),
    ]);
    expect(usage).toEqual({ inputTokens: 8, cachedInputTokens: 3, outputTokens: 9, reasoningTokens: 4 });
  });

  it('holds back half a character until the other half comes', () => {
    const { shown, decoded } = shownAndFinished(accumulator, [
      block(0, { type: 'text', text: '' }),
      text(0, 'hi\uD83D'),
      text(0, '\uDE00'),
      ...ended('end_turn'),
    ]);
    expect(shown.slice(1)).toEqual(['hi', 'hi😀', 'hi😀', 'hi😀']);
    expect(decoded.report.repairs).toEqual([]);
  });

  it('writes the reason and the usage into the message where that is wanted', () => {
    const { messages } = streamed(() => accumulator({ record: true }), recorded);
    expect(messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'tool_calls', raw: 'tool_use' },
      usage: { inputTokens: 90, outputTokens: 60, cachedInputTokens: 0, reasoningTokens: 20 },
    });
  });
});

describe('a stream that broke off', () => {
  const thought = [
    begun(),
    block(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, 'thinking_delta', { thinking: 'because' }),
    delta(0, 'signature_delta', { signature: 'AAAA' }),
  ];
  const sent = (message: Message) =>
    anthropic.encode(Messages.of(Message.asUser('Why?'), message, Message.asUser('Go on.'))).payload.messages;

  it('leaves what was thought without its proof, which never goes out as thinking', () => {
    const cut = lastOf(thought);
    expect(cut.content.parts.map((part) => [part.type, part.toString(), part.origin])).toEqual([
      ['reasoning', 'because', { provider: 'anthropic', model: 'claude-a' }],
    ]);
    expect(cut.incomplete).toEqual({ reason: 'aborted' });
    const stored = Message.fromJSON(JSON.parse(JSON.stringify(cut)));
    expect(stored.equals(cut)).toBe(true);
    expect(sent(stored)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Why?' },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ]);
  });

  it('leaves thinking that goes back where its block had ended', () => {
    const spoken = [...thought, stop(0), block(1, { type: 'text', text: '' }), text(1, 'So')];
    expect(sent(lastOf(spoken))[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'because', signature: 'AAAA' },
        { type: 'text', text: 'So' },
      ],
    });
  });

  it('leaves a history that is taken, where it broke off behind thinking or in a search', () => {
    const thinking = lastOf([...thought, stop(0)]);
    expect(thinking.contentParts().map(String)).toEqual(['because']);
    expect(sent(thinking).map(({ role }) => role)).not.toContain('assistant');
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const searching = lastOf([
      begun(),
      block(0, { type: 'text', text: '' }),
      text(0, 'So'),
      stop(0),
      block(1, use),
      stop(1),
    ]);
    expect(searching.contentParts().map(({ type }) => type)).toEqual(['text', 'server_tool_use']);
    expect(sent(searching)[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'So' }] });
  });

  it('leaves calls as far as they have a name, none of which may be run', () => {
    const message = lastOf([
      begun(),
      block(0, { type: 'text', text: '' }),
      text(0, 'Let me\uD83D'),
      use(1, 'c1', 'write'),
      json(1, '{"path":"a'),
      block(2, { type: 'tool_use', id: 'c2', input: {} }),
      block(3, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      json(3, '{"q'),
    ]);
    expect(message.toString()).toBe('Let me');
    expect(message.toolCalls.map(({ id, argsText }) => [id, argsText])).toEqual([['c1', '{"path":"a']]);
    expect(message.content.parts.size).toBe(1);
    expect(message.incomplete).toEqual({ reason: 'aborted' });
    const { payload } = anthropic.encode(Messages.of(Message.asUser('Write.'), message), { openTurn: 'cancel' });
    expect(payload.messages[1]?.content).toEqual([
      { type: 'text', text: 'Let me' },
      { type: 'tool_use', id: 'c1', name: 'write', input: {} },
    ]);
  });

  it('before anything was said leaves nothing', () => {
    expect(streamed(accumulator, [begun(), block(0, { type: 'text', text: '' })]).messages.isEmpty()).toBe(true);
    expect(streamed(accumulator, [begun(), block(0, { type: 'text', text: '' }), stop(0)]).messages.isEmpty()).toBe(
      true,
    );
  });

  it('with an error tells it', () => {
    const { messages, finish } = streamed(accumulator, [
      begun(),
      block(0, { type: 'text', text: 'Wait' }),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]);
    expect(finish).toEqual({ reason: 'error', raw: 'Overloaded' });
    expect([messages.last()?.incomplete, String(messages.last())]).toEqual([{ reason: 'error' }, 'Wait']);
  });
});

describe('calls that the limit of tokens may have cut', () => {
  it.each(['max_tokens', 'model_context_window_exceeded'])('are not to be run: %s', (reason) => {
    const cut = '{"path":"a.txt","text":"Once up';
    const { messages, finish } = streamed(accumulator, [
      begun(),
      use(0, 'c1', 'write'),
      json(0, cut),
      stop(0),
      ...ended(reason),
    ]);
    const [message] = [...messages] as [Message];
    expect([finish?.reason, message.incomplete]).toEqual(['length', { reason: 'length' }]);
    expect([message.toolCalls.first()?.argsText, message.toolCalls.first()?.isMalformed()]).toEqual([cut, true]);
    const { payload } = anthropic.encode(Messages.of(Message.asUser('Write.'), message), { openTurn: 'cancel' });
    expect(payload.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'write', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            is_error: true,
            content: expect.stringContaining('interrupted') as string,
          },
        ],
      },
    ]);
    const whole = response([{ type: 'tool_use', id: 'c1', name: 'write', input: { path: 'a.txt' } }], reason);
    expect(anthropic.decode(whole).messages.first()?.incomplete).toEqual({ reason: 'length' });
  });

  it('are those of no other message', () => {
    expect(anthropic.decode(response([{ type: 'text', text: 'Hi' }], 'max_tokens')).messages.first()?.incomplete).toBe(
      undefined,
    );
  });

  it('leave an object in the input of a tool of the server', () => {
    const cut = [
      begun(),
      block(0, { type: 'server_tool_use', id: 's', name: 'w', input: {} }),
      json(0, '{"q'),
      stop(0),
    ];
    expect(
      lastOf([...cut, ...ended('max_tokens')])
        .content.parts.first()
        ?.get('input'),
    ).toEqual({});
  });
});

describe('any response, cut anywhere', () => {
  const any = arbitraries(fc);
  const anyText = fc.string({ unit: 'binary', maxLength: 30 });
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 7 }));
  const content = fc.array(
    fc.oneof(
      anyText.map((words) => ({ type: 'text', text: words })),
      anyText.map((words) => ({ type: 'text', text: words, citations: [{ type: 'x', n: 1 }, { type: 'x' }] })),
      anyText.map((thinking) => ({ type: 'thinking', thinking, signature: 'c2ln' })),
      any.jsonObject.map((input) => ({ type: 'tool_use', name: 'f', input })),
      any.jsonObject.map((input) => ({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'w', input })),
      fc.constant({ type: 'redacted_thinking', data: 'ENC' }),
    ),
    { maxLength: 5 },
  );

  /** The events of a block, its text in pieces. */
  function eventsOf(whole: Fields, at: number, sizes: Iterator<number>): Fields[] {
    const pieces = (words: string, make: (piece: string) => Fields): Fields[] => {
      const made: Fields[] = [];
      for (let from = 0; from < words.length;) {
        const to = from + (sizes.next().value as number);
        made.push(make(words.slice(from, to)));
        from = to;
      }
      return made;
    };
    const { text: words = '', thinking = '', signature, input, citations = [] } = whole;
    const start = {
      ...whole,
      ...('text' in whole && { text: '' }),
      ...('citations' in whole && { citations: [] }),
      ...('thinking' in whole && { thinking: '', signature: '' }),
      ...('input' in whole && { input: {} }),
    };
    return [
      block(at, start),
      ...pieces(words, (piece) => text(at, piece)),
      ...citations.map((citation: unknown) => delta(at, 'citations_delta', { citation })),
      ...pieces(thinking, (piece) => delta(at, 'thinking_delta', { thinking: piece })),
      ...(signature === undefined ? [] : [delta(at, 'signature_delta', { signature })]),
      ...(input === undefined ? [] : pieces(JSON.stringify(input), (piece) => json(at, piece))),
      stop(at),
    ];
  }

  test.prop([content, cuts, fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'pause_turn', null)])(
    'is read as it is read whole',
    (blocks, sizes, stop_reason) => {
      const whole = blocks.map((one, at) => (one.type === 'tool_use' ? { ...one, id: `toolu_${at}` } : one));
      const usage = { input_tokens: 3, output_tokens: 7 };
      const events = [
        begun({ usage: { input_tokens: 3, output_tokens: 1 } }),
        ...whole.flatMap((one, at) => eventsOf(one, at, sizes)),
        { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 7 } },
        { type: 'message_stop' },
      ];
      isReadAs(events, { ...response(whole, stop_reason as string), usage });
    },
  );
});
