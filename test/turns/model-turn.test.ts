import {
  type AssistantTurn,
  InvalidInputError,
  Message,
  Messages,
  type MessageStore,
  runTools,
  tool,
  ToolCall,
  ToolResult,
  turns,
  validate,
} from 'message-store';
import { store, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const question = store({ chat: [user('q')] });
const tools = { f: tool({ run: () => 'ran' }) };

/** Where the loop ends when a model says one thing, and then that it is done. */
async function after(said: unknown, from: MessageStore = question): Promise<MessageStore> {
  const turnsLeft = [said, 'Done.'];
  const model = (): AssistantTurn => turnsLeft.shift() as AssistantTurn;
  const { store: ended } = await runTools(from, { section: 'chat', model, tools });
  return ended;
}

/** A conversation as one reads it, from the first thing that a model said. */
const read = (from: MessageStore): string[] =>
  from
    .toMessages()
    .slice(1)
    .map((message) =>
      [message.role, String(message), ...message.toolCalls.map((call) => `+${call.idString()}/${call.name}`)]
        .filter((word) => word !== '')
        .join(' '),
    );

const openai = {
  role: 'assistant',
  content: null,
  refusal: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{ }' } }],
};

describe('a model may say', () => {
  it.each([
    ['text', 'Hello', ['assistant Hello']],
    ['text and no calls', { content: 'Hello', toolCalls: null }, ['assistant Hello']],
    ['a message', Message.of({ role: 'assistant', content: 'Hello' }), ['assistant Hello']],
    ['a message object', { role: 'assistant', content: 'Hello' }, ['assistant Hello']],
    ['calls', { toolCalls: [{ id: 'c1', name: 'f' }] }, ['assistant +c1/f', 'tool ran', 'assistant Done.']],
    [
      'a role and calls',
      { role: 'assistant', toolCalls: [{ id: 'c1', name: 'f' }] },
      ['assistant +c1/f', 'tool ran', 'assistant Done.'],
    ],
    ["a client's message", openai, ['assistant +c1/f', 'tool ran', 'assistant Done.']],
    ["a client's calls", { tool_calls: openai.tool_calls }, ['assistant +c1/f', 'tool ran', 'assistant Done.']],
  ])('%s', async (_, said, heard) => {
    expect(read(await after(said))).toEqual(heard);
    const appended = turns(question, 'chat').appendAssistant(said);
    expect(read(appended)).toEqual(heard.slice(0, 1));
  });

  it('nothing', async () => {
    expect((await after({})).section('chat').messages().last()?.toJSON()).toMatchObject({
      role: 'assistant',
      content: '',
    });
  });

  it('what it likes beside its text: it is kept where a message is given', async () => {
    const [message] = [...(await after(openai)).toMessages()].slice(1);
    expect(message?.toJSON()).toMatchObject({ refusal: null });
    expect(message?.toolCalls.first()?.argsText).toBe('{ }');
  });

  it.each([
    ['nothing at all', undefined],
    ['null', null],
    ['a number', 7],
    ['a list', [{ role: 'assistant', content: 'Hello' }]],
    ['messages', Messages.from(['Hello'])],
    ['calls under another name', { content: 'Hello', calls: [] }],
    ['text under another name', { text: 'Hello', toolCalls: [] }],
    ['calls that are no list', { content: '', toolCalls: { f: {} } }],
  ])('not %s', async (_, said) => {
    const expected = 'sections.chat.messages[1]: expected a message, or { content, toolCalls }, got';
    await expect(after(said)).rejects.toThrow(expected);
    await expect(after(said)).rejects.toThrow(InvalidInputError);
    expect(() => turns(question, 'chat').appendAssistant(said as AssistantTurn)).toThrow(expected);
  });

  it('not a whole response, of which the message is told', async () => {
    const said = { choices: [{ message: openai }] } as AssistantTurn;
    await expect(after(said)).rejects.toThrow('of a whole response that is choices[0].message');
  });

  it('not a call in the deprecated place', async () => {
    const said = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
    await expect(after(said)).rejects.toThrow('sections.chat.messages[1].function_call: expected tool_calls');
    expect(read(await after({ role: 'assistant', content: 'Hi', function_call: null }))).toEqual(['assistant Hi']);
  });

  it('not a message that cannot be read', async () => {
    await expect(after({ role: 'robot', content: 'Hello' })).rejects.toThrow(
      'sections.chat.messages[1].role: expected',
    );
    await expect(after({ toolCalls: [7] })).rejects.toThrow('toolCalls[0]: expected a tool call');
  });

  it('calls that cannot be read, where they are left out', async () => {
    const toolCalls = [7, { id: 'c1' }, { id: 'c2', name: '' }, { id: 'c3', name: 'f' }];
    expect(read(await after({ content: 'Hi', toolCalls, onMalformedCall: 'skip' }))).toEqual([
      'assistant Hi +c3/f',
      'tool ran',
      'assistant Done.',
    ]);
  });
});

describe('a turn that was paid for is kept', () => {
  const unknown = 'tool Error: unknown tool "unnamed_tool"';
  it.each([
    ['though ids repeat', ['c', 'c', 'c#2'], 'f', ['+c/f', '+c#3/f', '+c#2/f'], 'tool ran'],
    ['though ids are blank or missing', ['', ' ', undefined], 'f', ['+tc_1_0/f', '+tc_1_1/f', '+tc_1_2/f'], 'tool ran'],
    ['though names are blank', ['c'], '', ['+c/unnamed_tool'], unknown],
    ['though names are missing', ['c', 'c'], undefined, ['+c/unnamed_tool', '+c#2/unnamed_tool'], unknown],
  ])('%s', async (_, ids, name, calls, answer) => {
    const given = ids.map((id) => ({ id, name }));
    const sloppy = ids.map((id) =>
      ToolCall.fromJSON({ id: id === '' ? null : (id ?? null), name: name ?? '', arguments: {} }),
    );
    const saids = [
      { content: 'Hi', toolCalls: given },
      { role: 'assistant', content: 'Hi', tool_calls: given },
      Message.of({ role: 'assistant', content: 'Hi', toolCalls: sloppy }),
    ];
    for (const said of saids) {
      const ended = await after(said);
      expect(read(ended)).toEqual([`assistant Hi ${calls.join(' ')}`, ...calls.map(() => answer), 'assistant Done.']);
      expect(validate(ended.toMessages(), { allowOpenTail: false })).toEqual([]);
    }
  });

  it('with the number of its turn in made ids, and nothing before it is touched', async () => {
    const stray = Message.toolResult('c', 'stray');
    const from = store({ chat: [stray, user('q')] });
    const first = await after({ toolCalls: [{ id: 'c', name: 'f' }, { id: 'c', name: 'f' }, { name: 'f' }] }, from);
    const second = await after({ toolCalls: [{ name: 'f' }, { id: 'c', name: '' }] }, first);
    const ids = second.toMessages().map(({ toolCalls }) => toolCalls.map((call) => call.id));
    expect(ids.filter((one) => one.length > 0)).toEqual([
      ['c', 'c#2', 'tc_1_2'],
      ['tc_2_0', 'c'],
    ]);
    expect(second.toMessages().first()).toBe(stray);
  });

  it('without a tool result, which only a tool may give', async () => {
    const result = ToolResult.success('12 °C', 'c9');
    const ended = await after(Message.of({ role: 'tool', content: '12 °C', toolResult: result }));
    expect(read(ended)).toEqual(['assistant 12 °C']);
    expect(validate(ended.toMessages())).toEqual([]);
  });

  it('but by hand its ids and names are checked', () => {
    for (const toolCalls of [[{ id: '', name: 'f' }], [{ id: 'c' }]])
      expect(() => turns(question, 'chat').appendAssistant({ toolCalls })).toThrow('the tool call 0');
  });
});
