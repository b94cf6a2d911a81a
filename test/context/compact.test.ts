import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import {
  assemble,
  compact,
  type CompactOptions,
  Message,
  MessageStore,
  moveOverflow,
  Section,
  type SectionPolicy,
  setPolicy,
  summarizeBuffer,
  type SummaryInput,
} from '../../src/index.ts';
import { assistant, call, chat, result, system } from '../../src/testing/builders.ts';
import { wellFormed } from '../turns/histories.ts';

/** One token a message. */
const counter = () => 1;
const names = (store: MessageStore) => store.sections.map((section) => [section.name, section.messages.map(String)]);

describe('overflow', () => {
  const store = MessageStore.fromMessages(['a', 'b', 'c', 'd'], 'messages');

  it('moves the oldest to the buffer, which stands before', () => {
    expect(names(moveOverflow(store, { keep: 2, counter }))).toEqual([
      ['buffer', ['a', 'b']],
      ['messages', ['c', 'd']],
    ]);
  });

  it('goes to the end of what the buffer holds, time after time', () => {
    const once = moveOverflow(store, { keep: 3, counter });
    const twice = moveOverflow(once.section('messages').appendMessages(['e', 'f']), { keep: 2, counter });
    expect(names(twice)).toEqual([
      ['buffer', ['a', 'b', 'c', 'd']],
      ['messages', ['e', 'f']],
    ]);
    expect(twice.toMessages().map(String)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('is nothing where the section is within its limit', () => {
    expect(moveOverflow(store, { keep: 4, counter })).toBe(store);
    expect(moveOverflow(MessageStore.empty())).toBe(MessageStore.empty());
  });

  it('is nothing where the section is pinned', () => {
    const pinned = store.pipe(setPolicy('messages', { pin: true }));
    expect(moveOverflow(pinned, { keep: 1, counter })).toBe(pinned);
    const loose = MessageStore.fromMessages(chat(system('s'), 'a', 'b'), 'messages');
    expect(names(moveOverflow(loose.pipe(setPolicy('messages', { pin: false })), { keep: 1, counter }))).toEqual([
      ['buffer', ['s', 'a']],
      ['messages', ['b']],
    ]);
  });

  it('is a template where it was one, and else none', () => {
    const talk = MessageStore.fromMessages(chat('a', system('{{secret}}'), 'b'), 'messages');
    const policyOf = (buffer: SectionPolicy | undefined, trust: boolean, ...held: string[]) => {
      const filled = talk.section('buffer').appendMessages(held);
      const given = filled.setSection(filled.section('buffer').get().withPolicy(buffer));
      const moved = moveOverflow(given.pipe(setPolicy('messages', { trust })), { keep: 1, counter });
      expect(moved.section('buffer').messages().map(String)).toEqual([...held, 'a', '{{secret}}']);
      return moved.section('buffer').get().policy;
    };
    expect(policyOf(undefined, false)).toEqual({ trust: false });
    expect(policyOf({ cache: true }, false, 'held')).toEqual({ cache: true, trust: false });
    expect(policyOf(undefined, true)).toEqual({ trust: true });
    expect(policyOf(undefined, true, 'held')).toBeUndefined();
    expect(policyOf({ trust: true }, false)).toEqual({ trust: true });
  });

  it('moves whole exchanges, and never the newest, nor instructions at the start', () => {
    const tools = MessageStore.fromMessages(chat(system('s'), 'a', call('f'), result('f', 'x'), 'b'), 'messages');
    expect(names(moveOverflow(tools, { keep: 3, counter }))).toEqual([
      ['buffer', ['a', '', 'x']],
      ['messages', ['s', 'b']],
    ]);
    const open = MessageStore.fromMessages(
      chat('a', assistant('', call('f'), call('g')), result('f', 'x')),
      'messages',
    );
    expect(names(moveOverflow(open, { keep: 0, counter }))).toEqual([
      ['buffer', ['a']],
      ['messages', ['', 'x']],
    ]);
  });

  it('measures what tools were asked and answered', () => {
    const asked = chat('a', call('f', { text: 'x'.repeat(4000) }), result('f', 'y'.repeat(4000)), 'b');
    const moved = moveOverflow(MessageStore.fromMessages(asked, 'messages'), { keep: 600 });
    expect(moved.section('messages').messages().map(String)).toEqual(['b']);
  });

  it('puts a buffer that stands behind before the section, and leaves one that stands before where it is', () => {
    const behind = store.withSection('buffer');
    expect(moveOverflow(behind, { keep: 1, counter }).sections.names()).toEqual(['buffer', 'messages']);
    const before = MessageStore.empty().withSection('buffer').withSection('system').merge(store);
    expect(moveOverflow(before, { keep: 1, counter }).sections.names()).toEqual(['buffer', 'system', 'messages']);
  });

  it('refuses limits that are none, and one section for two purposes', () => {
    expect(() => moveOverflow(store, { keep: -1 })).toThrow('keep: expected tokens');
    expect(() => moveOverflow(store, { from: 'a', buffer: 'a' })).toThrow('another section for each purpose, got "a"');
  });
});

describe('a summary', () => {
  const store = MessageStore.fromSections(
    Section.of('system', chat(system('Be brief.'))),
    Section.of('messages', ['live']),
    Section.of('buffer', ['b1', 'b2']),
    Section.of('summary', ['old']),
  );

  it('takes the place of the one before and of the buffer, which stays, empty', async () => {
    const given: SummaryInput[] = [];
    const done = await summarizeBuffer(store, {
      hold: 1,
      tokens: 99,
      counter,
      summarize: (input) => {
        given.push(input);
        return 'S';
      },
    });
    expect(given[0]?.messages.map(String)).toEqual(['old', 'b1', 'b2']);
    expect(given[0]).toMatchObject({ tokens: 99, signal: undefined });
    expect(names(done)).toEqual([
      ['system', ['Be brief.']],
      ['messages', ['live']],
      ['summary', ['S']],
      ['buffer', []],
    ]);
    expect(done.section('summary').messages().at(0)?.role).toBe('user');
  });

  it('is asked for only where the buffer is full', async () => {
    const summarize = () => {
      throw new Error('was asked');
    };
    expect(await summarizeBuffer(store, { hold: 2, counter, summarize })).toBe(store);
    expect(await summarizeBuffer(store.section('buffer').clear(), { hold: 0, counter, summarize })).toEqual(
      store.section('buffer').clear(),
    );
  });

  it('may be a message', async () => {
    const done = await summarizeBuffer(store, { hold: 0, summarize: () => Promise.resolve(Message.asSystem('S')) });
    expect(done.section('summary').messages().at(0)?.role).toBe('system');
  });

  it.each(['', ' \n'])('that says nothing is refused, since what it stands for would be lost: %j', async (said) => {
    await expect(summarizeBuffer(store, { hold: 0, summarize: () => said })).rejects.toThrow(
      'summarize(): expected a summary that says something',
    );
  });

  it('is no template, whatever role it has, unless its section says so', async () => {
    const summarize = () => Message.asSystem('They typed {{secret}}.');
    const assembled = (given: MessageStore) =>
      String(
        assemble(given, { values: { secret: 's' } })
          .sections.get('summary')
          ?.messages.first(),
      );
    const done = await summarizeBuffer(store, { hold: 0, summarize });
    expect(assembled(done)).toBe('They typed {{secret}}.');
    expect(done.section('summary').get().policy).toEqual({ trust: false });
    const trusting = store.pipe(setPolicy('summary', { trust: true, pin: true }));
    const trusted = await summarizeBuffer(trusting, { hold: 0, summarize });
    expect(assembled(trusted)).toBe('They typed s.');
  });

  it('tells tool turns in the text', async () => {
    const tools = MessageStore.fromMessages(
      chat(call('weather', { city: 'Oslo' }), result('weather', '12 °C')),
      'buffer',
    );
    let text = '';
    await summarizeBuffer(tools, { hold: 0, summarize: (input) => (text = input.text) });
    expect(text).toContain('weather({"city":"Oslo"})');
    expect(text).toContain('12 °C');
  });

  it('fails as the summariser fails, and as the signal says', async () => {
    const failing = () => Promise.reject(new Error('no model'));
    await expect(summarizeBuffer(store, { summarize: undefined as never })).rejects.toThrow(
      'summarize: expected a function',
    );
    await expect(summarizeBuffer(store, { hold: 0, summarize: failing })).rejects.toThrow('no model');
    const ended = AbortSignal.abort(new Error('stop'));
    await expect(summarizeBuffer(store, { hold: 0, summarize: () => 'S', signal: ended })).rejects.toThrow('stop');
    const controller = new AbortController();
    const slow = ({ signal }: SummaryInput) => {
      controller.abort(new Error('too late'));
      return signal?.aborted === true ? 'S' : 'not told';
    };
    await expect(summarizeBuffer(store, { hold: 0, summarize: slow, signal: controller.signal })).rejects.toThrow(
      'too late',
    );
  });

  it('is waited for no longer than the signal says, also where the summariser does not listen to it', async () => {
    const controller = new AbortController();
    const waiting = summarizeBuffer(store, {
      hold: 0,
      summarize: () => new Promise<string>(() => {}),
      signal: controller.signal,
    });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('compact', () => {
  const options: CompactOptions = { keep: 3, hold: 2, counter, summarize: ({ messages }) => `${messages.size} told` };

  it('moves, summarises, and puts summary, buffer and section in order', async () => {
    const store = MessageStore.fromMessages(['a', 'b', 'c', 'd', 'e', 'f'], 'messages').withSection('system');
    const done = await compact(store, options);
    expect(names(done)).toEqual([
      ['summary', ['3 told']],
      ['buffer', []],
      ['messages', ['d', 'e', 'f']],
      ['system', []],
    ]);
  });

  it.prop([wellFormed, fc.nat(8), fc.nat(8)])('changes nothing when it is done again', async (history, keep, hold) => {
    const store = MessageStore.fromMessages(history, 'messages');
    const once = await compact(store, { ...options, keep, hold });
    expect(await compact(once, { ...options, keep, hold })).toBe(once);
  });

  it.prop([wellFormed, fc.nat(8)])('loses no message and no order while it only moves', (history, keep) => {
    const moved = moveOverflow(MessageStore.fromMessages(history, 'messages'), { keep, counter });
    const all = [...moved.section('buffer').messages(), ...moved.section('messages').messages()];
    const lead = history.headWithRoles(['system', 'developer']).size;
    const [rules, rest] = [[...history].slice(0, lead), [...history].slice(lead)];
    expect(all.filter((message) => !rules.includes(message))).toEqual(rest);
  });
});
