import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { accumulator, encodeToolChoice, encodeTools, openaiChat } from 'message-store/formats/openai-chat';
import { readServerSentEvents } from 'message-store/streams';
import { checkOpenAIChat } from 'message-store/testing';
import { events, json, serving } from '../support/serving.ts';
import { said } from '../support/streams.ts';
import { conversation, definitions } from './conversation.ts';

const calls = [
  { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
  { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
];
const usage = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 };
const response = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'small',
  choices: [
    {
      index: 0,
      logprobs: null,
      finish_reason: 'tool_calls',
      message: { role: 'assistant', content: 'Let me see.', refusal: null, tool_calls: calls },
    },
  ],
  usage,
};

const chunkOf = (delta: object, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'small',
  usage: null,
  choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
});
const fragment = (index: number, args: string, more: object = {}) =>
  chunkOf({
    tool_calls: [{ index, ...more, function: { ...('id' in more && { name: 'weather' }), arguments: args } }],
  });
const chunks = [
  chunkOf({ role: 'assistant', content: '', refusal: null }),
  chunkOf({ content: 'Let me' }),
  chunkOf({ content: ' see.' }),
  fragment(0, '', { id: 'call_1', type: 'function' }),
  fragment(0, '{"city":'),
  fragment(0, '"Rome"}'),
  fragment(1, '', { id: 'call_2', type: 'function' }),
  fragment(1, '{"city":"Bern"}'),
  chunkOf({}, 'tool_calls'),
  { ...chunkOf({}), choices: [], usage },
];

const request = {
  model: 'small',
  tools: encodeTools(definitions),
  tool_choice: encodeToolChoice('auto'),
  ...openaiChat.encode(conversation).payload,
};

describe('the client of OpenAI', () => {
  it('sends what the API takes, and its answer is read', async () => {
    const { url, asked } = await serving(json(response));
    const client = new OpenAI({ apiKey: 'x', baseURL: url, maxRetries: 0 });
    const decoded = openaiChat.decode(await client.chat.completions.create(request));
    expect(checkOpenAIChat(asked[0]?.body, { unknownKeys: 'refused' })).toEqual([]);
    expect(asked[0]?.body['messages']).toEqual(openaiChat.encode(conversation).payload.messages);
    expect(said(decoded)).toEqual(said(openaiChat.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('streams, and its own helper comes to the same message', async () => {
    const { url } = await serving(events(chunks, { done: true }));
    const client = new OpenAI({ apiKey: 'x', baseURL: url, maxRetries: 0 });
    const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    const answer = accumulator();
    for await (const chunk of stream) answer.push(chunk);
    const decoded = answer.finish();
    const [own] = said(openaiChat.decode(await stream.finalChatCompletion()));
    // The helper adds what the text is when it is read as JSON.
    expect(said(decoded)).toEqual([{ ...(own as object), parsed: undefined }]);
    expect(said(decoded)).toEqual(said(openaiChat.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('is not needed to read a stream', async () => {
    const { url } = await serving(events(chunks, { done: true }));
    const { body } = await fetch(url, { method: 'POST', body: JSON.stringify({ ...request, stream: true }) });
    const answer = accumulator();
    for await (const event of readServerSentEvents(body!)) answer.push(event);
    expect(said(answer.finish())).toEqual(said(openaiChat.decode(response)));
  });
});
