import { inspect } from 'node:util';
import { Content, ContentPart, Message, Messages, MessageStore, MessageStoreError, ToolResult } from 'message-store';
import { assistant, call, chat, result, system, user } from 'message-store/testing';
import { describe, expect, it, vi } from 'vitest';

const texts = (messages: Iterable<Message>) => [...messages].map(String);
const image = ContentPart.imageUrl('https://a/b.png');

describe('messages', () => {
  const abc = chat('a', 'b', 'c');

  it('are a list', () => {
    expect([abc.size, String(abc.at(0)), String(abc.at(-1)), abc.at(3), abc.at(-4)]).toEqual([
      3,
      'a',
      'c',
      undefined,
      undefined,
    ]);
    expect([String(abc.first()), String(abc.last())]).toEqual(['a', 'c']);
    expect(abc.map((message, at) => `${at}${String(message)}`)).toEqual(['0a', '1b', '2c']);
    expect(texts(abc.filter((_, at) => at > 0))).toEqual(['b', 'c']);
    expect(abc.reduce((text, message) => text + String(message), '')).toBe('abc');
    expect(abc.toJSON()).toEqual([...abc].map((message) => message.toJSON()));
  });

  it('are printed as their elements', () => {
    expect(inspect(abc)).toBe(inspect([...abc]));
    expect(inspect(abc)).toContain("'b'");
  });

  it('are the shared empty list when there are none', () => {
    for (const none of [
      Messages.of(),
      Messages.from([]),
      Messages.fromJSON([]),
      abc.slice(3),
      abc.filter(() => false),
      chat('a').removeById(chat('a').at(0)!.id).slice(1),
    ]) {
      expect(none).toBe(Messages.empty());
    }
  });

  it('come from what can stand for them', () => {
    expect(Messages.from(abc)).toBe(abc);
    expect(texts(Messages.from('a'))).toEqual(['a']);
    expect(Messages.from('a', 'system', 'ada').map(({ role, name }) => role + name)).toEqual(['systemada']);
    expect(
      Messages.from(['a', { role: 'assistant', content: 'b' }, user('c'), image, Content.text('d')]).map(
        (message) => message.role,
      ),
    ).toEqual(['user', 'assistant', 'user', 'user', 'user']);
    expect(texts(Messages.from({ role: 'user', content: 'a' }))).toEqual(['a']);
    expect(Messages.from({ toMessages: () => abc })).toBe(abc);
    expect(texts(Messages.from({ toMessage: () => user('a') }))).toEqual(['a']);
    expect(texts(Messages.from(['a', { toMessage: () => user('b') }]))).toEqual(['a', 'b']);
    const [message] = [user('a')];
    expect(Messages.from(message).first()).toBe(message);
  });

  it('come from any input as text, save messages and what provides some', () => {
    expect(Messages.fromInput(abc)).toBe(abc);
    expect(Messages.fromInput({ toMessages: () => abc })).toBe(abc);
    expect(texts(Messages.fromInput({ toMessage: () => user('a') }))).toEqual(['a']);
    expect(texts(Messages.fromInput([{ role: 'user', content: 'a' }]))).toEqual(['[{"role":"user","content":"a"}]']);
  });

  it.each([
    [[{ content: 'a' }], '[0]: expected a message with a role and content, got an object'],
    [['a', {}], '[1]: expected a message with a role and content, got an object'],
    [
      ['a', 5],
      '[1]: expected a message: text, or an object with a role and content (other types are no messages), got 5',
    ],
    [
      ['a', null],
      '[1]: expected a message: text, or an object with a role and content (other types are no messages), got null',
    ],
    [
      [{ role: 'robot', content: 'a' }],
      '[0].role: expected one of "system", "developer", "user", "assistant", "tool", got "robot"',
    ],
    [[{ role: 'user', content: [{ type: 1 }] }], '[0].content[0].type: expected a string, got 1'],
    [{ greeting: 'hello' }, 'expected a message: text, or an object with a role and content, got an object'],
    [5, 'expected a message: text, or an object with a role and content, got 5'],
  ])('are refused with the index of what cannot be read: %#', (input, message) => {
    expect(() => Messages.from(input as never)).toThrow(message);
  });

  it('are refused where stored JSON is not what was written', () => {
    expect(() => Messages.fromJSON({})).toThrow('expected a list of messages, got an object');
    expect(() => Messages.fromJSON([user('a').toJSON(), { role: 'user' }])).toThrow(
      '[1].id: expected a string, got undefined',
    );
  });

  it('say what reading would give', () => {
    expect([
      Messages.becomesEmpty([]),
      Messages.becomesEmpty(['']),
      Messages.becomesEmpty(''),
      Messages.becomesEmpty(user('a')),
    ]).toEqual([true, false, true, false]);
    expect(Messages.becomesComposite([{ role: 'user', content: [image.toJSON()] }])).toBe(true);
    expect(Messages.becomesComposite([{ role: 'user', content: 'a' }])).toBe(false);
    expect(() => Messages.becomesComposite([{ role: 'user', content: 'a' }, 'b'])).toThrow(
      '[1]: expected a message object, got "b"',
    );
  });

  it('are empty when every message is blank', () => {
    expect(
      [Messages.empty(), chat(''), chat('', ''), chat('', 'a')].map((messages) => [
        messages.isEmpty(),
        messages.notEmpty(),
      ]),
    ).toEqual([
      [true, false],
      [true, false],
      [true, false],
      [false, true],
    ]);
    expect(chat('').removeTail().appendMessage('a').isEmpty()).toBe(false);
  });

  it('may be composite', () => {
    expect([chat('a').hasComposites(), chat('a', user(['b', image])).hasComposites()]).toEqual([false, true]);
  });

  it('tell the first and last role, if a message says something', () => {
    const messages = chat(system('a'), 'b');
    expect([messages.firstRole(), messages.lastRole()]).toEqual(['system', 'user']);
    for (const nothing of [Messages.empty(), chat('')]) {
      expect(() => nothing.firstRole()).toThrow(
        'there is no first message: the list is empty or all its messages are blank',
      );
      expect(() => nothing.lastRole()).toThrow(MessageStoreError);
    }
  });
});

