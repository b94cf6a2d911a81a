import { fc, test } from '@fast-check/vitest';
import { describe, expect, it, vi } from 'vitest';
import {
  Content,
  ContentPart,
  countTokens,
  Message,
  Messages,
  MessageStore,
  type TokenCounter,
  tokenEstimate,
  ToolCall,
  ToolResult,
} from '../../src/index.ts';
import { arbitraries, call, chat, result, user } from '../../src/testing/index.ts';

const any = arbitraries(fc);

/** A counter of characters that keeps what it was asked. */
function spy({ perMessage = 0, perRequest = 0 } = {}) {
  const text = vi.fn<TokenCounter['text']>((words) => words.length);
  const media = vi.fn<TokenCounter['media']>(() => 1000);
  return { text, media, perMessage, perRequest } satisfies TokenCounter;
}

const said = (message: Message, counter = spy()) => countTokens(message, counter);

describe('the tokens of a message', () => {
  it('are those of its text', () => expect(said(user('Hello'))).toBe(5));

  it('are none of a refusal without a text', () => {
    const silent = ContentPart.of('refusal', { refusal: null });
    expect(countTokens(Message.of({ content: [silent] }), tokenEstimate)).toBe(
      countTokens(Message.of({ content: '' })),
    );
  });

  it('are those of its text parts, reasoning and refusal', () => {
    const parts = [ContentPart.text('abc'), ContentPart.reasoning('de'), ContentPart.refusal('f')];
    const counter = spy();
    expect(said(Message.of({ role: 'assistant', content: parts }), counter)).toBe(6);
    expect(counter.media).not.toHaveBeenCalled();
  });

  it('are those of the names and arguments of its calls, as they are written', () => {
    const toolCalls = [ToolCall.of({ id: 'c1', name: 'look', args: '{ "a": 1 }' }), ToolCall.of({ name: 'go' })];
    expect(said(Message.of({ role: 'assistant', content: '', toolCalls }))).toBe(4 + 10 + 2 + 2);
  });

  it('are those of an answer once', () => {
    const toolResult = ToolResult.success('12 °C', 'c1', 'weather');
    expect(said(Message.of({ role: 'tool', toolResult }))).toBe(5);
  });

  it('are those of media by the counter, also in an answer', () => {
    const image = ContentPart.imageUrl(`data:image/png;base64,${'A'.repeat(5000)}`);
    const toolResult = ToolResult.success([ContentPart.text('seen'), image], 'c1');
    expect(said(Message.of({ role: 'tool', toolResult }))).toBe(1004);
    expect(countTokens(Message.of({ role: 'tool', toolResult }))).toBeLessThan(1620);
  });

  it('do not hold metadata, nor the mark of the place of a call', () => {
    const uri = `data:image/png;base64,${'A'.repeat(5000)}`;
    expect(said(Message.of({ content: 'Hello', metadata: { preview: uri } }))).toBe(5);
    const content = [ContentPart.text('a'), ContentPart.of('tool_call', { index: 0 }), ContentPart.text('b')];
    expect(said(Message.of({ role: 'assistant', content }))).toBe(2);
  });
});

