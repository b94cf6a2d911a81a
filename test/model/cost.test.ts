import { Message, Messages, MessageStore } from 'message-store';
import { describe, expect, it } from 'vitest';

const MESSAGES = Array.from({ length: 10_000 }, (_, at) =>
  Message.of({ role: at % 2 === 0 ? 'user' : 'assistant', content: `text ${at}` }),
);

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** How often one run costs as much as another. Takes the best time of each, and looks again while others keep the machine busy. */
function ratio(run: () => unknown, base: () => unknown, enough: number): number {
  let [best, bestBase] = [Infinity, Infinity];
  for (let round = 0; round < 3 || (best / bestBase >= enough && round < 30); round++) {
    best = Math.min(best, timeOf(run));
    bestBase = Math.min(bestBase, timeOf(base));
  }
  return best / bestBase;
}

const TIMES = 20;

/** What one large run costs, in as many small ones as do the same work. Linear work gives about 1, quadratic work 20. */
function growth(run: (messages: readonly Message[]) => unknown, enough: number): number {
  const small = MESSAGES.slice(0, MESSAGES.length / TIMES);
  const repeated = (): void => {
    for (let time = 0; time < TIMES; time++) run(small);
  };
  return ratio(() => run(MESSAGES), repeated, enough);
}

describe('the cost of more messages grows with their number, not with its square (RB-45, RB-46):', () => {
  it.each<[string, (messages: readonly Message[]) => unknown]>([
    [
      'appending one at a time',
      (messages) => messages.reduce((list, message) => list.appendMessage(message), Messages.empty()),
    ],
    [
      'prepending one at a time',
      (messages) => messages.reduce((list, message) => list.prependMessages(message), Messages.empty()),
    ],
    [
      'appending to a section of a store',
      (messages) =>
        messages.reduce((store, message) => store.section('chat').appendMessages(message), MessageStore.empty()),
    ],
    ['merging per role', (messages) => Messages.of(...messages).toMergedPerRole()],
    [
      'merging one run',
      (messages) => Messages.of(...messages.map((message) => message.withRole('user'))).toMergedPerRole(),
    ],
    [
      'cutting from the front',
      (messages) => {
        let rest = Messages.of(...messages);
        while (rest.size > 0) rest = rest.removeHead();
      },
    ],
    ['walking', (messages) => [...Messages.of(...messages)]],
  ])('%s', (_, run) => {
    expect(growth(run, 8)).toBeLessThan(8);
  });

  it('flattening again, which is remembered', () => {
    const store = MessageStore.fromMessages(MESSAGES, 'a').section('b').appendMessages(MESSAGES);
    const first = (): unknown =>
      MessageStore.fromMessages(MESSAGES, 'a').section('b').appendMessages(MESSAGES).toMessages();
    expect(ratio(() => store.toMessages(), first, 0.1)).toBeLessThan(0.1);
  });
});
