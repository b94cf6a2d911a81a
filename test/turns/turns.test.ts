import {
  type CloseOptions,
  Content,
  ContentPart,
  ContentParts,
  InvalidInputError,
  Message,
  type Messages,
  MessageStore,
  Section,
  ToolCall,
  ToolResult,
  TurnError,
  turns,
  validate,
} from 'message-store';
import { assistant, call, chat, result, store, system, type Turn, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const chatOf = (from: MessageStore) => turns(from, 'chat');
const messagesOf = (from: MessageStore): Messages => from.section('chat').messages();
const holding = (...messages: readonly Turn[]): MessageStore => store({ chat: chat(...messages) });

/** A conversation as one reads it: role, text, and what binds it. */
const read = (from: MessageStore): string[] =>
  messagesOf(from).map(({ role, content, toolCalls, toolResult }) =>
    [role, String(content), ...toolCalls.map((one) => `+${one.idString()}`), toolResult && `→${toolResult.callId}`]
      .filter((word) => word !== undefined && word !== '')
      .join(' '),
  );

/** The error with which an operation refuses to work. */
function refusal(act: () => unknown): Pick<TurnError, 'code' | 'message' | 'path' | 'index' | 'callIndex' | 'ids'> {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(TurnError);
    const { code, message, path, section, index, callIndex, ids } = error as TurnError;
    expect(section).toBe('chat');
    return { code, message, path, index, callIndex, ids };
  }
  throw new Error('it was not refused');
}

const asking = assistant('', call('weather', {}, 'a'), call('time', {}, 'b'), call('news', {}, 'c'));
const open = holding('Hi', asking);

describe('appending to a conversation', () => {
  it('adds what is said, one message each, and leaves the store before as it was', () => {
    const empty = MessageStore.empty();
    const greeted = chatOf(empty).appendSystem('Be brief.');
    const asked = chatOf(greeted).appendUser('Hi');
    const answered = chatOf(asked).appendAssistant({ content: 'Hello' });
    expect([empty, greeted, asked, answered].map(read)).toEqual([
      [],
      ['system Be brief.'],
      ['system Be brief.', 'user Hi'],
      ['system Be brief.', 'user Hi', 'assistant Hello'],
    ]);
  });

  it('keeps the role of a developer, who instructs too', () => {
    const developer = Message.asDeveloper('Be brief.');
    expect(messagesOf(chatOf(MessageStore.empty()).appendSystem(developer)).last()).toBe(developer);
    expect(read(chatOf(MessageStore.empty()).appendSystem(user('Be brief.')))).toEqual(['system Be brief.']);
  });

  it('changes no other section, and is held up by the open turn of its own section only', () => {
    const other = turns(open, 'notes').appendUser('Remember');
    expect(other.section('notes').messages().size).toBe(1);
    expect(other.section('chat').messages()).toBe(messagesOf(open));
  });

  it.each([
    ['the user', () => chatOf(open).appendUser('Never mind')],
    ['instructions', () => chatOf(open).appendSystem('Be brief.')],
    ['the assistant', () => chatOf(open).appendAssistant({ content: 'It is sunny.' })],
    ['a list of messages', () => chatOf(open).appendMessages(['Never mind'])],
    ['the check before sending', () => chatOf(open).assertComplete()],
  ])('is refused to %s while calls wait for their answers', (_, act) => {
    expect(refusal(act)).toEqual({
      code: 'tool_turn_open',
      message:
        'sections.chat.messages[1]: the tool calls "a", "b", "c" have no answer yet. Answer them with answer(), or settle them with close().',
      path: 'sections.chat.messages[1]',
      index: 1,
      callIndex: undefined,
      ids: ['a', 'b', 'c'],
    });
  });

  it('settles what waits when the user speaks, where that is wished', () => {
    const answered = chatOf(open).answer('b', '12:00');
    expect(read(chatOf(answered).appendUser('Stop', { ifPending: 'cancel' }))).toEqual([
      'user Hi',
      'assistant +a +b +c',
      'tool Tool call was cancelled before it produced a result. →a',
      'tool 12:00 →b',
      'tool Tool call was cancelled before it produced a result. →c',
      'user Stop',
    ]);
    expect(read(chatOf(holding('Hi')).appendUser('You?', { ifPending: 'cancel' }))).toEqual(['user Hi', 'user You?']);
  });

  it.each([
    ['calls from the user', () => chatOf(holding('Hi')).appendUser(asking), 'tool_calls_on_role', 'a user message'],
    ['calls from us', () => chatOf(holding('Hi')).appendSystem(asking), 'tool_calls_on_role', 'a system message'],
    [
      'an answer from the user',
      () => chatOf(holding('Hi')).appendUser(result('a', '1')),
      'tool_call_id_on_role',
      'a user message',
    ],
    [
      'an answer from the assistant',
      () => chatOf(holding('Hi')).appendAssistant(result('a', '1')),
      'tool_call_id_on_role',
      'an assistant message',
    ],
  ])('refuses %s', (_, act, code, who) => {
    const error = refusal(act);
    expect([error.code, error.index]).toEqual([code, 1]);
    expect(error.message).toContain(`sections.chat.messages[1]: ${who} carries`);
    expect(error.message).toMatch(
      /Nothing was appended; append calls with appendAssistant\(\), and their answers with answer\(\)\.$/,
    );
  });
});

