import { fc, test } from '@fast-check/vitest';
import { GenerateContentResponse } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { Message, Messages } from '../../src/index.ts';
import { accumulator, gemini } from '../../src/formats/gemini/index.ts';
import { arbitraries } from '../../src/testing/index.ts';
import { said, shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Record<string, unknown>;

const chunkOf = (parts: readonly Fields[], finishReason?: string): Fields => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason !== undefined && { finishReason }) }],
  responseId: 'r1',
});
const wholeOf = (parts: readonly Fields[], finishReason = 'STOP'): Fields => chunkOf(parts, finishReason);
const END = chunkOf([{ text: '' }], 'STOP');
const USAGE = { promptTokenCount: 90, candidatesTokenCount: 40, thoughtsTokenCount: 16, totalTokenCount: 146 };

const CALLS = [
  {
    functionCall: { id: 'wthr00001', name: 'get_weather', args: { city: 'Lisbon' } },
    thoughtSignature: 'c2lnbmF0dXJlLWJ5dGVz',
  },
  { functionCall: { id: 'time00002', name: 'get_time', args: {} } },
];

describe('a stream', () => {
  const events = [
    chunkOf([{ text: 'The skyline looks ', thought: true }]),
    chunkOf([{ text: 'like Lisbon.', thought: true }]),
    chunkOf([{ text: 'Let me ' }]),
    chunkOf([{ text: 'check.' }]),
    chunkOf(CALLS),
    { ...END, usageMetadata: USAGE },
  ];
  const whole = {
    ...wholeOf([{ text: 'The skyline looks like Lisbon.', thought: true }, { text: 'Let me check.' }, ...CALLS]),
    usageMetadata: USAGE,
  };

  it('gives what the whole response gives', () => {
    const decoded = streamed(accumulator, events);
    expect(said(decoded)).toEqual(said(gemini.decode(whole)));
    expect({ ...decoded, messages: undefined }).toEqual({ ...gemini.decode(whole), messages: undefined });
    expect(decoded).toMatchObject({
      report: { losses: [], repairs: [] },
      finish: { reason: 'tool_calls', raw: 'STOP' },
      usage: { inputTokens: 90, outputTokens: 56, reasoningTokens: 16 },
    });
  });

  it('cut between thought, text and calls gives what the whole response gives', () => {
    const candidateOf = (parts: readonly Fields[]) => ({ index: 0, content: { role: 'model', parts } });
    const recorded = [
      { candidates: [candidateOf([{ text: 'The skyline looks like Lisbon. ', thought: true }])], responseId: 'r1' },
      { candidates: [candidateOf([{ text: 'Let me check.' }])], responseId: 'r1' },
      { candidates: [candidateOf(CALLS)], responseId: 'r1' },
      {
        candidates: [{ ...candidateOf([{ text: '' }]), finishReason: 'STOP' }],
        usageMetadata: USAGE,
        responseId: 'r1',
      },
    ];
    const parts = [{ text: 'The skyline looks like Lisbon. ', thought: true }, { text: 'Let me check.' }, ...CALLS];
    const decoded = streamed(accumulator, recorded);
    const asOne = gemini.decode({ ...wholeOf(parts), usageMetadata: USAGE });
    expect(said(decoded)).toEqual(said(asOne));
    expect({ ...decoded, messages: undefined }).toEqual({ ...asOne, messages: undefined });
  });

  it('reads the responses of the package, which are of a class', () => {
    const given = events.map((event) => Object.assign(new GenerateContentResponse(), event));
    expect(said(streamed(accumulator, given))).toEqual(said(gemini.decode(whole)));
  });

  it('shows the message so far, with one id from the first event to the last', () => {
    const answer = accumulator();
    expect(answer.message().toString()).toBe('');
    const shown = events.map((event) => {
      answer.push(event);
      return answer.message();
    });
    expect(shown.map(String)).toEqual(['', '', 'Let me ', 'Let me check.', 'Let me check.', 'Let me check.']);
    expect(shown[1]?.content.parts.first()?.toJSON()).toMatchObject({
      type: 'reasoning',
      text: 'The skyline looks like Lisbon.',
    });
    expect(shown[4]?.toolCalls.map(({ id }) => id)).toEqual(['wthr00001', 'time00002']);
    expect(shown[4]?.incomplete).toEqual({ reason: 'streaming' });
    const last = answer.finish().messages.last();
    expect(last?.id).toBe(shown[0]?.id);
    expect(last?.incomplete).toBeUndefined();
  });

  it('gives calls without an id the one that they will have', () => {
    const parts = [
      { functionCall: { name: 'w', args: { c: 'A' } } },
      { functionCall: { name: 'w', args: { c: 'B' } } },
    ];
    const { shown, decoded } = shownAndFinished(
      accumulator,
      [...parts.map((part) => chunkOf([part])), END],
      (message) => message.toolCalls.map(({ id }) => id),
    );
    const ids = decoded.messages.last()?.toolCalls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(shown).toEqual([ids?.slice(0, 1), ids, ids]);
    expect(said(decoded)).toEqual(said(gemini.decode(wholeOf(parts))));
  });
});

