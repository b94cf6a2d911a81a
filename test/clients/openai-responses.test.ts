import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { accumulator, encodeToolChoice, encodeTools, openaiResponses } from 'message-store/formats/openai-responses';
import { readServerSentEvents } from 'message-store/streams';
import { checkOpenAIResponses } from 'message-store/testing';
import { events, json, serving } from '../support/serving.ts';
import { said } from '../support/streams.ts';
import { conversation, definitions } from './conversation.ts';

const thought = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Two cities.' }],
  encrypted_content: 'gAAAA',
};
const words = { type: 'output_text', text: 'Let me see.', annotations: [] };
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [words] };
const callOf = (id: string, args: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: 'weather',
  arguments: args,
  status: 'completed',
});
const calls = [callOf('1', '{"city":"Rome"}'), callOf('2', '{"city":"Bern"}')];
const usage = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 60,
};
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 0,
  model: 'small',
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  output: [thought, message, ...calls],
  usage,
};

const started = { ...response, status: 'in_progress', output: [], usage: null };
const summaryAt = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
const wordsAt = { item_id: 'msg_1', output_index: 1, content_index: 0 };
const callEvents = calls.flatMap((item, at) => {
  const { id, arguments: args } = item;
  const place = { item_id: id, output_index: 2 + at };
  return [
    { type: 'output_item.added', output_index: 2 + at, item: { ...item, status: 'in_progress', arguments: '' } },
    { type: 'function_call_arguments.delta', ...place, delta: args.slice(0, 8) },
    { type: 'function_call_arguments.delta', ...place, delta: args.slice(8) },
    { type: 'function_call_arguments.done', ...place, name: 'weather', arguments: args },
    { type: 'output_item.done', output_index: 2 + at, item },
  ];
});
const stream = [
  { type: 'created', response: started },
  { type: 'in_progress', response: started },
  { type: 'output_item.added', output_index: 0, item: { ...thought, summary: [], encrypted_content: 'gA' } },
  { type: 'reasoning_summary_part.added', ...summaryAt, part: { type: 'summary_text', text: '' } },
  { type: 'reasoning_summary_text.delta', ...summaryAt, delta: 'Two ' },
  { type: 'reasoning_summary_text.delta', ...summaryAt, delta: 'cities.' },
  { type: 'reasoning_summary_text.done', ...summaryAt, text: 'Two cities.' },
  { type: 'reasoning_summary_part.done', ...summaryAt, part: thought.summary[0] },
  { type: 'output_item.done', output_index: 0, item: thought },
  { type: 'output_item.added', output_index: 1, item: { ...message, status: 'in_progress', content: [] } },
  { type: 'content_part.added', ...wordsAt, part: { ...words, text: '' } },
  { type: 'output_text.delta', ...wordsAt, delta: 'Let me', logprobs: [] },
  { type: 'output_text.delta', ...wordsAt, delta: ' see.', logprobs: [] },
  { type: 'output_text.done', ...wordsAt, text: 'Let me see.', logprobs: [] },
  { type: 'content_part.done', ...wordsAt, part: words },
  { type: 'output_item.done', output_index: 1, item: message },
  ...callEvents,
  { type: 'completed', response },
].map((event, sequence_number) => ({ ...event, type: `response.${event.type}`, sequence_number }));

const request = {
  model: 'small',
  tools: encodeTools(definitions),
  tool_choice: encodeToolChoice('auto'),
  ...openaiResponses.encode(conversation).payload,
};
const clientAt = (baseURL: string) => new OpenAI({ apiKey: 'x', baseURL, maxRetries: 0 });

describe('the client of OpenAI, for Responses', () => {
  it('sends what the API takes, and its answer is read', async () => {
    const { url, asked } = await serving(json(response));
    const decoded = openaiResponses.decode(await clientAt(url).responses.create(request));
    const { instructions, input, tools } = asked[0]?.body ?? {};
    expect(tools).toEqual([
      {
        type: 'function',
        name: 'weather',
        description: 'The weather in a city now',
        parameters: definitions[0]?.inputSchema,
        strict: false,
      },
    ]);
    expect(checkOpenAIResponses({ instructions, input })).toEqual([]);
    expect({ instructions, input }).toEqual(openaiResponses.encode(conversation).payload);
    expect(said(decoded)).toEqual(said(openaiResponses.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('streams, and its own helper comes to the same message', async () => {
    const { url } = await serving(events(stream, { named: true }));
    const helper = clientAt(url).responses.stream(request);
    const answer = accumulator();
    for await (const event of helper) answer.push(event);
    const decoded = answer.finish();
    expect(said(decoded)).toEqual(said(openaiResponses.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
    // The helper adds what texts and arguments are when they are read as JSON, which does not go out again.
    const { messages } = openaiResponses.decode(await helper.finalResponse());
    const sent = (given: typeof messages) => openaiResponses.encode(given, { openTurn: 'cancel' });
    expect(sent(messages)).toEqual(sent(decoded.messages));
  });

  it('streams without its helper, and each item is shown as it comes', async () => {
    const { url } = await serving(events(stream, { named: true }));
    const answer = accumulator();
    const shown: string[] = [];
    for await (const event of await clientAt(url).responses.create({ ...request, stream: true })) {
      answer.push(event);
      shown.push(String(answer.message()));
    }
    expect([...new Set(shown)]).toEqual(['', 'Let me', 'Let me see.']);
    expect(said(answer.finish())).toEqual(said(openaiResponses.decode(response)));
  });

  it('is not needed to read a stream', async () => {
    const { url } = await serving(events(stream, { named: true }));
    const { body } = await fetch(url, { method: 'POST', body: JSON.stringify({ ...request, stream: true }) });
    const answer = accumulator();
    for await (const event of readServerSentEvents(body!)) answer.push(event as never);
    expect(said(answer.finish())).toEqual(said(openaiResponses.decode(response)));
  });
});