describe('a turn of the assistant', () => {
  const idle = holding('Hi');
  const idsOf = (from: MessageStore) =>
    messagesOf(from)
      .last()
      ?.toolCalls.map((one) => one.idString());

  it('is one message with its text and all its calls', () => {
    const next = chatOf(idle).appendAssistant({
      content: 'Let me look.',
      toolCalls: [{ id: 'a', name: 'weather', arguments: '{"city": "Oslo"}' }, call('time', {}, 'b')],
    });
    expect(read(next)).toEqual(['user Hi', 'assistant Let me look. +a +b']);
    expect(
      messagesOf(next)
        .last()
        ?.toolCalls.map((one) => one.argsText),
    ).toEqual(['{"city": "Oslo"}', '{}']);
  });

  it('is plain text where the list of calls is empty', () => {
    const next = chatOf(idle).appendAssistant({ content: 'Hello', toolCalls: [] });
    expect([read(next).at(-1), chatOf(next).pending()]).toEqual(['assistant Hello', []]);
  });

  it('may be a message, which takes the role', () => {
    const plain = assistant('Hello');
    expect(messagesOf(chatOf(idle).appendAssistant(plain)).last()).toBe(plain);
    expect(messagesOf(chatOf(idle).appendAssistant(asking)).last()).toBe(asking);
    expect(read(chatOf(idle).appendAssistant(user('Hello'))).at(-1)).toBe('assistant Hello');
    const unnamed = Message.of({ role: 'assistant', toolCalls: [{ name: 'f' }] });
    expect(idsOf(chatOf(idle).appendAssistant(unnamed))).toEqual(['tc_1_0']);
  });

  it('gives an id to calls without one: the number of the turn and their place', () => {
    const toolCalls = [{ name: 'f' }, { id: 'own', name: 'f' }, { name: 'f' }];
    const first = chatOf(idle).appendAssistant({ toolCalls });
    expect(idsOf(first)).toEqual(['tc_1_0', 'own', 'tc_1_2']);
    expect(idsOf(chatOf(chatOf(first).close()).appendAssistant({ toolCalls }))).toEqual(['tc_2_0', 'own', 'tc_2_2']);
  });

  it('has ids that follow from where it stands, whatever was asked before', () => {
    const from = chatOf(holding(call('f', {}, 'a'), result('a', '1')));
    expect(() => from.answer({ id: 'a', turn: 1 }, '2')).toThrow('has its answer already');
    expect(idsOf(from.appendAssistant({ toolCalls: [{ name: 'f' }] }))).toEqual(['tc_2_0']);
    expect(() => from.answer({ id: 'a', turn: 1 }, '2')).toThrow('has its answer already');
    expect(() => from.answer({ id: 'a', turn: 2 }, '2')).toThrow('is over');
  });

  it('never gives an id that another call of the turn has', () => {
    const toolCalls = [{ name: 'f' }, { id: 'tc_1_0', name: 'f' }, { id: 'tc_1_0#2', name: 'f' }];
    expect(idsOf(chatOf(idle).appendAssistant({ toolCalls }))).toEqual(['tc_1_0#3', 'tc_1_0', 'tc_1_0#2']);
  });

  it.each([
    [
      'a blank id',
      [
        { id: 'a', name: 'f' },
        { id: ' ', name: 'f' },
      ],
      'empty_tool_call_id',
      'the tool call 1 (f) has a blank id. Leave the id out to have one made.',
      { callIndex: 1, ids: [] },
    ],
    [
      'an id twice',
      [
        { id: 'a', name: 'f' },
        { id: 'a', name: 'g' },
      ],
      'duplicate_tool_call_id',
      'two calls of one turn have the id "a". Give each its own id.',
      { callIndex: undefined, ids: ['a'] },
    ],
    [
      'no name',
      [{ id: 'a' }],
      'empty_tool_name',
      'the tool call 0 has no name. Say which tool it calls.',
      { callIndex: 0, ids: [] },
    ],
    [
      'a blank name',
      [{ id: 'a', name: ' ' }],
      'empty_tool_name',
      'the tool call 0 has no name. Say which tool it calls.',
      { callIndex: 0, ids: [] },
    ],
  ])('is refused with %s', (_, toolCalls, code, sentence, about) => {
    expect(refusal(() => chatOf(idle).appendAssistant({ toolCalls }))).toEqual({
      code,
      message: `sections.chat.messages[1]: ${sentence}`,
      path: 'sections.chat.messages[1]',
      index: 1,
      ...about,
    });
  });

  it('is refused as a message too where a call has no name', () => {
    const unnamed = Message.of({ role: 'assistant', toolCalls: [call('', {}, 'a')] });
    expect(refusal(() => chatOf(idle).appendAssistant(unnamed)).code).toBe('empty_tool_name');
  });

  it('leaves out malformed calls where that is wished, and throws at them otherwise', () => {
    const toolCalls = [{ id: ' ', name: 'f' }, { id: 'a' }, 7 as never, { id: 'b', name: 'g' }];
    expect(idsOf(chatOf(idle).appendAssistant({ toolCalls, onMalformedCall: 'skip' }))).toEqual(['b']);
    const unreadable = () => chatOf(idle).appendAssistant({ toolCalls: [7 as never] });
    expect(unreadable).toThrow(InvalidInputError);
    expect(unreadable).toThrow('sections.chat.messages[1].toolCalls[0]: expected a tool call');
    const unspeakable = () => chatOf(idle).appendAssistant({ content: 7 as never });
    expect(unspeakable).toThrow('sections.chat.messages[1].content: expected');
  });
});

