import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../../src/cli/formats.ts';
import { formatByShape } from '../../../src/cli/input/detect-format.ts';
import { MessageStore } from '../../../src/index.ts';
import { find, read } from '../../support/source.ts';

const nameIn = (path: string): string => path.match(/([^/]+)\.json$/)?.[1] ?? '';
const folderOf = (path: string): string => path.match(/formats\/([^/]+)\//)?.[1] ?? '';

/** Payloads as providers document them, by format and name. */
const payloads = find('test/fixtures/cli/payloads/*.json').flatMap((path) =>
  Object.entries(JSON.parse(read(path)) as Record<string, unknown>).map(([name, payload]) => ({
    format: nameIn(path),
    name,
    payload,
  })),
);

/** What reads alike in several formats, and is read as OpenAI Chat. */
const PLAIN = ['anthropic minimal', 'anthropic mid_conversation_system', 'mistral minimal', 'ollama minimal'];

/** What is no conversation. */
const OTHER = /^(?:\S+ stream|openai-responses (?:usage|stream_items))$/;

describe('the format of a payload', () => {
  it('is there in seven forms', () => {
    expect(new Set(payloads.map(({ format }) => format)).size).toBe(7);
  });

  it.each(payloads)('is told by its shape: $format $name', ({ format, name, payload }) => {
    const title = `${format} ${name}`;
    const expected = OTHER.test(title) ? undefined : PLAIN.includes(title) ? 'openai-chat' : format;
    expect(formatByShape(payload)).toBe(expected);
  });
});

describe('the format of a wire', () => {
  const wires = find('test/fixtures/formats/**/*.wire.json').map((path) => ({ path, format: folderOf(path) }));

  /** What a format reads: who says what, and calls what. */
  const said = (format: string, wire: unknown) =>
    formatNamed(format)!
      .decode(wire)
      .messages.map(({ role, content, toolCalls }) => [role, content.toString(), ...toolCalls.map(({ name }) => name)]);

  it.each(wires)('is told by its shape, or reads alike as OpenAI Chat: $path', ({ path, format }) => {
    const wire: unknown = JSON.parse(read(path));
    const found = formatByShape(wire);
    if (found === format) return;
    expect(found).toBe('openai-chat');
    expect(said('openai-chat', wire)).toEqual(said(format, wire));
  });
});

describe('the shape of a conversation', () => {
  it.each([
    ['an empty list', [], 'openai-chat'],
    ['an empty request', { messages: [] }, 'openai-chat'],
    ['instructions as text beside messages', { system: 'Be brief.', messages: [] }, 'anthropic'],
    ['blocks with a type in system', { system: [{ type: 'text', text: 'x' }], messages: [] }, 'anthropic'],
    ['blocks without a type in system', { system: [{ text: 'x' }], messages: [] }, 'bedrock'],
    ['a response without an answer', { promptFeedback: { blockReason: 'SAFETY' } }, 'gemini'],
    ['a response that is done', { message: { role: 'assistant', content: 'x' }, done: true }, 'ollama'],
    ['parts with a type', [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }], undefined],
    ['a list of text', ['x'], undefined],
    ['a number', 7, undefined],
  ])('says of %s', (_, value, format) => expect(formatByShape(value)).toBe(format));

  it('is that of OpenAI Chat for messages of the library, whatever they hold', () => {
    const part = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const store = MessageStore.fromMessages([{ role: 'assistant', content: [part, { type: 'search_result' }] }]);
    expect(formatByShape(JSON.parse(JSON.stringify(store.toMessages())))).toBe('openai-chat');
  });

  it('is told by own keys only', () => {
    expect(formatByShape(Object.create({ contents: [] }))).toBeUndefined();
    expect(formatByShape(JSON.parse('{"__proto__":{"contents":[{"parts":[{"text":"x"}]}]}}'))).toBeUndefined();
  });
});
