import { fc, it } from '@fast-check/vitest';
import { repair } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { prepare } from '../../src/formats/prepare.ts';
import { isSettled } from '../../src/formats/settled.ts';
import { damaged, damages, wellFormed, wellFormedOrOpen } from '../turns/histories.ts';

const any = arbitraries(fc);
const histories = fc.oneof(
  wellFormedOrOpen,
  any.messages,
  fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)),
);

describe('the quick look at a history', () => {
  it.prop([histories])('never takes for settled what a repair would change', (messages) => {
    if (isSettled(messages)) expect(repair(messages, { keepOpenTail: false }).changes).toEqual([]);
  });

  it.prop([wellFormed])('knows what is settled', (messages) => {
    expect(isSettled(messages)).toBe(true);
  });
});

describe('a prepared history', () => {
  it.prop([histories])('is settled, and is itself where nothing is wrong', (given) => {
    const { messages, repairs } = prepare(given, { openTurn: 'cancel' });
    expect(isSettled(messages)).toBe(true);
    expect(messages === given).toBe(repairs.length === 0);
    expect(prepare(messages, { invalid: 'throw' })).toMatchObject({ repairs: [] });
  });

  it.prop([histories])('knows where each of its messages stood', (given) => {
    const { messages, placeOf } = prepare(given, { openTurn: 'cancel' });
    const distinct = new Set(given.map(({ id }) => id)).size === given.size;
    messages.forEach((message, index) => {
      const there = given.at(placeOf(index));
      if (!distinct) expect(there).toBeDefined();
      else if (message.toolResult?.synthetic !== true) expect(there?.id).toBe(message.id);
    });
  });
});