describe('appending many messages', () => {
  it('takes all of them', () => {
    const more = chat('Weather?', call('weather', {}, 'a'), result('a', '12 °C'), assistant('12 °C.'));
    const next = chatOf(holding('Hi')).appendMessages(more);
    expect(read(next).slice(1)).toEqual(['user Weather?', 'assistant +a', 'tool 12 °C →a', 'assistant 12 °C.']);
    const ids = (messages: Iterable<Message>) => Array.from(messages, ({ id }) => id);
    expect(ids(messagesOf(next)).slice(1)).toEqual(ids(more));
  });

  it('puts answers into the order of their calls, however many come at a time', () => {
    const answers = [result('c', '3'), result('a', '1'), result('b', '2')];
    const ordered = ['assistant +a +b +c', 'tool 1 →a', 'tool 2 →b', 'tool 3 →c'];
    const oneByOne = answers.reduce((from, answer) => chatOf(from).appendMessages(answer), open);
    expect(read(oneByOne).slice(1)).toEqual(ordered);
    expect(read(chatOf(open).appendMessages([...answers, user('Thanks')])).slice(1)).toEqual([
      ...ordered,
      'user Thanks',
    ]);
    expect(read(chatOf(holding('Hi')).appendMessages([asking, ...answers])).slice(1)).toEqual(ordered);
  });

  it('names the tool in an answer that does not, after its call', () => {
    const named = Message.toolResult('b', '2', { toolName: 'clock' });
    const vendor = Message.fromJSON({
      ...result('c', '3').toJSON(),
      tool_result: { content: '3', call_id: 'c', tool_name: null, is_error: false, vendor: 7 },
    });
    const next = messagesOf(chatOf(open).appendMessages([result('a', '1'), named, vendor]));
    expect(next.map(({ toolResult }) => toolResult?.toolName)).toEqual([
      undefined,
      undefined,
      'weather',
      'clock',
      'news',
    ]);
    expect(next.at(3)).toBe(named);
    expect(next.last()?.toolResult?.toJSON()).toMatchObject({ tool_name: 'news', vendor: 7 });
  });

  it('is not held up by what is wrong with a turn that is over', () => {
    const broken = holding(asking, result('a', '1'), result('b', '2'), result('c', '3'), result('ghost', '4'));
    expect(read(chatOf(broken).appendMessages('And now?')).at(-1)).toBe('user And now?');
    expect(refusal(() => chatOf(broken).appendMessages(result('c', '5')))).toMatchObject({
      code: 'orphan_tool_answer',
      index: 4,
    });
  });

  it('may end in calls that wait', () => {
    const next = chatOf(holding('Hi')).appendMessages([asking, result('a', '1')]);
    expect(
      chatOf(next)
        .pending()
        .map(({ id }) => id),
    ).toEqual(['b', 'c']);
  });

  it('may begin with the answers to the open turn', () => {
    const next = chatOf(open).appendMessages([result('a', '1'), result('b', '2'), result('c', '3'), user('Thanks')]);
    expect(read(next).slice(2)).toEqual(['tool 1 →a', 'tool 2 →b', 'tool 3 →c', 'user Thanks']);
  });

  it('changes nothing where there are none, even while calls wait', () => {
    expect(chatOf(open).appendMessages([])).toBe(open);
    expect(chatOf(MessageStore.empty()).appendMessages([])).toBe(MessageStore.empty());
  });

  it.each([
    [
      'an answer without its call',
      holding('Hi'),
      [user('a'), result('x', '1')],
      'orphan_tool_answer',
      2,
      ['x'],
      'there is no call "x" that this could answer',
    ],
    [
      'a second answer',
      chatOf(open).answer('a', '1'),
      [result('a', '2')],
      'duplicate_tool_answer',
      3,
      ['a'],
      'the call "a" is answered already',
    ],
    [
      'calls that stay unanswered',
      holding('Hi'),
      [call('f', {}, 'a'), user('Never mind')].map((turn) => chat(turn).first()!),
      'missing_tool_answer',
      1,
      ['a'],
      'the call of f has no answer behind it',
    ],
    [
      'less than the answers that are due',
      open,
      [result('a', '1'), user('Never mind')],
      'missing_tool_answer',
      1,
      ['b'],
      'the call of time has no answer behind it',
    ],
    [
      'calls from the user',
      holding('Hi'),
      [Message.of({ role: 'user', content: 'Hi', toolCalls: [call('f')] })],
      'tool_calls_on_role',
      1,
      [],
      'a user message carries tool calls: only an assistant may',
    ],
    [
      'a call without a name',
      holding('Hi'),
      [{ role: 'assistant', tool_calls: [{ id: 'a', arguments: '{}' }] }],
      'empty_tool_name',
      1,
      ['a'],
      'a tool call has no name',
    ],
  ])('refuses %s, and appends nothing then', (_, from, messages, code, index, ids, sentence) => {
    const before = JSON.stringify(from);
    const path = `sections.chat.messages[${index}]`;
    expect(refusal(() => chatOf(from).appendMessages(messages))).toEqual({
      code,
      message: `${path}: ${sentence}. Nothing was appended; repair() makes a history from outside fit to be appended.`,
      path,
      index,
      callIndex: undefined,
      ids,
    });
    expect(JSON.stringify(from)).toBe(before);
  });
});

