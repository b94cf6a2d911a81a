import { fc, it } from '@fast-check/vitest';
import {
  assemble,
  type Assembly,
  type AssembleOptions,
  BudgetError,
  countTokens,
  type Messages,
  MessageStore,
  Section,
  type SectionPolicy,
  type TokenCounter,
  validate,
} from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { damaged, damages, wellFormed } from '../turns/histories.ts';
import { checkRequests } from './check-requests.ts';

const any = arbitraries(fc);

/** One token a letter, so that sizes differ, and some for each message. */
const counter: TokenCounter = { text: (text) => text.length, media: () => 7, perMessage: 2, perRequest: 3 };

const policy: fc.Arbitrary<SectionPolicy> = fc.record(
  {
    pin: fc.boolean(),
    budget: fc.oneof(fc.integer({ min: 40, max: 300 }), fc.nat(40), fc.constantFrom('0%', '10%', '25%', '60%', '100%')),
    cache: fc.constantFrom<(boolean | '5m' | '1h')[]>(true, false, '5m', '1h'),
    trust: fc.constant(false),
    evict: fc.constantFrom('oldest', 'summary'),
  },
  { requiredKeys: [] },
);

const sectionsOf = (history: fc.Arbitrary<Messages>): fc.Arbitrary<MessageStore> =>
  fc
    .array(fc.tuple(history, fc.oneof(fc.constant({}), policy)), { minLength: 1, maxLength: 4 })
    .map((parts) =>
      MessageStore.fromSections(
        ...parts.map(([messages, own], at) => Section.of(`s${at}`, messages).withPolicy({ ...own, trust: false })),
      ),
    );

const sound = sectionsOf(wellFormed);
const broken = sectionsOf(fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)));
const budget = fc.nat(400);
const startWith = fc.constantFrom<('user' | undefined)[]>(undefined, 'user');
/** Only some of the cases leave anything out. */
const RUNS = { numRuns: 400 };

/** What is assembled, or the error that says that it cannot be. */
function tried(store: MessageStore, options: AssembleOptions): Assembly | BudgetError {
  try {
    return assemble(store, { counter, ...options });
  } catch (error) {
    if (error instanceof BudgetError) return error;
    throw error;
  }
}

const shown = (made: Assembly | BudgetError) =>
  made instanceof BudgetError ? made.message : JSON.stringify([made.messages, made.marks, made.report]);

const tokensOf = ({ messages }: Assembly): number => countTokens(messages, counter);

const idsOf = (assembly: Assembly, at: number): Set<string> =>
  new Set(assembly.report.sections[at]?.kept.map(({ id }) => id));

/** Whether the items of one list stand in another in the same order. */
function isInOrder(items: readonly unknown[], list: readonly unknown[]): boolean {
  let at = 0;
  for (const item of list) if (item === items[at]) at++;
  return at === items.length;
}

