import { Message, Messages, type MessageInput } from 'message-store';
import { describe, expect, it } from 'vitest';
import { renderTexts } from '../../src/context/render-messages.ts';

const shout = (text: string) => text.toUpperCase();
const rendered = (input: MessageInput) => renderTexts(Messages.of(Message.from(input)), shout).at(0)!;

describe('texts of messages', () => {
  it('are filled where they are plain, and in the text parts among others', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'b' },
      { type: 'input_text', text: 'c' },
    ];
    expect(rendered('a').content.toJSON()).toBe('A');
    expect(rendered(parts).content.toJSON()).toEqual([{ type: 'text', text: 'A' }, parts[1], parts[2]]);
  });

  it('are told with the place where they stand', () => {
    const seen: string[] = [];
    const messages = Messages.from(['a', Message.make('user', ['b', { type: 'image_url', url: 'x' }, 'c'])]);
    renderTexts(messages, (text, path) => {
      seen.push(`${path} ${text}`);
      return text;
    });
    expect(seen).toEqual(['messages[0].content a', 'messages[1].content[0] b', 'messages[1].content[2] c']);
  });

  it('keep all that stands around them', () => {
    const json = {
      id: '5d1c0000-0000-4000-8000-000000000601',
      createdAt: '2026-01-02T03:04:05.678Z',
      parentId: '5d1c0000-0000-4000-8000-000000000600',
      role: 'assistant',
      name: 'bot',
      content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
      metadata: { seen: true },
      toolCalls: [{ id: 'c1', name: 'f', args: { q: 'a' } }],
      origin: { provider: 'p', data: { text: 'a' } },
      odd: 'a',
    };
    const message = Message.from(json);
    const [part] = message.toJSON().content;
    expect(rendered(message).toJSON()).toEqual({ ...message.toJSON(), content: [{ ...(part as object), text: 'A' }] });
    expect(rendered(message).toJSON()).toMatchObject({ odd: 'a', name: 'bot', origin: json.origin });
  });

  it('are those of a tool result too', () => {
    const message = rendered(Message.toolResult('c1', 'cold', { toolName: 'weather', status: 'error' }));
    expect(message.toolResult?.toJSON()).toEqual({
      content: 'COLD',
      call_id: 'c1',
      tool_name: 'weather',
      is_error: true,
    });
    expect(message.toString()).toBe('COLD');
  });

  it('that stay as they are leave the message and the list as they are', () => {
    const messages = Messages.from(['A', 'b', Message.make('user', ['C', { type: 'text', text: 'D', x: 1 }])]);
    const next = renderTexts(messages, shout);
    expect([...next].map((message, at) => message === messages.at(at))).toEqual([true, false, true]);
    expect(renderTexts(next, shout)).toBe(next);
    expect(renderTexts(Messages.empty(), shout)).toBe(Messages.empty());
  });

  it('are refused where half a character stands alone', () => {
    expect(() => renderTexts(Messages.from('a'), () => '\ud83d')).toThrow('messages[0].content: expected well-formed');
  });
});