describe('pieces of text', () => {
  const partsOf = (...parts: Fields[]) =>
    gemini
      .encode(
        Messages.of(
          Message.asUser('q'),
          ...streamed(accumulator, [...parts.map((part) => chunkOf([part])), END]).messages,
        ),
      )
      .payload.contents.at(1)?.parts;

  it('are never joined with one that is signed', () => {
    const parts = [
      { text: 'a' },
      { text: 'b', thoughtSignature: 'S1' },
      { text: 'c' },
      { text: '', thoughtSignature: 'S2' },
    ];
    expect(partsOf(...parts)).toEqual(parts);
  });

  it('are joined where they are of one kind, thoughts apart from text', () => {
    expect(
      partsOf({ text: 'a', thought: true }, { text: 'b', thought: true }, { text: '' }, { text: 'c' }, { text: 'd' }),
    ).toEqual([{ text: 'ab', thought: true }, { text: 'cd' }]);
  });

  it('hold back half a character until the other half comes', () => {
    const { shown, decoded } = shownAndFinished(accumulator, [
      chunkOf([{ text: 'hi\uD83D' }]),
      chunkOf([{ text: '\uDE00' }]),
      END,
    ]);
    expect(shown).toEqual(['hi', 'hi😀', 'hi😀']);
    expect(decoded.report.repairs).toEqual([]);
  });

  it('that are all empty are an empty message', () => {
    const decoded = streamed(accumulator, [chunkOf([{ text: '' }]), END]);
    expect(said(decoded)).toEqual(said(gemini.decode(wholeOf([{ text: '' }]))));
    expect(decoded.messages.size).toBe(1);
  });
});

describe('calls in pieces, as Vertex AI sends them', () => {
  const callOf = (functionCall: Fields): Fields => chunkOf([{ functionCall }]);
  const events = [
    callOf({ name: 'book', id: 'c1', willContinue: true }),
    callOf({ partialArgs: [{ jsonPath: '$.city', stringValue: 'New', willContinue: true }], willContinue: true }),
    callOf({ partialArgs: [{ jsonPath: '$.city', stringValue: ' Delhi' }], willContinue: true }),
    callOf({
      partialArgs: [
        { jsonPath: '$.guests[0].age', numberValue: 7 },
        { jsonPath: "$.guests[1]['full name']", stringValue: 'A. "B"' },
        { jsonPath: '$.late', boolValue: false },
        { jsonPath: '$.note', nullValue: 'NULL_VALUE' },
        { jsonPath: '$.__proto__.x', boolValue: true },
      ],
      willContinue: true,
    }),
    callOf({}),
    callOf({ name: 'now', args: {} }),
  ];
  const args = JSON.parse(
    '{"city":"New Delhi","guests":[{"age":7},{"full name":"A. \\"B\\""}],"late":false,"note":null,"__proto__":{"x":true}}',
  ) as Fields;

  it('are whole at the end', () => {
    const decoded = streamed(accumulator, [...events, END]);
    const whole = wholeOf([
      { functionCall: { name: 'book', id: 'c1', args } },
      { functionCall: { name: 'now', args: {} } },
    ]);
    expect(said(decoded)).toEqual(said(gemini.decode(whole)));
  });

  it('are shown as far as they came, and must not be run where the stream broke off', () => {
    const { shown, decoded } = shownAndFinished(accumulator, events.slice(0, 2), (message) =>
      message.toolCalls.map((call) => [call.id, call.name, call.partialArgs()]),
    );
    expect(shown).toEqual([[['c1', 'book', {}]], [['c1', 'book', { city: 'New' }]]]);
    expect(decoded.messages.last()?.incomplete).toEqual({ reason: 'aborted' });
  });

  it('may follow one another', () => {
    const two = ['a', 'b'].map((name) => callOf({ name, partialArgs: [{ jsonPath: '$.x', stringValue: name }] }));
    const { messages } = streamed(accumulator, [...two, END]);
    expect(messages.last()?.toolCalls.map((call) => [call.name, call.args])).toEqual([
      ['a', { x: 'a' }],
      ['b', { x: 'b' }],
    ]);
  });
});

