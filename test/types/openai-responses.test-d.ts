import type {
  EasyInputMessage,
  ResponseCreateParamsNonStreaming,
  ResponseCustomToolCall,
  ResponseCustomToolCallOutput,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStreamEvent,
  Tool,
} from 'openai/resources/responses/responses';
import { describe, expectTypeOf, it } from 'vitest';
import {
  accumulator,
  encodeToolChoice,
  encodeTools,
  openaiResponses,
  type OpenAIResponsesPayload,
  type ResponsesCustomToolCall,
  type ResponsesCustomToolCallOutput,
  type ResponsesFunctionCall,
  type ResponsesFunctionCallOutput,
  type ResponsesItem,
  type ResponsesMessage,
  type ResponsesOutputMessage,
  type ResponsesReasoning,
  type ResponsesStreamEvent,
  type ResponsesTool,
} from '../../src/formats/openai-responses/index.ts';
import { MessageStore } from '../../src/index.ts';

describe('an OpenAI Responses payload', () => {
  const { payload } = openaiResponses.encode(MessageStore.fromMessages('Hello'));

  it('is what the openai package takes', () => {
    expectTypeOf(payload).toEqualTypeOf<OpenAIResponsesPayload>();
    ({ model: 'gpt-5.6', ...payload }) satisfies ResponseCreateParamsNonStreaming;
    expectTypeOf<ResponsesItem>().toExtend<ResponseInputItem>();
  });

  it('goes with tools and their choice', () => {
    expectTypeOf<ResponsesTool>().toExtend<Tool>();
    const tools = encodeTools([{ name: 'now' }]);
    const all = { model: 'gpt-5.6', ...payload, tools, tool_choice: encodeToolChoice('auto') };
    all satisfies ResponseCreateParamsNonStreaming;
  });

  it('has items that the openai package knows by their names', () => {
    expectTypeOf<ResponsesMessage>().toExtend<EasyInputMessage>();
    expectTypeOf<ResponsesOutputMessage>().toExtend<ResponseOutputMessage>();
    expectTypeOf<ResponsesFunctionCall>().toExtend<ResponseFunctionToolCall>();
    expectTypeOf<ResponsesFunctionCallOutput>().toExtend<ResponseInputItem.FunctionCallOutput>();
    expectTypeOf<ResponsesCustomToolCall>().toExtend<ResponseCustomToolCall>();
    expectTypeOf<ResponsesCustomToolCallOutput>().toExtend<ResponseCustomToolCallOutput>();
    expectTypeOf<ResponsesReasoning>().toExtend<ResponseReasoningItem>();
  });

  it('has items that are told apart by their type', () => {
    const item = (payload.input as ResponsesItem[])[0] as ResponsesItem;
    if (item.type === 'function_call') expectTypeOf(item.arguments).toEqualTypeOf<string>();
    if (item.type === 'custom_tool_call') expectTypeOf(item.input).toEqualTypeOf<string>();
  });

  it('is asked for with options that exist', () => {
    openaiResponses.encode(MessageStore.empty(), {
      foreignReasoning: 'text',
      instructions: 'input',
      losses: 'throw',
    });
    // @ts-expect-error there is no such option
    openaiResponses.encode(MessageStore.empty(), { store: false });
  });
});

describe('an OpenAI Responses stream', () => {
  it('has the events of the openai package', () => {
    expectTypeOf<ResponseStreamEvent>().toExtend<ResponsesStreamEvent>();
    expectTypeOf(accumulator().push).toBeCallableWith({} as ResponseStreamEvent);
  });
});
