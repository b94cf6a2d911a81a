import { Messages, MessageStore, MessageStoreError, Metadata, Section, Sections } from 'message-store';
import { chat, store, system, user, withFixedIdentity } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const texts = (messages: Messages) => messages.map(String);
const support = store({ system: [system('Be brief.')], chat: ['Hi', 'again'] }, { model: 'small' });

describe('a store', () => {
  it('is sections and parameters', () => {
    expect(support.sections.names()).toEqual(['system', 'chat']);
    expect(support.parameters().get().toJSON()).toEqual({ model: 'small' });
    expect(texts(support.toMessages())).toEqual(['Be brief.', 'Hi', 'again']);
    expect(support.toString()).toBe('Be brief.\nHi\nagain\n');
    expect(support.toFlatArray()).toEqual(support.toMessages().toJSON());
  });

  it('is the shared empty one when there is nothing to it', () => {
    for (const empty of [MessageStore.from({}), MessageStore.from(MessageStore.empty())])
      expect(empty).toBe(MessageStore.empty());
    expect(MessageStore.of().equals(MessageStore.empty())).toBe(true);
  });

  it('is made of sections, or of messages', () => {
    const section = Section.of('chat', 'Hi');
    expect([...MessageStore.fromSections(section).sections]).toEqual([section]);
    expect(MessageStore.fromMessages('Hi').sections.names()).toEqual(['messages']);
    expect(MessageStore.fromMessages(chat('Hi'), 'chat').section('chat').messages().size).toBe(1);
    expect(
      MessageStore.of({ sections: [section, { name: 'b', messages: ['x'] }], parameters: { n: 1 } }).sections.names(),
    ).toEqual(['chat', 'b']);
    expect(MessageStore.of({ sections: Sections.of(section) }).sections.size).toBe(1);
    expect(() => MessageStore.fromSections(section, section)).toThrow('there is a section "chat" already');
    expect(() => MessageStore.of({ parameters: { f: () => 1 } })).toThrow('parameters.f: expected a JSON value');
  });

  it('comes from whatever can stand for it', () => {
    expect(MessageStore.from(support)).toBe(support);
    expect(MessageStore.from(support.sections).sections).toBe(support.sections);
    expect(texts(MessageStore.from('Hi').section('messages').messages())).toEqual(['Hi']);
    expect(
      MessageStore.from([{ role: 'system', content: 'a' }, 'b'])
        .section('messages')
        .messages().size,
    ).toBe(2);
    expect(MessageStore.from({ toMessages: () => chat('a', 'b') }).toMessages().size).toBe(2);
    expect(MessageStore.from({ toMessage: () => user('a') }).toMessages().size).toBe(1);
    expect(MessageStore.from({ role: 'user', content: 'a' }).toMessages().size).toBe(1);
    expect(
      MessageStore.from({ parameters: { n: 1 } })
        .parameters()
        .get()
        .get('n'),
    ).toBe(1);
    expect(MessageStore.from({ sections: null, parameters: null }).equals(MessageStore.empty())).toBe(true);
    const loose = MessageStore.from({
      sections: [
        { name: 'a', messages: ['1'] },
        { name: 'a', messages: [{ role: 'assistant', content: '2' }] },
      ],
      more: 1,
    });
    expect([loose.sections.names(), texts(loose.toMessages()), loose.extra]).toEqual([['a'], ['1', '2'], { more: 1 }]);
  });

  it.each([
    [
      { sections: [{ name: 'main', messages: ['a', 'b', 'c', { role: 'robot', content: '' }] }] },
      'sections.main.messages[3].role: expected one of "system", "developer", "user", "assistant", "tool", got "robot"',
    ],
    [{ sections: 'chat' }, 'sections: expected a list of sections, got "chat"'],
    [{ parameters: { deep: { n: Number.NaN } } }, 'parameters.deep.n: expected a finite number, got NaN'],
    [{ greeting: 'hello' }, 'expected a message: text, or an object with a role and content, got an object'],
    [5, 'expected a message'],
  ])('is refused with the path of what cannot be read: %#', (input, message) => {
    expect(() => MessageStore.from(input as never)).toThrow(message);
  });

  it('gains, replaces and loses sections', () => {
    expect(support.withSection('examples').sections.names()).toEqual(['system', 'chat', 'examples']);
    expect(texts(support.setSection(Section.of('system', 'other')).toMessages())).toEqual(['other', 'Hi', 'again']);
    expect(support.removeSection('system').sections.names()).toEqual(['chat']);
    expect(support.withSections(Sections.empty()).parameters().get().size).toBe(1);
    expect(support.select('chat').sections.names()).toEqual(['chat']);
    expect(support.select(['chat', 'system']).toMessages().firstRole()).toBe('user');
    expect(support.withSection('empty').section('chat').appendMessages('').withoutEmpty().equals(support)).toBe(true);
  });

  it('is merged with another', () => {
    const merged = support.merge(
      MessageStore.from({
        sections: [{ name: 'chat', messages: ['more'] }],
        parameters: { model: 'large', n: 1 },
        more: 1,
      }),
    );
    expect([merged.sections.names(), texts(merged.section('chat').messages())]).toEqual([
      ['system', 'chat'],
      ['Hi', 'again', 'more'],
    ]);
    expect([merged.parameters().get().toJSON(), merged.extra]).toEqual([{ model: 'large', n: 1 }, { more: 1 }]);
  });

  it('is piped through verbs', () => {
    expect(support.pipe((those) => those.removeSection('system')).pipe((those) => those.sections.names())).toEqual([
      'chat',
    ]);
  });

  it('is equal to one of equal sections, parameters and fields', () => {
    expect(support.equals(MessageStore.fromJSON(support.toJSON()))).toBe(true);
    for (const other of [
      support.select('chat'),
      support.parameters().setParameter('n', 1),
      MessageStore.fromJSON({ ...support.toJSON(), more: 1 }),
    ]) {
      expect(support.equals(other)).toBe(false);
    }
  });

  it('is kept by a storage', async () => {
    const kept = new Map<string, MessageStore>();
    const storage = {
      load: async (id: string) => kept.get(id) ?? MessageStore.empty(),
      save: async (id: string, those: MessageStore) => kept.set(id, those).size,
    };
    expect(await support.toStorage(storage, 's1')).toBe(1);
    expect(await MessageStore.fromStorage(storage, 's1')).toBe(support);
  });
});