describe('the tokens of messages', () => {
  const history = chat(user('Weather?'), call('weather'), result('weather', '12 °C'));

  it('are those of each, what each costs, and what the request costs once', () => {
    const sum = history.reduce((tokens, message) => tokens + said(message), 0);
    expect(countTokens(history, spy({ perMessage: 10, perRequest: 7 }))).toBe(sum + 30 + 7);
    expect(countTokens(history, { text: () => 1, media: () => 1, perMessage: 2 })).toBe(3 * 2 + 4);
  });

  it('are none where there is no message', () => {
    expect(countTokens([], spy({ perRequest: 7 }))).toBe(0);
    expect(countTokens(MessageStore.empty())).toBe(0);
  });

  it('are the same for a store, its messages, an array and loose input', () => {
    const store = MessageStore.fromMessages(history);
    expect(countTokens(store)).toBe(countTokens(history));
    expect(countTokens([...history])).toBe(countTokens(history));
    expect(countTokens('Hello')).toBe(countTokens(user('Hello')));
    expect(countTokens({ role: 'user', content: 'Hello' })).toBe(countTokens(user('Hello')));
  });

  it('are what the estimate says unless there is another counter', () => {
    expect(countTokens(history)).toBe(countTokens(history, tokenEstimate));
  });

  it('are what a function says of each message', () => {
    const counter = vi.fn<(message: Message) => number>((message) => message.role.length);
    expect(countTokens(history, counter)).toBe(4 + 9 + 4);
    expect(counter).toHaveBeenCalledTimes(3);
  });

  test.prop([any.messages])('are a number, and add up', (messages) => {
    const counter = spy({ perMessage: 3, perRequest: 2 });
    const total = countTokens(messages, counter);
    expect(Number.isSafeInteger(total) && total >= 0).toBe(true);
    expect(total).toBe(
      [...messages].reduce((sum, message) => sum + countTokens(message, counter) - 2, messages.size > 0 ? 2 : 0),
    );
    expect(Number.isSafeInteger(countTokens(messages))).toBe(true);
  });
});

describe('what was counted', () => {
  it('is not counted again, in no list and no copy of a message', () => {
    const counter = spy();
    const image = ContentPart.imageUrl('https://example.com/a.png');
    const messages = Messages.of(
      user('Hello'),
      Message.of({ content: [ContentPart.text('Look'), image] }),
      Message.of({ role: 'assistant', content: 'Yes', toolCalls: [ToolCall.of({ name: 'look' })] }),
    );
    const first = countTokens(messages, counter);
    const [asked, shown] = [counter.text.mock.calls.length, counter.media.mock.calls.length];
    const copies = messages.map((message) => message.withName('Ann').withMetadata('seen', true));
    expect(countTokens(messages, counter)).toBe(first);
    expect(countTokens(Messages.of(...copies), counter)).toBe(first);
    expect(countTokens(MessageStore.fromMessages(messages), counter)).toBe(first);
    countTokens(Message.of({ content: [image, ContentPart.text('new')] }), counter);
    expect([counter.text.mock.calls.length, counter.media.mock.calls.length]).toEqual([asked + 1, shown]);
  });

  it('is counted by each counter', () => {
    const message = user('Hello');
    expect([said(message), countTokens(message, { ...spy(), text: () => 1 })]).toEqual([5, 1]);
  });

  it('by a function is remembered by the message', () => {
    const counter = vi.fn<() => number>(() => 1);
    const message = user('Hello');
    countTokens([message, message], counter);
    expect(counter).toHaveBeenCalledTimes(1);
  });

  it('does not make parts of plain text', () => {
    const content = Content.text('Hello');
    const parts = vi.spyOn(Content.prototype, 'parts', 'get');
    said(Message.of({ content }));
    expect(parts).not.toHaveBeenCalled();
    parts.mockRestore();
  });
});

describe('a counter that is wrong', () => {
  const image = ContentPart.imageUrl('https://example.com/a.png');
  it.each([
    ['counter.text', { ...spy(), text: () => Number.NaN }],
    ['counter.text', { ...spy(), text: () => -1 }],
    ['counter.text', { ...spy(), text: () => '5' as never }],
    ['counter.media', { ...spy(), media: () => Number.POSITIVE_INFINITY }],
    ['counter.perMessage', { ...spy(), perMessage: undefined as never }],
    ['counter.perRequest', { ...spy(), perRequest: -3 }],
    ['counter', () => Promise.resolve(3) as never],
  ])('is named: %s', (path, counter) => {
    const count = () => countTokens(Message.of({ content: [ContentPart.text('a'), image] }), counter);
    expect(count).toThrow(`${path}: expected a finite number of tokens, 0 or more, got `);
  });
});
