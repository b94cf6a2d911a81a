import { describe, expectTypeOf, it } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import type { ChatRequest, ChatResponse, Message as OllamaParam, Tool as OllamaSdkTool } from 'ollama';
import type OpenAI from 'openai';
import {
  accumulator,
  anthropic,
  type AnthropicMessage,
  type AnthropicPayload,
  type AnthropicStreamEvent,
  encodeToolChoice,
  encodeTools,
} from '../../src/formats/anthropic/index.ts';
import {
  accumulator as ollamaAccumulator,
  encodeToolChoice as encodeOllamaToolChoice,
  encodeTools as encodeOllamaTools,
  ollama,
  type OllamaChunk,
  type OllamaMessage,
  type OllamaPayload,
  type OllamaTool,
} from '../../src/formats/ollama/index.ts';
import {
  type AssistantMessage,
  type ChatMessage,
  openaiChat,
  type OpenAIChatPayload,
} from '../../src/formats/openai-chat/index.ts';
import {
  type Block,
  Content,
  type JsonObject,
  type JsonValue,
  Message,
  type MessageId,
  type MessageJSON,
  MessageRole,
  Messages,
  MessageStore,
  type MessageType,
  Metadata,
  Section,
  SessionId,
  ToolCall,
  type ToolCallId,
  ToolResult,
  type ToolResultStatus,
} from '../../src/index.ts';

type Param = OpenAI.Chat.Completions.ChatCompletionMessageParam;

describe('values', () => {
  it('are not built with new', () => {
    // @ts-expect-error the constructor is private: Message.of and Message.from build messages
    void new Message({});
    // @ts-expect-error the constructor is private
    void new MessageStore();
    // @ts-expect-error the constructor is private
    void new Content('x');
  });

  it('cannot be assigned to', () => {
    const message = Message.empty();
    // @ts-expect-error readonly
    message.role = 'user';
    // @ts-expect-error readonly
    message.content = Content.empty();
    // @ts-expect-error fields are readonly
    message.contentParts().first()!.fields['text'] = 'x';
    // @ts-expect-error JSON is readonly
    message.toJSON().role = 'user';
  });

  it('say what they hold', () => {
    const message = Message.from('hi');
    expectTypeOf(message.id).toEqualTypeOf<MessageId>();
    expectTypeOf(message.role).toEqualTypeOf<MessageRole>();
    expectTypeOf(message.type).toEqualTypeOf<MessageType>();
    expectTypeOf(message.createdAt).toEqualTypeOf<Date>();
    expectTypeOf(message.toolResult).toEqualTypeOf<ToolResult | undefined>();
    expectTypeOf(message.toJSON()).toEqualTypeOf<MessageJSON>();
    expectTypeOf(ToolCall.none().args).toEqualTypeOf<JsonObject>();
    expectTypeOf(ToolCall.none().id).toEqualTypeOf<ToolCallId | undefined>();
    expectTypeOf(ToolResult.success('x').status).toEqualTypeOf<ToolResultStatus>();
    expectTypeOf(Metadata.empty().get('k')).toEqualTypeOf<JsonValue | undefined>();
    expectTypeOf(Metadata.empty().get('k', 5)).toEqualTypeOf<JsonValue | number>();
    expectTypeOf(Messages.empty().first()).toEqualTypeOf<Message | undefined>();
    expectTypeOf(MessageStore.empty().sections.get('x')).toEqualTypeOf<Section | undefined>();
  });

  it('give their own kind back', () => {
    expectTypeOf(Messages.empty().filter(() => true)).toEqualTypeOf<Messages>();
    expectTypeOf(Messages.empty().map((message) => message.role)).toEqualTypeOf<MessageRole[]>();
    expectTypeOf(MessageStore.empty().section('x').appendMessages('hi')).toEqualTypeOf<MessageStore>();
    expectTypeOf(MessageStore.empty().parameters().setParameter('k', 1)).toEqualTypeOf<MessageStore>();
    expectTypeOf(MessageStore.empty().pipe((store) => store.toMessages().size)).toEqualTypeOf<number>();
    expectTypeOf([...Messages.empty()]).toEqualTypeOf<Message[]>();
  });
});

describe('input', () => {
  it('takes plain strings for ids, and branded ids are strings', () => {
    expectTypeOf<MessageId>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<MessageId>();
    expectTypeOf(SessionId.from('thread_abc')).toEqualTypeOf<SessionId>();
    Messages.empty().getById('plain');
    Message.of({ id: 'plain', parentId: Message.empty().id });
  });

  it('knows the roles', () => {
    Message.make(MessageRole.User, 'x');
    // @ts-expect-error no role
    Message.make('robot', 'x');
    // @ts-expect-error no role
    Messages.empty().forRoles(['human']);
    expectTypeOf(MessageRole.tryFrom('x')).toEqualTypeOf<MessageRole | undefined>();
  });

  it('of a tool answer names its call', () => {
    Message.toolResult('c1', 'ok', { status: 'denied' });
    // @ts-expect-error an answer needs the id of its call
    Message.toolResult();
    // @ts-expect-error no status
    Message.toolResult('c1', 'ok', { status: 'fine' });
  });
});

