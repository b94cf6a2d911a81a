import { Ollama } from 'ollama';
import { describe, expect, it } from 'vitest';
import { accumulator, encodeTools, ollama } from 'message-store/formats/ollama';
import { readJsonLines } from 'message-store/streams';
import { checkOllama } from 'message-store/testing';
import { json, lines, serving } from '../support/serving.ts';
import { said } from '../support/streams.ts';
import { conversation, definitions } from './conversation.ts';

const call = (city: string): object => ({ function: { name: 'weather', arguments: { city } } });
const chunk = (message: object, more: object = { done: false }): object => ({
  model: 'small',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  ...more,
});
const end = { done: true, done_reason: 'stop', prompt_eval_count: 40, eval_count: 20 };
const response = chunk(
  { content: 'Let me see.', thinking: 'Two cities.', tool_calls: [call('Rome'), call('Bern')] },
  end,
);
const stream = [
  chunk({ thinking: 'Two ' }),
  chunk({ thinking: 'cities.' }),
  chunk({ content: 'Let me' }),
  chunk({ content: ' see.' }),
  chunk({ tool_calls: [call('Rome')] }),
  chunk({ tool_calls: [call('Bern')] }),
  chunk({}, end),
];

const request = { model: 'small', tools: encodeTools(definitions), ...ollama.encode(conversation).payload };

describe('the client of Ollama', () => {
  it('sends what the server takes, and its answer is read', async () => {
    const { url, asked } = await serving(json(response));
    const decoded = ollama.decode(await new Ollama({ host: url }).chat(request));
    expect(checkOllama(asked[0]?.body)).toEqual([]);
    expect(asked[0]?.body['messages']).toEqual(ollama.encode(conversation).payload.messages);
    expect(said(decoded)).toEqual(said(ollama.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('streams', async () => {
    const { url } = await serving(lines(stream));
    const answer = accumulator();
    for await (const part of await new Ollama({ host: url }).chat({ ...request, stream: true })) answer.push(part);
    const decoded = answer.finish();
    expect(said(decoded)).toEqual(said(ollama.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('is not needed to read a stream', async () => {
    const { url } = await serving(lines(stream));
    const { body } = await fetch(url, { method: 'POST', body: JSON.stringify({ ...request, stream: true }) });
    const answer = accumulator();
    for await (const part of readJsonLines(body!)) answer.push(part);
    expect(said(answer.finish())).toEqual(said(ollama.decode(response)));
  });
});
