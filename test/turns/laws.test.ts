import { fc, it } from '@fast-check/vitest';
import {
  type Answer,
  dropExchange,
  keepLast,
  Message,
  Messages,
  MessageStore,
  MessageStoreError,
  repair,
  splitAt,
  turns,
  validate,
} from 'message-store';
import { openaiChat } from 'message-store/formats/openai-chat';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { lacksRealData, realConversations } from '../support/real-conversations.ts';
import { damaged, damages, disordered, wellFormed, wellFormedOrOpen } from './histories.ts';

const any = arbitraries(fc);
const realHistories: readonly Messages[] = realConversations.map((wire) => openaiChat.decode(wire).messages);

/** An id, or none where it is blank. */
const unlessBlank = (id: string): string => (id.trim() === '' ? '' : id);

const idOf = ({ toolResult }: Message): string => unlessBlank(toolResult?.callIdString() ?? '');

/** How many calls with this id a message makes. */
const callsWith = (message: Message, id: string): number =>
  message.isAssistant() ? message.toolCalls.filter((call) => unlessBlank(call.idString()) === id).size : 0;

/** Everything that holds of a repair, whatever the history. */
function expectRepaired(history: Messages): void {
  for (const keepOpenTail of [true, false]) {
    const before = JSON.stringify(history);
    const { messages, changes } = repair(history, { keepOpenTail });
    expect(JSON.stringify(history)).toBe(before);
    expect(validate(messages, { allowOpenTail: keepOpenTail })).toEqual([]);
    const again = repair(messages, { keepOpenTail });
    expect([again.changes, again.messages === messages]).toEqual([[], true]);
    const copy = repair(Messages.fromJSON(history.toJSON()), { keepOpenTail });
    expect(copy).toEqual({ messages: copy.messages, changes });
    expect(JSON.stringify(copy.messages)).toBe(JSON.stringify(messages));
    expectAllReported(history, messages, changes);
    expectInCallOrder(messages);
  }
}

/** What is not there, is new, or stands elsewhere, is said by a change. */
function expectAllReported(before: Messages, after: Messages, changes: ReturnType<typeof repair>['changes']): void {
  const count = (change: string): number => changes.filter((one) => one.change === change).length;
  expect(after === before).toBe(changes.length === 0);
  expect(after.size).toBe(before.size - count('dropped') + count('synthesised'));
  const list = [...before];
  const touched = new Set(changes.map(({ at }) => at));
  const kept = [...after].filter((message) => list.includes(message));
  const still = list.filter((_, at) => !touched.has(at));
  for (const message of still.filter((one) => !one.isTool())) expect(kept).toContain(message);
  const speech = (messages: Iterable<Message>): string[] =>
    [...messages].filter((message) => !message.isTool()).map(({ id }) => id);
  const recast = new Set(changes.filter(({ change }) => change === 'recast').map(({ at }) => at));
  expect(speech(after)).toEqual(speech(list.filter((_, at) => !recast.has(at))));
  for (const change of changes.filter((one) => one.change === 'dropped')) {
    expect(list[change.at]?.isTool()).toBe(true);
    expect(change.id).toBe(idOf(list[change.at]!));
  }
}

function expectInCallOrder(messages: Messages): void {
  for (const { messages: own } of messages.exchanges()) {
    const ids = [...own[0].toolCalls].map((call) => call.idString());
    const answered = own.slice(1).map(idOf);
    expect(answered).toEqual(ids.filter((id) => answered.includes(id)));
  }
}

/** Where the turn stands that nothing but answers follows; -1 where the history ends otherwise. */
function lastTurnOf(list: readonly Message[]): number {
  const at = list.findLastIndex((message) => callsAny(message) || !(message.isTool() || idOf(message) !== ''));
  return at >= 0 && callsAny(list[at]!) ? at : -1;
}

const callsAny = (message: Message): boolean => message.isAssistant() && message.hasToolCalls();

const isReal = (message: Message): boolean => message.isTool() && message.toolResult?.synthetic !== true;

/**
 * How many real answers to an id no call can take. A call before an answer can take it, the latest first; else one
 * behind it, but for the last turn and what repeats or follows another answer.
 */