describe('pending calls', () => {
  it('are those without an answer, in call order, each with all that it takes to run it', () => {
    const second = assistant('', call('weather', '{"city": "Oslo"}', 'a'), call('time', {}, 'b'));
    const from = chatOf(holding('Hi', call('f', {}, 'a'), result('a', '1'), second)).answer('b', '12:00');
    expect(chatOf(from).pending()).toEqual([
      {
        id: 'a',
        name: 'weather',
        arguments: '{"city": "Oslo"}',
        turn: 2,
        messageId: second.id,
        place: 0,
        call: second.toolCalls.first(),
      },
    ]);
  });

  it.each([
    ['in an empty section', MessageStore.empty()],
    ['when the user spoke last', holding(asking, 'Hi')],
    ['when all is answered', holding(call('f', {}, 'a'), result('a', '1'))],
    ['behind an answer that has no call', holding(result('a', '1'))],
    ['behind a user message that carries calls', holding(Message.of({ role: 'user', toolCalls: [call('f')] }))],
  ])('are none %s', (_, from) => {
    expect(chatOf(from).pending()).toEqual([]);
    expect(chatOf(from).assertComplete()).toBe(from);
    expect(chatOf(from).close()).toBe(from);
  });

  it('of a history from outside are told apart by their place where ids repeat, are blank or missing', () => {
    const blank = ToolCall.fromJSON({ id: ' ', name: 'f', arguments: {} });
    const calls = [call('f', {}, 'x'), call('f', {}, 'x'), blank, ToolCall.of({ name: 'f' })];
    let from = holding(Message.of({ role: 'assistant', toolCalls: calls }));
    for (const expected of [['x', 'x', ' ', ''], ['x', ' ', ''], [' ', ''], ['']]) {
      const pending = chatOf(from).pending();
      expect(pending.map(({ id }) => id)).toEqual(expected);
      from = chatOf(from).answer(pending[0]!, `${4 - expected.length}`);
    }
    expect(read(from).slice(1)).toEqual(['tool 0 →x', 'tool 1 →x', 'tool 2 →undefined', 'tool 3 →undefined']);
    expect(chatOf(chatOf(from).assertComplete()).pending()).toEqual([]);
  });

  it('of a message whose stream was cut can be settled like any others', () => {
    const cut = Message.of({ role: 'assistant', toolCalls: [call('f', {}, 'a')], incomplete: { reason: 'length' } });
    const from = holding('Hi', cut);
    expect(chatOf(from).pending()).toHaveLength(1);
    expect(messagesOf(chatOf(from).close()).at(1)).toBe(cut);
    expect(read(chatOf(from).close({ mode: 'drop' }))).toEqual(['user Hi']);
  });
});

