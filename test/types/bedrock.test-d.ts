import type {
  ConverseCommandInput,
  ConverseCommandOutput,
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  Message,
  SystemContentBlock,
  Tool,
  ToolChoice,
  ToolConfiguration,
} from '@aws-sdk/client-bedrock-runtime';
import { describe, expectTypeOf, it } from 'vitest';
import {
  accumulator,
  bedrock,
  type BedrockMessage,
  type BedrockPayload,
  type BedrockSystemBlock,
  type BedrockTool,
  type BedrockToolChoice,
  encodeToolChoice,
  encodeTools,
  toSdk,
} from '../../src/formats/bedrock/index.ts';
import { MessageStore } from '../../src/index.ts';

describe('a Bedrock payload', () => {
  const { payload } = bedrock.encode(MessageStore.fromMessages('Hello'));

  it('is what the commands of @aws-sdk/client-bedrock-runtime take', () => {
    toSdk(payload, { modelId: 'm' }) satisfies ConverseCommandInput;
    toSdk(payload, { modelId: 'm', inferenceConfig: { maxTokens: 9 } }) satisfies ConverseStreamCommandInput;
    expectTypeOf<BedrockMessage<Uint8Array>>().toExtend<Message>();
    expectTypeOf<BedrockSystemBlock>().toExtend<SystemContentBlock>();
  });

  it('goes with tools and their choice', () => {
    expectTypeOf<BedrockTool>().toExtend<Tool>();
    expectTypeOf<BedrockToolChoice>().toExtend<ToolChoice>();
    const toolConfig = { tools: encodeTools([{ name: 'now' }]), toolChoice: encodeToolChoice('auto') };
    toolConfig satisfies ToolConfiguration;
    toSdk(payload, { modelId: 'm', toolConfig }) satisfies ConverseCommandInput;
  });

  it('has base64 for the bytes of the client', () => {
    expectTypeOf(payload).toEqualTypeOf<BedrockPayload>();
    // @ts-expect-error the client wants bytes
    ({ modelId: 'm', ...payload }) satisfies ConverseCommandInput;
  });

  it('has blocks that are told apart by their key', () => {
    for (const block of payload.messages[0]?.content ?? []) {
      if ('text' in block) expectTypeOf(block.text).toBeString();
      if ('toolUse' in block) expectTypeOf(block.toolUse.toolUseId).toBeString();
    }
  });

  it('is asked for with options that exist', () => {
    bedrock.encode(MessageStore.empty(), { prefill: false, systemInMessages: true, callIds: 'nine', cachePoints: 0 });
    // @ts-expect-error no such grammar
    bedrock.encode(MessageStore.empty(), { callIds: 'any' });
  });
});

it('reads the responses of the client', () => {
  expectTypeOf(bedrock.decode).toBeCallableWith({} as ConverseCommandOutput);
  expectTypeOf(accumulator().push).toBeCallableWith({} as ConverseStreamOutput);
});
