import type { Content, GenerateContentParameters, GenerateContentResponse } from '@google/genai';
import { describe, expectTypeOf, it } from 'vitest';
import { type GeminiContent, gemini, type GeminiPart, type GeminiPayload } from '../../src/formats/gemini/index.ts';
import { MessageStore } from '../../src/index.ts';

describe('a Gemini payload', () => {
  const { payload } = gemini.encode(MessageStore.fromMessages('Hello'));

  it('is what the @google/genai package takes', () => {
    expectTypeOf(payload).toEqualTypeOf<GeminiPayload>();
    expectTypeOf<GeminiContent>().toExtend<Content>();
    gemini.toSdk(payload, { model: 'gemini-3', config: { temperature: 0 } }) satisfies GenerateContentParameters;
    gemini.toSdk(payload, { model: 'gemini-3' }) satisfies GenerateContentParameters;
    ({ model: 'gemini-3', contents: payload.contents }) satisfies GenerateContentParameters;
  });

  it('has parts that are told apart by what they hold', () => {
    const part = payload.contents[0]?.parts[0] as GeminiPart;
    if ('text' in part) expectTypeOf(part.text).toEqualTypeOf<string>();
    if ('functionCall' in part) expectTypeOf(part.functionCall.name).toEqualTypeOf<string>();
  });

  it('is asked for with options that exist', () => {
    gemini.encode(MessageStore.empty(), {
      signatures: 'required',
      toolMedia: 'siblings',
      callIds: 'all',
      urls: 'drop',
    });
    // @ts-expect-error no such place for media
    gemini.encode(MessageStore.empty(), { toolMedia: 'inline' });
    // @ts-expect-error a request names its model
    gemini.toSdk(payload, {});
  });
});

it('reads the responses of the package', () => {
  expectTypeOf(gemini.decode).toBeCallableWith({} as GenerateContentResponse);
});
