import { GoogleGenAI } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { accumulator, encodeToolChoice, encodeTools, gemini, toSdk } from 'message-store/formats/gemini';
import { checkGemini } from 'message-store/testing';
import { events, json, serving } from '../support/serving.ts';
import { said } from '../support/streams.ts';
import { conversation, definitions } from './conversation.ts';

const usageMetadata = { promptTokenCount: 40, candidatesTokenCount: 15, thoughtsTokenCount: 5, totalTokenCount: 60 };
const candidate = (parts: object[], more: object = {}): object => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
  responseId: 'r1',
});
const calls = [
  { functionCall: { name: 'weather', args: { city: 'Rome' } }, thoughtSignature: 'c2ln' },
  { functionCall: { name: 'weather', args: { city: 'Bern' } } },
];
const response = {
  ...candidate([{ text: 'Two cities.', thought: true }, { text: 'Let me see.' }, ...calls], { finishReason: 'STOP' }),
  usageMetadata,
};
const stream = [
  candidate([{ text: 'Two ', thought: true }]),
  candidate([{ text: 'cities.', thought: true }]),
  candidate([{ text: 'Let me' }]),
  candidate([{ text: ' see.' }]),
  candidate(calls),
  { ...candidate([], { finishReason: 'STOP' }), usageMetadata },
];

const request = toSdk(gemini.encode(conversation).payload, {
  model: 'gemini-small',
  config: { tools: encodeTools(definitions), toolConfig: encodeToolChoice('auto') },
});
const clientOf = (baseUrl: string) => new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl } });

describe('the client of Gemini', () => {
  it('sends what the API takes, and its answer is read', async () => {
    const { url, asked } = await serving(json(response));
    const decoded = gemini.decode(await clientOf(url).models.generateContent(request as never));
    const { systemInstruction, contents } = asked[0]?.body ?? {};
    expect(checkGemini({ systemInstruction, contents })).toEqual([]);
    expect({ systemInstruction, contents }).toMatchObject(gemini.encode(conversation).payload);
    expect(said(decoded)).toEqual(said(gemini.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('streams', async () => {
    const { url } = await serving(events(stream));
    const answer = accumulator();
    for await (const chunk of await clientOf(url).models.generateContentStream(request as never)) answer.push(chunk);
    const decoded = answer.finish();
    expect(said(decoded)).toEqual(said(gemini.decode(response)));
    expect(decoded).toMatchObject({ finish: { reason: 'tool_calls' }, usage: { inputTokens: 40, outputTokens: 20 } });
  });
});
