import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { describe, expect, it } from 'vitest';
import { accumulator, bedrock, encodeToolChoice, toSdk } from 'message-store/formats/bedrock';
import { checkBedrock } from 'message-store/testing';
import { eventStream } from '../support/event-stream.ts';
import { type Answer, json, serving } from '../support/serving.ts';
import { said } from '../support/streams.ts';
import { conversation, definitions } from './conversation.ts';

const usage = { inputTokens: 32, outputTokens: 20, totalTokens: 60, cacheReadInputTokens: 8 };
const calls = [
  { toolUse: { toolUseId: 'tooluse_2', name: 'weather', input: { city: 'Rome' } } },
  { toolUse: { toolUseId: 'tooluse_3', name: 'weather', input: {} } },
];
const response = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Two cities.', signature: 'c2ln' } } },
        { reasoningContent: { redactedContent: 'RU5D' } },
        { text: 'Let me see.' },
        ...calls,
      ],
    },
  },
  stopReason: 'tool_use',
  usage,
  metrics: { latencyMs: 12 },
};

const delta = (contentBlockIndex: number, piece: object) => ['contentBlockDelta', { contentBlockIndex, delta: piece }];
const stop = (contentBlockIndex: number) => ['contentBlockStop', { contentBlockIndex }];
const start = (contentBlockIndex: number, toolUseId: string) => [
  'contentBlockStart',
  { contentBlockIndex, start: { toolUse: { toolUseId, name: 'weather' } } },
];
const stream = [
  ['messageStart', { role: 'assistant' }],
  delta(0, { reasoningContent: { text: 'Two ' } }),
  delta(0, { reasoningContent: { text: 'cities.' } }),
  delta(0, { reasoningContent: { signature: 'c2ln' } }),
  stop(0),
  delta(1, { reasoningContent: { redactedContent: 'RU5D' } }),
  stop(1),
  delta(2, { text: 'Let me' }),
  delta(2, { text: ' see.' }),
  stop(2),
  start(3, 'tooluse_2'),
  delta(3, { toolUse: { input: '{"city":' } }),
  delta(3, { toolUse: { input: '"Rome"}' } }),
  stop(3),
  start(4, 'tooluse_3'),
  stop(4),
  ['messageStop', { stopReason: 'tool_use' }],
  ['metadata', { usage, metrics: { latencyMs: 12 } }],
] as [string, object][];

const { payload } = bedrock.encode(conversation, { tools: definitions });
const request = toSdk(payload, { modelId: 'm', toolConfig: { toolChoice: encodeToolChoice('auto') } });

async function asking(answer: Answer) {
  const { url, asked } = await serving(answer);
  const client = new BedrockRuntimeClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
    // Its own speaks HTTP/2.
    requestHandler: new NodeHttpHandler(),
  });
  return { client, asked };
}

const ended = {
  finish: { reason: 'tool_calls', raw: 'tool_use' },
  usage: { inputTokens: 40, outputTokens: 20, cachedInputTokens: 8 },
};

describe('the client of Amazon Bedrock', () => {
  it('sends what the API takes, and its answer is read', async () => {
    const { client, asked } = await asking(json(response));
    const decoded = bedrock.decode(await client.send(new ConverseCommand(request)));
    const sent = asked[0]?.body;
    expect(checkBedrock(sent)).toEqual([]);
    expect(sent).toEqual({ ...payload, toolConfig: { ...payload.toolConfig, toolChoice: { auto: {} } } });
    expect(said(decoded)).toEqual(said(bedrock.decode(response)));
    expect(decoded).toMatchObject(ended);
  });

  it('streams, and the events come to the same message', async () => {
    const { client } = await asking(eventStream(stream));
    const answer = accumulator();
    const { stream: events = [] } = await client.send(new ConverseStreamCommand(request));
    for await (const event of events) answer.push(event);
    const decoded = answer.finish();
    expect(said(decoded)).toEqual(said(bedrock.decode(response)));
    expect(decoded).toMatchObject(ended);
  });
});
