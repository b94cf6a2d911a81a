import { fc, it } from '@fast-check/vitest';
import type { Message, MessageStore } from 'message-store';
import { Messages } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';

const any = arbitraries(fc);

/** A way to grow or cut a list, on messages and on the array that they are checked against. */
interface Step {
  readonly name: string;
  readonly on: (messages: Messages) => Messages;
  readonly onArray: (messages: readonly Message[]) => readonly Message[];
}

const some = fc.array(any.message, { maxLength: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  any.message.map((one): Step => ({
    name: 'append',
    on: (list) => list.appendMessage(one),
    onArray: (list) => [...list, one],
  })),
  some.map((more): Step => ({
    name: 'append many',
    on: (list) => list.appendMessages(more),
    onArray: (list) => [...list, ...more],
  })),
  some.map((more): Step => ({
    name: 'prepend',
    on: (list) => list.prependMessages(more),
    onArray: (list) => [...more, ...list],
  })),
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 99 })).map(([from, to]): Step => ({
    name: 'slice',
    on: (list) => list.slice(from, to),
    onArray: (list) => list.slice(from, to),
  })),
  fc.constant<Step>({
    name: 'cut',
    on: (list) => list.removeHead().removeTail(),
    onArray: (list) => list.slice(1).slice(0, -1),
  }),
  fc.constant<Step>({ name: 'reverse', on: (list) => list.reversed(), onArray: (list) => list.toReversed() }),
  any.message.map((one): Step => ({
    name: 'replace last',
    on: (list) => list.replaceLast(one),
    onArray: (list) => [...list.slice(0, -1), one],
  })),
);

function expectSame(messages: Messages, array: readonly Message[]): void {
  const found = [...messages];
  expect(found).toHaveLength(array.length);
  expect(found.every((message, at) => message === array[at] && messages.at(at) === message)).toBe(true);
  expect([messages.size, messages.first(), messages.last()]).toEqual([array.length, array[0], array.at(-1)]);
  expect(messages.isEmpty()).toBe(array.every((message) => message.isEmpty()));
}

describe('messages that grow and are cut', () => {
  it.prop([fc.array(step, { maxLength: 12 })])('leave every earlier version as it was', (steps) => {
    const versions: { readonly messages: Messages; readonly array: readonly Message[] }[] = [
      { messages: Messages.empty(), array: [] },
    ];
    for (const { on, onArray } of steps) {
      const { messages, array } = versions.at(-1)!;
      versions.push({ messages: on(messages), array: onArray(array) });
    }
    for (const { messages, array } of versions) expectSame(messages, array);
  });

  it.prop([some, fc.array(any.message, { minLength: 2, maxLength: 5 })])(
    'branch from one version',
    (base, branches) => {
      const trunk = base.reduce((list, message) => list.appendMessage(message), Messages.empty());
      const grown = branches.map((message) => trunk.appendMessage(message).appendMessage(message));
      grown.forEach((list, at) => expectSame(list, [...base, branches[at]!, branches[at]!]));
      expectSame(trunk, base);
    },
  );

  it.prop([any.store, fc.array(any.message, { maxLength: 10 })])(
    'keep every store that they were in',
    (store, added) => {
      const texts: [MessageStore, string][] = [];
      let current = store;
      for (const message of added) {
        texts.push([current, JSON.stringify(current)]);
        current = current.section('chat').appendMessages(message);
      }
      expect(texts.every(([version, text]) => JSON.stringify(version) === text)).toBe(true);
      expect(current.section('chat').messages().size).toBe(store.section('chat').messages().size + added.length);
    },
  );
});
