import { describe, expect, it } from 'vitest';
import { ContentPart, Message, Messages, type MessageInput } from '../../src/index.ts';
import { mistral } from '../../src/formats/mistral/index.ts';

const history: MessageInput[] = [
  Message.asAssistant('Hello, I am here.'),
  { role: 'tool', tool_call_id: 'gone', content: 'An answer to nothing' },
  'Look at this.',
  Message.of({
    role: 'assistant',
    content: [ContentPart.reasoning('Hm.'), ContentPart.text('I'), ContentPart.text('will.')],
    toolCalls: [
      { id: 'c1', name: 'look', arguments: '{"at":' },
      { id: 'abcDEF123', name: 'look', arguments: '{}' },
    ],
  }),
  Message.toolResult('c1', 'A cat.', { toolName: 'look' }),
  Message.toolResult('abcDEF123', [ContentPart.text('A'), ContentPart.imageUrl('https://a.test/dog.png')], {
    toolName: 'look',
  }),
  { role: 'system', content: 'Be brief.' },
  Message.of({ content: [ContentPart.text('And'), ContentPart.of('video', { url: 'x' }), ContentPart.text('this?')] }),
];

const messages = Messages.from(history);
const { payload, report } = mistral.encode(messages);
const explain = (path: string) => report.explain(path);
const rulesAt = (path: string) => explain(path).map((found) => [found.path, found.rules.map(({ rule }) => rule)]);

describe('explain', () => {
  it('leads from a message of the payload to the stored one, and to what was told of it', () => {
    expect(payload.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
    expect(explain('messages.3')).toEqual([{ path: 'messages[2]', message: messages.at(2), rules: [] }]);
    const [[path, rules] = []] = rulesAt('messages.4.role') as [string, string[]][];
    expect(path).toBe('messages[3]');
    expect(rules?.toSorted()).toEqual(['call-id', 'malformed-arguments', 'reasoning']);
  });

  it('leads to a part and a call, and from an answer to its message', () => {
    // What was told of a message is told of each of its parts.
    expect(explain('messages[8].content[1].text')).toMatchObject([
      { path: 'messages[7].content[2]', part: messages.at(7)?.content.parts.at(2), rules: [{ rule: 'stand-in' }] },
    ]);
    expect(explain('messages.4.tool_calls.0.function.arguments')).toMatchObject([
      { path: 'messages[3].toolCalls[0]', part: messages.at(3)?.toolCalls.first() },
    ]);
    expect(rulesAt('messages.4.tool_calls.0')).toEqual([
      ['messages[3].toolCalls[0]', ['call-id', 'malformed-arguments']],
    ]);
    expect(rulesAt('messages.4.tool_calls.1')).toEqual([['messages[3].toolCalls[1]', []]]);
    expect(explain('messages.5.tool_call_id')).toMatchObject([{ path: 'messages[4]', message: messages.at(4) }]);
    expect(rulesAt('messages.6.content.1')).toEqual([['messages[5].content[1]', []]]);
  });

  it('leads from instructions that went first, and from words put between', () => {
    expect(rulesAt('messages.0')).toEqual([['messages[6]', ['system-place']]]);
    expect(rulesAt('messages.1')).toEqual([['messages[0]', ['stand-in']]]);
    expect(rulesAt('messages.7.content')).toEqual([['messages[7]', ['part-type', 'stand-in']]]);
  });

  it('leads from a made-up answer to the message of its call', () => {
    const open = Messages.from(['Hi', Message.assistantToolCalls([{ id: 'abcDEF123', name: 'look' }])]);
    const [found] = mistral.encode(open, { openTurn: 'cancel' }).report.explain('messages.2');
    expect(found).toMatchObject({ path: 'messages[1]', message: open.at(1) });
    expect(found?.rules.map(({ rule }) => rule)).toContain('synthesised');
  });

  it.each(['messages.99', 'messages[9].content', 'model', '', 'constructor.name', 'messages.length'])(
    'leads nowhere from %j',
    (path) => {
      expect(explain(path)).toEqual([]);
    },
  );

  it('leads nowhere from words that stand for nothing', () => {
    expect(mistral.encode(Messages.empty()).report.explain('messages.0')).toEqual([]);
  });
});

describe('reading', () => {
  const response = {
    choices: [{ message: { content: 'Yes' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 2 } },
  };

  it('writes the reason and the usage into the message only where that is wanted', () => {
    expect(mistral.decode(response).messages.last()?.metadata.toJSON()).toEqual({});
    expect(mistral.decode(response, { record: true }).messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'stop', raw: 'stop' },
      usage: { inputTokens: 3, outputTokens: 1, cachedInputTokens: 2 },
    });
  });
});
