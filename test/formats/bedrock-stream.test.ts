import { readFileSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { accumulator, bedrock } from '../../src/formats/bedrock/index.ts';
import { Message, Messages } from '../../src/index.ts';
import { arbitraries } from '../../src/testing/index.ts';
import { said, shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Record<string, any>;

const read = (path: string): any =>
  JSON.parse(readFileSync(new URL(`../fixtures/formats/bedrock/${path}`, import.meta.url), 'utf8'));
const recorded: Fields[] = read('streams/tool-calls.events.json');

const begun: Fields = { messageStart: { role: 'assistant' } };
const block = (contentBlockIndex: number, start: Fields): Fields => ({
  contentBlockStart: { contentBlockIndex, start },
});
const delta = (contentBlockIndex: number, piece: Fields): Fields => ({
  contentBlockDelta: { contentBlockIndex, delta: piece },
});
const text = (index: number, words: string): Fields => delta(index, { text: words });
const json = (index: number, input: string): Fields => delta(index, { toolUse: { input } });
const thought = (index: number, piece: Fields): Fields => delta(index, { reasoningContent: piece });
const stop = (contentBlockIndex: number): Fields => ({ contentBlockStop: { contentBlockIndex } });
const use = (index: number, toolUseId: string, name: string): Fields => block(index, { toolUse: { toolUseId, name } });
const usage = { inputTokens: 3, outputTokens: 7, totalTokens: 10 };
const ended = (stopReason: string): Fields[] => [{ messageStop: { stopReason } }, { metadata: { usage } }];

const lastOf = (events: readonly Fields[]): Message => streamed(accumulator, events).messages.last()!;
const response = (content: readonly Fields[], stopReason: string): Fields => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  usage,
});
/** What is read is the same, whether it came in events or whole. */
const isReadAs = (events: readonly Fields[], whole: Fields): void => {
  const [decoded, expected] = [streamed(accumulator, events), bedrock.decode(whole)];
  expect(said(decoded)).toEqual(said(expected));
  expect({ ...decoded, messages: undefined }).toEqual({ ...expected, messages: undefined });
};