describe('the stored document', () => {
  it('has a version, sections and parameters', () => {
    const small = withFixedIdentity(() => store({ chat: ['Hi'] }, { n: 1 }));
    expect(JSON.stringify(small)).toBe(
      '{"version":1,"sections":[{"name":"chat","messages":[{"id":"id-1","createdAt":"2026-01-01T00:00:00.000Z","role":"user","content":"Hi"}]}],"parameters":{"n":1}}',
    );
    expect(MessageStore.parse(JSON.stringify(small)).equals(small)).toBe(true);
  });

  it('keeps the fields that have no meaning here, at every level', () => {
    const rich = {
      app: { title: 'Demo' },
      version: 1,
      sections: [
        {
          color: 'red',
          name: 'chat',
          messages: [
            {
              stars: 5,
              id: 'm1',
              createdAt: '2026-01-01T00:00:00.000Z',
              role: 'user',
              content: [{ type: 'video', url: 'u', x: null }],
            },
          ],
        },
      ],
      parameters: {},
    };
    for (const read of [
      MessageStore.fromJSON(rich),
      MessageStore.parse(JSON.stringify(rich)),
      MessageStore.from(rich),
    ]) {
      expect(read.toJSON()).toEqual(rich);
    }
  });

  it('may have no version: one written before there were any', () => {
    const { version: _version, parameters: _parameters, ...old } = support.toJSON();
    for (const read of [MessageStore.fromJSON(old), MessageStore.parse(JSON.stringify(old)), MessageStore.from(old)]) {
      expect(read.toMessages().equals(support.toMessages())).toBe(true);
      expect(read.toJSON().version).toBe(1);
    }
  });

  it.each([
    [2, 'version: expected a document of version 1 or older, got 2. A newer message-store wrote it: update yours.'],
    ['1', 'version: expected a whole number, got "1"'],
    [-1, 'version: expected a whole number, got -1'],
  ])('is refused when its version is %j, through every door', (version, message) => {
    const odd = { ...support.toJSON(), version };
    for (const read of [
      () => MessageStore.fromJSON(odd),
      () => MessageStore.parse(JSON.stringify(odd)),
      () => MessageStore.from(odd),
    ]) {
      expect(read).toThrow(message);
    }
  });

  it('joins sections of one name', () => {
    const { sections, ...rest } = support.toJSON();
    expect(
      MessageStore.fromJSON({ ...rest, sections: [...sections, ...sections] }).sections.map(({ size }) => size),
    ).toEqual([2, 4]);
  });

  it('is refused with the path of what is wrong', () => {
    const message = { id: 'm1', createdAt: '2026-01-01T00:00:00.000Z', role: 'user', content: 'a' };
    const read = (bad: object) => () =>
      MessageStore.fromJSON({
        version: 1,
        sections: [{ name: 'main', messages: [message, { ...message, ...bad }] }],
        parameters: {},
      });
    expect(read({ role: 'robot' })).toThrow('sections.main.messages[1].role: expected one of');
    expect(read({ content: [{ text: 'a' }] })).toThrow(
      'sections.main.messages[1].content[0].type: expected a string, got undefined',
    );
    expect(read({ tool_calls: [{ id: 5, name: 'f', arguments: {} }] })).toThrow(
      'sections.main.messages[1].tool_calls[0].id: expected',
    );
    expect(() => MessageStore.fromJSON({ version: 1, sections: [], parameters: [] })).toThrow(
      'parameters: expected an object, got an empty list',
    );
    expect(() => MessageStore.fromJSON('a')).toThrow('expected an object, got "a"');
  });

  it('is JSON text', () => {
    try {
      MessageStore.parse('{"version":1,');
      expect.unreachable();
    } catch (error) {
      expect(MessageStoreError.isInstance(error) && error.code).toBe('invalid_json');
      expect(String(error)).toMatch(/^MessageStoreError: expected the JSON text of a store: /);
      expect((error as Error).cause).toBeInstanceOf(SyntaxError);
    }
    expect(() => MessageStore.parse(5 as never)).toThrow('expected JSON text, got 5');
  });

  it('cannot bring in half of a character, not even as an escape', () => {
    const half = '{"version":1,"sections":[],"parameters":{"a":"\\ud83d"}}';
    expect(() => MessageStore.parse(half)).toThrow(
      'parameters.a: expected well-formed Unicode (no lone surrogates), got "\\ud83d"',
    );
    const escaped = half.replace('\\ud83d', '\\\\ud83d');
    expect(MessageStore.parse(escaped).parameters().get().get('a')).toBe('\\ud83d');
    const whole = '{"version":1,"sections":[],"parameters":{"a":"\\ud83d\\ude00"}}';
    expect(MessageStore.parse(whole).parameters().get().get('a')).toBe('😀');
    expect(() => MessageStore.parse(`{"version":1,"sections":[],"parameters":{"a":"\ud83d"}}`)).toThrow('well-formed');
  });
});