describe('odd streams', () => {
  it('that broke off leave the message so far; what was thought is not signed', () => {
    const { messages, finish } = streamed(accumulator, [chunkOf([{ text: 'because\uD83D', thought: true }])]);
    const [message] = [...messages] as [Message];
    expect(message.incomplete).toEqual({ reason: 'aborted' });
    expect(message.content.parts.map((part) => part.toJSON())).toEqual([
      { type: 'reasoning', text: 'because', _origin: { provider: 'gemini' } },
    ]);
    expect(finish).toBeUndefined();
    expect(Message.fromJSON(message.toJSON()).equals(message)).toBe(true);
  });

  it('that broke off before anything was said leave nothing', () => {
    expect(streamed(accumulator, [{ responseId: 'r1' }, chunkOf([{ text: '' }])]).messages.isEmpty()).toBe(true);
  });

  it('may end with an error', () => {
    const { messages, finish } = streamed(accumulator, [
      chunkOf([{ text: 'Wait' }]),
      { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
    ]);
    expect(finish).toEqual({ reason: 'error', raw: 'The model is overloaded.' });
    expect(messages.last()?.incomplete).toEqual({ reason: 'error' });
  });

  it('may have no candidate, since the prompt was blocked', () => {
    const { messages, finish } = streamed(accumulator, [{ promptFeedback: { blockReason: 'SAFETY' } }]);
    expect([messages.size, finish]).toEqual([0, { reason: 'content_filter', raw: 'SAFETY' }]);
  });

  it('may end without content, and hold what is no content at all', () => {
    const { messages, finish } = streamed(accumulator, [
      { candidates: 5 },
      { candidates: [null, { index: 0, content: { parts: 'x' } }] },
      { candidates: [{ content: { parts: [7, { text: 'Half' }] } }] },
      { candidates: [{ finishReason: 'SAFETY' }] },
      { usageMetadata: { promptTokenCount: 1 } },
    ]);
    expect(messages.map(String)).toEqual(['Half']);
    expect(finish).toEqual({ reason: 'content_filter', raw: 'SAFETY' });
  });

  it('keep parts of kinds that are not known here', () => {
    const parts = [{ executableCode: { code: 'print(1)' } }, { newKind: { a: 1 } }, { text: '1\uD83D', newSide: 1 }];
    const { shown, decoded } = shownAndFinished(
      accumulator,
      [...parts.map((part) => chunkOf([part])), END],
      (message) => message.content.parts.map(({ type }) => type),
    );
    expect(shown.at(-1)).toEqual(['executableCode', 'newKind', 'text']);
    expect(said(decoded)).toEqual(said(gemini.decode(wholeOf(parts))));
    expect(decoded.report.repairs.map(({ rule }) => rule)).toEqual(['lone-surrogate']);
  });

  it('tell that only the first candidate is read', () => {
    const { report, messages } = streamed(accumulator, [
      { candidates: [{ index: 1, content: { parts: [{ text: 'No' }] } }] },
      chunkOf([{ text: 'Yes' }], 'STOP'),
    ]);
    expect(messages.map(String)).toEqual(['Yes']);
    expect(report.losses.map(({ path, rule }) => [path, rule])).toEqual([['candidates[1]', 'further-choice']]);
  });

  it('mark calls that the limit may have cut', () => {
    const { messages, finish } = streamed(accumulator, [
      chunkOf([
        {
          functionCall: {
            name: 'write',
            partialArgs: [{ jsonPath: '$.text', stringValue: 'Once' }],
            willContinue: true,
          },
        },
      ]),
      chunkOf([], 'MAX_TOKENS'),
    ]);
    expect(finish?.reason).toBe('length');
    const [message] = [...messages] as [Message];
    expect(message.incomplete).toEqual({ reason: 'length' });
    const { payload } = gemini.encode(Messages.of(Message.asUser('Write it.'), message), { openTurn: 'cancel' });
    expect(payload.contents[2]?.parts).toEqual([
      { functionResponse: { name: 'write', response: { error: expect.stringContaining('interrupted') as string } } },
    ]);
  });

  it('write the reason and the usage into the message where that is wanted', () => {
    const { messages } = streamed(
      () => accumulator({ record: true }),
      [{ ...chunkOf([{ text: 'Yes' }], 'STOP'), usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 } }],
    );
    expect(messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'stop', raw: 'STOP' },
      usage: { inputTokens: 3, outputTokens: 1 },
    });
  });
});

