import { describe, expect, it } from 'vitest';
import {
  assemble,
  BudgetError,
  ContentPart,
  countTokens,
  fit,
  fromUntrusted,
  isUntrusted,
  Message,
  type Messages,
  MessageStore,
  tokenEstimate,
  validate,
} from '../../src/index.ts';
import { contextCases, messagesOf } from '../support/bug-cases.ts';

/** The input of a case, as a test sees it that knows nothing of its type. */
type Input = any;

const perMessage = { text: () => 0, media: () => 0, perMessage: 1 };
const shown = (messages: Messages) => messages.map(({ role, content }) => `${role} ${content.toString()}`);

function impossible(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof BudgetError) return { code: error.code, needed: error.needed, budget: error.budget };
    throw error;
  }
  return undefined;
}

/** What each case demands. */
const CHECKS: Readonly<Record<string, (input: Input) => void>> = {
  B25({ messages: given, budget }) {
    const asked: string[] = [];
    const counter = (message: Message): number => {
      asked.push(message.id);
      return 1;
    };
    const { messages, report } = fit(messagesOf(given), { budget, counter });
    expect(shown(messages)).toEqual(['system sys', 'user B', 'assistant done']);
    expect(report.tokens).toBe(3);
    expect(validate(messages)).toEqual([]);
    // A counter is asked for single messages, so that no list can be in a wrong order.
    expect(new Set(asked).size).toBe(asked.length);
  },
  B26({ messages: given, emptyInput }) {
    const messages = messagesOf(given);
    const at = (budget: number) => fit(messages, { budget, counter: perMessage });
    expect(shown(at(2).messages)).toEqual(['system sys', 'user c']);
    expect(impossible(() => at(1))).toEqual({ code: 'budget_impossible', needed: 2, budget: 1 });
    expect(impossible(() => at(0))).toEqual({ code: 'budget_impossible', needed: 2, budget: 0 });
    for (const budget of [0, 1, 2]) expect(fit(emptyInput, { budget }).messages.size).toBe(0);
  },
  B28({ imageSmall, imageLarge }) {
    const image = ({ mediaType, base64Length }: Input) =>
      ContentPart.imageUrl(`data:${mediaType as string};base64,${'A'.repeat(base64Length as number)}`);
    const [small, large] = [image(imageSmall), image(imageLarge)];
    expect(tokenEstimate.media(small)).toBeGreaterThan(0);
    expect(tokenEstimate.media(large)).toBe(tokenEstimate.media(small));
    const answered = (part: ContentPart) => countTokens(Message.toolResult('c1', [part]));
    expect(answered(large)).toBe(answered(small));
    const noted = Message.asUser('hi').withMetadata(
      'picture',
      large.toString() || `data:image/png;base64,${'A'.repeat(9999)}`,
    );
    expect(countTokens(noted)).toBe(countTokens('hi'));
    expect(tokenEstimate.text('你好世界'.repeat(25))).toBeGreaterThanOrEqual(60);
    const letters = tokenEstimate.text('abcdefghij'.repeat(10));
    expect(letters).toBeGreaterThanOrEqual(20);
    expect(letters).toBeLessThanOrEqual(40);
  },
  B80({ clientHistory }) {
    const { messages, rejected } = fromUntrusted(clientHistory);
    expect(shown(messages)).toEqual(['user hi']);
    expect(rejected.map(({ index }) => index)).toEqual([0, 1, 2, 4]);
    for (const { message } of rejected) expect(message).toMatch(/\S/);
    expect(messages.map(isUntrusted)).toEqual([true]);
    expect(() => Message.from(clientHistory[4])).toThrow('expected one of');
    const store = MessageStore.fromMessages({ role: 'system', content: 'Be brief.' }, 'system');
    const after = store.section('chat').appendMessages(messages);
    expect(after.section('system').get()).toBe(store.section('system').get());
    expect(assemble(after).messages.map(String)).toEqual(['Be brief.', 'hi']);
  },
};

describe('a bug that was reported elsewhere', () => {
  it.each(contextCases.map(({ id, summary, input }) => ({ id, summary, input })))('$id: $summary', ({ id, input }) => {
    CHECKS[id]!(input);
  });
});