it('blocks narrow by their type', () => {
  const label = (block: Block): string => {
    switch (block.type) {
      case 'part':
        return block.part.type;
      case 'tool_call':
        return block.call.name;
    }
  };
  expectTypeOf(label).returns.toEqualTypeOf<string>();
});

it('a recipe edits the JSON of the store', () => {
  MessageStore.empty().update((draft) => {
    expectTypeOf(draft.sections[0]!.messages[0]!.role).toEqualTypeOf<MessageRole>();
    draft.parameters['model'] = 'small';
    // @ts-expect-error no role
    draft.sections[0]!.messages[0]!.role = 'robot';
  });
});

it('a recipe adds records as stored, and values', () => {
  const message = Message.asUser('Hi');
  MessageStore.fromMessages(message).update((draft) => {
    draft.sections[0]!.messages.push(message.toJSON(), message);
    draft.sections[0]!.messages.unshift(message.toJSON());
    draft.sections[0]!.messages.splice(0, 1, message.toJSON());
    draft.sections.push(Section.of('more', message).toJSON(), Section.of('most', message));
    // @ts-expect-error incomplete
    draft.sections[0]!.messages.push({ role: 'user', content: 'Hi' });
  });
});

describe('an OpenAI Chat payload', () => {
  it('is what the openai package takes', () => {
    expectTypeOf<ChatMessage>().toExtend<Param>();
    const { payload } = openaiChat.encode(MessageStore.fromMessages('Hello'));
    ({ model: 'gpt-5.6', ...payload }) satisfies OpenAI.Chat.Completions.ChatCompletionCreateParams;
    expectTypeOf(payload).toEqualTypeOf<OpenAIChatPayload>();
  });

  it('names no detail of an image that version 6 of the package does not know', () => {
    type Parts = Exclude<Extract<ChatMessage, { role: 'user' }>['content'], string>[number];
    type Detail = Extract<Parts, { type: 'image_url' }>['image_url']['detail'];
    expectTypeOf<Detail>().toEqualTypeOf<'auto' | 'low' | 'high' | undefined>();
  });

  it('narrows by role', () => {
    const [message] = openaiChat.encode(Messages.empty()).payload.messages;
    if (message?.role === 'assistant') expectTypeOf(message).toEqualTypeOf<AssistantMessage>();
  });
});

describe('an Anthropic Messages payload', () => {
  it('is what the @anthropic-ai/sdk package takes', () => {
    expectTypeOf<AnthropicMessage>().toExtend<Anthropic.MessageParam>();
    const { payload } = anthropic.encode(MessageStore.fromMessages('Hello'));
    ({ model: 'claude-opus-5', max_tokens: 256, ...payload }) satisfies Anthropic.MessageCreateParams;
    expectTypeOf(payload).toEqualTypeOf<AnthropicPayload>();
  });

  it('comes with tools that the package takes', () => {
    expectTypeOf(encodeTools([{ name: 'now' }])).toExtend<Anthropic.Tool[]>();
    expectTypeOf(encodeToolChoice('required')).toExtend<Anthropic.ToolChoice>();
  });

  it('comes with an accumulator that takes the events of the package', () => {
    expectTypeOf<Anthropic.RawMessageStreamEvent>().toExtend<AnthropicStreamEvent>();
    expectTypeOf<Anthropic.Beta.BetaRawMessageStreamEvent>().toExtend<AnthropicStreamEvent>();
    expectTypeOf(accumulator().push).parameter(0).toEqualTypeOf<AnthropicStreamEvent>();
  });

  it('narrows by role and by the type of a block', () => {
    const [message] = anthropic.encode(Messages.empty()).payload.messages;
    if (message?.role !== 'assistant' || typeof message.content === 'string') return;
    for (const block of message.content) if (block.type === 'tool_use') expectTypeOf(block.id).toBeString();
  });
});

describe('an Ollama payload', () => {
  it('is what the ollama package takes', () => {
    expectTypeOf<OllamaMessage>().toExtend<OllamaParam>();
    const { payload } = ollama.encode(MessageStore.fromMessages('Hello'));
    ({ model: 'qwen3', ...payload }) satisfies ChatRequest;
    expectTypeOf(payload).toEqualTypeOf<OllamaPayload>();
  });

  it('stands beside tools that the package takes', () => {
    expectTypeOf<OllamaTool>().toExtend<OllamaSdkTool>();
    ({ model: 'qwen3', tools: encodeOllamaTools([{ name: 'now' }]) }) satisfies ChatRequest;
    expectTypeOf(encodeOllamaToolChoice).returns.toBeUndefined();
    // @ts-expect-error no such choice
    encodeOllamaToolChoice('any');
  });

  it('is answered by a stream of the package', () => {
    expectTypeOf<ChatResponse>().toExtend<OllamaChunk>();
    expectTypeOf(ollamaAccumulator().push).toBeCallableWith({} as ChatResponse);
    // @ts-expect-error a chunk, not its text
    ollamaAccumulator().push('{"done":true}');
  });

  it('narrows by role', () => {
    const [message] = ollama.encode(Messages.empty()).payload.messages;
    if (message?.role === 'user') expectTypeOf(message.images).toEqualTypeOf<string[] | undefined>();
  });
});