describe('stored messages', () => {
  const json = { id: 'm1', createdAt: '2026-01-31T12:00:00.000Z', role: 'user', content: '' } as const;
  const tool_result = { content: 'r', call_id: 'c', tool_name: null, is_error: false };
  const tool_calls = [{ id: 'c', name: 'f', arguments: {} }];

  it('are built when one of them is first read, and are the same from then on', () => {
    const build = vi.spyOn(Message, 'owning');
    const text = JSON.stringify(MessageStore.fromMessages(['a', { role: 'user', content: ['b', image] }, 'c']));
    build.mockClear();
    const { messages } = MessageStore.parse(text).sections.first()!;
    const more = messages.appendMessage('d').slice(1);
    expect([messages.size, more.size, build.mock.calls.length]).toEqual([3, 3, 0]);
    const first = more.first();
    expect([first, ...messages.slice(2)]).toEqual([messages.at(1), messages.at(2)]);
    expect(first).toBe([...messages][1]);
    expect(first).toBe(more.at(0));
    expect(build).toHaveBeenCalledTimes(3);
    build.mockRestore();
  });

  it('are frozen as deep as they are read', () => {
    const stored = { ...json, content: [{ type: 'x', list: [{}] }], tool_calls, _metadata: { tags: ['a'] }, own: [{}] };
    const message = Messages.fromJSON([structuredClone(stored)]).at(0)!;
    const own = message.extra['own'] as readonly object[];
    const tags = message.metadata.get('tags');
    const list = message.content.parts.at(0)?.fields['list'] as readonly object[];
    for (const value of [message, own, own[0], tags, list, list[0], message.toolCalls.at(0)?.args])
      expect(Object.isFrozen(value)).toBe(true);
    expect(message.toJSON()).toEqual(stored);
  });

  it.each<[string, object]>([
    ['no text', {}],
    ['no parts', { content: [] }],
    ['a blank part', { content: [{ type: 'text', text: '' }] }],
    ['a part without a text', { content: [{ type: 'text' }] }],
    ['a mark', { content: [{ type: 'tool_call', text: 'a' }] }],
    ['a text', { content: 'a' }],
    ['a text behind a mark', { content: [{ type: 'tool_call' }, { type: 'text', text: 'a' }] }],
    ['an image', { content: [image.toJSON()] }],
    ['a call', { tool_calls }],
    ['no calls', { tool_calls: [] }],
    ['a result', { tool_result }],
    ['metadata', { _metadata: { a: 1 } }],
    ['no metadata', { _metadata: {} }],
    ['a field without a meaning', { own: 1 }],
    ['a name', { name: 'ada' }],
  ])('with %s are blank where each on its own is', (_, fields) => {
    const stored = { ...json, ...fields };
    const message = Message.fromJSON(stored);
    expect(Messages.fromJSON([stored, stored]).isEmpty()).toBe(message.isEmpty());
    expect(Messages.fromJSON([stored]).withoutEmptyMessages().size).toBe(message.isEmpty() ? 0 : 1);
    expect(Messages.fromJSON([stored]).at(0)?.equals(message)).toBe(true);
  });
});

