import { describe, expect, it } from 'vitest';
import { InvalidInputError, MessageStoreError } from '../../src/index.ts';
import * as anthropic from '../../src/formats/anthropic/index.ts';
import * as bedrock from '../../src/formats/bedrock/index.ts';
import type { Accumulator, Decoded, DecodeOptions } from '../../src/formats/format.ts';
import * as gemini from '../../src/formats/gemini/index.ts';
import * as mistral from '../../src/formats/mistral/index.ts';
import * as ollama from '../../src/formats/ollama/index.ts';
import * as openaiChat from '../../src/formats/openai-chat/index.ts';
import * as openaiResponses from '../../src/formats/openai-responses/index.ts';

type Decode = (wire: unknown) => Decoded;
type Stream = (options?: DecodeOptions) => Accumulator<never>;

const TOLD = 'It does not work';

/** What each provider answers where something is wrong. */
const ANSWERS: readonly (readonly [string, Decode, unknown])[] = [
  ['anthropic', anthropic.anthropic.decode, { type: 'error', error: { type: 'overloaded_error', message: TOLD } }],
  ['bedrock', bedrock.bedrock.decode, { message: TOLD }],
  ['bedrock, as some services spell it', bedrock.bedrock.decode, { __type: 'AccessDenied', Message: TOLD }],
  ['gemini', gemini.gemini.decode, { error: { code: 429, message: TOLD, status: 'RESOURCE_EXHAUSTED' } }],
  ['gemini, where a stream was asked for', gemini.gemini.decode, [{ error: { code: 503, message: TOLD } }]],
  ['mistral', mistral.mistral.decode, { object: 'error', message: TOLD, type: 'invalid_request', code: null }],
  ['mistral, of the shape of a request', mistral.mistral.decode, { detail: [{ loc: ['body'], msg: TOLD }] }],
  ['ollama', ollama.ollama.decode, { error: TOLD }],
  ['openai-chat', openaiChat.openaiChat.decode, { error: { message: TOLD, type: 'invalid_request_error' } }],
  ['openai-responses', openaiResponses.openaiResponses.decode, { error: { message: TOLD, code: 'rate_limit' } }],
];

function errorOf(run: () => unknown): MessageStoreError {
  try {
    run();
  } catch (error) {
    if (MessageStoreError.isInstance(error)) return error;
  }
  return expect.fail('nothing was refused');
}

describe('the error answer of a provider', () => {
  it.each(ANSWERS)('is told as what it is: %s', (_, decode, wire) => {
    const error = errorOf(() => decode(wire));
    expect(error.code).toBe('provider_error');
    expect(error.message).toMatch(new RegExp(`^error of the provider: .*${TOLD}`));
    expect(error.value).toEqual(Array.isArray(wire) ? wire[0] : wire);
  });

  it.each(ANSWERS)('is no other thing that cannot be read: %s', (_, decode) => {
    for (const wire of [{}, { error: null }, 'Overloaded', undefined, { message: { text: TOLD } }]) {
      const error = errorOf(() => decode(wire));
      expect([error.code, InvalidInputError.isInstance(error)]).not.toContain('provider_error');
    }
  });
});

/** How an error is told in the middle of each stream. */
const EVENTS: readonly (readonly [string, Stream, unknown])[] = [
  ['anthropic', anthropic.accumulator, { type: 'error', error: { type: 'overloaded_error', message: TOLD } }],
  ['bedrock', bedrock.accumulator, { throttlingException: { message: TOLD } }],
  ['bedrock, the answer', bedrock.accumulator, { message: TOLD }],
  ['gemini', gemini.accumulator, { error: { code: 503, message: TOLD, status: 'UNAVAILABLE' } }],
  ['gemini, a text', gemini.accumulator, { error: TOLD }],
  ['mistral', mistral.accumulator, { object: 'error', message: TOLD }],
  ['ollama', ollama.accumulator, { error: TOLD }],
  ['openai-chat', openaiChat.accumulator, { error: { message: TOLD } }],
  ['openai-chat, a text', openaiChat.accumulator, { error: TOLD }],
  ['openai-responses', openaiResponses.accumulator, { type: 'error', message: TOLD, code: 'server_error' }],
  ['openai-responses, the answer', openaiResponses.accumulator, { error: { message: TOLD } }],
  ['openai-responses, a text', openaiResponses.accumulator, { error: TOLD }],
];

describe('an error in the middle of a stream', () => {
  it.each(EVENTS)('is why it ended: %s', (_, accumulator, event) => {
    const answer = accumulator();
    answer.push(event as never);
    expect(answer.finish().finish).toEqual({ reason: 'error', raw: TOLD });
  });
});
