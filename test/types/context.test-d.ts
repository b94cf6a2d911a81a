import { describe, expectTypeOf, it } from 'vitest';
import {
  assemble,
  type Assembly,
  type CacheLifetime,
  type CacheMark,
  compact,
  fit,
  layouts,
  type Message,
  type Messages,
  type MessageStore,
  Section,
  type SectionPolicy,
  setPolicy,
  type TokenCounter,
} from 'message-store';
import { anthropic } from 'message-store/formats/anthropic';
import { bedrock } from 'message-store/formats/bedrock';
import { gemini } from 'message-store/formats/gemini';
import { mistral } from 'message-store/formats/mistral';
import { ollama } from 'message-store/formats/ollama';
import { openaiChat } from 'message-store/formats/openai-chat';
import { openaiResponses } from 'message-store/formats/openai-responses';

declare const store: MessageStore;

describe('assemble', () => {
  it('gives what every format encodes', () => {
    const assembly = assemble(store, { sections: layouts.chat, budget: 8000, reserve: { output: 1000 } });
    expectTypeOf(assembly).toEqualTypeOf<Assembly>();
    expectTypeOf(assembly.messages).toEqualTypeOf<Messages>();
    expectTypeOf(assembly.marks).toEqualTypeOf<readonly CacheMark[]>();
    for (const format of [anthropic, bedrock, gemini, mistral, ollama, openaiChat, openaiResponses])
      expectTypeOf(format.encode).parameter(0).extract<Assembly>().toEqualTypeOf<Assembly>();
  });

  it('knows its options', () => {
    // @ts-expect-error a budget is a number
    assemble(store, { budget: '8000' });
    // @ts-expect-error headings are texts or messages
    assemble(store, { headings: { examples: { before: 3 } } });
    // @ts-expect-error there is no such layout
    assemble(store, { sections: layouts.free });
  });

  it('takes a counter of messages, or of texts and media', () => {
    fit(store, { counter: (message) => (expectTypeOf(message).toEqualTypeOf<Message>(), 1) });
    // @ts-expect-error media are counted too
    const counter: TokenCounter = { text: () => 1, perMessage: 3 };
    fit(['a'], { counter });
  });
});

describe('a policy', () => {
  it('is checked where it is written', () => {
    expectTypeOf<SectionPolicy['cache']>().toEqualTypeOf<boolean | CacheLifetime | undefined>();
    setPolicy('chat', { pin: true, budget: '25%', cache: '1h', trust: false, evict: 'summary' });
    // @ts-expect-error a key that means nothing is perhaps misspelled
    setPolicy('chat', { pinned: true });
    // @ts-expect-error a share ends with %
    setPolicy('chat', { budget: '25' });
    // @ts-expect-error providers know other lifetimes
    setPolicy('chat', { cache: '2h' });
    // @ts-expect-error oldest or summary
    Section.of('chat').withPolicy({ evict: 'newest' });
  });
});

describe('compact', () => {
  it('gives a store, of a summary that may take its time', () => {
    const made = compact(store, {
      summarize: async ({ messages, text, tokens }) => `${messages.size} ${text} ${tokens}`,
    });
    expectTypeOf(made).resolves.toEqualTypeOf<MessageStore>();
    // @ts-expect-error somebody has to summarise
    void compact(store, {});
  });
});
