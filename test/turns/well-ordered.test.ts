import { fc, it } from '@fast-check/vitest';
import { type Messages, validate } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { isWellOrdered } from '../../src/turns/well-ordered.ts';
import { damaged, damages, wellFormed, wellFormedOrOpen } from './histories.ts';

const any = arbitraries(fc);
const histories = fc.oneof(
  wellFormedOrOpen,
  any.messages,
  fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)),
);

/** The ids of the calls of each message, and those of the answers behind it. */
function pairsOf(messages: Messages): { readonly asked: string[]; readonly answered: string[] }[] {
  const pairs: { asked: string[]; answered: string[] }[] = [{ asked: [], answered: [] }];
  for (const { role, toolCalls, toolResult } of messages) {
    if (role === 'tool') pairs.at(-1)?.answered.push(toolResult?.callIdString() ?? '');
    else pairs.push({ asked: toolCalls.map((call) => call.idString()), answered: [] });
  }
  return pairs;
}

describe('the quick look at a history', () => {
  it.prop([histories])('never takes for good what a provider refuses, or answers that are out of order', (messages) => {
    if (!isWellOrdered(messages)) return;
    expect(validate(messages, { allowOpenTail: false })).toEqual([]);
    for (const { asked, answered } of pairsOf(messages)) expect(answered).toEqual(asked);
  });

  it.prop([wellFormed])('knows what is good', (messages) => {
    expect(isWellOrdered(messages)).toBe(true);
  });
});
