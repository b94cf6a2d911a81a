import { describe, expect, it } from 'vitest';
import type { MessageFormat } from '../../src/formats/openai-chat/index.ts';
import { anthropic } from '../../src/formats/anthropic/index.ts';
import { bedrock } from '../../src/formats/bedrock/index.ts';
import { gemini } from '../../src/formats/gemini/index.ts';
import { mistral } from '../../src/formats/mistral/index.ts';
import { ollama } from '../../src/formats/ollama/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';
import { openaiResponses } from '../../src/formats/openai-responses/index.ts';
import { type Message, type Messages, MessageStore } from '../../src/index.ts';
import { assistant, call, result, store, system, user } from '../../src/testing/index.ts';
import { lacksRealData, realConversations } from '../support/real-conversations.ts';

const FORMATS: readonly MessageFormat<unknown>[] = [
  openaiChat,
  openaiResponses,
  anthropic,
  bedrock,
  gemini,
  mistral,
  ollama,
];
const pairs = FORMATS.flatMap((from) => FORMATS.map((to) => ({ from, to, name: `${from.name} to ${to.name}` })));

/** What was said, asked and answered, however a wire cuts it into messages. */
function gist(messages: Messages): unknown {
  const runs: { role: string; text: string }[] = [];
  for (const message of messages) {
    if (message.isSystem() || message.isTool()) continue;
    const { role } = message;
    const last = runs.at(-1);
    if (last?.role === role) last.text += textOf(message);
    else runs.push({ role, text: textOf(message) });
  }
  return {
    instructions: [...messages]
      .filter((message) => message.isSystem())
      .map(textOf)
      .join(''),
    said: runs.filter(({ text }) => text !== ''),
    calls: [...messages].flatMap(({ toolCalls }) => toolCalls.map(({ name, args }) => [name, args])),
    answers: [...messages].filter((message) => message.isTool()).map(textOf),
  };
}

/** Text as every wire carries it: some cut it into blocks and trim what is blank, one wants words of each tool. */
function textOf(message: Message): string {
  return message.toString().replace(/\s+|^\(no output\)$/g, '');
}

/** What `to` makes of what `from` made of it. */
function carried(given: MessageStore, { from, to }: { from: MessageFormat<unknown>; to: MessageFormat<unknown> }) {
  const options = { openTurn: 'cancel' } as const;
  const between = from.decode(from.encode(given, options).payload).messages;
  return to.decode(to.encode(between, options).payload).messages;
}

describe.each(pairs)('from $name', (pair) => {
  it('a conversation keeps what was said, asked and answered', () => {
    const given = store({
      system: [system('Be brief.')],
      chat: [
        user('Weather in Oslo and Rome?'),
        assistant('Let me see.', call('weather', { city: 'Oslo' }, 'c1'), call('weather', { city: 'Rome' }, 'c2')),
        result('c1', '{"celsius":-3}'),
        result('c2', 'sunny'),
        assistant('Cold and sunny.'),
        user('Thanks 🙂'),
      ],
    });
    expect(gist(carried(given, pair))).toEqual(gist(given.toMessages()));
  });

  it.skipIf(lacksRealData)('the real conversations keep it, too (needs REAL_DATA)', () => {
    for (const conversation of realConversations) {
      const { messages } = openaiChat.decode(conversation);
      const given = MessageStore.fromMessages(messages);
      expect(gist(carried(given, pair))).toEqual(gist(given.toMessages()));
    }
  });
});

/** The places of a value that are frozen, which would show that it is kept instead of copied. */
function frozenIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => frozenIn(item, `${path}.${key}`));
  return Object.isFrozen(value) ? [path, ...inner] : inner;
}

describe.each(FORMATS)('$name', (format) => {
  const given = store({
    system: [system('Be brief.')],
    chat: [
      user('Weather?'),
      call('weather', { city: 'Oslo', days: [1, { deep: true }] }),
      result('weather', '12 °C'),
      assistant('12 °C.'),
    ],
  });
  const odd =
    format === gemini
      ? { role: 'user', parts: [{ mystery: { a: [1] } }] }
      : { role: 'user', type: 'mystery', content: [{ type: 'mystery', text: 'x' }] };

  it('leaves the wire that it reads to the caller, as it was', () => {
    const wire = structuredClone(format.encode(given).payload) as Record<string, unknown>;
    const list = Object.values(wire).find((value) => Array.isArray(value)) as unknown[];
    list.push(odd);
    const before = structuredClone(wire);
    format.decode(wire);
    expect(wire).toEqual(before);
    expect(frozenIn(wire)).toEqual([]);
  });
});
