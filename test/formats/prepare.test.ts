import { fc, it } from '@fast-check/vitest';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { prepare } from '../../src/formats/prepare.ts';
import { isWellOrdered } from '../../src/turns/well-ordered.ts';
import { damaged, damages, wellFormed, wellFormedOrOpen } from '../turns/histories.ts';

const any = arbitraries(fc);
const histories = fc.oneof(
  wellFormedOrOpen,
  any.messages,
  fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)),
);

describe('a prepared history', () => {
  it.prop([histories])('is settled, and is itself where nothing is wrong', (given) => {
    const { messages, repairs } = prepare(given, { openTurn: 'cancel' });
    expect(isWellOrdered(messages)).toBe(true);
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
