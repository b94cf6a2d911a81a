import type { Message } from 'message-store';
import { Messages, Section, Sections } from 'message-store';
import { chat, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const texts = (section: Iterable<Message>) => [...section].map(String);

describe('a section', () => {
  const section = Section.of('chat', ['a', 'b']);

  it('is a named run of messages', () => {
    expect([section.name, section.size, texts(section), section.isEmpty()]).toEqual(['chat', 2, ['a', 'b'], false]);
    expect([Section.empty('chat').size, Section.empty('chat').isEmpty(), Section.of('chat', '').isEmpty()]).toEqual([
      0,
      true,
      true,
    ]);
    expect(section.toString()).toBe('a\nb\n');
    expect(section.toString('|')).toBe('a|b|');
    expect(Section.of('').name).toBe('');
  });

  it('comes from an object, or is itself', () => {
    expect(Section.from(section)).toBe(section);
    const read = Section.from({ name: 'chat', messages: ['a', 'b'], policy: { pin: true }, more: 1 });
    expect([texts(read), read.policy, read.extra]).toEqual([['a', 'b'], { pin: true }, { more: 1 }]);
    expect(Section.from({}).toJSON()).toEqual({ name: '', messages: [] });
    expect(Section.from({ name: 'a', messages: null, policy: null }).toJSON()).toEqual({ name: 'a', messages: [] });
  });

  it('is refused with the place of what is wrong', () => {
    expect(() => Section.of(5 as never)).toThrow('name: expected a string, got 5');
    expect(() => Section.of('a\ud83d')).toThrow('name: expected well-formed Unicode');
    expect(() => Section.of('a', [5] as never)).toThrow('messages[0]: expected a message');
    expect(() => Section.from('a' as never, 'sections[0]')).toThrow(
      'sections[0]: expected a section: an object with a name and messages, got "a"',
    );
    expect(() => Section.from({ name: 5 })).toThrow('name: expected a string, got 5');
    expect(() => Section.from({ policy: 'pin' }, 'sections.chat')).toThrow(
      'sections.chat.policy: expected an object, got "pin"',
    );
    expect(() => Section.fromJSON({ name: 'a', messages: [{ role: 'user' }] })).toThrow(
      'messages[0].id: expected a string, got undefined',
    );
  });

  it('has other messages, another name, another policy', () => {
    expect(texts(section.appendMessages('c'))).toEqual(['a', 'b', 'c']);
    expect(texts(section.withMessages('c'))).toEqual(['c']);
    expect(section.withName('talk').name).toBe('talk');
    expect(section.withPolicy({ pin: true }).toJSON()).toMatchObject({ policy: { pin: true } });
    expect(section.withPolicy({ pin: true }).withPolicy(undefined).toJSON()).not.toHaveProperty('policy');
    expect(() => section.withName(5 as never)).toThrow('name: expected a string');
    expect(() => section.withPolicy({ f: () => 1 } as never)).toThrow('policy.f: expected a JSON value');
  });

  it('keeps its policy and other fields through every change', () => {
    const rich = Section.from({ name: 'chat', messages: ['a', '', 'b'], policy: { pin: true }, more: 1 });
    for (const changed of [
      rich.appendMessages('c'),
      rich.withMessages([]),
      rich.withName('d'),
      rich.withoutEmptyMessages(),
      rich.toMergedPerRole(),
      rich.appendContentField('cache', true),
    ]) {
      expect(changed).not.toBe(rich);
      expect([changed.policy, changed.extra]).toEqual([{ pin: true }, { more: 1 }]);
    }
    expect([rich.withoutEmptyMessages().size, rich.toMergedPerRole().size]).toEqual([2, 1]);
    expect(rich.appendContentField('cache', true).messages.last()?.content.toJSON()).toEqual([
      { type: 'text', text: 'b', cache: true },
    ]);
  });

  it('is merged with another: messages after these, the other’s policy keys win', () => {
    const [a, b] = [
      Section.from({ name: 'a', messages: ['1'], policy: { pin: true, cache: false }, x: 1 }),
      Section.from({ name: 'b', messages: ['2'], policy: { cache: true }, y: 2 }),
    ];
    const merged = a.merge(b);
    expect([merged.name, texts(merged), merged.policy, merged.extra]).toEqual([
      'a',
      ['1', '2'],
      { pin: true, cache: true },
      { x: 1, y: 2 },
    ]);
    expect([Section.empty('c').merge(b).policy, a.merge(Section.empty('c'))]).toEqual([b.policy, a]);
  });

  it('is equal to one of the same name, messages, policy and fields', () => {
    const rich = Section.from({ name: 'chat', messages: section.messages, policy: { pin: true }, more: 1 });
    expect(rich.equals(Section.fromJSON(rich.toJSON()))).toBe(true);
    for (const other of [
      rich.withName('b'),
      rich.appendMessages('c'),
      rich.withPolicy({}),
      Section.from({ ...rich.toJSON(), more: 2 }),
    ]) {
      expect(rich.equals(other)).toBe(false);
    }
  });
});

describe('sections', () => {
  const [a, b, c] = [Section.of('a', '1'), Section.of('b', '2'), Section.of('c', '')];
  const sections = Sections.of(a, b, c);

  it('are a list with unique names', () => {
    expect([sections.size, sections.names(), [...sections]]).toEqual([3, ['a', 'b', 'c'], [a, b, c]]);
    expect([sections.has('b'), sections.get('b'), sections.has('z'), sections.get('z')]).toEqual([
      true,
      b,
      false,
      undefined,
    ]);
    expect(() => Sections.of(a, a)).toThrow(
      'there is a section "a" already: use set() to replace it, or merge() to join both',
    );
    expect(() => sections.add(b)).toThrow('there is a section "b" already');
    expect([Sections.of(), Sections.from([])]).toEqual([Sections.empty(), Sections.empty()]);
  });

  it('come from objects; those of one name are joined', () => {
    const read = Sections.from([{ name: 'a', messages: ['1'] }, b, { name: 'a', messages: ['3'] }]);
    expect(read.map((section) => `${section.name}${texts(section).join('')}`)).toEqual(['a13', 'b2']);
    expect(Sections.from(sections)).toBe(sections);
    expect(Sections.fromJSON([...sections.toJSON(), ...sections.toJSON()]).map(({ size }) => size)).toEqual([2, 2, 2]);
  });

  it('are refused with the section’s name, or its index where it has none', () => {
    expect(() => Sections.from('a' as never)).toThrow('sections: expected a list of sections, got "a"');
    expect(() => Sections.from([{ name: 'main', messages: ['a', { role: 'robot', content: '' }] }])).toThrow(
      'sections.main.messages[1].role: expected one of',
    );
    expect(() => Sections.from([{ name: 'my chat', messages: [5] }])).toThrow(
      'sections["my chat"].messages[0]: expected a message',
    );
    expect(() => Sections.from([{ name: 'a' }, { messages: [5] }])).toThrow(
      'sections[1].messages[0]: expected a message',
    );
    expect(() => Sections.from([5 as never])).toThrow('sections[0]: expected a section');
    const throwing = { get name(): string { throw new Error('boom'); } }; // oxfmt-ignore
    expect(() => Sections.from([a, throwing])).toThrow('sections[1]: expected a value that can be read');
    expect(() => Sections.fromJSON({})).toThrow('expected a list of sections, got an object');
  });

  it('are added, set and removed', () => {
    const d = Section.of('d');
    expect(sections.add(d).names()).toEqual(['a', 'b', 'c', 'd']);
    expect(sections.add()).toBe(sections);
    const other = Section.of('b', 'other');
    expect([...sections.set(other, d)]).toEqual([a, other, c, d]);
    expect([sections.set(b), sections.set()]).toEqual([sections, sections]);
    expect(sections.remove(({ name }) => name === 'b').names()).toEqual(['a', 'c']);
    expect(sections.remove(() => true)).toBe(Sections.empty());
  });

  it('are found among many, too', () => {
    const many = Sections.of(...Array.from({ length: 100 }, (_, at) => Section.of(`s${at}`)), a);
    expect([many.get('s99')?.name, many.get('a'), many.has('z'), many.set(b).get('b')]).toEqual(['s99', a, false, b]);
    expect(
      many
        .merge(Sections.of(Section.of('s50', 'x')))
        .map(({ size }) => size)
        .indexOf(1),
    ).toBe(50);
  });

  it('are chosen by name', () => {
    expect(sections.select(['c', 'a', 'z', 'c']).names()).toEqual(['c', 'a']);
    expect(sections.select(['z'])).toBe(Sections.empty());
  });

  it('are merged by name', () => {
    const merged = sections.merge(Sections.of(Section.of('d', '4'), Section.of('a', '5')));
    expect(merged.map((section) => `${section.name}${texts(section).join('')}`)).toEqual(['a15', 'b2', 'c', 'd4']);
    expect(Sections.empty().merge(sections).equals(sections)).toBe(true);
  });

  it('lose what says nothing', () => {
    const lean = Sections.of(Section.of('a', ['1', '']), c).withoutEmpty();
    expect(lean.map((section) => `${section.name}${section.size}`)).toEqual(['a1']);
    expect(Sections.of(a, b).withoutEmpty().get('a')).toBe(a);
  });

  it('are flattened in order', () => {
    expect(texts(sections.toMessages())).toEqual(['1', '2']);
    expect(Sections.of(a).toMessages()).toBe(a.messages);
    expect(Sections.of(c).toMessages()).toBe(Messages.empty());
    expect(Sections.empty().toMessages()).toBe(Messages.empty());
  });

  it('are equal to the same ones in the same order', () => {
    expect(sections.equals(Sections.of(a, b, c))).toBe(true);
    expect(sections.equals(Sections.of(b, a, c))).toBe(false);
  });
});

it('a section holds messages as they are given', () => {
  const messages = chat(user('a'));
  expect(Section.of('chat', messages).messages).toBe(messages);
});