function straysOf(list: readonly Message[], id: string): { readonly duplicate: number; readonly orphan: number } {
  const waiting: number[] = [];
  const early = { orphan: 0, duplicate: 0 };
  let repeated = 0;
  let isSeen = false;
  let said: Message | undefined;
  list.forEach((message, at) => {
    const calls = callsWith(message, id);
    isSeen ||= calls > 0;
    waiting.push(...Array.from({ length: calls }, () => at));
    if (!isReal(message) || idOf(message) !== id) return;
    if (waiting.pop() === undefined) {
      if (!isSeen) early.orphan++;
      else if (said !== undefined && said.content.equals(message.content)) repeated++;
      else early.duplicate++;
    }
    if (isSeen) said = message;
  });
  const inLast = waiting.filter((at) => at === lastTurnOf(list)).length;
  const elsewhere = Math.max(waiting.length - inLast - early.orphan, 0);
  return {
    duplicate: repeated + Math.max(early.duplicate - elsewhere, 0),
    orphan: Math.max(early.orphan - waiting.length, 0),
  };
}

/** No real answer is dropped that a call before it, or else one behind it, could have taken. */
function expectAnswersKept(history: Messages): void {
  const list = [...history];
  const { messages, changes } = repair(history, { keepOpenTail: false });
  const dropped = changes.flatMap((change) =>
    change.change === 'dropped' && isReal(list[change.at]!) ? [change] : [],
  );
  for (const id of new Set(list.filter(isReal).map(idOf))) {
    const own = dropped.filter((change) => change.id === id).map(({ why }) => why);
    if (id === '')
      for (const { at } of dropped.filter((change) => change.id === id)) expectNoneWaits(list, at, messages);
    else expect(counted(own)).toEqual(straysOf(list, id));
  }
}

const counted = (list: readonly string[]) => ({
  duplicate: list.filter((why) => why === 'duplicate').length,
  orphan: list.filter((why) => why === 'orphan').length,
});

/** The calls right before an answer that names none have real answers all. */
function expectNoneWaits(list: readonly Message[], at: number, repaired: Messages): void {
  const before = list.slice(0, at);
  const asking = before.findLast((message) => !message.isTool());
  if (asking === undefined || !callsAny(asking)) return;
  const turns = [...repaired.exchanges()].filter(({ messages }) => callsAny(messages[0]));
  expect(turns[before.filter(callsAny).length - 1]?.messages.slice(1).every(isReal)).toBe(true);
}

describe('repair', () => {
  it.prop([wellFormedOrOpen, damages])('makes every damaged history one that providers take', (history, list) => {
    expectRepaired(damaged(history, list));
  });

  it.prop([any.messages])('takes any messages at all', (history) => {
    expectRepaired(history);
  });

  it.prop([wellFormedOrOpen, damages])('keeps every real answer that a call could take', (history, list) => {
    expectAnswersKept(damaged(history, list));
  });

  it.prop([wellFormedOrOpen])('leaves a sound history as it is', (history) => {
    expect(validate(history)).toEqual([]);
    expect(repair(history)).toEqual({ messages: history, changes: [] });
    expect(repair(history).messages).toBe(history);
  });

  it.prop([wellFormed])('leaves a complete history as it is, before it is sent too', (history) => {
    expect(validate(history, { allowOpenTail: false })).toEqual([]);
    expect(repair(history, { keepOpenTail: false }).messages).toBe(history);
  });
});

describe('trimming', () => {
  const starts = (messages: Messages): Set<Message | undefined> =>
    new Set([...messages.exchanges()].map((exchange) => exchange.messages[0]));
  const sizes = (messages: Messages): Map<Message, number> =>
    new Map([...messages.exchanges()].map((exchange) => [exchange.messages[0], exchange.messages.length]));

  /** Whether a part of a history consists of exchanges of it, each as long as it was. */
  function expectWhole(part: Messages, history: Messages): void {
    const whole = sizes(history);
    for (const [first, size] of sizes(part)) expect(whole.get(first)).toBe(size);
  }

  it.prop([wellFormedOrOpen, fc.integer({ min: 0, max: 40 })])('never splits an exchange', (history, number) => {
    expectWhole(keepLast(history, number), history);
    const [head, tail] = splitAt(history, number);
    expectWhole(head, history);
    expectWhole(tail, history);
    expect([...head, ...tail]).toEqual([...history]);
    expect(head.size <= number).toBe(true);
    const one = history.at(number);
    const rest = dropExchange(history, one?.id ?? 'none');
    expectWhole(rest, history);
    expect(starts(rest).size).toBe(starts(history).size - (one === undefined ? 0 : 1));
    for (const messages of [keepLast(history, number), head, tail, rest]) expect(validate(messages)).toEqual([]);
  });
});