describe('a stream', () => {
  it('gives what the whole response gives', () => {
    isReadAs(recorded, read('responses/tool-calls.wire.json'));
  });

  it('shows the message so far, with one id from the first event to the last', () => {
    const answer = accumulator();
    for (const event of recorded.slice(0, 2)) answer.push(event);
    const shown = answer.message();
    expect([shown.incomplete, shown.toString()]).toEqual([{ reason: 'streaming' }, '']);
    expect(shown.content.parts.first()?.toString()).toBe('The skyline looks like Lisbon. I need weather and time.');
    expect(answer.message()).toBe(shown);
    for (const event of recorded.slice(2)) answer.push(event);
    expect(answer.message().toolCalls.map(({ args }) => args)).toEqual([{ city: 'Lisbon' }, {}]);
    const last = answer.finish().messages.last();
    expect([last?.id, last?.timestamp, last?.incomplete]).toEqual([shown.id, shown.timestamp, undefined]);
    expect(answer.message()).toBe(last);
  });

  it('shows on the way what it holds, in its order', () => {
    const events = [
      begun,
      text(0, 'Let '),
      text(0, 'me.'),
      stop(0),
      use(1, 'c1', 'f'),
      json(1, '{"a":'),
      json(1, '1}'),
      stop(1),
      text(2, 'So'),
      ...ended('end_turn'),
    ];
    const { shown } = shownAndFinished(accumulator, events, (message) =>
      [...message.blocks()].map((one) => (one.type === 'part' ? one.part.toString() : one.call.argsText)),
    );
    expect(shown).toEqual([
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

  it('passes over events, starts and deltas that are not known', () => {
    isReadAs(
      [
        { ping: {} },
        begun,
        { contentBlockDelta: null },
        { contentBlockDelta: { contentBlockIndex: 0 } },
        text(0, 'Yes.'),
        delta(0, { hologram: 'no' }),
        block(1, { hologram: {} }),
        { contentBlockStart: { contentBlockIndex: 1 } },
        stop(0),
        stop(7),
        {},
        ...ended('end_turn'),
      ],
      response([{ text: 'Yes.' }], 'end_turn'),
    );
  });

  it('keeps calls of different blocks apart while their input comes in turns', () => {
    isReadAs(
      [
        begun,
        use(0, 'c1', 'add'),
        use(1, 'c2', 'mul'),
        json(0, '{"a":'),
        json(1, '{"b":'),
        json(0, '1}'),
        json(1, '2}'),
        stop(0),
        stop(1),
        ...ended('tool_use'),
      ],
      response(
        [
          { toolUse: { toolUseId: 'c1', name: 'add', input: { a: 1 } } },
          { toolUse: { toolUseId: 'c2', name: 'mul', input: { b: 2 } } },
        ],
        'tool_use',
      ),
    );
  });

  it('keeps blocks of a server that gives all of them one index', () => {
    const uses = [1, 2].map((a) => ({ toolUse: { toolUseId: `c${a}`, name: 'f', input: { a } } }));
    isReadAs(
      [
        begun,
        thought(0, { text: 'Hm.' }),
        text(0, 'Yes.'),
        use(0, 'c1', 'f'),
        json(0, '{"a":1}'),
        use(0, 'c2', 'f'),
        json(0, '{"a":2}'),
        ...ended('tool_use'),
      ],
      response([{ reasoningContent: { reasoningText: { text: 'Hm.' } } }, { text: 'Yes.' }, ...uses], 'tool_use'),
    );
  });

  it('brings citations, tools of the server and their answers, images, and what is redacted', () => {
    const citation = { title: 'A', location: { web: { url: 'https://a.test', domain: 'a.test' } } };
    const bytes = (...list: number[]) => new Uint8Array(list);
    isReadAs(
      [
        begun,
        thought(0, { redactedContent: bytes(1, 2) }),
        thought(0, { redactedContent: 'Aw==' }),
        stop(0),
        block(1, { toolUse: { toolUseId: 's1', name: 'web', type: 'server_tool_use' } }),
        json(1, '{"q":"x"}'),
        stop(1),
        block(2, { toolResult: { toolUseId: 's1', type: 'web', status: 'success' } }),
        delta(2, { toolResult: [{ text: 'Fou' }, { text: 'nd' }] }),
        delta(2, { toolResult: [{ json: { n: 1 } }, { text: 'it' }] }),
        stop(2),
        delta(3, { citation }),
        text(3, 'It is '),
        text(3, 'so.'),
        delta(3, { citation: { ...citation, title: 'B' } }),
        stop(3),
        block(4, { image: { format: 'png' } }),
        delta(4, { image: { source: { bytes: bytes(1, 2, 3) } } }),
        stop(4),
        ...ended('end_turn'),
      ],
      response(
        [
          { reasoningContent: { redactedContent: 'AQID' } },
          { toolUse: { toolUseId: 's1', name: 'web', type: 'server_tool_use', input: { q: 'x' } } },
          {
            toolResult: {
              toolUseId: 's1',
              type: 'web',
              status: 'success',
              content: [{ text: 'Found' }, { json: { n: 1 } }, { text: 'it' }],
            },
          },
          {
            citationsContent: { content: [{ text: 'It is so.' }], citations: [citation, { ...citation, title: 'B' }] },
          },
          { image: { format: 'png', source: { bytes: 'AQID' } } },
        ],
        'end_turn',
      ),
    );
  });

  it('ends with its reason, also where no metadata follow', () => {
    expect(streamed(accumulator, [begun, text(0, 'Hi'), { messageStop: { stopReason: 'end_turn' } }])).toMatchObject({
      finish: { reason: 'stop', raw: 'end_turn' },
    });
  });

  it('holds back half a character until the other half comes', () => {
    const { shown, decoded } = shownAndFinished(accumulator, [
      begun,
      text(0, 'hi\uD83D'),
      text(0, '\uDE00'),
      ...ended('end_turn'),
    ]);
    expect(shown.slice(1)).toEqual(['hi', 'hi😀', 'hi😀', 'hi😀']);
    expect(decoded.report.repairs).toEqual([]);
  });

  it('writes the reason and the usage into the message where that is wanted', () => {
    const expected = {
      finish: { reason: 'tool_calls', raw: 'tool_use' },
      usage: { inputTokens: 90, outputTokens: 60 },
    };
    const whole = bedrock.decode(read('responses/tool-calls.wire.json'), { record: true });
    for (const { messages } of [streamed(() => accumulator({ record: true }), recorded), whole])
      expect(messages.last()?.metadata.toJSON()).toEqual(expected);
  });
});

describe('a stream that broke off', () => {
  const half = [begun, thought(0, { text: 'because' }), thought(0, { signature: 'AAAA' })];
  const sent = (message: Message) =>
    bedrock.encode(Messages.of(Message.asUser('Why?'), message, Message.asUser('Go on.'))).payload.messages;

  it('leaves what was thought without its signature, which never goes out as thinking', () => {
    const cut = lastOf(half);
    expect(cut.content.parts.map((part) => [part.type, part.toString(), part.origin])).toEqual([
      ['reasoning', 'because', { provider: 'bedrock' }],
    ]);
    expect(cut.incomplete).toEqual({ reason: 'aborted' });
    const stored = Message.fromJSON(JSON.parse(JSON.stringify(cut)));
    expect(stored.equals(cut)).toBe(true);
    expect(sent(stored)).toEqual([{ role: 'user', content: [{ text: 'Why?' }, { text: 'Go on.' }] }]);
  });

  it('leaves thinking that goes back where its block had ended', () => {
    const because = { reasoningContent: { reasoningText: { text: 'because', signature: 'AAAA' } } };
    const spoken = lastOf([...half, stop(0), text(1, 'So')]);
    expect(sent(spoken)[1]).toEqual({ role: 'assistant', content: [because, { text: 'So' }] });
    // The API takes no message that ends with thinking.
    const alone = { role: 'assistant', content: [because, { text: '(no output)' }] };
    expect(sent(lastOf([...half, stop(0)]))[1]).toEqual(alone);
  });

  it('leaves calls as far as they have a name, none of which may be run', () => {
    const message = lastOf([
      begun,
      text(0, 'Let me\uD83D'),
      use(1, 'c1', 'write'),
      json(1, '{"path":"a'),
      block(2, { toolUse: { toolUseId: 'c2' } }),
      block(3, { toolUse: { toolUseId: 's', name: 'web', type: 'server_tool_use' } }),
      json(3, '{"q'),
      thought(4, { redactedContent: 'AAAA' }),
    ]);
    expect(message.toString()).toBe('Let me');
    expect(message.toolCalls.map(({ id, argsText }) => [id, argsText])).toEqual([['c1', '{"path":"a']]);
    expect(message.content.parts.size).toBe(1);
    expect(message.incomplete).toEqual({ reason: 'aborted' });
    const { payload } = bedrock.encode(Messages.of(Message.asUser('Write.'), message), { openTurn: 'cancel' });
    expect(payload.messages[1]?.content).toEqual([
      { text: 'Let me' },
      { toolUse: { toolUseId: 'c1', name: 'write', input: {} } },
    ]);
  });

  it('before anything was said leaves nothing', () => {
    expect(streamed(accumulator, [begun]).messages.isEmpty()).toBe(true);
    expect(streamed(accumulator, [begun, use(0, 'c1', ''), stop(7)]).messages.isEmpty()).toBe(true);
  });

  it.each([
    [{ throttlingException: { message: 'Too many requests' } }, 'Too many requests'],
    [{ modelStreamErrorException: { originalMessage: 'x', message: 'Model failed' } }, 'Model failed'],
    [{ validationException: new Error('Malformed') }, 'Malformed'],
    [{ futureException: {} }, '{}'],
  ])('with an error tells it: %j', (event, raw) => {
    const { messages, finish } = streamed(accumulator, [begun, text(0, 'Wait'), event]);
    expect(finish).toEqual({ reason: 'error', raw });
    expect([messages.last()?.incomplete, String(messages.last())]).toEqual([{ reason: 'error' }, 'Wait']);
  });
});

describe('calls that were cut', () => {
  it.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['malformed_tool_use', 'error'],
  ])('are not to be run: %s', (stopReason, reason) => {
    const cut = '{"path":"a.txt","text":"Once up';
    const { messages, finish } = streamed(accumulator, [
      begun,
      use(0, 'c1', 'write'),
      json(0, cut),
      stop(0),
      ...ended(stopReason),
    ]);
    const [message] = [...messages] as [Message];
    expect([finish?.reason, message.incomplete]).toEqual([reason, { reason }]);
    expect([message.toolCalls.first()?.argsText, message.toolCalls.first()?.isMalformed()]).toEqual([cut, true]);
    const { payload } = bedrock.encode(Messages.of(Message.asUser('Write.'), message), { openTurn: 'cancel' });
    expect(payload.messages[1]?.content).toEqual([{ toolUse: { toolUseId: 'c1', name: 'write', input: {} } }]);
    expect(payload.messages[2]?.content).toMatchObject([{ toolResult: { toolUseId: 'c1', status: 'error' } }]);
  });

  it('leave an object in the input of a tool of the server', () => {
    const cut = [
      begun,
      block(0, { toolUse: { toolUseId: 's', name: 'w', type: 'server_tool_use' } }),
      json(0, '{"q'),
      stop(0),
    ];
    const message = lastOf([...cut, ...ended('max_tokens')]);
    const { payload } = bedrock.encode(Messages.of(Message.asUser('?'), message));
    expect(payload.messages[1]?.content).toEqual([
      { toolUse: { toolUseId: 's', name: 'w', type: 'server_tool_use', input: {} } },
    ]);
  });
});

describe('any response, cut anywhere', () => {
  const any = arbitraries(fc);
  const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 7 }));
  const cited = (words: string): Fields => ({
    citationsContent: { content: [{ text: words }], citations: [{ title: 'A' }, { source: 'B' }] },
  });
  const content = fc.array(
    fc.oneof(
      anyText.map((words): Fields => ({ text: words })),
      anyText.map(cited),
      anyText.map((words): Fields => ({ reasoningContent: { reasoningText: { text: words, signature: 'c2ln' } } })),
      anyText.map((words): Fields => ({ reasoningContent: { reasoningText: { text: words } } })),
      fc.constant<Fields>({ reasoningContent: { redactedContent: 'RU5D' } }),
      any.jsonObject.map((input): Fields => ({ toolUse: { toolUseId: '', name: 'f', input } })),
      any.jsonObject.map((input): Fields => ({
        toolUse: { toolUseId: 's', name: 'w', type: 'server_tool_use', input },
      })),
    ),
    { maxLength: 5 },
  );

  const pieces = (words: string, sizes: Iterator<number>, make: (piece: string) => Fields): Fields[] => {
    const made: Fields[] = [];
    for (let from = 0; from < words.length;) {
      const to = from + (sizes.next().value as number);
      made.push(make(words.slice(from, to)));
      from = to;
    }
    return made;
  };

  /** The events of a block, its text in pieces. */
  function eventsOf(whole: Fields, at: number, sizes: Iterator<number>): Fields[] {
    const { text: words, citationsContent, reasoningContent, toolUse } = whole;
    const said = (one: string): Fields[] => pieces(one, sizes, (piece) => text(at, piece));
    if (words !== undefined) return [...said(words), stop(at)];
    if (citationsContent !== undefined)
      return [
        ...said(citationsContent.content[0].text),
        ...citationsContent.citations.map((citation: Fields) => delta(at, { citation })),
        stop(at),
      ];
    if (toolUse !== undefined) {
      const { input, ...start } = toolUse;
      return [
        block(at, { toolUse: start }),
        ...pieces(JSON.stringify(input), sizes, (piece) => json(at, piece)),
        stop(at),
      ];
    }
    const { reasoningText, redactedContent } = reasoningContent;
    if (redactedContent !== undefined) return [thought(at, { redactedContent }), stop(at)];
    const { text: thoughts, signature } = reasoningText;
    return [
      ...pieces(thoughts, sizes, (piece) => thought(at, { text: piece })),
      ...(signature === undefined ? [] : [thought(at, { signature })]),
      stop(at),
    ];
  }

  test.prop([content, cuts, fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'malformed_tool_use', 'new')])(
    'is read as it is read whole',
    (blocks, sizes, stopReason) => {
      const whole = blocks.map((one, at) =>
        one['toolUse']?.toolUseId === '' ? { toolUse: { ...one['toolUse'], toolUseId: `tooluse_${at}` } } : one,
      );
      const events = [begun, ...whole.flatMap((one, at) => eventsOf(one, at, sizes)), ...ended(stopReason)];
      isReadAs(events, response(whole, stopReason));
    },
  );
});
