import { describe, expect, it } from 'vitest';
import * as anthropic from '../../src/formats/anthropic/index.ts';
import * as bedrock from '../../src/formats/bedrock/index.ts';
import type { Accumulator, DecodeOptions, Usage } from '../../src/formats/format.ts';
import * as gemini from '../../src/formats/gemini/index.ts';
import * as mistral from '../../src/formats/mistral/index.ts';
import * as ollama from '../../src/formats/ollama/index.ts';
import * as openaiChat from '../../src/formats/openai-chat/index.ts';
import * as openaiResponses from '../../src/formats/openai-responses/index.ts';

type Stream = (options?: DecodeOptions) => Accumulator<never>;

const TEN: Usage = { inputTokens: 10, outputTokens: 2 };
const OPENAI = { prompt_tokens: 10, completion_tokens: 2 };
const AWS = { inputTokens: 10, outputTokens: 2 };
const GOOGLE = { promptTokenCount: 10, candidatesTokenCount: 2 };

/** Streams that tell what was used before they break off. */
const BROKEN: readonly (readonly [string, Stream, readonly unknown[]])[] = [
  [
    'anthropic',
    anthropic.accumulator,
    [
      { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 2 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
    ],
  ],
  [
    'bedrock',
    bedrock.accumulator,
    [{ contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hel' } } }, { metadata: { usage: AWS } }],
  ],
  ['gemini', gemini.accumulator, [{ candidates: [{ content: { parts: [{ text: 'Hel' }] } }], usageMetadata: GOOGLE }]],
  ['mistral', mistral.accumulator, [{ choices: [{ delta: { content: 'Hel' } }] }, { choices: [], usage: OPENAI }]],
  [
    'ollama',
    ollama.accumulator,
    [
      { message: { content: 'Hel' }, done: false },
      { prompt_eval_count: 10, eval_count: 2, done: false },
    ],
  ],
  [
    'openai-chat',
    openaiChat.accumulator,
    [{ choices: [{ delta: { content: 'Hel' } }] }, { choices: [], usage: OPENAI }],
  ],
  [
    'openai-responses',
    openaiResponses.accumulator,
    [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', role: 'assistant', content: [] },
      },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hel' },
      { type: 'response.in_progress', response: { usage: { input_tokens: 10, output_tokens: 2 } } },
    ],
  ],
];

function read(accumulator: Stream, events: readonly unknown[], options: DecodeOptions) {
  const answer = accumulator(options);
  for (const event of events) answer.push(event as never);
  return answer.finish();
}

describe('a stream that broke off', () => {
  it.each(BROKEN)('keeps what was used so far: %s', (_, accumulator, events) => {
    const { messages, usage } = read(accumulator, events, {});
    expect(messages.last()).toMatchObject({ incomplete: { reason: 'aborted' } });
    expect(messages.last()?.toString()).toBe('Hel');
    expect(usage).toEqual(TEN);
    expect(messages.last()?.metadata.toJSON()).toEqual({});
  });

  it.each(BROKEN)(
    'records that in its message, and why it ended, where that is wanted: %s',
    (_, accumulator, events) => {
      expect(read(accumulator, events, { record: true }).messages.last()?.metadata.toJSON()).toEqual({ usage: TEN });
      const error = { type: 'error', error: 'Overloaded', serviceException: 'Overloaded' };
      const finish = { reason: 'error', raw: 'Overloaded' };
      const failed = read(accumulator, [...events, error], { record: true });
      expect(failed).toMatchObject({ finish, usage: TEN });
      expect(failed.messages.last()?.metadata.toJSON()).toEqual({ finish, usage: TEN });
    },
  );

  it.each(BROKEN)('tells of no use where nothing was told: %s', (_, accumulator) => {
    expect(read(accumulator, [], { record: true })).not.toHaveProperty('usage');
  });
});