describe('an answer', () => {
  it('binds itself to its call: id, name, status', () => {
    const next = chatOf(open).answer('a', 'no such city', { status: 'error' });
    expect(messagesOf(next).last()?.toolResult?.toJSON()).toEqual({
      content: 'no such city',
      call_id: 'a',
      tool_name: 'weather',
      is_error: true,
    });
    expect(messagesOf(open).size).toBe(2);
  });

  const image = ContentPart.imageUrl('https://a/b.png');
  it.each([
    ['text as it is', 'null', 'null'],
    ['nothing as blank text', undefined, ''],
    ['null', null, 'null'],
    ['a number', 0, '0'],
    ['an object as compact JSON', { b: [1, 'x'], a: null }, '{"b":[1,"x"],"a":null}'],
    ['content', Content.text('12 °C'), '12 °C'],
    ['a part', ContentPart.text('12 °C'), '12 °C'],
    ['parts', ContentParts.of(ContentPart.text('12 °C')), '12 °C'],
  ])('may be %s', (_, value, text) => {
    expect(String(messagesOf(chatOf(open).answer('a', value)).last())).toBe(text);
  });

  it('may be an image', () => {
    expect(messagesOf(chatOf(open).answer('a', image)).last()?.contentParts().toJSON()).toEqual([image.toJSON()]);
  });

  it.each([
    ['a function', () => {}],
    ['no number', Number.NaN],
    ['a circle', circular()],
  ])('cannot be %s', (_, value) => {
    expect(() => chatOf(open).answer('a', value)).toThrow(InvalidInputError);
  });

  it('stands in call order, whichever comes first', () => {
    for (const order of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']) {
      const next = [...order].reduce((from, id) => chatOf(from).answer(id, id), open);
      expect(read(next)).toEqual(['user Hi', 'assistant +a +b +c', 'tool a →a', 'tool b →b', 'tool c →c']);
      const batch = chatOf(open).answerAll([...order].map((id) => ({ call: id, value: id })));
      expect(read(batch)).toEqual(read(next));
    }
  });

  it('stands before those of later calls, also where those are not in order', () => {
    const from = holding(asking, result('c', '3'), result('b', '2'));
    expect(read(chatOf(from).answer('a', '1'))).toEqual(['assistant +a +b +c', 'tool 1 →a', 'tool 3 →c', 'tool 2 →b']);
  });

  it('is refused when there is one already, the same one too', () => {
    const answered = chatOf(open).answer('a', '1');
    const expected = {
      code: 'tool_call_already_answered',
      message:
        'sections.chat.messages[1]: the tool call "a" has its answer already, which the model may have read. Nothing was changed: leave this answer out.',
      path: 'sections.chat.messages[1]',
      index: 1,
      callIndex: undefined,
      ids: ['a'],
    };
    expect(refusal(() => chatOf(answered).answer('a', '1'))).toEqual(expected);
    expect(refusal(() => chatOf(chatOf(answered).close()).answer('a', '2'))).toEqual(expected);
    const twice = [
      { call: 'a', value: '1' },
      { call: 'a', value: '2' },
    ];
    expect(refusal(() => chatOf(open).answerAll(twice))).toEqual(expected);
  });

  it('is refused when the conversation has gone on', () => {
    for (const from of [
      holding(asking, 'Never mind'),
      holding(asking, result('a', '1'), result('b', '2'), result('c', '3'), call('f', {}, 'd')),
    ]) {
      expect(refusal(() => chatOf(from).answer('a', 'late'))).toEqual({
        code: 'tool_turn_closed',
        message:
          'sections.chat.messages[0]: the turn of the tool call "a" is over: this answer comes too late and cannot be kept as one. Leave it out, or say it in a new message.',
        path: 'sections.chat.messages[0]',
        index: 0,
        callIndex: undefined,
        ids: ['a'],
      });
    }
  });

  it('is refused when another call waits, which is named', () => {
    expect(refusal(() => chatOf(open).answer('x', '1'))).toEqual({
      code: 'unknown_tool_call',
      message:
        'sections.chat.messages[1]: there is no tool call "x" in this section. Waiting: "a", "b", "c". Look for a wrong id or section.',
      path: 'sections.chat.messages[1]',
      index: 1,
      callIndex: undefined,
      ids: ['x'],
    });
    expect(refusal(() => chatOf(open).answer({ id: 'a', place: 1 })).message).toContain(
      'the tool call 1 of the turn is not "a". Waiting: "a", "b", "c".',
    );
    for (const place of [3, -1, 0.5, Number.NaN])
      expect(refusal(() => chatOf(open).answer({ id: 'a', place })).code).toBe('unknown_tool_call');
  });

  it.each([
    ['turn', { id: 'a', turn: 2 }, 'turn 2'],
    ['message', { id: 'a', messageId: 'm9' }, 'message "m9"'],
  ])('is refused when the handle is of another %s, which is said', (_, handle, other) => {
    expect(refusal(() => chatOf(open).answer(handle, '1'))).toMatchObject({
      code: 'tool_turn_closed',
      message: `sections.chat.messages[1]: a tool call "a" waits here, but its handle is of another turn (${other}). Take it from pending().`,
      index: 1,
      ids: ['a'],
    });
  });

  it.each([undefined, null, 5, {}, { id: 5 }])('is refused where %j is to say which call is meant', (handle) => {
    const act = () => chatOf(open).answer(handle as never, '1');
    expect(act).toThrow(InvalidInputError);
    expect(act).toThrow('sections.chat: expected a tool call: its id, or what pending() gave, got');
  });

  it('says where a value stands that cannot be one, or a status', () => {
    const path = 'sections.chat.messages[1].toolCalls[1].answer';
    expect(() => chatOf(open).answer('b', { n: [Number.NaN] })).toThrow(
      `${path}.n[0]: expected a finite number, got NaN`,
    );
    expect(() => chatOf(open).answer('b', '', { status: 'bad' as never })).toThrow(
      `${path}.status: expected one of "ok"`,
    );
  });

  it('may be a tool result: its content and status, unless another is named', () => {
    const said = ({ toolResult }: Message) => [String(toolResult), toolResult?.status, toolResult?.callId];
    const failed = ToolResult.error('no such city', 'other', 'other');
    expect(said(messagesOf(chatOf(open).answer('a', failed)).last()!)).toEqual(['no such city', 'error', 'a']);
    const next = chatOf(open).answer('a', failed, { status: 'denied' });
    expect(said(messagesOf(next).last()!)).toEqual(['no such city', 'denied', 'a']);
  });

  it.each([
    ['in an empty section', MessageStore.empty()],
    ['where the call stands in another section', store({ chat: ['Hi'], notes: [call('f', {}, 'x')] })],
  ])('is refused when nothing was asked: %s', (_, from) => {
    expect(refusal(() => chatOf(from).answer('x', '1'))).toEqual({
      code: 'unknown_tool_call',
      message:
        'sections.chat: there is no tool call "x" in this section. Append the assistant\'s turn before its answers.',
      path: 'sections.chat',
      index: undefined,
      callIndex: undefined,
      ids: ['x'],
    });
  });

  it('goes to the call of its own turn, though ids repeat', () => {
    const first = holding(call('f', {}, 'a'));
    const [handle] = chatOf(first).pending();
    const second = chatOf(chatOf(first).close()).appendAssistant({ toolCalls: [call('f', {}, 'a')] });
    const { turn, messageId } = handle!;
    for (const stale of [handle!, { id: 'a', turn }, { id: 'a', messageId }]) {
      expect(refusal(() => chatOf(second).answer(stale, 'late')).code).toBe('tool_turn_closed');
    }
    const [fresh] = chatOf(second).pending();
    expect(fresh).toMatchObject({ id: 'a', turn: 2 });
    for (const good of ['a', fresh!, { id: 'a' }, { id: 'a', turn: 2 }, { id: 'a', messageId: fresh!.messageId }]) {
      expect(read(chatOf(second).answer(good, 'ok')).at(-1)).toBe('tool ok →a');
    }
  });

  it('finds its call though the messages before it are gone', () => {
    const [first, second] = [call('f', {}, 'a'), call('f', {}, 'a')];
    const from = holding('Hi', first, result('a', '1'), 'And?', second);
    const [handle] = chatOf(from).pending();
    expect(handle?.turn).toBe(2);
    const trimmed = chatOf(from).keepLast(1);
    expect(read(chatOf(trimmed).answer(handle!, '2'))).toEqual(['assistant +a', 'tool 2 →a']);
    expect(refusal(() => chatOf(trimmed).answer({ id: 'a', turn: 2 }, '2')).code).toBe('tool_turn_closed');
  });

  describe('in a turn whose calls share an id, or have none', () => {
    const blank = ToolCall.fromJSON({ id: ' ', name: 'f', arguments: {} });
    const calls = [call('f', {}, 'x'), call('f', {}, 'x'), blank, ToolCall.of({ name: 'f' }), call('f', {}, 'y')];
    const from = holding(
      'Hi',
      call('f', {}, 'x'),
      result('x', '0'),
      Message.of({ role: 'assistant', toolCalls: calls }),
    );
    const handles = chatOf(from).pending();
    const answered = ['0 →x', '1 →x#2', '2 →tc_2_2', '3 →tc_2_3', '4 →y'].map((text) => `tool ${text}`);

    it.each(['12034', '43210', '10432', '31420'])('goes to the call that the handle names: %s', (order) => {
      const places = [...order].map(Number);
      const one = places.reduce((now, place) => chatOf(now).answer(handles[place]!, `${place}`), from);
      const batch = chatOf(from).answerAll(places.map((place) => ({ call: handles[place]!, value: `${place}` })));
      for (const next of [one, batch]) {
        expect(read(next).slice(4)).toEqual(answered);
        expect(validate(messagesOf(next), { allowOpenTail: false })).toEqual([]);
        expect([...messagesOf(next)].slice(0, 3)).toEqual([...messagesOf(from)].slice(0, 3));
      }
    });

    it('goes to the first that waits where the id alone is given', () => {
      const next = chatOf(chatOf(from).answer('x', '0')).answer({ id: 'x' }, '1');
      expect(read(next).slice(3)).toEqual(['assistant +x +x +  + +y', 'tool 0 →x', 'tool 1 →x']);
      expect(refusal(() => chatOf(next).answer('x', '2')).code).toBe('tool_call_already_answered');
      const mixed = [handles[0]!, 'x', handles[4]!].map((one, at) => ({ call: one, value: `${at}` }));
      expect(read(chatOf(from).answerAll(mixed)).slice(4)).toEqual(['tool 0 →x', 'tool 1 →x', 'tool 2 →y']);
    });

    it('is refused the second time', () => {
      for (const place of [0, 1, 3]) {
        const once = chatOf(from).answer(handles[place]!, '1');
        expect(refusal(() => chatOf(once).answer(handles[place]!, '2')).code).toBe('tool_call_already_answered');
        const twice = [handles[place]!, handles[place]!].map((one) => ({ call: one }));
        expect(refusal(() => chatOf(from).answerAll(twice)).code).toBe('tool_call_already_answered');
      }
    });
  });

  it('is one of several, all or none', () => {
    const before = JSON.stringify(open);
    const act = () =>
      chatOf(open).answerAll([
        { call: 'a', value: '1' },
        { call: 'x', value: '2' },
      ]);
    expect(refusal(act).code).toBe('unknown_tool_call');
    expect(JSON.stringify(open)).toBe(before);
    expect(chatOf(open).answerAll([])).toBe(open);
    expect(chatOf(MessageStore.empty()).answerAll([])).toBe(MessageStore.empty());
  });

  it('keeps the statuses of several', () => {
    const next = chatOf(open).answerAll([
      { call: 'c', value: 'no', status: 'denied' },
      { call: 'a', value: '1' },
      { call: 'b', status: 'cancelled' },
    ]);
    expect(messagesOf(next).map(({ toolResult }) => toolResult?.status)).toEqual([
      undefined,
      undefined,
      'ok',
      'cancelled',
      'denied',
    ]);
  });
});

