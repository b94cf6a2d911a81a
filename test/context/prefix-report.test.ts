import { describe, expect, it } from 'vitest';
import {
  assemble,
  ContentPart,
  type Message,
  Messages,
  MessageStore,
  prefixReport,
  Section,
  ToolCall,
  ToolResult,
} from '../../src/index.ts';
import { assistant, call, chat, result, system, user } from '../../src/testing/builders.ts';

const assembled = (rules: Messages, talk: Messages) =>
  assemble(
    MessageStore.fromSections(
      Section.of('system', rules).withPolicy({ cache: true }),
      Section.of('chat', talk).withPolicy({ cache: true }),
    ),
  );

describe('a prefix report', () => {
  const rules = chat(system('Be brief.'));
  const talk = chat('a', call('f'), result('f', 'x'), 'b');
  const before = assembled(rules, talk);

  it('finds nothing where the prompt only grew', () => {
    expect(prefixReport(before, assembled(rules, talk.appendMessages(['c', 'd'])))).toEqual({
      shared: 5,
      usable: before.marks,
      change: undefined,
    });
    expect(prefixReport(before, before).change).toBeUndefined();
  });

  it('does not look at what is not sent', () => {
    const told = Messages.fromJSON(
      talk.toJSON().map((message) => ({ ...message, id: `${message.id}x`, _metadata: { n: 1 } })),
    );
    expect(prefixReport(before, assembled(chat(system('Be brief.')), told)).change).toBeUndefined();
  });

  it('names the first section and message that changed', () => {
    const after = assembled(chat(system('Be very brief.')), talk);
    expect(prefixReport(before, after)).toEqual({
      shared: 0,
      usable: [],
      change: {
        at: 0,
        section: 'system',
        before: rules.at(0),
        after: after.messages.at(0),
        message: 'messages[0] (system) changed: "Be brief." became "Be very brief."',
      },
    });
  });

  it('says which marks still serve', () => {
    const { usable, shared } = prefixReport(before, assembled(rules, talk.replaceLast('other')));
    expect([shared, usable]).toEqual([4, [{ at: 0, section: 'system' }]]);
  });

  const messageOf = (talked: Messages) => prefixReport(before, assembled(rules, talked)).change?.message;
  const edited = (edit: (message: Message, at: number) => Message) => Messages.of(...talk.map(edit));

  it('tells what is new, what is gone, and what is another in something else than its words', () => {
    expect(messageOf(talk.prependMessages('new'))).toBe('messages[1] (chat) is new, before what stood there: "new"');
    expect(messageOf(talk.slice(0, 3))).toBe('messages[4] (chat) is not there any more: "b"');
    expect(messageOf(talk.slice(1))).toBe('messages[1] (chat) is left out: "a"');
    expect(messageOf(Messages.of(...[...talk].toReversed()))).toBe('messages[1] (chat) stands elsewhere now: "a"');
    expect(messageOf(talk.slice(1).prependMessages('z'))).toBe('messages[1] (chat) changed: "a" became "z"');
    expect(messageOf(edited((one, at) => (at === 0 ? one.withName('Ann') : one)))).toBe(
      'messages[1] (chat) changed in something else than its words: "a"',
    );
    expect(messageOf(edited((one, at) => (at === 1 ? one.withToolCalls([call('g', {}, 'f')]) : one)))).toBe(
      'messages[2] (chat) changed: "[called f({})]" became "[called g({})]"',
    );
  });

  it('names the section of the message that it is about', () => {
    const [a, b] = [Section.of('a', ['x']), Section.of('b', ['y'])];
    const told = (...sections: Section[]) =>
      prefixReport(assemble(MessageStore.fromSections(a, b)), assemble(MessageStore.fromSections(...sections))).change;
    expect(told(b)).toMatchObject({ section: 'a', message: 'messages[0] (a) is left out: "x"' });
    expect(told(b, a)).toMatchObject({ section: 'a', message: 'messages[0] (a) stands elsewhere now: "x"' });
    expect(told(Section.of('c', ['z']), a)).toMatchObject({
      section: 'c',
      message: 'messages[0] (c) is new, before what stood there: "z"',
    });
  });

  it('counts no cache marks, wherever they stand', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const talked = (isMarked: boolean) => {
      const more = isMarked ? mark : {};
      const photo = ContentPart.of('image_url', { image_url: { url: 'https://a.test/b' }, ...more });
      const asked = assistant('', ToolCall.fromJSON({ ...call('f').toJSON(), ...more }));
      const answer = result('f', 'x');
      const told = answer.withToolResult(ToolResult.fromJSON({ ...answer.toolResult?.toJSON(), ...more }));
      const text = isMarked ? user([ContentPart.of('text', { text: 'a', ...mark })]) : user('a');
      return assemble(MessageStore.fromMessages(chat(text, user([photo]), asked, told), 'chat'));
    };
    expect(prefixReport(talked(true), talked(false))).toMatchObject({ shared: 4, change: undefined });
  });

  it('shows what is no text as a mark', () => {
    const photo = (url: string) => ({ role: 'user', content: [ContentPart.imageUrl(url)] });
    const sent = (url: string) => assemble(MessageStore.fromMessages(photo(url), 'chat'));
    expect(prefixReport(sent('https://a.test/1'), sent('https://a.test/2')).change?.message).toBe(
      'messages[0] (chat) changed in something else than its words: "[image]"',
    );
  });

  it('names the section that a message was in, where nothing follows', () => {
    const shorter = assemble(MessageStore.fromMessages(rules, 'system'));
    expect(prefixReport(before, shorter).change).toMatchObject({ at: 1, section: 'chat', after: undefined });
  });

  it('shows long texts from where they part', () => {
    const told = (before: string, after: string) => {
      const [one, two] = [before, after].map((text) => assemble(MessageStore.fromMessages(user(text), 'chat')));
      return prefixReport(one!, two!).change?.message;
    };
    const rules = `${'Be kind. '.repeat(20)}It is `;
    const around = `${rules}12:0`.slice(-20);
    expect(told(`${rules}12:00.`, `${rules}12:01. ${'x'.repeat(99)}`)).toBe(
      `messages[0] (chat) changed: "…${around}0." became "…${around}1. ${'x'.repeat(37)}…"`,
    );
    expect(told('x'.repeat(100), 'y')).toBe(`messages[0] (chat) changed: "${'x'.repeat(60)}…" became "y"`);
    expect(told('abc', 'ab')).toBe('messages[0] (chat) changed: "abc" became "ab"');
  });
});
