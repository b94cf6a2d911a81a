import type { Content, GenerateContentParameters, GenerateContentResponse, Tool, ToolConfig } from '@google/genai';
import { describe, expectTypeOf, it } from 'vitest';
import {
  accumulator,
  encodeToolChoice,
  encodeTools,
  type GeminiContent,
  type GeminiTool,
  gemini,
  type GeminiPart,
  type GeminiPayload,
  toSdk,
} from '../../src/formats/gemini/index.ts';
import { MessageStore } from '../../src/index.ts';

describe('a Gemini payload', () => {
  const { payload } = gemini.encode(MessageStore.fromMessages('Hello'));

  it('is what the @google/genai package takes', () => {
    expectTypeOf(payload).toEqualTypeOf<GeminiPayload>();
    expectTypeOf<GeminiContent>().toExtend<Content>();
    toSdk(payload, { model: 'gemini-3', config: { temperature: 0 } }) satisfies GenerateContentParameters;
    toSdk(payload, { model: 'gemini-3' }) satisfies GenerateContentParameters;
    ({ model: 'gemini-3', contents: payload.contents }) satisfies GenerateContentParameters;
  });

  it('goes with tools and their choice', () => {
    expectTypeOf<GeminiTool>().toExtend<Tool>();
    const tools = encodeTools([{ name: 'now' }]);
    encodeToolChoice('auto') satisfies ToolConfig;
    const config = { tools, toolConfig: encodeToolChoice('required') } satisfies GenerateContentParameters['config'];
    toSdk(payload, { model: 'gemini-3', config }) satisfies GenerateContentParameters;
    expectTypeOf(encodeToolChoice('auto').functionCallingConfig.mode).toEqualTypeOf<'AUTO' | 'ANY' | 'NONE'>();
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
    toSdk(payload, {});
  });
});

it('reads the responses of the package', () => {
  expectTypeOf(gemini.decode).toBeCallableWith({} as GenerateContentResponse);
  expectTypeOf(accumulator().push).toBeCallableWith({} as GenerateContentResponse);
});
