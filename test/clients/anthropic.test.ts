import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { accumulator, anthropic, encodeToolChoice, encodeTools } from 'message-store/formats/anthropic';
import { checkAnthropic } from 'message-store/testing';
import { events, json, serving } from '../support/serving.ts';
import { said } from '../support/streams.ts';
import { conversation, definitions } from './conversation.ts';

const usage = { input_tokens: 40, output_tokens: 20, cache_read_input_tokens: 8, cache_creation_input_tokens: 0 };
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-small',
  stop_reason: 'tool_use',
  stop_sequence: null,
  content: [
    { type: 'thinking', thinking: 'Two cities.', signature: 'c2ln' },
    { type: 'text', text: 'Let me see.', citations: null },
    { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Rome' } },
    { type: 'tool_use', id: 'toolu_3', name: 'weather', input: {} },
  ],
  usage,
};

const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const stream = [
  {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  { type: 'ping' },
  ...block(
    0,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'Two ' },
    { type: 'thinking_delta', thinking: 'cities.' },
    { type: 'signature_delta', signature: 'c2ln' },
  ),
  ...block(
    1,
    { type: 'text', text: '', citations: null },
    { type: 'text_delta', text: 'Let me' },
    { type: 'text_delta', text: ' see.' },
  ),
  ...block(
    2,
    { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} },
    { type: 'input_json_delta', partial_json: '{"city":' },
    { type: 'input_json_delta', partial_json: '"Rome"}' },
  ),
  ...block(3, { type: 'tool_use', id: 'toolu_3', name: 'weather', input: {} }),
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: 'message_stop' },
];

const request = {
  model: 'claude-small',
  max_tokens: 100,
  tools: encodeTools(definitions),
  tool_choice: encodeToolChoice('auto'),
  ...anthropic.encode(conversation).payload,
};

describe('the client of Anthropic', () => {
  it('sends what the API takes, and its answer is read', async () => {
    const { url, asked } = await serving(json(message));
    const client = new Anthropic({ apiKey: 'x', baseURL: url, maxRetries: 0 });
    const decoded = anthropic.decode(await client.messages.create(request));
    const { system, messages } = asked[0]?.body ?? {};
    expect(checkAnthropic({ system, messages })).toEqual([]);
    expect({ system, messages }).toEqual(anthropic.encode(conversation).payload);
    expect(said(decoded)).toEqual(said(anthropic.decode(message)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 48, outputTokens: 20 } });
  });

  it('streams, and its own helper comes to the same message', async () => {
    const { url } = await serving(events(stream, { named: true }));
    const client = new Anthropic({ apiKey: 'x', baseURL: url, maxRetries: 0 });
    const helper = client.messages.stream(request);
    const answer = accumulator();
    for await (const event of helper) answer.push(event);
    const decoded = answer.finish();
    expect(said(decoded)).toEqual(said(anthropic.decode(await helper.finalMessage())));
    expect(said(decoded)).toEqual(said(anthropic.decode(message)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 48, outputTokens: 20 } });
  });
});
