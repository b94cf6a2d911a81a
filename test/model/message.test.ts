import {
  Content,
  ContentPart,
  ContentParts,
  FileSource,
  Message,
  MessageStore,
  MessageStoreError,
  Metadata,
  ToolCalls,
  ToolResult,
} from 'message-store';
import { assistant, call, fixIdentity, result, user, withFixedIdentity } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const image = ContentPart.imageUrl('https://a/b.png');

describe('a message', () => {
  it('has defaults for all that is not given', () => {
    const message = withFixedIdentity(() => Message.of());
    expect(message.toJSON()).toEqual({ id: 'id-1', createdAt: '2026-01-01T00:00:00.000Z', role: 'user', content: '' });
    expect([message.name, message.toolCalls, message.toolResult, message.metadata]).toEqual([
      '',
      ToolCalls.empty(),
      undefined,
      Metadata.empty(),
    ]);
    expect([message.parentId, message.origin, message.incomplete, message.extra]).toEqual([
      undefined,
      undefined,
      undefined,
      {},
    ]);
    expect(Message.DEFAULT_ROLE).toBe('user');
  });

  it('has all that is given', () => {
    const message = Message.of({
      id: 'm2',
      createdAt: new Date('2026-05-01T10:00:00.123Z'),
      parentId: 'm1',
      role: 'assistant',
      name: 'ada',
      content: ['a', image],
      toolCalls: [call('f', { a: 1 })],
      metadata: { n: 1 },
      origin: { provider: 'gemini', model: 'm', data: [1] },
      incomplete: { reason: 'length' },
      extra: { vendor: true },
    });
    expect(message.toJSON()).toEqual({
      vendor: true,
      id: 'm2',
      createdAt: '2026-05-01T10:00:00.123Z',
      parentId: 'm1',
      role: 'assistant',
      name: 'ada',
      content: [{ type: 'text', text: 'a' }, image.toJSON()],
      tool_calls: [{ id: 'f', name: 'f', arguments: { a: 1 } }],
      _metadata: { n: 1 },
      _origin: { provider: 'gemini', model: 'm', data: [1] },
      incomplete: { reason: 'length' },
    });
    expect(Message.fromJSON(message.toJSON()).equals(message)).toBe(true);
  });

  it('keeps only such extra fields as have no meaning here', () => {
    const message = Message.of({
      extra: { role: 'tool', content: 'b', id: 'x', _origin: { provider: 'x' }, vendor: 1 },
    });
    expect([message.role, String(message), message.origin, message.extra]).toEqual([
      'user',
      '',
      undefined,
      { vendor: 1 },
    ]);
  });

  it.each([
    [{ role: 'robot' }, 'role: expected one of "system", "developer", "user", "assistant", "tool", got "robot"'],
    [{ content: 5 }, 'content: expected text or content parts'],
    [{ name: 5 }, 'name: expected a string, got 5'],
    [{ name: '\ud83d' }, 'name: expected well-formed Unicode'],
    [{ metadata: { f: () => 1 } }, 'metadata.f: expected a JSON value, got a function'],
    [{ toolCalls: ['f'] }, 'toolCalls[0]: expected a tool call with a name and arguments, got "f"'],
    [{ toolResult: 'a' }, 'toolResult: expected a tool result, got "a"'],
    [{ id: '' }, 'id: expected an id'],
    [{ parentId: '' }, 'parentId: expected an id'],
    [
      { createdAt: 'yesterday' },
      'createdAt: expected an ISO 8601 date and time (2026-01-31T12:00:00.000Z), got "yesterday"',
    ],
    [{ createdAt: new Date(Number.NaN) }, 'createdAt: expected an ISO 8601 date'],
    [{ origin: { model: 'm' } }, 'origin: expected an origin: an object with a provider'],
    [{ incomplete: 'cut' }, 'incomplete: expected an object with a reason, got "cut"'],
    [{ extra: { f: () => 1 } }, 'extra.f: expected a JSON value, got a function'],
  ])('is refused with the place of what is wrong: %#', (fields, message) => {
    expect(() => Message.of(fields as never)).toThrow(message);
  });

  it('takes nothing for a default where null is given', () => {
    const message = Message.of({
      role: null,
      content: null,
      metadata: null,
      toolCalls: null,
      toolResult: null,
      parentId: null,
      createdAt: null,
      id: null,
    });
    expect([message.role, message.content.toJSON(), message.isEmpty()]).toEqual(['user', '', true]);
    expect(Message.of({ role: '' }).role).toBe('user');
    expect(Message.of({ content: null, toolCalls: [call('f')] }).content.toJSON()).toEqual([]);
    expect(Message.of({ toolCalls: [call('f')] }).content.toJSON()).toBe('');
  });

  it('tells its time to the millisecond, as a fresh Date each time', () => {
    const message = Message.of({ createdAt: '2026-05-01T12:00:00.123+02:00' });
    expect(message.timestamp).toBe('2026-05-01T10:00:00.123Z');
    message.createdAt.setFullYear(1999);
    expect(message.createdAt).toEqual(new Date('2026-05-01T10:00:00.123Z'));
    expect(message.createdAt).not.toBe(message.createdAt);
  });

  it('is made for a role', () => {
    expect(Message.make('system', 'Be brief.', 'ada').toJSON()).toMatchObject({
      role: 'system',
      content: 'Be brief.',
      name: 'ada',
    });
    const made = [
      Message.asUser('a'),
      Message.asAssistant('a'),
      Message.asSystem('a'),
      Message.asDeveloper('a'),
      Message.asTool('a', 'ada'),
    ];
    expect(made.map(({ role, name }) => role + name)).toEqual(['user', 'assistant', 'system', 'developer', 'toolada']);
    expect(Message.asSystem(user('a')).role).toBe('system');
    expect(Message.empty().id).not.toBe(Message.empty().id);
  });

  it('is of a type that role and tool data say together', () => {
    const toolResult = ToolResult.success('a', 'c1');
    expect([user('a').type, assistant('a').type, Message.make('tool', 'a').type]).toEqual(['text', 'text', 'text']);
    expect(assistant('a', call('f')).type).toBe('assistant_tool_calls');
    expect(result('c1', 'a').type).toBe('tool_result');
    expect(Message.of({ role: 'user', toolCalls: [call('f')], toolResult }).type).toBe('text');
  });

  it('is asked for its role', () => {
    const answers = ({ role }: Message) => {
      const message = Message.make(role, 'a');
      return [message.isUser(), message.isAssistant(), message.isTool(), message.isSystem(), message.isDeveloper()]
        .map(Number)
        .join('');
    };
    expect(
      [
        Message.asUser('a'),
        Message.asAssistant('a'),
        Message.asTool('a'),
        Message.asSystem('a'),
        Message.asDeveloper('a'),
      ].map(answers),
    ).toEqual(['10000', '01000', '00100', '00010', '00011']);
    expect([user('a').hasRole('tool', 'user'), user('a').hasRole('tool'), user('a').hasRole()]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('says nothing when it has no content, metadata, tool data or other fields; a name alone says nothing', () => {
    const silent = [
      Message.empty(),
      user('', 'ada'),
      user([ContentPart.text('')]),
      Message.of({ origin: { provider: 'x' } }),
    ];
    const speaking = [
      user('0'),
      Message.of({ metadata: { a: null } }),
      assistant('', call('f')),
      Message.of({ toolResult: ToolResult.success('') }),
      Message.of({ extra: { refusal: null } }),
    ];
    expect(silent.map((message) => message.isEmpty())).toEqual([true, true, true, true]);
    expect(speaking.map((message) => message.isEmpty())).toEqual([false, false, false, false, false]);
  });
});

describe('a message from the outside', () => {
  it('is itself, unless a role or name is given, which override', () => {
    const message = user('a', 'ada');
    expect(Message.from(message)).toBe(message);
    expect([Message.from(message, ''), Message.from(message, null, '')]).toEqual([message, message]);
    expect([Message.from(message, 'tool').role, Message.from(message, null, 'bob').name]).toEqual(['tool', 'bob']);
    expect(Message.from({ role: 'user', content: 'a', name: 'ada' }, 'system', 'bob').toJSON()).toMatchObject({
      role: 'system',
      name: 'bob',
    });
  });

  it.each([
    ['text', 'a', 'a'],
    ['content', Content.text('a'), 'a'],
    ['a part', image, [image.toJSON()]],
    ['parts', ContentParts.of(image), [image.toJSON()]],
    ['a media source', FileSource.fromId('f1'), [{ type: 'file', file: { file_id: 'f1' } }]],
    [
      'texts',
      ['a', 'b'],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ],
    [
      'texts and parts',
      ['a', image, { type: 'text', text: 'b', cache: 1 }],
      [{ type: 'text', text: 'a' }, image.toJSON(), { type: 'text', text: 'b', cache: 1 }],
    ],
    ['an object with content', { content: 'a' }, 'a'],
    ['an object with a role', { role: 'user' }, ''],
    ['an object of a role that is blank', { role: '', content: 'a' }, 'a'],
    ['a provider', { toMessage: () => user('a') }, 'a'],
  ])('is read from %s', (_, input, content) => {
    const message = Message.from(input);
    expect([message.role, message.content.toJSON()]).toEqual(['user', content]);
  });

  it.each([[42], [null], [undefined], [{}], [[]], [[{ role: 'user', content: 'a' }]], [{ text: 'a' }]])(
    'is not %j',
    (input) => {
      expect(() => Message.from(input as never, undefined, undefined, 'messages[3]')).toThrow(
        'messages[3]: expected a message: text, or an object with a role and content, got',
      );
    },
  );

  it('names the path of what cannot be read', () => {
    const read = (input: object) => () => Message.from(input, undefined, undefined, 'messages[3]');
    expect(read({ role: 'robot', content: 'a' })).toThrow('messages[3].role: expected one of');
    expect(read({ role: 'user', content: [5] })).toThrow('messages[3].content[0]: expected text or a content part');
    expect(read({ role: 'user', content: 'a', _metadata: { n: Number.NaN } })).toThrow(
      'messages[3]._metadata.n: expected a finite number',
    );
    expect(read({ role: 'assistant', tool_calls: [{ name: 5 }] })).toThrow(
      'messages[3].tool_calls[0].name: expected a string, got 5',
    );
  });

  it('has the time and id that it says', () => {
    const message = Message.from({
      role: 'user',
      content: 'a',
      id: '4CCAB2CE-F948-4A7B-BEC6-103D5125687C',
      createdAt: '2026-01-01T00:00Z',
      parentId: 'p',
    });
    expect([message.id, message.timestamp, message.parentId]).toEqual([
      '4ccab2ce-f948-4a7b-bec6-103d5125687c',
      '2026-01-01T00:00:00.000Z',
      'p',
    ]);
  });

  it('is told by its shape', () => {
    expect(
      [
        { role: 'user', content: '' },
        { role: 'user', content: null },
        { role: 'assistant', tool_calls: [] },
      ].every(Message.isMessage),
    ).toBe(true);
    expect(
      [{ role: 'user' }, { content: 'a' }, { role: null, content: 'a' }, 'a', null, []].some(Message.isMessage),
    ).toBe(false);
    expect([
      Message.isMessages([]),
      Message.isMessages([{ role: 'user', content: 'a' }]),
      Message.isMessages(['a']),
    ]).toEqual([true, true, false]);
    expect(
      [{ content: [] }, { content: { type: 'text' } }, { content: 'a' }, { content: null }, {}].map(
        Message.becomesComposite,
      ),
    ).toEqual([true, true, false, false, false]);
  });

  it('is any input as text, in a role, save a message or what provides one', () => {
    const message = user('a');
    expect(Message.fromInput(message, 'system')).toBe(message);
    expect(Message.fromInput({ toMessage: () => message })).toBe(message);
    expect(Message.fromInput({ role: 'user', content: 'a' }, 'assistant').toJSON()).toMatchObject({
      role: 'assistant',
      content: '{"role":"user","content":"a"}',
    });
    expect(
      [5, null, [1, 'a'], new Date(0), new URL('https://a/b'), { toString: () => 'own' }].map((input) =>
        String(Message.fromInput(input)),
      ),
    ).toEqual(['5', '', '[1,"a"]', '1970-01-01T00:00:00.000Z', 'https://a/b', 'own']);
  });

  it('is refused where stored JSON is not what was written', () => {
    const json = user('a').toJSON();
    expect(() => Message.fromJSON({ ...json, role: 'robot' })).toThrow(
      'role: expected one of "system", "developer", "user", "assistant", "tool", got "robot"',
    );
    expect(() => Message.fromJSON({ ...json, createdAt: 'now' })).toThrow(
      'createdAt: expected an ISO 8601 date and time',
    );
    expect(() => Message.fromJSON('a')).toThrow('expected an object, got "a"');
  });
});

describe('a tool turn', () => {
  it('asks for tools', () => {
    expect(Message.assistantToolCalls([call('f')]).toJSON()).toMatchObject({
      role: 'assistant',
      content: '',
      tool_calls: [{ name: 'f' }],
    });
    expect(Message.assistantToolCalls(call('f'), 'Let me look.').toJSON()).toMatchObject({ content: 'Let me look.' });
    expect(Message.assistantToolCalls([call('f')], null).content.toJSON()).toBe('');
    expect(() => Message.assistantToolCalls([])).toThrow(
      'toolCalls: expected at least one tool call, got an empty list',
    );
  });

  it('is answered', () => {
    const answer = Message.toolResult('c1', '12 °C', { toolName: 'weather', status: 'error' });
    expect(answer.toJSON()).toMatchObject({
      role: 'tool',
      content: '12 °C',
      tool_result: { content: '12 °C', call_id: 'c1', tool_name: 'weather', is_error: true },
    });
    expect([answer.hasToolResult(), answer.hasToolCalls()]).toEqual([true, false]);
    expect(() => Message.toolResult('', 'a')).toThrow(
      'callId: expected a tool call id: non-empty text without control characters, got ""',
    );
  });

  it('has one text: the content of the message if it says something, else that of the result; the other follows', () => {
    const toolResult = ToolResult.success('result', 'c1');
    const own = Message.of({ role: 'tool', content: 'own', toolResult });
    const given = Message.of({ role: 'tool', toolResult });
    expect([String(own), String(own.toolResult), String(given)]).toEqual(['own', 'own', 'result']);
    expect(String(own.withContent('new').toolResult)).toBe('new');
    expect(String(own.withToolResult(toolResult))).toBe('result');
    expect(own.withToolResult(undefined).toJSON()).not.toHaveProperty('tool_result');
    expect(String(own.withToolResult(undefined))).toBe('own');
    const stored = Message.fromJSON({ ...own.toJSON(), content: '' });
    expect([String(stored), String(stored.toolResult)]).toEqual(['own', 'own']);
    expect(String(Message.fromJSON({ ...own.toJSON(), content: 'other' }).toolResult)).toBe('other');
  });
});

describe('a changed message', () => {
  const message = Message.of({
    id: 'm1',
    role: 'assistant',
    name: 'ada',
    content: 'a',
    metadata: { n: 1 },
    toolCalls: [call('f')],
    parentId: 'p',
  });

  it('keeps its identity and the rest', () => {
    const changes: [Message, object][] = [
      [message.withContent(['b', image]), { content: [{ type: 'text', text: 'b' }, image.toJSON()] }],
      [message.withRole('user'), { role: 'user' }],
      [message.withName('bob'), { name: 'bob' }],
      [message.withMetadata('m', null), { _metadata: { n: 1, m: null } }],
      [message.withToolCalls([call('g')]), { tool_calls: [{ id: 'g', name: 'g', arguments: {} }] }],
      [message.withParentId('q'), { parentId: 'q' }],
      [
        message.addContentPart('b'),
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
      [
        message.addContentFrom(user('b')),
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    ];
    for (const [changed, change] of changes) expect(changed.toJSON()).toEqual({ ...message.toJSON(), ...change });
    const { name: _name, ...nameless } = message.toJSON();
    expect(message.withName('').toJSON()).toEqual(nameless);
    expect([message.withParentId(undefined).parentId, message.withParentId(null).parentId]).toEqual([
      undefined,
      undefined,
    ]);
    expect(message.withToolCalls([]).hasToolCalls()).toBe(false);
  });

  it('is refused with the place of what is wrong', () => {
    expect(() => message.withRole('robot' as never)).toThrow('role: expected one of');
    expect(() => message.withRole('' as never)).toThrow('role: expected one of');
    expect(() => message.withName(5 as never)).toThrow('name: expected a string, got 5');
    expect(() => message.withContent([5] as never)).toThrow('content[0]: expected text or a content part');
    expect(() => message.withToolResult('a' as never)).toThrow('toolResult: expected a tool result');
    expect(() => message.withParentId('')).toThrow('parentId: expected an id');
  });

  it('is equal to another only in all it holds', () => {
    const copy = Message.fromJSON(message.toJSON());
    expect(message.equals(copy)).toBe(true);
    const others = [
      copy.withContent('b'),
      copy.withRole('user'),
      copy.withName(''),
      copy.withMetadata('n', 2),
      copy.withToolCalls([]),
      copy.withToolResult(ToolResult.success('a')),
      copy.withParentId(null),
      Message.fromJSON({ ...copy.toJSON(), id: 'm2' }),
      Message.fromJSON({ ...copy.toJSON(), createdAt: '2026-01-01T00:00:00.000Z' }),
      Message.fromJSON({ ...copy.toJSON(), incomplete: { reason: 'length' } }),
      Message.fromJSON({ ...copy.toJSON(), more: 1 }),
    ];
    expect(others.filter((other) => message.equals(other) || other.equals(message))).toEqual([]);
  });
});

describe('merging messages', () => {
  it('appends parts and calls; the metadata of the second wins, identity, role and name stay', () => {
    const restore = fixIdentity();
    const first = Message.of({
      role: 'assistant',
      name: 'ada',
      content: 'a',
      metadata: { x: 1, y: 1 },
      extra: { v: 1 },
    });
    const second = Message.of({
      role: 'assistant',
      name: 'bob',
      content: ['', 'b'],
      metadata: { y: 2 },
      toolCalls: [call('f')],
      extra: { w: 2 },
    });
    restore();
    expect(first.withMergedFrom(second).toJSON()).toEqual({
      ...first.toJSON(),
      w: 2,
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      tool_calls: [{ id: 'f', name: 'f', arguments: {} }],
      _metadata: { x: 1, y: 2 },
    });
  });

  it('keeps an origin that both share, and the mark of a cut stream', () => {
    const origin = { provider: 'x' };
    const cut = Message.of({ content: 'b', origin, incomplete: { reason: 'length' } });
    expect(Message.of({ content: 'a', origin }).withMergedFrom(cut).toJSON()).toMatchObject({
      _origin: origin,
      incomplete: { reason: 'length' },
    });
    expect(user('a').withMergedFrom(cut).origin).toBeUndefined();
  });

  it('is refused where either carries a tool result', () => {
    const refused = (a: Message, b: Message) => {
      try {
        return a.withMergedFrom(b);
      } catch (error) {
        return MessageStoreError.isInstance(error) && [error.code, error.value];
      }
    };
    expect(refused(user('a'), result('c1', 'b'))).toEqual(['tool_result_merge', 'c1']);
    expect(refused(result('c1', 'a'), user(''))).toEqual(['tool_result_merge', 'c1']);
    expect(() => user('a').withMergedFrom(Message.of({ toolResult: ToolResult.success('b') }))).toThrow(
      'cannot merge a message with a tool result (call without an id), which answers one call. Keep it on its own.',
    );
  });

  it('leaves blank content as it is when neither says anything', () => {
    expect(
      user('')
        .withMergedFrom(Message.of({ metadata: { n: 1 } }))
        .content.toJSON(),
    ).toBe('');
  });
});

it('is frozen to the bottom where it was read from JSON, unknown fields too', () => {
  const json = { id: 'm1', createdAt: '2026-01-31T12:00:00.000Z', role: 'user', content: 'Hi', vendor: { list: [{}] } };
  const read = [
    Message.fromJSON(json),
    MessageStore.parse(JSON.stringify(MessageStore.fromMessages(Message.fromJSON(json))))
      .toMessages()
      .at(0),
  ];
  for (const message of read) {
    const { extra } = message as { extra: any };
    expect(extra).toEqual({ vendor: { list: [{}] } });
    expect([extra, extra.vendor, extra.vendor.list, extra.vendor.list[0]].every(Object.isFrozen)).toBe(true);
  }
});