describe('closing a turn', () => {
  const half = chatOf(open).answer('b', '12:00');

  it.each([
    [undefined, 'Tool call was cancelled before it produced a result.'],
    ['cancelled' as const, 'Tool call was cancelled before it produced a result.'],
    ['denied' as const, 'Tool call was denied.'],
    ['error' as const, 'Tool call failed.'],
  ])('makes up the answers that are missing, with the status %s', (status, text) => {
    const closed = chatOf(half).close({ status });
    expect(messagesOf(closed).map(({ toolResult }) => toolResult && { ...toolResult.toJSON() })).toEqual([
      undefined,
      undefined,
      ...['weather', undefined, 'news'].map((name, at) =>
        name === undefined
          ? { content: '12:00', call_id: 'b', tool_name: 'time', is_error: false }
          : {
              content: text,
              call_id: 'abc'[at],
              tool_name: name,
              is_error: true,
              ...(status !== 'error' && { status: status ?? 'cancelled' }),
              synthetic: true,
            },
      ),
    ]);
  });

  it('says what one wants', () => {
    expect(read(chatOf(half).close({ content: 'Stopped.' })).at(-1)).toBe('tool Stopped. →c');
  });

  it('refuses the result that comes after it', () => {
    const [handle] = chatOf(half).pending();
    const closed = chatOf(chatOf(half).close()).appendUser('Next');
    expect(refusal(() => chatOf(closed).answer(handle!, 'late')).code).toBe('tool_turn_closed');
  });

  it('may drop the calls instead, and keeps what was said and answered', () => {
    expect(read(chatOf(half).close({ mode: 'drop' }))).toEqual(['user Hi', 'assistant +b', 'tool 12:00 →b']);
    const talking = holding('Hi', assistant('Let me look.', call('f', {}, 'a')));
    expect(read(chatOf(talking).close({ mode: 'drop' }))).toEqual(['user Hi', 'assistant Let me look.']);
    expect(read(chatOf(open).close({ mode: 'drop' }))).toEqual(['user Hi']);
  });

  it.each<[string, Message]>([
    ['metadata', Message.of({ role: 'assistant', metadata: { usage: 1 }, toolCalls: [call('f')] })],
    [
      'fields of a provider',
      Message.from({ role: 'assistant', content: '', refusal: null, tool_calls: [{ id: 'a', name: 'f' }] }),
    ],
  ])('leaves no message where only %s would be left of it', (_, message) => {
    expect(read(chatOf(holding('Hi', message)).close({ mode: 'drop' }))).toEqual(['user Hi']);
  });

  it.each([
    [{ mode: 'dropp' }, 'sections.chat.close.mode: expected one of "answer", "drop", got "dropp"'],
    [{ status: 'ok' }, 'sections.chat.close.status: expected one of "cancelled", "denied", "error", got "ok"'],
  ])('refuses %j, whether a turn is open or not', (options, message) => {
    for (const from of [open, holding('Hi')]) {
      expect(() => chatOf(from).close(options as CloseOptions)).toThrow(message);
    }
  });

  it('drops the marks of dropped calls with them', () => {
    const mark = (id: string) => ContentPart.of('tool_call', { id });
    const marked = Message.of({
      role: 'assistant',
      content: Content.of(ContentPart.text('1'), mark('a'), ContentPart.text('2'), mark('b')),
      toolCalls: [call('f', {}, 'a'), call('f', {}, 'b')],
    });
    const next = chatOf(chatOf(holding(marked)).answer('b', 'ok')).close({ mode: 'drop' });
    expect(messagesOf(next).first()?.contentParts().toJSON()).toEqual([
      { type: 'text', text: '1' },
      { type: 'text', text: '2' },
      { type: 'tool_call', id: 'b' },
    ]);
  });
});

