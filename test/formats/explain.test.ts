import { describe, expect, it } from 'vitest';
import { ContentPart, Message, Messages, type MessageInput } from '../../src/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';

const history: MessageInput[] = [
  'Look at this.',
  { role: 'tool', tool_call_id: 'gone', content: 'An answer to nothing' },
  Message.of({
    role: 'assistant',
    content: [ContentPart.reasoning('Hm.'), 'I will.'],
    toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at":' }],
  }),
  Message.toolResult('c1', 'A cat.', { toolName: 'look' }),
  Message.of({ content: [ContentPart.text('And'), ContentPart.of('video', { url: 'x' }), ContentPart.text('this?')] }),
];

const messages = Messages.from(history);
const { report } = openaiChat.encode(messages);
const explain = (path: string) => report.explain(path);

describe('explain', () => {
  it('leads from a message of the payload to the stored one, and to what was told of it', () => {
    expect(explain('messages.1')).toEqual([
      {
        path: 'messages[2]',
        message: messages.at(2),
        rules: expect.arrayContaining([
          expect.objectContaining({ path: 'messages[2].content[0]', rule: 'reasoning' }),
          expect.objectContaining({ path: 'messages[2].toolCalls[0]', rule: 'malformed-arguments' }),
        ]) as unknown,
      },
    ]);
  });

  it('leads to a part, a call, and the message of an answer', () => {
    expect(explain('messages[3].content[1]')).toEqual([
      { path: 'messages[4].content[2]', message: messages.at(4), part: messages.at(4)?.content.parts.at(2), rules: [] },
    ]);
    expect(explain("messages.1.tool_calls.0.function.arguments: Invalid 'JSON'")).toEqual([
      {
        path: 'messages[2].toolCalls[0]',
        message: messages.at(2),
        part: messages.at(2)?.toolCalls.first(),
        rules: [expect.objectContaining({ rule: 'malformed-arguments' }) as unknown],
      },
    ]);
    expect(explain('messages.2.tool_call_id')).toMatchObject([
      { path: 'messages[3]', message: messages.at(3), rules: [{ rule: 'tool-name' }] },
    ]);
  });

  it.each([
    "Invalid 'messages[3].content[1].image_url.url'. Expected a valid URL",
    'ChatRequest.messages[3].content[1]',
    '400 messages.3.content.1: not supported',
  ])('finds the path in a whole error: %j', (error) => {
    expect(explain(error)).toEqual(explain('messages.3.content.1'));
    expect(explain(error)).toMatchObject([{ path: 'messages[4].content[2]' }]);
  });

  it.each(['messages.99', 'messages[7].content', 'model', '', 'constructor.name', 'messages.length'])(
    'leads nowhere from %j',
    (path) => {
      expect(explain(path)).toEqual([]);
    },
  );

  it('counts what the caller accepted, and does not throw it', () => {
    const accepting = openaiChat.encode(messages, {
      losses: 'throw',
      acceptLosses: ['reasoning', 'tool-name', 'part-type'],
    });
    expect(accepting.report.losses).toEqual([]);
    expect(accepting.report.explain('messages.1')[0]?.rules.map(({ rule }) => rule)).toContain('reasoning');
  });

  it('leads from a made-up answer to the message of its call', () => {
    const open = Messages.from(['Hi', Message.assistantToolCalls([{ id: 'c1', name: 'look' }])]);
    const [found] = openaiChat.encode(open, { openTurn: 'cancel' }).report.explain('messages.2');
    expect(found).toMatchObject({ path: 'messages[1]', message: open.at(1) });
    expect(found?.rules.map(({ rule }) => rule)).toContain('synthesised');
  });
});
