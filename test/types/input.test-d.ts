import { describe, expectTypeOf, it } from 'vitest';
import type OpenAI from 'openai';
import {
  Content,
  ContentPart,
  type ContentPartJSON,
  Message,
  type MessageJSON,
  Messages,
  MessageStore,
  type MessageStoreJSON,
  Section,
  type SectionJSON,
  Sections,
  type StorePatch,
  ToolCall,
  ToolCalls,
  type ToolCallJSON,
  ToolResult,
  type ToolResultJSON,
} from 'message-store';
import { openaiChat } from 'message-store/formats/openai-chat';
import { arbitraries, assistant, call, chat, result, store, user } from 'message-store/testing';
import type fc from 'fast-check';

declare function given<T>(): T;

describe('the loose door takes', () => {
  it('all that toJSON writes', () => {
    MessageStore.from(given<MessageStoreJSON>());
    Sections.from(given<SectionJSON[]>());
    Section.from(given<SectionJSON>());
    Messages.from(given<MessageJSON[]>());
    Message.from(given<MessageJSON>());
    Content.from(given<string | ContentPartJSON[]>());
    ContentPart.from(given<ContentPartJSON>());
    ToolCalls.from(given<ToolCallJSON[]>());
    ToolCall.from(given<ToolCallJSON>());
    ToolResult.from(given<ToolResultJSON>());
  });

  it('readonly lists', () => {
    Messages.from(given<readonly MessageJSON[]>());
    MessageStore.empty().section('a').appendMessages(given<readonly Message[]>());
    Message.assistantToolCalls(given<readonly ToolCall[]>());
    MessageStore.empty().select(given<readonly string[]>());
    MessageStore.empty().applyPatches(given<readonly StorePatch[]>());
  });

  it('what the openai package calls a message and a tool call', () => {
    Messages.from(given<OpenAI.Chat.Completions.ChatCompletionUserMessageParam[]>());
    Message.from(given<OpenAI.Chat.Completions.ChatCompletionAssistantMessageParam>());
    ToolCalls.from(given<OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall[]>());
    ToolCall.from(given<OpenAI.Chat.Completions.ChatCompletionMessageCustomToolCall>());
    openaiChat.decode(given<OpenAI.Chat.Completions.ChatCompletion>());
  });

  it('objects of the caller’s own types', () => {
    interface Turn {
      readonly role: string;
      readonly content: string;
      readonly stars?: number;
    }
    Messages.from(given<Turn[]>());
    Message.from({ role: 'user', content: 'Hi', stars: 5 });
  });
});

describe('the loose door does not take', () => {
  it('what cannot stand for it', () => {
    // @ts-expect-error a number is no message
    Message.from(5);
    // @ts-expect-error a list of numbers is no list of messages
    Messages.from([1, 2]);
    // @ts-expect-error a number is no content
    Content.from(5);
    // @ts-expect-error text is no tool call
    ToolCall.from('weather');
    // @ts-expect-error a role that is none
    Message.from('Hi', 'robot');
  });
});

describe('lists that are given out', () => {
  it('are the caller’s own, or cannot be written to', () => {
    expectTypeOf(MessageStore.empty().sections.names()).toEqualTypeOf<string[]>();
    expectTypeOf(MessageStore.empty().toFlatArray()).toEqualTypeOf<MessageJSON[]>();
    expectTypeOf(given<MessageStoreJSON>().sections).toEqualTypeOf<readonly SectionJSON[]>();
    expectTypeOf(given<SectionJSON>().messages).toEqualTypeOf<readonly MessageJSON[]>();
    expectTypeOf(MessageStore.empty().updateWithPatches(() => {}).patches).toEqualTypeOf<readonly StorePatch[]>();
    expectTypeOf(openaiChat.encode(Messages.empty()).report.losses).items.toHaveProperty('rule');
    // @ts-expect-error readonly
    openaiChat.encode(Messages.empty()).report.losses.push();
    // @ts-expect-error readonly
    given<StorePatch>().path.push('a');
  });
});

describe('the testing kit', () => {
  it('builds values', () => {
    expectTypeOf(chat(user('a'), 'b', call('f'), result('f', 'x'))).toEqualTypeOf<Messages>();
    expectTypeOf(store({ chat: ['a'] }, { model: 'small' })).toEqualTypeOf<MessageStore>();
    expectTypeOf(call('f')).toEqualTypeOf<ToolCall>();
    assistant(null, call('f'), call('g'));
    // @ts-expect-error a call is no content
    user(call('f'));
    // @ts-expect-error an answer needs content
    result('f');
  });

  it('takes the fast-check of the caller', () => {
    expectTypeOf(arbitraries).parameter(0).toEqualTypeOf<typeof fc>();
    expectTypeOf(arbitraries(given<typeof fc>()).store).toEqualTypeOf<fc.Arbitrary<MessageStore>>();
  });
});