describe('removing', () => {
  const long = holding('Hi', asking, result('a', '1'), result('b', '2'), result('c', '3'), 'Thanks');
  const idAt = (at: number) => messagesOf(long).at(at)!.id;

  it('takes away one message, by place or id', () => {
    expect(read(chatOf(long).removeMessage(0))[0]).toBe('assistant +a +b +c');
    expect(read(chatOf(long).removeMessage(idAt(5))).at(-1)).toBe('tool 3 →c');
    expect(messagesOf(long).size).toBe(6);
  });

  it('takes away calls that wait', () => {
    expect(read(chatOf(open).removeMessage(1))).toEqual(['user Hi']);
  });

  it.each([1, 2, 4])('does not take message %s out of its turn', (index) => {
    expect(refusal(() => chatOf(long).removeMessage(index))).toEqual({
      code: 'would_break_tool_turn',
      message: `sections.chat.messages[${index}]: the message belongs to a tool turn: calls and answers go together. Remove the turn with removeToolTurn().`,
      path: `sections.chat.messages[${index}]`,
      index,
      callIndex: undefined,
      ids: ['a', 'b', 'c'],
    });
  });

  it.each([6, -1, 'none'])('says that there is no message %j', (which) => {
    expect(refusal(() => chatOf(long).removeMessage(which))).toMatchObject({
      code: 'missing_message',
      message: `sections.chat: there is no message ${JSON.stringify(which)} in this section: there are 6.`,
    });
  });

  it('takes away a whole turn, by number, by the id of any of its messages, or by a pending call', () => {
    for (const which of [1, idAt(1), idAt(3), { messageId: asking.id }]) {
      expect(read(chatOf(long).removeToolTurn(which))).toEqual(['user Hi', 'user Thanks']);
    }
    expect(read(chatOf(open).removeToolTurn(chatOf(open).pending()[0]!))).toEqual(['user Hi']);
    const two = holding(call('f', {}, 'a'), result('a', '1'), 'And?', call('f', {}, 'a'), result('a', '2'));
    expect(read(chatOf(two).removeToolTurn(2))).toEqual(['assistant +a', 'tool 1 →a', 'user And?']);
  });

  it('says that there is no such turn', () => {
    expect(refusal(() => chatOf(long).removeToolTurn(2))).toMatchObject({
      code: 'missing_message',
      message: 'sections.chat: there is no tool turn number 2: there are 1.',
    });
    expect(refusal(() => chatOf(long).removeToolTurn('none')).code).toBe('missing_message');
    expect(refusal(() => chatOf(long).removeToolTurn(idAt(5)))).toMatchObject({
      code: 'missing_message',
      message: `sections.chat.messages[5]: the message "${idAt(5)}" belongs to no tool turn. Remove it with removeMessage().`,
      index: 5,
    });
  });

  it('keeps the last messages, never a piece of a turn', () => {
    expect(read(chatOf(long).keepLast(2))).toEqual(['user Thanks']);
    expect(read(chatOf(long).keepLast(5))).toEqual(read(long).slice(1));
    expect(chatOf(long).keepLast(6)).toBe(long);
  });
});

