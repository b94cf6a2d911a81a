import type {
  AssistantMessage$Outbound,
  ChatCompletionRequest,
  ChatCompletionRequestMessage$Outbound,
  ChatCompletionResponse,
  ChatCompletionStreamRequest,
  CompletionEvent,
  SystemMessage$Outbound,
  Tool$Outbound,
  ToolMessage$Outbound,
  UserMessage$Outbound,
} from '@mistralai/mistralai/models/components';
import { describe, expectTypeOf, it } from 'vitest';
import {
  accumulator,
  encodeToolChoice,
  encodeTools,
  mistral,
  type MistralAssistantMessage,
  type MistralMessage,
  type MistralPayload,
  type MistralSystemMessage,
  type MistralTool,
  type MistralToolCall,
  type MistralToolMessage,
  type MistralUserMessage,
  toSdk,
} from '../../src/formats/mistral/index.ts';
import { MessageStore } from '../../src/index.ts';

/** What the package always sends, since it fills in the defaults of the API. */
type Filled = Omit<MistralAssistantMessage, 'prefix' | 'tool_calls'> & {
  prefix: boolean;
  tool_calls?: Required<MistralToolCall>[];
};

describe('a Mistral payload', () => {
  const { payload } = mistral.encode(MessageStore.fromMessages('Hello'));

  it('is what the @mistralai/mistralai package sends', () => {
    expectTypeOf(payload).toEqualTypeOf<MistralPayload>();
    expectTypeOf<MistralSystemMessage>().toExtend<SystemMessage$Outbound>();
    expectTypeOf<MistralUserMessage>().toExtend<UserMessage$Outbound>();
    expectTypeOf<Filled>().toExtend<AssistantMessage$Outbound>();
    expectTypeOf<MistralToolMessage>().toExtend<ToolMessage$Outbound>();
    expectTypeOf<Exclude<MistralMessage, MistralAssistantMessage>>().toExtend<ChatCompletionRequestMessage$Outbound>();
  });

  it('is what that package takes, in its spelling', () => {
    toSdk(payload, { model: 'mistral-small-latest', temperature: 0 }) satisfies ChatCompletionRequest;
    toSdk(payload, { model: 'mistral-small-latest' }) satisfies ChatCompletionRequest;
    // @ts-expect-error a request names its model
    toSdk(payload, {});
  });

  it('goes with tools and their choice', () => {
    expectTypeOf<MistralTool>().toExtend<Tool$Outbound>();
    const tools = encodeTools([{ name: 'now' }]);
    toSdk(payload, { model: 'm', tools, toolChoice: encodeToolChoice('auto') }) satisfies ChatCompletionRequest;
    toSdk(payload, {
      model: 'm',
      tools,
      toolChoice: encodeToolChoice({ name: 'now' }),
    }) satisfies ChatCompletionStreamRequest;
  });

  it('has messages that are told apart by their role', () => {
    const message = payload.messages[0] as MistralMessage;
    if (message.role === 'tool') expectTypeOf(message.tool_call_id).toEqualTypeOf<string>();
    if (message.role === 'assistant') expectTypeOf(message.prefix).toEqualTypeOf<boolean | undefined>();
  });

  it('is asked for with options that exist', () => {
    mistral.encode(MessageStore.empty(), { thinking: false, foreignReasoning: 'text', toolMedia: false });
    // @ts-expect-error no such way for reasoning
    mistral.encode(MessageStore.empty(), { foreignReasoning: 'thinking' });
  });
});

it('reads the responses of the package', () => {
  expectTypeOf(mistral.decode).toBeCallableWith({} as ChatCompletionResponse);
  expectTypeOf(accumulator().push).toBeCallableWith({} as CompletionEvent);
});
