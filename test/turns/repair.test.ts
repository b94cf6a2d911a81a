import {
  type Change,
  Content,
  ContentPart,
  Message,
  Messages,
  type MessagesInput,
  repair,
  type RepairOptions,
  ToolCall,
  ToolResult,
  validate,
} from 'message-store';
import { assistant, call, chat, result, type Turn, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const asking = assistant('', call('f', {}, 'a'), call('g', {}, 'b'));
const MADE_UP = 'Tool call was interrupted before it produced a result.';

const nameless = (content: string) => Message.of({ role: 'tool', content });
const madeUp = (callId: string) =>
  Message.of({
    role: 'tool',
    toolResult: { content: 'made up', call_id: callId, status: 'cancelled', synthetic: true },
  });

/** A conversation as one reads it: role, text, and what binds it. */
const read = (messages: Messages): string[] =>
  messages.map(({ role, content, toolCalls, toolResult }) =>
    [role, String(content), ...toolCalls.map((one) => `+${one.idString()}`), toolResult && `→${toolResult.callId}`]
      .filter((word) => word !== undefined && word !== '')
      .join(' '),
  );

/** Checks what a repair makes of a history, and what it says that it did. */
function repairs(
  turns: readonly Turn[],
  after: readonly string[],
  changes: readonly Change[],
  options?: RepairOptions,
) {
  const history = chat(...turns);
  const before = JSON.stringify(history);
  const repaired = repair(history, options);
  expect(read(repaired.messages)).toEqual(after);
  expect(repaired.changes).toEqual(changes);
  expect(JSON.stringify(history)).toBe(before);
}

/** The id of the answer that is made up for a call in a message with this id. */
const idOfAnswer = (id: string) =>
  repair(chat(Message.of({ role: 'assistant', id, toolCalls: [call('f')] }), 'Hi')).messages.at(1)?.id;

describe('repair of calls without answers', () => {
  it('makes up an answer, marked as such', () => {
    const { messages } = repair(chat(call('f', {}, 'a'), 'Never mind'));
    expect(messages.at(1)?.toolResult?.toJSON()).toEqual({
      content: MADE_UP,
      call_id: 'a',
      tool_name: 'f',
      is_error: true,
      status: 'cancelled',
      synthetic: true,
    });
  });

  it('makes up what is missing in call order', () => {
    repairs(
      ['Hi', asking, result('b', '2'), 'Thanks'],
      ['user Hi', 'assistant +a +b', `tool ${MADE_UP} →a`, 'tool 2 →b', 'user Thanks'],
      [{ change: 'synthesised', at: 1, id: 'a' }],
    );
  });

  it('leaves those at the very end, unless it is to be sent', () => {
    const history = chat('Hi', asking, result('b', '2'));
    expect(repair(history)).toEqual({ messages: history, changes: [] });
    repairs(
      ['Hi', asking, result('b', '2')],
      ['user Hi', 'assistant +a +b', `tool ${MADE_UP} →a`, 'tool 2 →b'],
      [{ change: 'synthesised', at: 1, id: 'a' }],
      { keepOpenTail: false },
    );
  });

  it('makes up the same answer each time, with an id and a time of the calls', () => {
    const message = Message.of({
      role: 'assistant',
      id: 'm1',
      createdAt: '2024-05-01T10:00:00.000Z',
      toolCalls: [call('f', {}, 'a'), call('g', {}, 'b')],
    });
    const { messages } = repair(chat(message, 'Hi'));
    expect(messages.map(({ id, timestamp }) => [id, timestamp]).slice(0, 3)).toEqual([
      ['m1', '2024-05-01T10:00:00.000Z'],
      ['m1#0', '2024-05-01T10:00:00.000Z'],
      ['m1#1', '2024-05-01T10:00:00.000Z'],
    ]);
  });

  it.each([
    ['x'.repeat(60), `${'x'.repeat(60)}#0`],
    ['中'.repeat(85), `${'中'.repeat(60)}~`],
    [`${'😀'.repeat(31)}x`, `\uFFFD${'😀'.repeat(29)}x~`],
  ])('makes up an answer whose id begins with that of the call, as far as there is room: %s', (id, start) => {
    expect(idOfAnswer(id)?.slice(0, start.length)).toBe(start);
    expect(idOfAnswer(id)).toBe(idOfAnswer(id));
  });

  it('makes up answers with different ids where those of the calls differ, however long they are', () => {
    expect(idOfAnswer(`a${'x'.repeat(200)}`)).not.toBe(idOfAnswer(`b${'x'.repeat(200)}`));
  });

  it('settles the calls of a message whose stream was cut, and leaves the message as it is', () => {
    const cut = Message.of({ role: 'assistant', toolCalls: [call('f')], incomplete: { reason: 'length' } });
    const { messages } = repair(chat(cut, 'Go on'));
    expect([messages.at(0), messages.size]).toEqual([cut, 3]);
    expect(messages.at(0)?.incomplete).toEqual({ reason: 'length' });
  });
});

describe('repair of answers in the wrong place', () => {
  it('moves an answer up to its call when a word came between them', () => {
    repairs(
      ['write it', call('search', {}, 'c1'), 'docx please', result('c1', 'r'), 'again'],
      ['user write it', 'assistant +c1', 'tool r →c1', 'user docx please', 'user again'],
      [{ change: 'hoisted', at: 3, id: 'c1' }],
    );
  });

  it('moves an answer that was stored before its call behind it', () => {
    repairs(
      ['q', result('c1', 'r'), call('search', {}, 'c1'), 'next'],
      ['user q', 'assistant +c1', 'tool r →c1', 'user next'],
      [{ change: 'hoisted', at: 1, id: 'c1' }],
    );
  });

  it('moves answers that come before several calls to these in order', () => {
    repairs(
      [result('a', '1'), result('a', '2'), result('a', '3'), call('f', {}, 'a'), 'Hi', call('f', {}, 'a')],
      ['assistant +a', 'tool 1 →a', 'user Hi', 'assistant +a', 'tool 2 →a'],
      [
        { change: 'dropped', at: 2, id: 'a', why: 'orphan' },
        { change: 'hoisted', at: 0, id: 'a' },
        { change: 'hoisted', at: 1, id: 'a' },
      ],
    );
  });

  it('puts answers into call order', () => {
    repairs(
      [asking, result('b', '2'), result('a', '1'), 'Hi'],
      ['assistant +a +b', 'tool 1 →a', 'tool 2 →b', 'user Hi'],
      [{ change: 'reordered', at: 1, id: 'b' }],
    );
  });

  it('gives an answer to the latest call with its id', () => {
    repairs(
      [call('f', {}, 'a'), 'Stop', call('f', {}, 'a'), result('a', '2'), 'Hi'],
      ['assistant +a', `tool ${MADE_UP} →a`, 'user Stop', 'assistant +a', 'tool 2 →a', 'user Hi'],
      [{ change: 'synthesised', at: 0, id: 'a' }],
    );
  });
});

describe('repair of messages that ask one after another', () => {
  const join = { joinAsking: true };
  const split: Turn[] = ['go', call('f', {}, 'a'), call('g', {}, 'b'), result('a', 'A'), result('b', 'B')];

  it('leaves them apart where one carries an answer itself, whatever that answers', () => {
    const odd = assistant('', call('g', {}, 'b')).withToolResult(ToolResult.of({ content: 'x', callId: 'old' }));
    const { messages } = repair(chat('go', call('f', {}, 'a'), odd, result('a', 'A'), result('b', 'B')), join);
    expect(validate(messages)).toEqual([]);
    expect(messages.map(({ role }) => role).join(' ')).toBe('user assistant tool assistant tool');
  });

  it('makes them one where they are answered together', () => {
    const after = ['user go', 'assistant +a +b', 'tool A →a', 'tool B →b'];
    repairs(split, after, [{ change: 'joined', at: 2 }], join);
    const swapped = [...split.slice(0, 3), result('b', 'B'), result('a', 'A'), 'Hi', result('x', 'lost')];
    repairs(
      swapped,
      [...after, 'user Hi'],
      [
        { change: 'joined', at: 2 },
        { change: 'reordered', at: 3, id: 'b' },
        { change: 'dropped', at: 6, id: 'x', why: 'orphan' },
      ],
      join,
    );
  });

  it('keeps what they say in its order, and the first one’s id', () => {
    const asked = chat(
      'go',
      assistant('One.', call('f', {}, 'a')),
      assistant('Two.', call('g', {}, 'b')),
      ...split.slice(3),
    );
    const { messages } = repair(asked, join);
    expect(messages.at(1)?.id).toBe(asked.at(1)?.id);
    expect(
      Array.from(messages.at(1)?.blocks() ?? [], (block) =>
        block.type === 'part' ? String(block.part) : block.call.idString(),
      ),
    ).toEqual(['One.', 'a', 'Two.', 'b']);
  });

  it('leaves them apart where that is not asked for, or their calls are not answered together', () => {
    repairs(
      split,
      ['user go', 'assistant +a', 'tool A →a', 'assistant +b', 'tool B →b'],
      [{ change: 'hoisted', at: 3, id: 'a' }],
    );
    const apart = ['user go', 'assistant +a', `tool ${MADE_UP} →a`, 'assistant +b', 'tool B →b'];
    repairs([...split.slice(0, 3), result('b', 'B')], apart, [{ change: 'synthesised', at: 1, id: 'a' }], join);
    repairs(
      [call('f', {}, 'a'), call('f', {}, 'a'), result('a', '1')],
      ['assistant +a', `tool ${MADE_UP} →a`, 'assistant +a', 'tool 1 →a'],
      [{ change: 'synthesised', at: 0, id: 'a' }],
      join,
    );
  });
});

describe('repair of answers that nothing asked for', () => {
  it('drops an answer without a call, as reading only the newest messages leaves it', () => {
    repairs(
      [result('c1', 'v'), assistant('done'), 'next'],
      ['assistant done', 'user next'],
      [{ change: 'dropped', at: 0, id: 'c1', why: 'orphan' }],
    );
  });

  it('keeps the first of two answers', () => {
    repairs(
      ['q', call('web', {}, 'c1'), result('c1', 'first'), result('c1', 'second')],
      ['user q', 'assistant +c1', 'tool first →c1'],
      [{ change: 'dropped', at: 3, id: 'c1', why: 'duplicate' }],
    );
  });

  it('drops a tool message that says nothing of a call where none waits', () => {
    repairs(
      ['Hi', Message.of({ role: 'tool', content: '1' })],
      ['user Hi'],
      [{ change: 'dropped', at: 1, id: '', why: 'orphan' }],
    );
  });
});

describe('repair of answers that compete for a call', () => {
  it.each<readonly [string, readonly Turn[], readonly string[], readonly Change[]]>([
    [
      'the real one, though a made-up one came first',
      [call('f', {}, 'a'), madeUp('a'), result('a', 'real'), 'Hi'],
      ['assistant +a', 'tool real →a', 'user Hi'],
      [{ change: 'dropped', at: 1, id: 'a', why: 'duplicate' }],
    ],
    [
      'the real one, though it came late',
      [call('f', {}, 'a'), madeUp('a'), 'Hi', result('a', 'real')],
      ['assistant +a', 'tool real →a', 'user Hi'],
      [
        { change: 'hoisted', at: 3, id: 'a' },
        { change: 'dropped', at: 1, id: 'a', why: 'duplicate' },
      ],
    ],
    [
      'the one in the role of a tool, though a user said one first',
      [call('f', {}, 'a'), result('a', 'said').withRole('user'), result('a', 'real')],
      ['assistant +a', 'tool real →a', 'user said'],
      [
        { change: 'stripped', at: 1, what: 'tool_result' },
        { change: 'hoisted', at: 2, id: 'a' },
      ],
    ],
    [
      'the one that names it, though one that names none came first',
      [call('f', {}, 'a'), nameless('?'), result('a', 'real'), 'Hi'],
      ['assistant +a', 'tool real →a', 'user Hi'],
      [{ change: 'dropped', at: 1, id: '', why: 'orphan' }],
    ],
    [
      'the first of two, whatever comes between them',
      [
        assistant('', call('f', {}, 'a'), call('g', {}, 'b'), call('f', {}, 'a')),
        result('b', '1'),
        result('a', '2'),
        result('a', '3'),
      ],
      ['assistant +a +b +a#2', 'tool 2 →a', 'tool 1 →b', 'tool 3 →a#2'],
      [
        { change: 'renamed', at: 0, from: 'a', to: 'a#2' },
        { change: 'reordered', at: 1, id: 'b' },
      ],
    ],
  ])('keeps %s', (_, turns, after, changes) => {
    repairs(turns, after, changes);
  });

  it('gives a second answer to a later call with the same id that has none', () => {
    const again = [call('f', {}, 'a'), result('a', '1'), result('a', '2'), 'Hi', call('f', {}, 'a')];
    repairs(
      [...again, 'Hm'],
      ['assistant +a', 'tool 1 →a', 'user Hi', 'assistant +a', 'tool 2 →a', 'user Hm'],
      [{ change: 'hoisted', at: 2, id: 'a' }],
    );
    const isDropped: Change = { change: 'dropped', at: 2, id: 'a', why: 'duplicate' };
    repairs(again, ['assistant +a', 'tool 1 →a', 'user Hi', 'assistant +a'], [isDropped]);
    const repeated = again.with(2, result('a', '1'));
    repairs(
      [...repeated, 'Hm'],
      ['assistant +a', 'tool 1 →a', 'user Hi', 'assistant +a', `tool ${MADE_UP} →a`, 'user Hm'],
      [isDropped, { change: 'synthesised', at: 4, id: 'a' }],
    );
  });

  it('takes an answer without an id that comes late where one call waits, and only there', () => {
    repairs(
      [call('f', {}, 'a'), 'Hi', nameless('1'), nameless('2')],
      ['assistant +a', 'tool 1 →a', 'user Hi'],
      [
        { change: 'hoisted', at: 2, id: 'a' },
        { change: 'renamed', at: 2, from: '', to: 'a' },
        { change: 'dropped', at: 3, id: '', why: 'orphan' },
      ],
    );
    repairs(
      [asking, 'Hi', nameless('1')],
      ['assistant +a +b', `tool ${MADE_UP} →a`, `tool ${MADE_UP} →b`, 'user Hi'],
      [
        { change: 'synthesised', at: 0, id: 'a' },
        { change: 'synthesised', at: 0, id: 'b' },
        { change: 'dropped', at: 2, id: '', why: 'orphan' },
      ],
    );
  });

  it('makes a tool message of an answer in another role whose call waits for it', () => {
    for (const role of ['user', 'assistant', 'system'] as const)
      repairs(
        [asking, result('a', '1').withRole(role), nameless('2')],
        ['assistant +a +b', 'tool 1 →a', 'tool 2 →b'],
        [
          { change: 'recast', at: 1, id: 'a', from: role },
          { change: 'renamed', at: 2, from: '', to: 'b' },
        ],
      );
    repairs(
      [call('f', {}, 'a'), 'Wait', result('a', '1').withRole('user')],
      ['assistant +a', 'tool 1 →a', 'user Wait'],
      [
        { change: 'hoisted', at: 2, id: 'a' },
        { change: 'recast', at: 2, id: 'a', from: 'user' },
      ],
    );
  });
});

describe('repair of ids', () => {
  it('tells two calls with one id apart, and binds the answers in order', () => {
    repairs(
      [assistant('', call('w', { c: 1 }, 'x'), call('w', { c: 2 }, 'x')), result('x', 'A'), result('x', 'B')],
      ['assistant +x +x#2', 'tool A →x', 'tool B →x#2'],
      [{ change: 'renamed', at: 0, from: 'x', to: 'x#2' }],
    );
  });

  it('gives no id that another call of the turn has', () => {
    const ids = ['x', 'x#2', 'x', 'x', 'x#2'];
    const message = Message.of({ role: 'assistant', toolCalls: ids.map((id) => call('f', {}, id)) });
    const { messages } = repair(chat(message));
    expect(read(messages)).toEqual(['assistant +x +x#2 +x#3 +x#4 +x#2#2']);
  });

  it('gives an id to calls without one, and to their answers in call order', () => {
    const message = Message.of({ role: 'assistant', toolCalls: [{ name: 'w' }, { name: 'w' }] });
    repairs(
      [call('f'), result('f', '0'), message, nameless('A'), nameless('B'), 'Hi'],
      ['assistant +f', 'tool 0 →f', 'assistant +tc_2_0 +tc_2_1', 'tool A →tc_2_0', 'tool B →tc_2_1', 'user Hi'],
      [
        { change: 'renamed', at: 2, from: '', to: 'tc_2_0' },
        { change: 'renamed', at: 2, from: '', to: 'tc_2_1' },
        { change: 'renamed', at: 3, from: '', to: 'tc_2_0' },
        { change: 'renamed', at: 4, from: '', to: 'tc_2_1' },
      ],
    );
  });

  it('takes no id for a call without one that another has', () => {
    const message = Message.of({ role: 'assistant', toolCalls: [{ name: 'f' }, call('g', {}, 'tc_1_0')] });
    expect(read(repair(chat(message)).messages)).toEqual(['assistant +tc_1_0#2 +tc_1_0']);
  });

  it('treats a blank id, as stored JSON may have it, as none', () => {
    const blank = ToolCall.fromJSON({ id: ' ', name: 'f', arguments: {} });
    repairs(
      [blank, 'Hi'],
      ['assistant +tc_1_0', `tool ${MADE_UP} →tc_1_0`, 'user Hi'],
      [
        { change: 'renamed', at: 0, from: '', to: 'tc_1_0' },
        { change: 'synthesised', at: 0, id: 'tc_1_0' },
      ],
    );
  });

  it('binds an answer without an id to the first call that waits, and keeps its result', () => {
    const answer = Message.fromJSON({
      ...Message.of({ role: 'tool', content: '1' }).toJSON(),
      tool_result: { content: '1', call_id: null, tool_name: 'g', is_error: true, status: 'denied', vendor: 7 },
    });
    const { messages, changes } = repair(chat(asking, result('a', '1'), answer, 'Hi'));
    expect(changes).toEqual([{ change: 'renamed', at: 2, from: '', to: 'b' }]);
    expect(messages.at(2)?.toolResult?.toJSON()).toEqual({
      content: '1',
      call_id: 'b',
      tool_name: 'g',
      is_error: true,
      status: 'denied',
      vendor: 7,
    });
  });

  it('renames the marks of the places of calls with them', () => {
    const mark = (id: string) => ContentPart.of('tool_call', { id, index: 1 });
    const message = Message.of({
      role: 'assistant',
      content: Content.of(
        mark('x'),
        ContentPart.text('and'),
        mark('x'),
        mark('x'),
        mark('y'),
        ContentPart.of('tool_call'),
      ),
      toolCalls: [call('f', {}, 'x'), call('f', {}, 'x')],
    });
    const { messages } = repair(chat(message));
    expect(messages.at(0)?.contentParts().toJSON()).toEqual([
      { type: 'tool_call', id: 'x', index: 1 },
      { type: 'text', text: 'and' },
      { type: 'tool_call', id: 'x#2', index: 1 },
      { type: 'tool_call', id: 'x', index: 1 },
      { type: 'tool_call', id: 'y', index: 1 },
      { type: 'tool_call' },
    ]);
    expect([...messages.at(0)!.blocks()].map((block) => block.type)).toEqual(['tool_call', 'part', 'tool_call']);
  });
});

describe('repair of the rest', () => {
  it.each([call('', {}, 'a'), call(' ', {}, 'a'), ToolCall.from({ id: 'a' })])(
    'names a call that has no name, as providers take it: %s',
    (unnamed) => {
      const { messages, changes } = repair(chat(unnamed, result('a', '1')));
      expect(messages.at(0)?.toolCalls.first()?.name).toBe('unnamed_tool');
      expect(changes).toEqual([{ change: 'named', at: 0, id: 'a', to: 'unnamed_tool' }]);
    },
  );

  it('takes calls and answers from messages of the wrong role, and leaves what they say', () => {
    repairs(
      [
        user('Hi').withToolCalls([call('f')]),
        result('f', '1').withRole('assistant'),
        call('g'),
        result('g', '2').withToolCalls([call('f')]),
      ],
      ['user Hi', 'assistant 1', 'assistant +g', 'tool 2 →g'],
      [
        { change: 'stripped', at: 0, what: 'tool_calls' },
        { change: 'stripped', at: 1, what: 'tool_result' },
        { change: 'stripped', at: 3, what: 'tool_calls' },
      ],
    );
  });

  it('gives back what needs none', () => {
    const history = chat('Hi', asking, result('a', '1'), result('b', '2'), 'Thanks');
    expect(repair(history, { keepOpenTail: false })).toEqual({ messages: history, changes: [] });
    expect(repair(history).messages).toBe(history);
    expect(repair([]).messages).toBe(Messages.empty());
  });

  it('takes anything that messages are read from', () => {
    const input: MessagesInput = [{ role: 'tool', tool_call_id: 'a', content: '1' }, 'Hi'];
    expect(read(repair(input).messages)).toEqual(['user Hi']);
  });
});

describe('a huge history', () => {
  /** Turns in which all goes wrong, many messages of them. */
  const broken = Array.from({ length: 20_000 }, (_, at) => [
    assistant('', call('f', {}, 'x'), call('f', {}, 'x')),
    user(`${at}`),
    result('x', 'late'),
    result('y', 'never asked for'),
    result('z', 'early'),
  ]).flat();

  it('is checked and repaired in linear time', () => {
    const history = Messages.of(...broken);
    expect(history.size).toBe(100_000);
    // Each turn: a repeated id, a call without an answer, a late answer (twice told), two answers to nothing.
    expect(validate(history)).toHaveLength(20_000 * 6);
    const { messages, changes } = repair(history);
    expect([messages.size, changes.length]).toEqual([20_000 * 4, 20_000 * 5]);
    expect(validate(messages, { allowOpenTail: false })).toEqual([]);
    expect(repair(messages).messages).toBe(messages);
  }, 20_000);

  it('of one turn is repaired in linear time, though all its ids are the same or missing', () => {
    const calls = Array.from({ length: 30_000 }, () => call('f', {}, 'x'));
    const nameless = Array.from({ length: 30_000 }, () => Message.of({ role: 'tool', content: '1' }));
    const { messages } = repair([Message.of({ role: 'assistant', toolCalls: calls }), ...nameless]);
    expect(messages.size).toBe(30_001);
    expect(messages.last()?.toolResult?.callId).toBe('x#30000');
    expect(validate(messages, { allowOpenTail: false })).toEqual([]);
  }, 20_000);
});