describe('any response, its text cut anywhere', () => {
  const any = arbitraries(fc);
  const text = fc.string({ unit: 'binary', minLength: 1 });
  const signed = fc.record(
    { text: fc.string({ unit: 'binary' }), thoughtSignature: fc.constant('c2ln') },
    { noNullPrototype: true },
  );
  const call = fc.record(
    {
      id: fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('a', 'b') }),
      name: fc.constantFrom('f', 'g'),
      args: any.jsonObject,
    },
    { requiredKeys: ['name'], noNullPrototype: true },
  );
  const part: fc.Arbitrary<Fields> = fc.oneof(
    text.map((said) => ({ text: said })),
    text.map((said) => ({ text: said, thought: true })),
    signed,
    call.map((functionCall) => ({ functionCall })),
    call.map((functionCall) => ({ functionCall, thoughtSignature: 'c2ln' })),
    fc.constantFrom(
      { inlineData: { mimeType: 'image/png', data: 'QQ==' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK' } },
    ),
  );
  const isPiece = (one: Fields | undefined): boolean =>
    one !== undefined && 'text' in one && !('thoughtSignature' in one);
  /** Parts as a response has them without a stream: pieces of one kind are one part. */
  const parts = fc
    .array(part, { minLength: 1, maxLength: 8 })
    .map((list) =>
      list.filter(
        (one, at) => !(isPiece(one) && isPiece(list[at - 1]) && one['thought'] === list[at - 1]?.['thought']),
      ),
    );
  const cut = (one: Fields, size: number): Fields[] => {
    if (!isPiece(one)) return [one];
    const { text: whole, ...sides } = one as { text: string };
    return Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => ({
      ...sides,
      text: whole.slice(at * size, (at + 1) * size),
    }));
  };

  test.prop([
    parts,
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom('STOP', 'MAX_TOKENS', 'SAFETY'),
    fc.option(fc.constant(USAGE), { nil: undefined }),
  ])('is read as if it had come whole', (list, size, reason, usageMetadata) => {
    const events = [
      ...list.flatMap((one) => cut(one, size)).map((one) => chunkOf([one])),
      { ...chunkOf([], reason), usageMetadata },
    ];
    const { shown, decoded } = shownAndFinished(accumulator, events);
    const whole = gemini.decode({ ...wholeOf(list, reason), usageMetadata });
    expect(said(decoded)).toEqual(said(whole));
    expect({ ...decoded, messages: undefined }).toEqual({ ...whole, messages: undefined });
    for (const one of shown) expect(one.isWellFormed()).toBe(true);
  });
});
