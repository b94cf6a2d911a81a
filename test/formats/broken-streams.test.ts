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

const ARGS = '{"a":1}';

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

const bits = (subject: string, at: number, fields: object) => ({
  type: `response.${subject}.delta`,
  item_id: `i${at}`,
  output_index: at,
  ...fields,
});
const anthropicDelta = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const bedrockDelta = (contentBlockIndex: number, delta: object) => ({
  contentBlockDelta: { contentBlockIndex, delta },
});
const callOf = (call: object) => ({ choices: [{ delta: { tool_calls: [call] } }] });

/** Pieces of texts, thoughts and calls whose beginning did not come, and the end. */
const UNSTARTED: readonly (readonly [string, Stream, readonly unknown[], unknown])[] = [
  [
    'anthropic',
    anthropic.accumulator,
    [
      anthropicDelta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      anthropicDelta(1, { type: 'text_delta', text: 'Hel' }),
      anthropicDelta(1, { type: 'text_delta', text: 'lo' }),
      anthropicDelta(2, { type: 'input_json_delta', partial_json: ARGS }),
    ],
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  ],
  [
    'bedrock',
    bedrock.accumulator,
    [
      bedrockDelta(0, { reasoningContent: { text: 'Hm' } }),
      bedrockDelta(1, { text: 'Hello' }),
      bedrockDelta(2, { toolUse: { input: ARGS } }),
    ],
    { messageStop: { stopReason: 'tool_use' } },
  ],
  [
    'gemini',
    gemini.accumulator,
    [
      {
        candidates: [
          {
            content: {
              parts: [
                { text: 'Hm', thought: true },
                { text: 'Hello' },
                { functionCall: { partialArgs: [{ jsonPath: '$.a', numberValue: 1 }], willContinue: true } },
              ],
            },
          },
        ],
      },
    ],
    { candidates: [{ finishReason: 'STOP' }] },
  ],
  [
    'mistral',
    mistral.accumulator,
    [
      {
        choices: [
          {
            delta: {
              content: [
                { type: 'thinking', thinking: 'Hm' },
                { type: 'text', text: 'Hello' },
              ],
            },
          },
        ],
      },
      callOf({ index: 1, function: { arguments: ARGS } }),
    ],
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ],
  [
    'openai-chat',
    openaiChat.accumulator,
    [
      { choices: [{ delta: { reasoning_content: 'Hm' } }] },
      { choices: [{ delta: { content: 'Hello' } }] },
      callOf({ index: 1, function: { arguments: ARGS } }),
    ],
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ],
  [
    'openai-responses',
    openaiResponses.accumulator,
    [
      bits('reasoning_summary_text', 0, { summary_index: 0, delta: 'Hm' }),
      bits('output_text', 1, { content_index: 0, delta: 'Hel' }),
      bits('output_text', 1, { content_index: 0, delta: 'lo' }),
      bits('function_call_arguments', 2, { delta: ARGS }),
    ],
    { type: 'response.completed', response: { status: 'completed', output: [] } },
  ],
];

describe('pieces whose beginning did not come', () => {
  it.each(UNSTARTED)('are kept, whether or not the stream broke off: %s', (_, accumulator, pieces, end) => {
    for (const events of [pieces, [...pieces, end]]) {
      const message = read(accumulator, events, {}).messages.last();
      expect(message?.content.parts.map((part) => part.get('text') ?? part.get('thinking'))).toEqual(['Hm', 'Hello']);
      expect(message?.toolCalls.map(({ args }) => args)).toEqual([{ a: 1 }]);
      expect(message?.incomplete?.reason).toBe(events === pieces ? 'aborted' : undefined);
    }
  });

  it('are one block with a beginning that comes behind them: anthropic', () => {
    const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
    const { messages } = read(
      anthropic.accumulator,
      [
        anthropicDelta(0, { type: 'signature_delta', signature: 'AA==' }),
        anthropicDelta(0, { type: 'thinking_delta', thinking: 'Hm' }),
        block(0, { type: 'thinking', thinking: '', signature: '' }),
        anthropicDelta(1, { type: 'input_json_delta', partial_json: '{"a"' }),
        block(1, { type: 'tool_use', id: 'c1', name: 'look', input: {} }),
        anthropicDelta(1, { type: 'input_json_delta', partial_json: ':1}' }),
        anthropicDelta(2, { type: 'future_delta', future: 'kept' }),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      ],
      {},
    );
    expect(messages.last()?.toJSON()).toMatchObject({
      content: [
        { type: 'reasoning', text: 'Hm', _origin: { data: { signature: 'AA==' } } },
        { type: 'tool_call', id: 'c1' },
        { type: 'future', future: 'kept' },
      ],
      tool_calls: [{ id: 'c1', name: 'look', arguments: { a: 1 } }],
    });
  });

  it('are one item with a beginning that comes behind them: openai-responses', () => {
    const item = { type: 'function_call', id: 'i0', call_id: 'c1', name: 'look', arguments: '' };
    const { messages } = read(
      openaiResponses.accumulator,
      [
        bits('function_call_arguments', 0, { delta: '{"a"' }),
        { type: 'response.output_item.added', output_index: 0, item },
        bits('function_call_arguments', 0, { delta: ':1}' }),
        { type: 'response.completed', response: { status: 'completed', output: [] } },
      ],
      {},
    );
    expect(messages.last()?.toolCalls.map(({ id, name, args }) => [id, name, args])).toEqual([
      ['c1', 'look', { a: 1 }],
    ]);
  });

  it('are not told twice where they come behind the end of their item: openai-responses', () => {
    const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] };
    const { messages } = read(
      openaiResponses.accumulator,
      [
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Yes.' },
      ],
      {},
    );
    expect(messages.last()?.toString()).toBe('Yes.');
  });
});