describe('a long turn', () => {
  it('is answered at once in time linear in its calls, first or last one first', () => {
    const toolCalls = Array.from({ length: 20_000 }, (_, at) => ({ id: `c${at}`, name: 'f' }));
    const asked = chatOf(holding('Go')).appendAssistant({ toolCalls });
    const answers = chatOf(asked)
      .pending()
      .map((handle) => ({ call: handle, value: handle.id }));
    const answered = chatOf(asked).answerAll(answers.toReversed());
    expect(messagesOf(answered).at(-1)?.toString()).toBe('c19999');
    const closed = chatOf(chatOf(asked).answer('c19999', 'done')).close();
    expect(messagesOf(closed).size).toBe(20_002);
    for (const from of [answered, closed]) expect(validate(messagesOf(from), { allowOpenTail: false })).toEqual([]);
  }, 30_000);
});

describe('an error of tool turns', () => {
  it('has what it is about as frozen fields', () => {
    const error = new TurnError('tool_turn_open', 'wait.', { section: 'chat', index: 2, ids: ['a'] });
    expect([error.name, error.message, error.path, error.value]).toEqual([
      'TurnError',
      'sections.chat.messages[2]: wait.',
      'sections.chat.messages[2]',
      ['a'],
    ]);
    expect(Object.isFrozen(error.ids)).toBe(true);
    expect(new TurnError('missing_message', 'none.', { section: 'chat' })).toMatchObject({
      message: 'sections.chat: none.',
      ids: [],
    });
  });
});

describe('a section with more than messages', () => {
  it('keeps the rest of itself', () => {
    const from = MessageStore.fromSections(Section.from({ name: 'chat', messages: ['Hi'], policy: { tokens: 9 } }));
    const next = chatOf(chatOf(from).appendUser('You?')).keepLast(1);
    expect(next.section('chat').get().toJSON()).toMatchObject({ policy: { tokens: 9 } });
    expect(read(chatOf(store({ chat: [system('Be brief.')] })).appendUser('Hi'))).toEqual([
      'system Be brief.',
      'user Hi',
    ]);
  });
});

function circular(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
