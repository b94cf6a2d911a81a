import { fc, it } from '@fast-check/vitest';
import {
  Message,
  type Messages,
  MessageStore,
  runPendingTools,
  tool,
  ToolCall,
  type Tools,
  type ToolTrace,
  turns,
  validate,
} from 'message-store';
import { user } from 'message-store/testing';
import { describe, expect } from 'vitest';

/** The ids of one turn as models without a sense for them give them: repeated, blank, missing, or like made ones. */
const sloppyIds = fc.array(fc.constantFrom('x', 'y', 'x#2', ' ', undefined, 'tc_1_0'), { minLength: 1, maxLength: 6 });

/** An open turn in which call n is of the tool `t<n>`, and an order in which to answer. */
const openTurn = sloppyIds.chain((ids) =>
  fc.record({
    store: fc.constant(openWith(ids)),
    order: fc.shuffledSubarray([...ids.keys()], { minLength: ids.length }),
  }),
);

function openWith(ids: readonly (string | undefined)[]): MessageStore {
  const calls = ids.map((id, at) => ToolCall.fromJSON({ id: id ?? null, name: `t${at}`, arguments: {} }));
  const asking = Message.of({ role: 'assistant', toolCalls: calls });
  return MessageStore.fromMessages([user('Go'), asking], 'chat');
}

const messagesOf = (store: MessageStore): Messages => store.section('chat').messages();

/** Whether the answer behind each call says what its own tool says. */
function expectOwnAnswers(store: MessageStore, said = (at: number) => `t${at}`): void {
  const [, asking, ...answers] = [...messagesOf(store)];
  expect(answers.map(String)).toEqual(answers.map((_, at) => said(at)));
  expect(answers.map(({ toolResult }) => toolResult?.toolName)).toEqual(asking?.toolCalls.map(({ name }) => name));
}

describe('what pending() gave names one call, whatever its id', () => {
  it.prop([openTurn])('when the calls are answered by hand, in any order', ({ store, order }) => {
    const handles = turns(store, 'chat').pending();
    const names = (one: MessageStore): string[] =>
      turns(one, 'chat')
        .pending()
        .map(({ name }) => name);
    let next = store;
    order.forEach((place, at) => {
      next = turns(next, 'chat').answer(handles[place]!, `t${place}`);
      expect(names(next)).toEqual(names(store).filter((_, one) => !order.slice(0, at + 1).includes(one)));
    });
    expectOwnAnswers(next);
    const batch = order.map((place) => ({ call: handles[place]!, value: `t${place}` }));
    expectOwnAnswers(turns(store, 'chat').answerAll(batch));
  });

  it.prop([openTurn])('when tools run, whichever finishes first', async ({ store, order }) => {
    const tools: Record<string, Tools[string]> = {};
    let last: Promise<unknown> = Promise.resolve();
    for (const place of order) {
      const before = last;
      const run = async (): Promise<string> => {
        await before;
        return `t${place}`;
      };
      let done: () => void = () => {};
      last = new Promise<void>((resolve) => {
        done = resolve;
      });
      tools[`t${place}`] = tool({ run: () => run().finally(done) });
    }
    const ended = await runPendingTools(store, { section: 'chat', tools });
    expect(ended.trace.map(({ name }: ToolTrace) => name)).toEqual(order.map((place) => `t${place}`));
    expectOwnAnswers(ended.store);
    expect(validate(messagesOf(ended.store), { allowOpenTail: false })).toEqual([]);
  });

  it.prop([openTurn, fc.boolean()])('when calls are approved or denied', async ({ store, order }, isJson) => {
    const waiting = turns(store, 'chat').pending();
    const handles: typeof waiting = isJson ? JSON.parse(JSON.stringify(waiting)) : waiting;
    const isApproved = (place: number): boolean => order.indexOf(place) % 2 === 0;
    const tools = Object.fromEntries(
      order.map((place) => [`t${place}`, tool({ needsApproval: true, run: () => `t${place}` })]),
    );
    const decisions = order.map((place) => ({ call: handles[place]!, approved: isApproved(place), content: 'no' }));
    const ended = await runPendingTools(store, { section: 'chat', tools, decisions });
    expect(ended.status).toBe('done');
    expectOwnAnswers(ended.store, (at) => (isApproved(at) ? `t${at}` : 'no'));
    const some = await runPendingTools(store, { section: 'chat', tools, decisions: decisions.slice(0, 1) });
    expect(some.trace.map(({ name }) => name)).toEqual([`t${order[0]}`]);
  });
});