describe('a stretch of messages', () => {
  const abc = chat('a', 'b', 'c');

  it('is cut out', () => {
    expect(texts(abc.slice(1))).toEqual(['b', 'c']);
    expect(texts(abc.slice(-2, -1))).toEqual(['b']);
    expect([texts(abc.headList()), texts(abc.tailList())]).toEqual([['a'], ['c']]);
    expect([texts(abc.removeHead()), texts(abc.removeTail())]).toEqual([
      ['b', 'c'],
      ['a', 'b'],
    ]);
    expect([Messages.empty().removeHead(), Messages.empty().removeTail()]).toEqual([
      Messages.empty(),
      Messages.empty(),
    ]);
    expect(texts(abc.reversed())).toEqual(['c', 'b', 'a']);
    expect(abc.slice(0, 1).reversed().size).toBe(1);
  });

  it('is chosen by role', () => {
    const talk = chat(system('s'), system('t'), 'u', assistant('a'), system('v'));
    expect(texts(talk.forRoles(['user', 'assistant']))).toEqual(['u', 'a']);
    expect(texts(talk.exceptRoles(['user', 'assistant']))).toEqual(['s', 't', 'v']);
    expect([texts(talk.headWithRoles(['system'])), texts(talk.tailAfterRoles(['system']))]).toEqual([
      ['s', 't'],
      ['u', 'a', 'v'],
    ]);
    expect([talk.headWithRoles(['tool']), talk.tailAfterRoles(['tool'])]).toEqual([Messages.empty(), talk]);
    expect(talk.headWithRoles(['system', 'user', 'assistant'])).toBe(talk);
    expect(() => talk.forRoles(['robot' as never])).toThrow('role[0]: expected one of');
  });

  it('has no blank messages', () => {
    const [blank, metadata] = [user(''), Message.of({ metadata: { n: 1 } })];
    expect(
      [...chat(blank, 'a', metadata, blank).withoutEmptyMessages()].map((message) => message.content.toJSON()),
    ).toEqual(['a', '']);
  });
});

