import { describe, expect, it } from 'vitest';
import { assemble, fit } from '../../src/context/assemble.ts';
import { BudgetError } from '../../src/context/budget-error.ts';
import { countTokens } from '../../src/context/count-tokens.ts';
import type { FitOptions } from '../../src/context/room.ts';
import type { TokenCounter } from '../../src/context/token-counter.ts';
import { ContentPart } from '../../src/model/content-part.ts';
import type { Message } from '../../src/model/message.ts';
import { MessageStore } from '../../src/model/message-store.ts';
import { Messages, type MessagesInput } from '../../src/model/messages.ts';
import { Section } from '../../src/model/section.ts';
import type { SectionPolicy } from '../../src/schema/section.ts';
import { assistant, call, chat, result, system, type Turn, user } from '../../src/testing/builders.ts';

/** One token a message. */
const each: TokenCounter = { text: () => 0, media: () => 0, perMessage: 1 };
/** One token a character. */
const letters: TokenCounter = { text: (text) => text.length, media: () => 10, perMessage: 0 };

const section = (name: string, policy: SectionPolicy | undefined, ...turns: Turn[]) =>
  Section.of(name, chat(...turns)).withPolicy(policy);
const store = (...sections: Section[]) => MessageStore.fromSections(...sections);
const texts = (input: { readonly messages: Iterable<unknown> }) => Array.from(input.messages, String);
const failure = (run: () => unknown): BudgetError => {
  try {
    run();
  } catch (error) {
    if (error instanceof BudgetError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('fitting', () => {
  const talk = chat(system('sys'), 'A', call('c1'), result('c1', 'R'), 'B', assistant('done'));

  it('leaves out whole exchanges, the oldest first, and never the instructions at the start', () => {
    expect(texts(fit(talk, { budget: 4, counter: each }))).toEqual(['sys', 'B', 'done']);
    expect(texts(fit(talk, { budget: 5, counter: each }))).toEqual(['sys', '', 'R', 'B', 'done']);
    expect(fit(talk, { budget: 6, counter: each }).messages).toBe(talk);
  });

  it('refuses a budget that the newest exchange does not fit, and says which one works', () => {
    const short = chat(system('sys'), 'a', assistant('b'), 'c');
    expect(texts(fit(short, { budget: 2, counter: each }))).toEqual(['sys', 'c']);
    for (const budget of [1, 0])
      expect(failure(() => fit(short, { budget, counter: each }))).toMatchObject({
        code: 'budget_impossible',
        needed: 2,
        budget,
        section: undefined,
        path: 'budget',
      });
    expect(failure(() => fit(short, { budget: 1, counter: each })).message).toBe(
      'the budget of 1 tokens is too small: what must go out takes 2 (2 in "messages"). Raise it, reserve less, or pin fewer sections.',
    );
  });

  it('tells what each section takes of a budget that is too small', () => {
    const given = store(section('rules', { pin: true }, 'a', 'b'), section('notes', {}, 'c'), section('talk', {}, 'd'));
    expect(failure(() => fit(given, { budget: 4, reserve: { output: 3 }, counter: each })).message).toContain(
      'takes 6 (2 in "rules", 1 in "talk", 3 for the request and what is reserved).',
    );
  });

  it('says which one works also where what must stay has to be repaired', () => {
    const broken = chat('a', call('f'), 'b');
    const pinned = store(section('talk', { pin: true }, ...broken));
    expect(failure(() => fit(pinned, { budget: 2, counter: each }))).toMatchObject({ budget: 2, needed: 4 });
    expect(texts(fit(pinned, { budget: 4, counter: each }))).toHaveLength(4);
    const limited = store(section('talk', { pin: true, budget: 2 }, ...broken), section('more', {}, 'c'));
    expect(failure(() => fit(limited, { counter: each }))).toMatchObject({ section: 'talk', budget: 2, needed: 4 });
    const both = store(section('talk', { pin: true, budget: 3 }, ...broken));
    expect(failure(() => fit(both, { budget: 2, counter: each }))).toMatchObject({ budget: 2, needed: 3 });
  });

  it('takes an empty list with any budget', () => {
    expect(texts(fit([], { budget: 0 }))).toEqual([]);
    expect(fit(MessageStore.empty(), { budget: 0 }).report.tokens).toBe(0);
  });

  it('keeps no older exchange behind one that does not fit', () => {
    expect(texts(fit(['aa', 'too long to fit', 'tail'], { budget: 8, counter: letters }))).toEqual(['tail']);
  });

  it('asks a function for the tokens of whole messages', () => {
    expect(texts(fit(['a', 'b', 'c'], { budget: 2, counter: () => 1 }))).toEqual(['b', 'c']);
  });

  it('keeps pinned sections whole, and leaves out the oldest of the others', () => {
    const given = store(
      section('examples', { pin: true }, 'e1', 'e2'),
      section('notes', undefined, 'n1', 'n2'),
      section('chat', undefined, 'c1', 'c2', 'c3'),
    );
    const at = (budget: number) => texts(fit(given, { budget, counter: each }));
    expect(at(7)).toEqual(['e1', 'e2', 'n1', 'n2', 'c1', 'c2', 'c3']);
    expect(at(6)).toEqual(['e1', 'e2', 'n2', 'c1', 'c2', 'c3']);
    expect(at(4)).toEqual(['e1', 'e2', 'c2', 'c3']);
    expect(at(3)).toEqual(['e1', 'e2', 'c3']);
    expect(failure(() => at(2)).needed).toBe(3);
  });

  it('may leave out instructions where the section is not pinned at all', () => {
    const given = store(section('chat', { pin: false }, system('s'), 'a', 'b'));
    expect(texts(fit(given, { budget: 2, counter: each }))).toEqual(['a', 'b']);
  });

  it('keeps the newest exchange whole, calls and answers', () => {
    const open = chat('a', assistant('', call('x'), call('y')), result('x', '1'), result('y', '2'));
    expect(texts(fit(open, { budget: 3, counter: each }))).toEqual(['', '1', '2']);
    expect(failure(() => fit(open, { budget: 2, counter: each })).needed).toBe(3);
  });

  it('keeps the newest exchange of the last section that is not pinned', () => {
    const given = store(section('chat', undefined, 'c1', 'c2'), section('end', { pin: true }, 'answer now'));
    expect(texts(fit(given, { budget: 2, counter: each }))).toEqual(['c2', 'answer now']);
  });

  it('begins with the user where that is asked for', () => {
    const told = chat(system('s'), 'q1', assistant('a1'), 'q2', assistant('a2'));
    const at = (budget: number) => texts(fit(told, { budget, counter: each, startWith: 'user' }));
    expect(at(5)).toEqual(['s', 'q1', 'a1', 'q2', 'a2']);
    expect(at(4)).toEqual(['s', 'q2', 'a2']);
    expect(at(3)).toEqual(['s', 'q2', 'a2']);
    expect(failure(() => at(2)).needed).toBe(3);
    expect(fit(told, { budget: 4, counter: each, startWith: 'user' }).report.tokens).toBe(3);
    expect(() => fit(told, { startWith: 'human' as never })).toThrow('startWith: expected "user", got "human"');
  });

  it('keeps the question of a running tool loop then, and leaves out the older of its steps', () => {
    const steps = ['f', 'g', 'h'].flatMap((name) => [call(name), result(name, name)]);
    const loop = chat(system('s'), 'old', assistant('done'), 'q', ...steps);
    const fitted = (budget: number) => fit(loop, { budget, counter: each, startWith: 'user' });
    const at = (budget: number) => texts(fitted(budget));
    expect(failure(() => at(3)).needed).toBe(4);
    expect(at(4)).toEqual(['s', 'q', '', 'h']);
    expect(at(6)).toEqual(['s', 'q', '', 'g', '', 'h']);
    expect(at(8)).toEqual(['s', 'q', '', 'f', '', 'g', '', 'h']);
    expect(at(9)).toEqual(['s', 'q', '', 'f', '', 'g', '', 'h']);
    expect(fitted(10).messages).toBe(loop);
    const { report } = fitted(6);
    expect([report.tokens, report.sections[0]?.evictedTokens]).toEqual([6, 4]);
    expect(report.evicted.map((one) => [one.at, one.messages.map(String)])).toEqual([
      [1, ['old']],
      [2, ['done']],
      [4, ['', 'f']],
    ]);
  });

  it('leaves nothing of a section without its question where others stand behind it', () => {
    const given = store(
      section('history', undefined, 'old', call('f'), result('f', 'x'), assistant('a')),
      section('prompt', undefined, 'q'),
    );
    const at = (budget: number) => texts(fit(given, { budget, counter: each, startWith: 'user' }));
    expect(at(4)).toEqual(['q']);
    expect(at(5)).toEqual(['old', '', 'x', 'a', 'q']);
    expect(texts(fit(given, { budget: 4, counter: each }))).toEqual(['', 'x', 'a', 'q']);
  });

  it('leaves an open turn open', () => {
    const open = chat('a', 'b', call('x'));
    expect(fit(open, { budget: 1, counter: each }).messages.last()?.hasToolCalls()).toBe(true);
  });
});

describe('a budget of a section', () => {
  const many = (name: string) => Array.from({ length: 10 }, (_, at) => `${name}${at}`);
  const sizes = (given: MessageStore, budget?: number) =>
    fit(given, { budget, counter: each }).report.sections.map(({ kept }) => kept.size);

  it('holds without a budget of the whole', () => {
    expect(
      sizes(store(section('notes', { budget: 3 }, ...many('n')), section('chat', undefined, ...many('c')))),
    ).toEqual([3, 10]);
  });

  it('is the most that it takes, and served before sections without one', () => {
    const given = store(section('notes', { budget: 3 }, ...many('n')), section('chat', undefined, ...many('c')));
    expect(sizes(given, 8)).toEqual([3, 5]);
    expect(sizes(given, 3)).toEqual([2, 1]);
    expect(sizes(given, 100)).toEqual([3, 10]);
  });

  it('may be a share, which gives on what is not used', () => {
    const shares = store(
      section('notes', { budget: '25%' }, ...many('n')),
      section('chat', { budget: '75%' }, ...many('c')),
    );
    expect(sizes(shares, 8)).toEqual([2, 6]);
    expect(sizes(shares, 16)).toEqual([6, 10]);
    const few = store(section('notes', { budget: '50%' }, 'n'), section('chat', undefined, ...many('c')));
    expect(sizes(few, 8)).toEqual([1, 7]);
  });

  it('is refused where what must stay is larger', () => {
    const given = store(section('examples', { pin: true, budget: 2 }, 'a', 'b', 'c'));
    expect(failure(() => sizes(given))).toMatchObject({
      code: 'budget_impossible',
      section: 'examples',
      needed: 3,
      budget: 2,
      path: 'sections.examples.policy.budget',
      takes: ['3 in "examples"'],
      message:
        'the section "examples" may take 2 tokens, and what must go out takes 3 (3 in "examples"). Give it a larger budget.',
    });
  });

  it.each([
    ['pin', 'yes', 'true or false'],
    ['budget', -1, 'tokens from 0 on, or a share like "25%"'],
    ['budget', '101%', 'tokens from 0 on, or a share like "25%"'],
    ['budget', '1e3%', 'tokens from 0 on, or a share like "25%"'],
    ['cache', '2h', 'true, false, or one of "5m", "30m", "1h", "12h"'],
    ['trust', 1, 'true or false'],
    ['evict', 'newest', 'one of "oldest", "summary"'],
  ])('is refused as %s: %j', (key, value, expected) => {
    const given = store(Section.from({ name: 'my notes', messages: ['a'], policy: { [key]: value } }));
    expect(() => fit(given)).toThrow(`sections["my notes"].policy.${key}: expected ${expected}, got `);
  });

  it('is told by a path, whatever the section is called', () => {
    const given = store(section('a.b', { budget: 0 }, 'x'));
    expect(failure(() => fit(given, { counter: each })).path).toBe('sections["a.b"].policy.budget');
  });

  it('is refused where the options give none', () => {
    const given = store(section('notes', undefined, 'a'));
    expect(() => fit(given, { policies: { notes: 'pinned' as never } })).toThrow('policies.notes: expected an object');
  });

  it('can be given with the options, over what is stored', () => {
    const own = { budget: 3, note: 'kept' };
    const given = store(section('notes', own, ...many('n')));
    const { report } = fit(given, { counter: each, policies: { notes: { budget: 4 } } });
    expect(report.sections[0]).toMatchObject({ kept: { size: 4 }, policy: { budget: 4, note: 'kept' } });
  });
});

describe('what is reserved', () => {
  it('is taken off the budget', () => {
    expect(texts(fit(['a', 'b', 'c'], { budget: 7, reserve: 5, counter: each }))).toEqual(['b', 'c']);
    expect(texts(fit(['a', 'b', 'c'], { budget: 7, reserve: { output: 2, tools: 4 }, counter: each }))).toEqual(['c']);
    expect(failure(() => fit(['a'], { budget: 7, reserve: 7, counter: each })).needed).toBe(8);
    expect(() => fit(['a'], { reserve: '25%' as never })).toThrow(
      'reserve: expected tokens: a number from 0 on, got "25%"',
    );
    expect(() => fit(['a'], { reserve: { output: -1 } })).toThrow('reserve.output: expected tokens');
  });

  it('may be the tools themselves', () => {
    const tools = [{ name: 'weather', description: 'The weather', inputSchema: { type: 'object' } }];
    const { report } = fit(['a'], { budget: 1000, reserve: { output: 10, tools }, counter: letters });
    const told = JSON.stringify({ name: 'weather', description: 'The weather', schema: { type: 'object' } });
    expect(report.reserved).toBe(10 + told.length);
  });

  it('is estimated where a function counts messages', () => {
    const tools = [{ name: 'weather' }];
    expect(fit(['a'], { budget: 1000, reserve: { tools }, counter: () => 1 }).report.reserved).toBe(
      fit(['a'], { budget: 1000, reserve: { tools } }).report.reserved,
    );
  });

  it.each([
    ['budget', { budget: Number.NaN }],
    ['budget', { budget: '8000' as never }],
    ['reserve', { reserve: -1 }],
    ['reserve.output', { reserve: { output: -1 } }],
    ['reserve.tools', { reserve: { tools: Number.POSITIVE_INFINITY } }],
  ])('is refused where %s is no number of tokens', (path, options) => {
    expect(() => fit(['a'], options)).toThrow(`${path}: expected tokens: a number from 0 on, got `);
  });
});

describe('a counter that gives no number', () => {
  it.each([
    ['counter.perRequest', { ...each, perRequest: Number.NaN }],
    ['counter.text', { ...each, text: () => Number.NaN }],
  ])('is refused: %s', (path, counter) => {
    const reserve = { tools: [{ name: 'weather' }] };
    expect(() => fit([''], { budget: 9, reserve, counter })).toThrow(`${path}: expected a finite number of tokens`);
  });
});

describe('the report', () => {
  const given = store(
    section('system', undefined, system('Be brief.')),
    section('chat', { evict: 'summary' }, 'first', call('f'), result('f', 'answer'), 'last'),
    section('scratch', undefined, 'never sent'),
    section('empty', undefined),
  );
  const { report } = fit(given, { sections: ['system', 'chat', 'empty'], budget: 3, reserve: 1, counter: each });

  it('says what each section takes, and which filled ones were not asked for', () => {
    expect(report.toJSON()).toEqual({
      tokens: 2,
      budget: 3,
      reserved: 1,
      sections: [
        { name: 'system', messages: 1, tokens: 1, evicted: 0, evictedTokens: 0, pinned: false, cache: false },
        { name: 'chat', messages: 1, tokens: 1, evicted: 3, evictedTokens: 3, pinned: false, cache: false },
        { name: 'empty', messages: 0, tokens: 0, evicted: 0, evictedTokens: 0, pinned: false, cache: false },
      ],
      unused: ['scratch'],
      repairs: [],
    });
  });

  it('explains every exchange that is left out', () => {
    expect(report.evicted.map(({ at, tokens, evict, messages }) => [at, tokens, evict, messages.length])).toEqual([
      [0, 1, 'summary', 1],
      [1, 2, 'summary', 2],
    ]);
    expect(report.evicted.map(({ message }) => message)).toEqual([
      'chat: the user message "first" (1 token) waits for a summary: what came behind it did not fit either',
      'chat: the call of f with its answer (2 tokens) waits for a summary: the section had 0 tokens beside what must stay, of which 0 were left',
    ]);
  });

  const why = (messages: MessagesInput, options: FitOptions) =>
    fit(messages, options).report.evicted.map(({ message }) => message.replace(/^.*(?:out|summary): /, ''));

  it('says which one did not fit, and that those before it did not either', () => {
    const counter = (message: Message) => message.toString().length;
    expect(why(['a', 'b', 'much too long', 'c', 'd'], { budget: 5, counter })).toEqual([
      'what came behind it did not fit either',
      'what came behind it did not fit either',
      'the section had 4 tokens beside what must stay, of which 3 were left',
    ]);
  });

  it('says what would not have begun well', () => {
    expect(why(chat('a', assistant('b'), 'c'), { budget: 2, counter: each, startWith: 'user' })).toEqual([
      'the section had 1 token beside what must stay, of which 0 were left',
      'what stays is to begin with what the user says',
    ]);
    expect(why(chat('a', result('f', 'x'), 'c'), { budget: 2, counter: each })).toEqual([
      'the section had 1 token beside what must stay, of which 0 were left',
      'what it answers is left out',
    ]);
  });

  it('shows what is no text as a mark', () => {
    const { report: told } = fit([{ role: 'user', content: [ContentPart.imageUrl('https://a.test/b')] }, 'last'], {
      budget: 1,
      counter: () => 1,
    });
    expect(told.evicted[0]?.message).toContain('the user message "[image]" (1 token)');
  });

  it('shows the beginning of long texts, on one line', () => {
    const long = fit([`One\n ${'word '.repeat(20)}`, 'last'], { budget: 1, counter: () => 1 });
    expect(long.report.evicted[0]?.message).toContain('"One word word word word word word word w…"');
  });

  it('counts without a budget when it is asked', () => {
    const counted: string[] = [];
    const counter: TokenCounter = { ...each, text: (text) => counted.push(text) };
    const assembly = fit(given, { counter });
    expect(counted).toEqual([]);
    expect(assembly.report.tokens).toBeGreaterThan(0);
    expect(counted).not.toEqual([]);
  });
});

describe('a broken history', () => {
  it('is repaired where it goes out, and that is told', () => {
    const broken = chat('a', call('f'), 'b', result('gone', 'x'), 'c');
    const { messages, report } = fit(broken, { budget: 100, counter: each });
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user', 'user']);
    expect(report.repairs.map(({ section: name, at, change }) => [name, at, change])).toEqual([
      ['messages', 1, 'synthesised'],
      ['messages', 3, 'dropped'],
    ]);
    expect(report.toJSON()['repairs']).toEqual([
      { section: 'messages', at: 1, message: 'the call "f" gets a made-up answer' },
      { section: 'messages', at: 3, message: 'there is no call "gone" that this could answer' },
    ]);
  });

  it('is left alone where it is left out', () => {
    const broken = chat('a', call('f'), 'b', 'c');
    expect(fit(broken, { budget: 2, counter: each }).report.repairs).toEqual([]);
  });

  it('does not make the prompt larger than the budget', () => {
    const broken = chat('a', call('f'), 'b', 'c');
    const { messages } = fit(broken, { budget: 3, counter: each });
    expect(messages.size).toBeLessThanOrEqual(3);
    expect(messages.map(String)).toEqual(['b', 'c']);
  });
});

describe('an open turn at the end', () => {
  const open = chat('a', call('f'), result('f', 'x'), assistant('', call('g'), call('h')), result('g', 'y'));

  it('is fine, and nothing else is', () => {
    expect(fit(open, { counter: each }).messages).toBe(open);
    const stray = open.appendMessage(result('gone', 'z'));
    expect(fit(stray, { counter: each }).report.repairs).toMatchObject([{ at: 5, change: 'dropped' }]);
    const broken = chat(call('e'), 'b').appendMessages(open);
    expect(fit(broken, { counter: each }).report.repairs).toMatchObject([{ at: 0, change: 'synthesised' }]);
  });
});

describe('a long history', () => {
  it.each([1, 100, 150, 299])('is counted as what it is after %i messages at its start gave way to others', (cut) => {
    let grown = Messages.empty();
    for (let at = 0; at < 300; at++) grown = grown.appendMessage(`message ${at}`);
    fit(grown, { budget: 9000, counter: letters });
    const others = Array.from({ length: cut }, () => 'x');
    for (const list of [grown.slice(cut).prependMessages(others), grown.slice(0, 300 - cut).appendMessages(others)]) {
      const { messages, report } = fit(list, { budget: 2000, counter: letters });
      expect(report.tokens).toBe(countTokens(messages, letters));
      expect(report.tokens + countTokens([...report.evicted.flatMap(({ messages: left }) => left)], letters)).toBe(
        countTokens(list, letters),
      );
      expect([...list].slice(-messages.size)).toEqual([...messages]);
    }
  });

  it('is found to be broken where its end gave way to an answer without its call', () => {
    const loaded = Messages.from(Array.from({ length: 300 }, (_, at) => `message ${at}`));
    fit(loaded);
    const stray = loaded
      .slice(0, 200)
      .appendMessages(chat(result('c1', 'R'), ...Array.from({ length: 99 }, () => 'x')));
    expect(fit(stray).report.repairs).toMatchObject([{ at: 200, change: 'dropped' }]);
  });

  it('is found to be broken between blocks that are in order', () => {
    const block = Array.from({ length: 127 }, (_, at) => user(`u${at}`));
    const split = chat(...block, call('f'), result('f', 'x'), ...block, call('g'), user('before the answer'), ...block);
    const fine = chat(...block, call('f'), result('f', 'x'), ...block, ...block, ...block);
    expect(fit(fine, { counter: each }).report.repairs).toEqual([]);
    expect(fit(split, { counter: each }).report.repairs.map(({ at, change }) => [at, change])).toEqual([
      [256, 'synthesised'],
    ]);
    const early = chat(call('g'), ...block, ...block, ...block);
    expect(fit(early, { counter: each }).report.repairs).toHaveLength(1);
    expect(fit(early, { counter: each }).report.repairs).toHaveLength(1);
  });

  const turns = Array.from({ length: 1000 }, (_, at) => (at % 3 === 0 ? user(`q${at}`) : assistant(`a${at}`)));

  it('counts each part once, however often it is asked and however it grows', () => {
    const counts = new Map<string, number>();
    const counter: TokenCounter = {
      ...letters,
      text: (text) => (counts.set(text, (counts.get(text) ?? 0) + 1), text.length),
    };
    let given = MessageStore.fromMessages(chat(...turns), 'chat');
    for (let at = 0; at < 300; at++) {
      given = given.section('chat').appendMessages(`more ${at}`);
      assemble(given, { budget: 2000 + at, counter }).report.toJSON();
    }
    expect(counts.size).toBe(1300);
    expect(Math.max(...counts.values())).toBe(1);
  });

  it('counts no more than what fits, and one block', () => {
    let counted = 0;
    const counter: TokenCounter = { ...each, text: () => (counted++, 0) };
    fit(chat(...turns), { budget: 100, counter });
    expect(counted).toBeLessThanOrEqual(100 + 2 * 128);
  });

  it.each([1, 127, 128, 129, 400, 999])('keeps exactly the newest %i, whatever the blocks', (budget) => {
    let given = chat(...turns.slice(0, 500));
    for (const turn of turns.slice(500)) given = given.appendMessage(turn);
    const { messages } = fit(given.slice(0), { budget, counter: each });
    expect(messages.map(String)).toEqual(turns.slice(-budget).map(String));
  });
});
