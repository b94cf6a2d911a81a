import { describe, expect, it } from 'vitest';
import * as anthropic from '../../src/formats/anthropic/index.ts';
import * as bedrock from '../../src/formats/bedrock/index.ts';
import type { Accumulator } from '../../src/formats/format.ts';
import * as gemini from '../../src/formats/gemini/index.ts';
import * as mistral from '../../src/formats/mistral/index.ts';
import * as ollama from '../../src/formats/ollama/index.ts';
import * as openaiChat from '../../src/formats/openai-chat/index.ts';
import * as openaiResponses from '../../src/formats/openai-responses/index.ts';

type Stream = () => Accumulator<never>;

/** As many that a cost that grows with the square of it takes longer than a test may. */
const MANY = 60_000;
const PIECES = Array.from({ length: MANY }, (_, at) => at);

const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const citation = (at: number) => ({ type: 'char_location', cited_text: `${at}` });
const cited = (at: number) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'citations_delta', citation: citation(at) },
});
const event = (subject: string, fields: object) => ({ type: `response.${subject}`, output_index: 0, ...fields });
const part = (one: object) => ({ candidates: [{ content: { parts: [one] } }] });
const choice = (delta: object) => ({ choices: [{ delta }] });

/** What comes in very many pieces, and how many of them are in the message. */
const LONG: readonly (readonly [string, Stream, readonly object[], (answer: Accumulator<never>) => number])[] = [
  [
    'citations of a text of Anthropic',
    anthropic.accumulator,
    [block(0, { type: 'text', text: '' }), ...PIECES.map(cited), { type: 'content_block_stop', index: 0 }],
    (answer) => (answer.message().content.parts.first()?.get('citations') as unknown[]).length,
  ],
  [
    'calls of Anthropic',
    anthropic.accumulator,
    PIECES.map((at) => block(at, { type: 'tool_use', id: `c${at}`, name: 'f', input: {} })),
    (answer) => answer.message().toolCalls.size,
  ],
  [
    'reasoning of Bedrock that is hidden',
    bedrock.accumulator,
    [
      ...PIECES.map(() => ({
        contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: 'AAAA' } } },
      })),
      { messageStop: { stopReason: 'end_turn' } },
    ],
    (answer) => JSON.stringify(answer.finish().messages).split('AAAA').length - 1,
  ],
  [
    'arguments of Gemini',
    gemini.accumulator,
    PIECES.map((at) =>
      part({
        functionCall: {
          ...(at === 0 && { name: 'f' }),
          partialArgs: [{ jsonPath: `$.k${at}`, numberValue: at }],
          willContinue: true,
        },
      }),
    ),
    (answer) => Object.keys(answer.message().toolCalls.first()?.args ?? {}).length,
  ],
  [
    'calls of OpenAI Chat that have no index',
    openaiChat.accumulator,
    PIECES.map((at) => choice({ tool_calls: [{ id: `c${at}`, function: { name: 'f', arguments: '{}' } }] })),
    (answer) => answer.message().toolCalls.size,
  ],
  [
    'arguments of OpenAI Chat that have neither index nor id',
    openaiChat.accumulator,
    PIECES.map((at) => choice({ tool_calls: [{ function: { name: 'f', arguments: at === 0 ? '{"a":"' : 'xxxx' } }] })),
    (answer) => answer.message().toolCalls.first()?.argsText.split('xxxx').length ?? 0,
  ],
  [
    'arguments of Mistral that have neither index nor id',
    mistral.accumulator,
    PIECES.map((at) => choice({ tool_calls: [{ function: { name: 'f', arguments: at === 0 ? '{"a":"' : 'xxxx' } }] })),
    (answer) => answer.message().toolCalls.first()?.argsText.split('xxxx').length ?? 0,
  ],
  [
    'calls of Ollama',
    ollama.accumulator,
    PIECES.map(() => ({ message: { tool_calls: [{ function: { name: 'f', arguments: {} } }] }, done: false })),
    (answer) => answer.message().toolCalls.size,
  ],
  [
    'what a text of OpenAI Responses cites',
    openaiResponses.accumulator,
    [
      event('output_text.delta', { content_index: 0, delta: 'Hm' }),
      ...PIECES.map((at) => event('output_text.annotation.added', { content_index: 0, annotation: { at } })),
    ],
    (answer) => (answer.message().content.parts.first()?.get('annotations') as unknown[]).length,
  ],
];

describe('a stream of very many pieces', () => {
  it.each(LONG)('is read in linear time: %s', (_, accumulator, events, size) => {
    const answer = accumulator();
    for (const one of events) answer.push(one as never);
    expect(size(answer)).toBe(MANY);
  });
});

describe('citations that come piece by piece', () => {
  it('do not change a message that was shown', () => {
    const answer = openaiResponses.accumulator();
    const annotate = (at: number) => event('output_text.annotation.added', { content_index: 0, annotation: { at } });
    answer.push(event('output_text.delta', { content_index: 0, delta: 'Hm' }));
    answer.push(annotate(1));
    const shown = answer.message().toJSON();
    answer.push(annotate(2));
    expect(shown).toMatchObject({ content: [{ annotations: [{ at: 1 }] }] });
    expect(answer.message().toJSON()).toMatchObject({ content: [{ annotations: [{ at: 1 }, { at: 2 }] }] });
  });
});