describe('the operator of a section', () => {
  it('asks about it, whether it is there or not', () => {
    const [chatting, missing] = [support.section('chat'), support.section('examples')];
    expect([chatting.name(), chatting.exists(), chatting.isEmpty(), chatting.isNotEmpty()]).toEqual([
      'chat',
      true,
      false,
      true,
    ]);
    expect([missing.name(), missing.exists(), missing.isEmpty(), missing.isNotEmpty()]).toEqual([
      'examples',
      false,
      true,
      false,
    ]);
    expect([chatting.get(), chatting.messages().size]).toEqual([support.sections.get('chat'), 2]);
    expect([missing.get().name, missing.messages()]).toEqual(['examples', Messages.empty()]);
  });

  it('gives a store in which it is changed', () => {
    expect(texts(support.section('chat').appendMessages('more').section('chat').messages())).toEqual([
      'Hi',
      'again',
      'more',
    ]);
    expect(texts(support.section('chat').setMessages('other').section('chat').messages())).toEqual(['other']);
    expect(support.section('chat').setSection(Section.of('talk', 'x')).sections.names()).toEqual(['system', 'chat']);
    expect(support.section('chat').remove().sections.names()).toEqual(['system']);
    expect(support.section('chat').clear().section('chat').messages().size).toBe(0);
  });

  it('makes the section where it is changed and not there', () => {
    expect(support.section('new').appendMessages('a').sections.names()).toEqual(['system', 'chat', 'new']);
    expect(support.section('new').setMessages([]).section('new').exists()).toBe(true);
    expect(support.section('new').clear().section('new').exists()).toBe(true);
    expect(support.section('new').setSection(Section.of('x', 'a')).sections.names()).toEqual(['system', 'chat', 'new']);
    expect(support.section('new').remove()).toBe(support);
  });

  it('leaves the other sections and the parameters as they are', () => {
    const changed = support.section('chat').appendMessages('more');
    expect(changed.sections.get('system')).toBe(support.sections.get('system'));
    expect(changed.parameters().get()).toBe(support.parameters().get());
  });
});

describe('the operator of the parameters', () => {
  it('gives a store in which they are changed', () => {
    const parameters = (changed: MessageStore) => changed.parameters().get().toJSON();
    expect(parameters(support.parameters().setParameter('n', null))).toEqual({ model: 'small', n: null });
    expect(parameters(support.parameters().unsetParameter('model'))).toEqual({});
    expect(parameters(support.parameters().mergeParameters({ model: 'large', n: 1 }))).toEqual({
      model: 'large',
      n: 1,
    });
    expect(parameters(support.parameters().withParams(Metadata.of({ n: 1 })))).toEqual({ n: 1 });
    expect(support.parameters().setParameter('n', 1).sections).toBe(support.sections);
    expect(() => support.parameters().withParams({ f: () => 1 })).toThrow('parameters.f: expected a JSON value');
  });
});
