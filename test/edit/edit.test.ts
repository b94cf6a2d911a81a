import { describe, expect, it } from 'vitest';
import {
  insertAfter,
  mapMessages,
  Message,
  MessageStore,
  moveSection,
  removeMessage,
  renameSection,
  replaceMessage,
  Section,
} from '../../src/index.ts';
import { store, user } from '../../src/testing/index.ts';

const texts = (of: MessageStore): string[] => of.toMessages().map(String);
const prompt = store({
  system: [user('S')],
  chat: [Message.of({ id: 'a', content: 'A' }), Message.of({ id: 'b', content: 'B' })],
});

describe('renameSection', () => {
  it('gives another name in the same place', () => {
    expect(prompt.pipe(renameSection('system', 'rules')).sections.names()).toEqual(['rules', 'chat']);
  });

  it('does nothing without such a section or with the same name', () => {
    expect(prompt.pipe(renameSection('nope', 'x'))).toBe(prompt);
    expect(prompt.pipe(renameSection('chat', 'chat'))).toBe(prompt);
  });

  it('refuses a name that is taken', () => {
    expect(() => prompt.pipe(renameSection('chat', 'system'))).toThrow('there is a section "system" already');
  });
});

describe('moveSection', () => {
  const three = MessageStore.fromSections(Section.empty('a'), Section.empty('b'), Section.empty('c'));
  const moved = (name: string, to: number): string => three.pipe(moveSection(name, to)).sections.names().join('');

  it('counts from the start, and from the end when negative', () => {
    expect([moved('c', 0), moved('a', 1), moved('a', 9), moved('a', -1), moved('c', -3)]).toEqual([
      'cab',
      'bac',
      'bca',
      'bca',
      'cab',
    ]);
  });

  it('does nothing when the section is there already or not at all', () => {
    expect(three.pipe(moveSection('b', 1))).toBe(three);
    expect(three.pipe(moveSection('nope', 0))).toBe(three);
  });
});

describe('mapMessages', () => {
  it('edits each message, and tells its section', () => {
    const shout = mapMessages((message, section) => message.withContent(`${section.name}:${message.toString()}`));
    expect(texts(prompt.pipe(shout))).toEqual(['system:S', 'chat:A', 'chat:B']);
  });

  it('takes out what becomes undefined, and leaves other sections as they are', () => {
    const without = prompt.pipe(mapMessages((message) => (message.id === 'a' ? undefined : message)));
    expect(texts(without)).toEqual(['S', 'B']);
    expect(without.sections.get('system')).toBe(prompt.sections.get('system'));
  });

  it('gives the same store when nothing changes', () => {
    expect(prompt.pipe(mapMessages((message) => message))).toBe(prompt);
  });
});

describe('a message found by its id', () => {
  it('is replaced by a message, or by what a function makes of it', () => {
    expect(texts(prompt.pipe(replaceMessage('a', 'X')))).toEqual(['S', 'X', 'B']);
    const edited = prompt.pipe(replaceMessage('b', (message) => message.withContent('b!')));
    expect([texts(edited), edited.section('chat').messages().last()?.id]).toEqual([['S', 'A', 'b!'], 'b']);
    expect(prompt.pipe(replaceMessage('a', (message) => message))).toBe(prompt);
  });

  it('is removed', () => expect(texts(prompt.pipe(removeMessage('a')))).toEqual(['S', 'B']));

  it('gets others behind it', () =>
    expect(texts(prompt.pipe(insertAfter('a', ['1', '2'])))).toEqual(['S', 'A', '1', '2', 'B']));

  it.each([replaceMessage('nope', 'x'), removeMessage('nope'), insertAfter('nope', 'x')])('must be there', (edit) => {
    expect(() => prompt.pipe(edit)).toThrow('there is no message with the id "nope" in the sections "system", "chat"');
  });
});