/** One guarded operation; whether it is allowed depends on where the conversation stands. */
type Step = (store: MessageStore) => MessageStore;
const chatOf = (store: MessageStore) => turns(store, 'chat');
const ids = fc.array(fc.constantFrom('c1', 'c2', 'c3', undefined), { maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(any.messageInput, fc.constantFrom('throw' as const, 'cancel' as const)).map(
    ([input, ifPending]) =>
      (store: MessageStore) =>
        chatOf(store).appendUser(input, { ifPending }),
  ),
  any.message.map((message) => (store: MessageStore) => chatOf(store).appendSystem(message)),
  any.message.map((message) => (store: MessageStore) => chatOf(store).appendAssistant(message)),
  fc.record({ content: any.text, ids }).map(
    ({ content, ids: given }) =>
      (store: MessageStore) =>
        chatOf(store).appendAssistant({ content, toolCalls: given.map((id) => ({ id, name: 'f' })) }),
  ),
  wellFormedOrOpen.map((messages) => (store: MessageStore) => chatOf(store).appendMessages(messages)),
  disordered.map((messages) => (store: MessageStore) => chatOf(store).appendMessages(messages)),
  fc
    .shuffledSubarray(['c1', 'c2', 'c3', 'tc_1_0', 'tc_1_1'], { minLength: 1 })
    .map(
      (answered) => (store: MessageStore) =>
        chatOf(store).appendMessages(answered.map((id) => Message.toolResult(id, id))),
    ),
  fc.tuple(fc.constantFrom('c1', 'c2', 'c3', 'tc_1_0'), any.json).map(
    ([id, value]) =>
      (store: MessageStore) =>
        chatOf(store).answer(id, value),
  ),
  fc.nat().map((at) => (store: MessageStore) => {
    const pending = chatOf(store).pending();
    const call = pending[at % Math.max(pending.length, 1)];
    return call === undefined ? store : chatOf(store).answer(call, at);
  }),
  fc.boolean().map((isReversed) => (store: MessageStore) => {
    const answers = chatOf(store)
      .pending()
      .map((call): Answer => ({ call, value: call.id, status: 'error' }));
    return chatOf(store).answerAll(isReversed ? answers.toReversed() : answers);
  }),
  fc
    .constantFrom('answer' as const, 'drop' as const)
    .map((mode) => (store: MessageStore) => chatOf(store).close({ mode })),
  fc.nat({ max: 9 }).map((at) => (store: MessageStore) => chatOf(store).removeMessage(at)),
  fc.nat({ max: 3 }).map((number) => (store: MessageStore) => chatOf(store).removeToolTurn(number)),
  fc.nat({ max: 9 }).map((count) => (store: MessageStore) => chatOf(store).keepLast(count)),
);

/** Whether nothing is wrong, answers stand in call order, and each names its tool. */
function expectSound(messages: Messages): void {
  expect(validate(messages)).toEqual([]);
  expect(repair(messages).changes).toEqual([]);
  for (const message of messages) expect(message.isTool() && message.toolResult?.toolName === undefined).toBe(false);
}

describe('guarded operations', () => {
  it.prop([fc.array(step, { maxLength: 25 })])('keep a history sound, in whatever order they come', (steps) => {
    let store = MessageStore.empty();
    for (const next of steps) {
      const before = JSON.stringify(store);
      const { store: after, error } = attempt(store, next);
      expect(error === undefined || MessageStoreError.isInstance(error)).toBe(true);
      expect(JSON.stringify(store)).toBe(before);
      expectSound(after.section('chat').messages());
      store = after;
    }
    const closed = chatOf(store).close().section('chat').messages();
    expect(validate(closed, { allowOpenTail: false })).toEqual([]);
    expect(chatOf(store).pending().length === 0).toBe(chatOf(store).close() === store);
  });
});

function attempt(store: MessageStore, next: Step): { readonly store: MessageStore; readonly error?: unknown } {
  try {
    return { store: next(store) };
  } catch (error) {
    return { store, error };
  }
}

describe.skipIf(lacksRealData)('real conversations (200 of a tool-using agent; needs REAL_DATA)', () => {
  const real = fc.nat().map((at) => realHistories[at % realHistories.length] as Messages);

  it('are sound, and repair leaves them as they are', () => {
    expect(realHistories).toHaveLength(200);
    for (const history of realHistories) {
      expect(validate(history, { allowOpenTail: false })).toEqual([]);
      expect(repair(history, { keepOpenTail: false }).messages).toBe(history);
    }
  });

  it.prop([real, damages])('are repaired, whatever happened to them', (history, list) => {
    const broken = damaged(history, list);
    expectRepaired(broken);
  });

  it.prop([real, damages])('keep every answer that a call could take', (history, list) => {
    expectAnswersKept(damaged(history, list));
  });
});