describe('roles', () => {
  it('are replaced', () => {
    const talk = chat(Message.make('developer', 'd'), 'u');
    const remapped = talk.remapRoles({ developer: 'system' });
    expect(remapped.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(remapped.at(1)).toBe(talk.at(1));
    expect(talk.remapRoles({ tool: 'user' })).toBe(talk);
    expect(talk.remapRoles({ user: 'user' })).toBe(talk);
    expect(() => talk.remapRoles({ user: 'robot' as never })).toThrow('role: expected one of');
    expect(() => talk.remapRoles(JSON.parse('{"__proto__":{"user":"system"}}'))).not.toThrow();
  });
});

describe('messages that grow', () => {
  const ab = chat('a', 'b');

  it('have more at the end, blank ones too', () => {
    expect(texts(ab.appendMessage('c'))).toEqual(['a', 'b', 'c']);
    expect(texts(ab.appendMessages(['', '']))).toEqual(['a', 'b', '', '']);
    expect(texts(ab.appendMessages(user('c')))).toEqual(['a', 'b', 'c']);
    expect(texts(ab.appendMessages(chat('c', 'd')))).toEqual(['a', 'b', 'c', 'd']);
    expect(texts(Messages.empty().appendMessages(ab))).toEqual(['a', 'b']);
  });

  it('take a list of texts for one message, or for several', () => {
    expect(ab.appendMessage(['c', 'd']).size).toBe(3);
    expect(ab.appendMessages(['c', 'd']).size).toBe(4);
  });

  it('have more in front', () => {
    expect(texts(ab.prependMessages(['x', 'y']))).toEqual(['x', 'y', 'a', 'b']);
    expect(texts(ab.prependMessages(chat('1', '2', '3', '4')))).toEqual(['1', '2', '3', '4', 'a', 'b']);
    expect(texts(Messages.empty().prependMessages(ab))).toEqual(['a', 'b']);
  });

  it('have another last message', () => {
    expect(texts(ab.replaceLast('c'))).toEqual(['a', 'c']);
    expect(texts(Messages.empty().replaceLast('c'))).toEqual(['c']);
  });

  it('get a field on the last part of the last message, or a message to carry it', () => {
    expect(ab.appendContentField('cache', true).last()?.content.toJSON()).toEqual([
      { type: 'text', text: 'b', cache: true },
    ]);
    expect(ab.appendContentField('cache', true).last()?.id).toBe(ab.last()?.id);
    expect(Messages.empty().appendContentField('text', 'a').map(String)).toEqual(['a']);
  });

  it('get a message of a role', () => {
    const talk = Messages.empty()
      .asSystem('s')
      .asDeveloper('d')
      .asUser('u', 'ada')
      .asAssistant(['a', image])
      .asTool({ content: 't' });
    expect(talk.map(({ role, name }) => role + name)).toEqual(['system', 'developer', 'userada', 'assistant', 'tool']);
    expect(ab.asSystem(chat('c')).map(({ role }) => role)).toEqual(['user', 'user', 'user']);
    expect(ab.asSystem(user('c')).last()?.role).toBe('system');
  });

  it('are others instead', () => {
    expect(texts(ab.withMessages('c'))).toEqual(['c']);
  });
});

describe('a message among messages', () => {
  const abc = chat('a', 'b', 'c');
  const [a, b, c] = [...abc] as [Message, Message, Message];

  it('is found by its id, the newest first', () => {
    expect([abc.getById(b.id), abc.hasId(b.id), abc.getById('gone'), abc.hasId('gone')]).toEqual([
      b,
      true,
      undefined,
      false,
    ]);
    const newer = b.withContent('newer');
    expect(abc.appendMessage(newer).getById(b.id)).toBe(newer);
  });

  it('is replaced, removed, and followed by others', () => {
    expect(texts(abc.replaceById(b.id, 'x'))).toEqual(['a', 'x', 'c']);
    expect([...abc.removeById(b.id)]).toEqual([a, c]);
    expect(texts(abc.insertAfter(a.id, ['x', 'y']))).toEqual(['a', 'x', 'y', 'b', 'c']);
    expect(texts(abc.insertAfter(c.id, 'x'))).toEqual(['a', 'b', 'c', 'x']);
    expect(abc.replaceById(b.id, '').withoutEmptyMessages().size).toBe(2);
    expect(chat(a).removeById(a.id)).toBe(Messages.empty());
  });

  it('is missed by name', () => {
    for (const change of [() => abc.replaceById('gone', 'x'), () => abc.insertAfter('gone', 'x')]) {
      expect(change).toThrow('there is no message with the id "gone" among the 3 here');
    }
  });
});

describe('messages as text', () => {
  it('are the texts of those that have some, each followed by the separator', () => {
    expect(chat('a', '', 'b').toString()).toBe('a\nb\n');
    expect(chat('a', 'b').toString(' | ')).toBe('a | b | ');
    expect(String(Messages.empty())).toBe('');
  });

  it('are refused when one is composite', () => {
    const composite = chat('a', user(['b', image]));
    expect(() => composite.toString()).toThrow(
      '[1]: a composite message (several parts, or media) has no plain text. Use toJSON(), or Messages.asString() with a renderer.',
    );
  });

  it('are told by message objects, too', () => {
    expect(
      Messages.asString([
        { role: 'user', content: 'a' },
        { content: '' },
        { content: null },
        { content: [] },
        {},
        { content: 'b' },
      ]),
    ).toBe('a\nb\n');
    expect(Messages.asString([{ content: 'a' }], '|')).toBe('a|');
    expect(Messages.asString(chat('a', 'b'))).toBe('a\nb\n');
    expect(() => Messages.asString(chat(user([image, 'a'])))).toThrow(
      'a composite message (its content is no text) needs a renderer: pass one to Messages.asString()',
    );
  });

  it('are what a renderer makes of them: it owns the separation, and is given composites', () => {
    const transcript = Messages.asString(
      chat(system('s'), '', user(['a', image])),
      '\n',
      ({ role, content }) => `<${String(role)}>${JSON.stringify(content)}`,
    );
    expect(transcript).toBe(`<system>"s"<user>${JSON.stringify([{ type: 'text', text: 'a' }, image.toJSON()])}`);
  });
});

describe('the parts of messages', () => {
  it('are those of all of them', () => {
    expect(
      chat('a', user(['b', image]))
        .contentParts()
        .map((part) => part.type),
    ).toEqual(['text', 'text', 'image_url']);
  });
});

describe('merging per role', () => {
  const merged = (before: Messages, ...after: readonly (readonly [string, ...unknown[]])[]) =>
    expect(before.toMergedPerRole().map((message) => [message.role, message.content.toJSON()])).toEqual(after);
  const both = (a: string, b: string) => [
    { type: 'text', text: a },
    { type: 'text', text: b },
  ];

  it('joins neighbours of one role', () => {
    merged(chat('a', 'b', assistant('c'), 'd'), ['user', both('a', 'b')], ['assistant', 'c'], ['user', 'd']);
  });

  it('joins runs of any length', () => {
    const [all] = chat(...Array.from({ length: 1000 }, (_, at) => `t${at}`)).toMergedPerRole();
    expect(all?.contentParts().map(String)).toEqual(Array.from({ length: 1000 }, (_, at) => `t${at}`));
  });

  it('keeps every tool result apart, whatever its role', () => {
    const results = chat(
      call('f'),
      call('g'),
      result('f', '1'),
      result('g', '2'),
      'a',
      Message.of({ content: 'b', toolResult: ToolResult.success('b', 'h') }),
    );
    expect(
      results.toMergedPerRole().map(({ role, toolResult }) => `${role}:${toolResult?.callIdString() ?? ''}`),
    ).toEqual(['assistant:', 'tool:f', 'tool:g', 'user:', 'user:h']);
  });

  it('leaves blank messages out of what they join', () => {
    merged(chat('a', '', 'b', '', assistant('')), ['user', both('a', 'b')], ['assistant', '']);
    merged(chat('', 'a'), ['user', 'a']);
  });

  it('does nothing where all are blank', () => {
    const blanks = chat('', '');
    expect(blanks.toMergedPerRole()).toBe(blanks);
  });

  it('leaves apart what signed reasoning stands in', () => {
    const signed = assistant([ContentPart.reasoning('Hm.', { provider: 'anthropic', data: { signature: 's' } }), 'b']);
    const unsigned = assistant([ContentPart.reasoning('Hm.', { provider: 'anthropic' })]);
    expect(chat(assistant('a'), signed, assistant('c')).toMergedPerRole().size).toBe(3);
    expect(chat(assistant('a'), unsigned, assistant('c')).toMergedPerRole().size).toBe(1);
  });

  it('takes the first name of a run, or breaks where the name changes', () => {
    const group = chat(user('a', 'ada'), user('b', 'ada'), user('c', 'bob'), user('d'));
    expect(group.toMergedPerRole().map(({ name }) => name)).toEqual(['ada']);
    expect(
      group.toMergedPerRole({ splitOnName: true }).map(({ name, content }) => `${name}${content.parts.size}`),
    ).toEqual(['ada2', 'bob1', '1']);
  });

  it('gives the same where nothing merges', () => {
    const talk = chat('a', assistant('b'), 'c');
    expect(talk.toMergedPerRole()).toBe(talk);
  });
});
