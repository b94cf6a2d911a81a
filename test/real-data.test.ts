import { describe, expect, it } from 'vitest';
import { openaiChat } from '../src/formats/openai-chat/index.ts';
import { MessageStore, type Messages } from '../src/index.ts';
import { lacksRealData, realConversations as conversations, type Wire } from './support/real-conversations.ts';

/** A history in two sections, as applications hold it. */
function sectioned(messages: Messages): MessageStore {
  return MessageStore.empty()
    .section('system')
    .appendMessages(messages.headWithRoles(['system', 'developer']))
    .section('chat')
    .appendMessages(messages.tailAfterRoles(['system', 'developer']));
}

const withoutName = ({ name: _name, ...rest }: Wire): object => rest;

describe.skipIf(lacksRealData)('real conversations (200 of a tool-using agent; needs REAL_DATA)', () => {
  const stores = conversations.map((messages) => sectioned(openaiChat.decode(messages).messages));

  it('are all there', () => {
    expect(stores).toHaveLength(200);
    expect(stores.reduce((sum, store) => sum + store.toMessages().size, 0)).toBe(5308);
  });

  it('are written and read back equal', () => {
    for (const store of stores) {
      const text = JSON.stringify(store);
      expect(MessageStore.parse(text).equals(store)).toBe(true);
      expect(MessageStore.fromJSON(JSON.parse(text)).equals(store)).toBe(true);
      expect(JSON.stringify(MessageStore.from(JSON.parse(text)))).toBe(text);
    }
  });

  it('keep every tool result, call and text when merged per role', () => {
    for (const store of stores) {
      const before = store.toMessages();
      const after = before.toMergedPerRole();
      expect(results(after)).toEqual(results(before));
      expect(calls(after)).toEqual(calls(before));
      expect(parts(after)).toEqual(parts(before));
      expect(after.toMergedPerRole()).toBe(after);
    }
  });

  it('go out as they came in, message for message, save the names on tool messages, each a reported loss', () => {
    stores.forEach((store, index) => {
      const input = conversations[index] ?? [];
      const { payload, report } = openaiChat.encode(store);
      expect(payload.messages).toEqual(
        input.map((message) => (message.role === 'tool' ? withoutName(message) : message)),
      );
      const named = input.flatMap((message, at) =>
        message.role === 'tool' && message.name ? [`messages[${at}].name`] : [],
      );
      expect(report.losses.map(({ path }) => path)).toEqual(named);
      expect(report.repairs).toEqual([]);
    });
  });
});

const results = (messages: Messages) =>
  messages.filter((message) => message.hasToolResult()).map((message) => message.toolResult?.toJSON());
const calls = (messages: Messages) =>
  messages.map((message) => [...message.toolCalls].map((call) => call.toJSON())).flat();
const parts = (messages: Messages) =>
  messages
    .contentParts()
    .filter((part) => !part.isMark() && !part.isEmpty())
    .toJSON();
