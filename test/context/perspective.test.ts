import { fc, it } from '@fast-check/vitest';
import { asSeenBy, Content, ContentPart, Message, Messages, onlyRun, transcript, validate } from 'message-store';
import { arbitraries, assistant, call, chat, result, system, user } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { damaged, damages, wellFormedOrOpen } from '../turns/histories.ts';

const any = arbitraries(fc);

const by = (name: string, message: Message): Message => message.withName(name);
const asking = by('writer', assistant('Let me look.', call('weather', { city: 'Oslo' }, 'c1')));
const answer = result('c1', '12 °C');
const talk = chat(
  system('Be brief.'),
  user('Go.', 'Ann'),
  asking,
  answer,
  by('writer', assistant('12 °C in Oslo.')),
  by('critic', assistant('Too long.')),
);

const seen = (messages: Messages) => messages.map(({ role, name, content }) => [role, name, content.toString()]);

/** Texts of one message, as the participant `me` hears it. */
const heard = (message: Message | readonly Message[], options = {}) =>
  asSeenBy(Messages.of(...[message].flat()), 'me', options).map(({ content }) => content.toJSON());

describe('the chat as one participant sees it', () => {
  it('has its own words as the assistant, those of others as the user', () => {
    expect(seen(asSeenBy(talk, 'critic'))).toEqual([
      ['system', '', 'Be brief.'],
      ['user', 'Ann', 'Go.'],
      ['user', 'writer', 'Let me look.'],
      ['user', 'writer', '12 °C in Oslo.'],
      ['assistant', 'critic', 'Too long.'],
    ]);
  });

  it('has its own tool turns whole, as the very same messages', () => {
    const own = asSeenBy(talk, 'writer');
    expect([...own].slice(0, 5)).toEqual([...talk].slice(0, 5));
    for (const at of [0, 1, 2, 3, 4]) expect(own.at(at)).toBe(talk.at(at));
    expect(own.at(5)?.role).toBe('user');
  });

  it('is the very same list where nothing changes', () => {
    const alone = talk.slice(0, 5);
    expect(asSeenBy(alone, 'writer')).toBe(alone);
    expect(asSeenBy(chat(), 'writer').size).toBe(0);
  });

  it('tells tool turns of others in words, in one message, if asked to', () => {
    expect(heard([asking, answer], { toolTurns: 'text' })).toEqual([
      'Let me look.\n[called weather({"city":"Oslo"})]\n[weather answered: 12 °C]',
    ]);
  });

  it('tells answers in the order of the calls, how they ended, and those without a call', () => {
    const calls = by('writer', assistant('', call('a', {}, '1'), call('b', {}, '2'), call('c', {}, '3')));
    const answers = [
      result('3', '', { status: 'cancelled' }),
      result('2', 'no', { status: 'denied' }),
      result('1', 'oh', { status: 'error' }),
      result('9', 'late', { toolName: 'd' }),
    ];
    expect(heard([calls, ...answers], { toolTurns: 'text' })).toEqual([
      '[called a({})]\n[called b({})]\n[called c({})]\n[a failed: oh]\n[b was denied: no]\n[c was cancelled]\n[d answered: late]',
    ]);
    expect(heard(result('9', 'late'), { toolTurns: 'text' })).toEqual(['[a tool answered: late]']);
    expect(heard(result('9', 'late'))).toEqual([]);
  });

  it('keeps the true order of words and calls, and the media of answers', () => {
    const image = ContentPart.imageUrl('https://example.com/a.png');
    const mark = ContentPart.of('tool_call', { id: 'c1' });
    const turn = Message.of({ ...asking, content: Content.of(ContentPart.text('a'), mark, ContentPart.text('b')) });
    expect(heard([turn, result('c1', Content.of(ContentPart.text('see'), image))], { toolTurns: 'text' })).toEqual([
      [
        { type: 'text', text: 'a\n[called weather({"city":"Oslo"})]\nb\n[weather answered: see]' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      ],
    ]);
    expect(heard([turn, answer])).toEqual([
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ]);
  });

  it('leaves out what was only thought or called, and what only a provider understands', () => {
    const origin = { provider: 'anthropic', model: 'm', data: { id: 'x' } };
    expect(heard(assistant(Content.of(ContentPart.reasoning('hm'))))).toEqual([]);
    expect(heard([by('writer', assistant('', call('f'))), result('f', '1')])).toEqual([]);
    expect(heard(assistant(''))).toEqual(['']);
    const bound = Message.of({
      role: 'assistant',
      content: Content.of(
        ContentPart.reasoning('hm', origin),
        ContentPart.of('text', { text: 'a', _origin: origin }),
        ContentPart.of('server_tool_use', { id: '1', _origin: origin }),
        ContentPart.of('video', { url: 'u' }),
      ),
      name: 'writer',
    });
    expect(heard(bound)).toEqual([
      [
        { type: 'text', text: 'a' },
        { type: 'video', url: 'u' },
      ],
    ]);
    const from = asSeenBy(chat(Message.of({ role: 'assistant', content: 'a', origin })), 'me').at(0);
    expect(from?.origin).toEqual({ provider: 'anthropic', model: 'm' });
    const nameless = asSeenBy(chat(Message.of({ role: 'assistant', content: 'a', origin: { provider: 'p' } })), 'me');
    expect(nameless.at(0)?.origin).toEqual({ provider: 'p' });
  });

  it('makes a refusal text', () => {
    expect(heard(assistant(Content.of(ContentPart.refusal('No.'))))).toEqual(['No.']);
    expect(heard(assistant(Content.of(ContentPart.of('refusal', { text: 'No.' }))))).toEqual(['No.']);
  });

  it('has names in the text where they cannot go in their field', () => {
    const image = ContentPart.imageUrl('https://example.com/a.png');
    const messages = chat(
      user('Go.', 'Ann\nsystem'),
      by('writer', assistant('Yes.')),
      by('writer', assistant(Content.of(image))),
      user('', 'Ann'),
      user('Hm.', ' '),
      by('me', assistant('Own.')),
      user('No name.'),
    );
    const told = asSeenBy(messages, 'me', { names: 'text' });
    expect(told.map(({ name, content }) => [name, content.toJSON()])).toEqual([
      ['', 'Ann system: Go.'],
      ['', 'writer: Yes.'],
      ['', [{ type: 'text', text: 'writer: ' }, image.toJSON()]],
      ['Ann', ''],
      ['', 'Hm.'],
      ['me', 'Own.'],
      ['', 'No name.'],
    ]);
    expect(told.at(6)).toBe(messages.at(6));
  });

  it('is made of a long chat in one walk', () => {
    const long = Messages.from(Array.from({ length: 50_000 }, () => [asking, answer, user('Go.')]).flat());
    const start = performance.now();
    expect(asSeenBy(long, 'writer')).toBe(long);
    expect(asSeenBy(long, 'me').size).toBe(100_000);
    expect(onlyRun(long.appendMessage(user('x').withMetadata('is_trace', 1)), { run: 1 }).size).toBe(long.size);
    expect(transcript(long).length).toBeGreaterThan(long.size);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  const options = fc.record({
    toolTurns: fc.constantFrom('drop' as const, 'text' as const),
    names: fc.constantFrom('field' as const, 'text' as const),
  });
  const names = ['', 'writer', 'critic'] as const;
  const named = fc
    .record({ messages: wellFormedOrOpen, who: fc.array(fc.constantFrom(...names), { minLength: 1 }) })
    .map(({ messages, who }) =>
      Messages.of(
        ...messages.map((message, at) => (message.isTool() ? message : by(who[at % who.length] ?? '', message))),
      ),
    );

  it.prop([named, fc.constantFrom(...names), options])('stays valid', (messages, name, how) => {
    const view = asSeenBy(messages, name, how);
    expect(validate(view)).toEqual([]);
    for (const message of view) if (message.isAssistant()) expect([...messages]).toContain(message);
  });

  it('refuses options that it does not know', () => {
    expect(() => asSeenBy([], 'a', { toolTurns: 'keep' as never })).toThrow(
      'toolTurns: expected one of "drop", "text"',
    );
    expect(() => asSeenBy([], 'a', { names: 'none' as never })).toThrow('names: expected one of "field", "text"');
  });

  it.prop([any.messages, fc.constantFrom(...names), options, damages])(
    'is its own view, in order, with the identities of the messages',
    (list, name, how, wounds) => {
      const messages = damaged(list, wounds);
      const before = JSON.stringify(messages);
      const view = asSeenBy(messages, name, how);
      expect(JSON.stringify(messages)).toBe(before);
      expect(asSeenBy(view, name, how)).toBe(view);
      let at = 0;
      const all = [...messages];
      const isSame = (a: Message | undefined, { id, timestamp, metadata }: Message) =>
        a?.id === id && a.timestamp === timestamp && a.metadata === metadata;
      for (const message of view) {
        while (at < all.length && !isSame(all[at], message)) at++;
        expect(at++).toBeLessThan(all.length);
      }
      if (view.size === all.length && all.every((message, place) => message === view.at(place)))
        expect(view).toBe(messages);
    },
  );
});
