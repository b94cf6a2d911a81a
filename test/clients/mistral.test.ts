import { Mistral } from '@mistralai/mistralai';
import { describe, expect, it } from 'vitest';
import { accumulator, encodeToolChoice, encodeTools, mistral, toSdk } from 'message-store/formats/mistral';
import { readServerSentEvents } from 'message-store/streams';
import { checkMistral } from 'message-store/testing';
import { events, json, serving } from '../support/serving.ts';
import { said } from '../support/streams.ts';
import { conversation, definitions } from './conversation.ts';

const usage = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 };
const told = { id: 'r1', created: 1, model: 'magistral-medium-latest' };
const calls = ['Rome', 'Bern'].map((city, index) => ({
  id: `abcDEF00${index}`,
  type: 'function',
  index,
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
}));
const thought = (...texts: string[]): object => ({
  type: 'thinking',
  thinking: texts.map((text) => ({ type: 'text', text })),
});
const message = {
  role: 'assistant',
  content: [thought('Two cities.'), { type: 'text', text: 'Let me see.' }],
  tool_calls: calls,
};
const response = {
  ...told,
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
  usage,
};
const chunkOf = (delta: object, finish_reason: string | null = null): object => ({
  ...told,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const chunks = [
  chunkOf({ role: 'assistant', content: '' }),
  chunkOf({ content: [thought('Two ')] }),
  chunkOf({ content: [thought('cities.')] }),
  chunkOf({ content: 'Let me' }),
  chunkOf({ content: ' see.' }),
  { ...chunkOf({ content: '', tool_calls: calls }, 'tool_calls'), usage },
];

const request = toSdk(mistral.encode(conversation).payload, {
  model: 'magistral-medium-latest',
  tools: encodeTools(definitions),
  toolChoice: encodeToolChoice('auto'),
});
const clientOf = (serverURL: string) => new Mistral({ apiKey: 'x', serverURL });

describe('the client of Mistral', () => {
  it('sends what the API takes, and its answer is read', async () => {
    const { url, asked } = await serving(json(response));
    const decoded = mistral.decode(await clientOf(url).chat.complete(request));
    const { messages } = asked[0]?.body ?? {};
    expect(checkMistral({ messages })).toEqual([]);
    expect({ messages }).toMatchObject(mistral.encode(conversation).payload);
    // The package fills in that this is no prefix.
    const filled = { ...response, choices: [{ ...response.choices[0], message: { ...message, prefix: false } }] };
    expect(said(decoded)).toEqual(said(mistral.decode(filled)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('streams', async () => {
    const { url } = await serving(events(chunks, { done: true }));
    const answer = accumulator();
    for await (const event of await clientOf(url).chat.stream(request)) answer.push(event);
    const decoded = answer.finish();
    expect(said(decoded)).toEqual(said(mistral.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('is not needed to read a stream', async () => {
    const { url } = await serving(events(chunks, { done: true }));
    const { body } = await fetch(url, { method: 'POST', body: '{}' });
    const answer = accumulator();
    for await (const event of readServerSentEvents(body!)) answer.push(event);
    expect(said(answer.finish())).toEqual(said(mistral.decode(response)));
  });
});
