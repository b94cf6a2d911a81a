import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type AssistantTurn, type Model, runTools, tool, turns, validate } from 'message-store';
import { openaiChat } from 'message-store/formats/openai-chat';
import { store, system, user } from 'message-store/testing';

/** What a server was asked: the bodies, as JSON. */
type Request = { readonly messages: readonly Readonly<Record<string, unknown>>[]; readonly tools?: unknown };

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** A server that answers with these messages one after another, a client of it, and what it was asked. */
async function serving(...answers: readonly object[]): Promise<{ client: OpenAI; requests: Request[] }> {
  const requests: Request[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(JSON.parse(await bodyOf(request)));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completion(answers[requests.length - 1] ?? {})));
  };
  server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { client: new OpenAI({ apiKey: 'x', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 }), requests };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const completion = (message: object): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'small',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', logprobs: null }],
});

const wireCall = (id: string, name: string, args: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

/** The paths of all keys whose value is null. */
function nullsIn(value: unknown, path = ''): string[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => nullsIn(inner, `${path}/${key}`));
}

const ODD = '{ "q" : {} , "n":1.0 }';
const BIG = '{"id":12345678901234567890,"path":"a\\/b","list":[ ]}';
const tools = { search: tool({ run: ({ q }) => ({ found: q }) }), fetch: tool({ run: () => 'page' }) };
const definitions = Object.keys(tools).map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: {} } },
}));
const conversation = store({ system: [system('Be brief.')], chat: [user('What is new?')] });

/** A model behind a client; `read` makes a turn of what it answers. */
const modelOf =
  (client: OpenAI, read: (completion: unknown) => AssistantTurn): Model =>
  async (messages, { tools: offered }) => {
    const request = { model: 'small', ...openaiChat.encode(messages).payload };
    return read(
      await client.chat.completions.create({ ...request, ...(offered.length > 0 && { tools: definitions }) }),
    );
  };
const decoded = (answer: unknown): AssistantTurn => openaiChat.decode(answer).messages.last() ?? {};

describe('the loop with the client of OpenAI', () => {
  it('sends one assistant message with all calls as they came, and their answers behind it', async () => {
    const { client, requests } = await serving(
      {
        content: 'Let me look.',
        tool_calls: [wireCall('call_1', 'search', ODD), wireCall('call_2', 'fetch', BIG)],
      },
      { content: 'Nothing.' },
    );
    const run = await runTools(conversation, { section: 'chat', tools, model: modelOf(client, decoded) });
    expect(requests).toHaveLength(2);
    expect(requests[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is new?' },
    ]);
    expect(requests[1]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is new?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{ "q" : {} , "n":1.0 }' } },
          {
            id: 'call_2',
            type: 'function',
            function: { name: 'fetch', arguments: '{"id":12345678901234567890,"path":"a\\/b","list":[ ]}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"found":{}}' },
      { role: 'tool', tool_call_id: 'call_2', content: 'page' },
    ]);
    expect(requests.flatMap((request) => nullsIn(request))).toEqual([]);
    expect(run).toMatchObject({ status: 'done', iterations: 2, truncated: false });
    expect(run.store.section('chat').messages().last()?.toString()).toBe('Nothing.');
    expect(validate(run.store.toMessages(), { allowOpenTail: false })).toEqual([]);
  });

  it('sends an empty text where the model sent only calls', async () => {
    const tool_calls = [wireCall('call_1', 'search', ODD), wireCall('call_2', 'fetch', '')];
    const { client, requests } = await serving({ content: null, refusal: null, tool_calls }, { content: 'Nothing.' });
    const read = (answer: unknown): AssistantTurn => {
      const { content, tool_calls: toolCalls = [] } = (answer as OpenAI.ChatCompletion).choices[0]!.message;
      return { content: content ?? '', toolCalls: toolCalls.map((one) => ({ ...one })) };
    };
    await runTools(conversation, { section: 'chat', tools, model: modelOf(client, read) });
    expect(requests[1]?.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{ "q" : {} , "n":1.0 }' } },
          { id: 'call_2', type: 'function', function: { name: 'fetch', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"found":{}}' },
      { role: 'tool', tool_call_id: 'call_2', content: 'page' },
    ]);
    expect(requests.flatMap((request) => nullsIn(request))).toEqual([]);
  });

  it('sends the same where the turn is put together by hand', async () => {
    const { client, requests } = await serving({ content: 'Nothing.' });
    const asked = turns(conversation, 'chat').appendAssistant({
      toolCalls: [{ id: 'call_1', name: 'search', arguments: ODD }],
    });
    const answered = turns(asked, 'chat').answer('call_1', { found: {} });
    await client.chat.completions.create({ model: 'small', ...openaiChat.encode(answered).payload });
    expect(requests).toEqual([
      {
        model: 'small',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What is new?' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{ "q" : {} , "n":1.0 }' } },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: '{"found":{}}' },
        ],
      },
    ]);
    expect(nullsIn(requests)).toEqual([]);
  });

  it('offers no tools in the closing call', async () => {
    const { client, requests } = await serving(
      { content: 'Looking.', tool_calls: [wireCall('call_1', 'fetch', '{}')] },
      { content: 'In short: nothing.' },
    );
    const run = await runTools(conversation, {
      section: 'chat',
      tools,
      model: modelOf(client, decoded),
      maxIterations: 1,
    });
    expect(requests.map((request) => request.tools)).toEqual([definitions, undefined]);
    expect(run.truncated).toBe(true);
  });
});