describe('an assembly within a budget', () => {
  it.prop([sound, budget, startWith], RUNS)('is within it, or says the smallest that works', (store, limit, start) => {
    const made = tried(store, { budget: limit, startWith: start });
    if (made instanceof BudgetError) {
      expect(made.code).toBe('budget_impossible');
      expect(made.budget).toBe(
        made.section === undefined ? limit : store.section(made.section).get().policy?.['budget'],
      );
      expect(made.needed).toBeGreaterThan(made.budget);
      return;
    }
    expect(tokensOf(made)).toBeLessThanOrEqual(limit);
    expect(made.report.tokens).toBe(tokensOf(made));
    for (const { policy: own, tokens } of made.report.sections)
      if (typeof own.budget === 'number') expect(tokens).toBeLessThanOrEqual(own.budget);
  });

  it.prop([sound, startWith], RUNS)('has a smallest budget, which works, and nothing below it does', (store, start) => {
    const first = tried(store, { budget: 0, startWith: start });
    if (!(first instanceof BudgetError) || first.section !== undefined) return;
    expect(tried(store, { budget: first.needed, startWith: start })).not.toBeInstanceOf(BudgetError);
    expect(tried(store, { budget: first.needed - 1, startWith: start })).toMatchObject({ needed: first.needed });
  });

  it.prop([sound, budget, startWith], RUNS)(
    'holds what is pinned, in the order of the store, message by message',
    (store, limit, start) => {
      const made = tried(store, { budget: limit, startWith: start });
      if (made instanceof BudgetError) return;
      for (const [at, section] of [...store.sections].entries()) {
        const { kept, evicted } = made.report.sections[at]!;
        const said = [...section.messages.withoutEmptyMessages()];
        expect(isInOrder([...kept], said)).toBe(true);
        expect(kept.size + evicted.size).toBe(said.length);
        if (section.policy?.['pin'] === true) expect([...kept]).toEqual(said);
      }
    },
  );

  it.prop([sound, budget, startWith], RUNS)(
    'keeps the newest exchange, and explains every message that it leaves out',
    (store, limit, start) => {
      const made = tried(store, { budget: limit, startWith: start });
      if (made instanceof BudgetError) return;
      const last = store.sections.toMessages().last();
      if (last !== undefined && store.sections.last()?.messages.last() === last)
        expect(made.messages.last()).toBe(last);
      const told = made.report.evicted.flatMap(({ messages }) => messages);
      expect(told).toEqual(made.report.sections.flatMap(({ evicted }) => [...evicted]));
    },
  );

  it.prop([sound, budget], RUNS)(
    'begins each section that it cuts with the user, if they say anything there',
    (store, limit) => {
      const made = tried(store, { budget: limit, startWith: 'user' });
      if (made instanceof BudgetError) return;
      made.report.sections.forEach(({ kept, evicted, policy: { pin } }) => {
        const rest = pin === false ? kept : kept.tailAfterRoles(['system', 'developer']);
        const saysNothing = ![...evicted, ...kept].some((message) => message.isUser());
        if (evicted.size > 0 && rest.size > 0 && !saysNothing) expect(rest.first()?.role).toBe('user');
      });
    },
  );

  it.prop([sound, budget, fc.nat(100), startWith], RUNS)(
    'loses nothing of a section when the budget grows',
    (store, limit, more, start) => {
      const small = tried(store, { budget: limit, startWith: start });
      const large = tried(store, { budget: limit + more, startWith: start });
      if (small instanceof BudgetError) return;
      expect(large).not.toBeInstanceOf(BudgetError);
      for (const at of store.sections.map((_, index) => index))
        expect([...idsOf(large as Assembly, at)]).toEqual(expect.arrayContaining([...idsOf(small, at)]));
    },
  );

  it.prop([sound, budget, startWith], RUNS)(
    'is the same when it is made again, also of what was stored',
    (store, limit, start) => {
      const copy = MessageStore.parse(JSON.stringify(store));
      const [one, two] = [
        tried(store, { budget: limit, startWith: start }),
        tried(copy, { budget: limit, startWith: start }),
      ];
      expect(shown(two)).toEqual(shown(one));
    },
  );

  it.prop([broken, budget, startWith], RUNS)(
    'names a budget that works, also of a broken history',
    (store, limit, start) => {
      const made = tried(store, { budget: limit, startWith: start });
      if (!(made instanceof BudgetError) || made.section !== undefined) return;
      const again = tried(store, { budget: made.needed, startWith: start });
      expect(again instanceof BudgetError ? again.section : 'fits').toBeDefined();
    },
  );

  it.prop([broken, budget, startWith], RUNS)(
    'has a reason for each exchange that it leaves out',
    (store, limit, start) => {
      const made = tried(store, { budget: limit, startWith: start });
      if (made instanceof BudgetError) return;
      for (const section of made.report.sections) {
        const reasons = section.evictions().map(({ message }) => message);
        expect(reasons.join()).not.toMatch(/undefined|NaN|Infinity/);
        expect(reasons.filter((reason) => /of which \d+ were left$/.test(reason)).length).toBeLessThanOrEqual(1);
      }
    },
  );

  it.prop([sound, budget, startWith], RUNS)('changes no more when it is fitted again', (store, limit, start) => {
    const made = tried(store, { budget: limit, startWith: start });
    if (made instanceof BudgetError) return;
    const again = tried(MessageStore.of({ sections: made.sections }), { budget: limit, startWith: start });
    expect((again as Assembly).messages.equals(made.messages)).toBe(true);
  });

  it.prop([broken, budget, startWith], RUNS)(
    'is a history that providers take, whatever was stored',
    (store, limit, start) => {
      const before = JSON.stringify(store);
      const made = tried(store, { budget: limit, startWith: start });
      expect(JSON.stringify(store)).toBe(before);
      if (made instanceof BudgetError) return;
      for (const { kept } of made.report.sections) expect(validate(kept)).toEqual([]);
      expect(tokensOf(made)).toBeLessThanOrEqual(limit);
      checkRequests(made);
    },
  );
});

describe('an assembly without a budget', () => {
  it.prop([any.store])('has all messages, whatever they are, or repairs them', (store) => {
    const bare = MessageStore.of({ sections: store.sections.map((section) => section.withPolicy({ trust: false })) });
    const { messages, report } = assemble(bare, { counter });
    if (report.repairs.length === 0) expect([...messages]).toEqual([...bare.toMessages()]);
    expect(report.evicted).toEqual([]);
  });

  it.prop([wellFormed])('is what a section holds where nothing is a template', (history) => {
    const store = MessageStore.fromMessages(history);
    expect([...assemble(store, { policies: { messages: { trust: false } } }).messages]).toEqual([
      ...store.toMessages(),
    ]);
  });
});
