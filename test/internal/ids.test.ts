import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId, timeText, setIdentitySource } from '../../src/internal/ids.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When a version 7 UUID says it was made. */
const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

afterEach(() => {
  vi.useRealTimers();
  setIdentitySource(undefined);
});

describe('a new id', () => {
  it('is a version 7 UUID, unlike all others, and sorts after those before it', () => {
    const ids = Array.from({ length: 100_000 }, () => newId());
    expect(ids.filter((id) => !V7.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.findIndex((id, at) => at > 0 && id <= (ids[at - 1] as string))).toBe(-1);
  });

  it('tells the time at which it was made', () => {
    vi.useFakeTimers({ now: Date.parse('2031-05-06T07:08:09.123Z') });
    expect(new Date(timeOf(newId())).toISOString()).toBe('2031-05-06T07:08:09.123Z');
  });

  it('goes on ascending when the clock is put back', () => {
    vi.useFakeTimers({ now: Date.parse('2032-01-01T00:00:00.000Z') });
    const before = newId();
    vi.setSystemTime(Date.parse('2030-01-01T00:00:00.000Z'));
    const after = newId();
    expect(after > before).toBe(true);
    expect(timeOf(after)).toBe(timeOf(before));
  });

  it('does not follow from the one before it when the millisecond is another', () => {
    vi.useFakeTimers({ now: Date.parse('2033-01-01T00:00:00.000Z') });
    const tails = Array.from({ length: 40 }, () => {
      vi.advanceTimersByTime(1);
      return newId().slice(15);
    });
    expect(new Set(tails).size).toBe(tails.length);
    expect(tails.some((tail, at) => at > 0 && tail < (tails[at - 1] as string))).toBe(true);
  });

  it('leaves a millisecond room to count up: the tail of its first one begins low', () => {
    vi.useFakeTimers({ now: Date.parse('2034-01-01T00:00:00.000Z') });
    const firsts = Array.from({ length: 200 }, () => {
      vi.advanceTimersByTime(1);
      return newId();
    });
    expect(firsts.filter((id) => id[24] !== '0')).toEqual([]);
    expect(new Set(firsts.map((id) => id.slice(24))).size).toBe(firsts.length);
  });

  it('is one more than the one before it in the same millisecond', () => {
    vi.useFakeTimers({ now: Date.parse('2035-01-01T00:00:00.000Z') });
    const tails = Array.from({ length: 5000 }, () => Number.parseInt(newId().slice(24), 16));
    expect(tails.findIndex((tail, at) => tail !== (tails[0] as number) + at)).toBe(-1);
  });
});

describe('the source of ids and times', () => {
  it('can be replaced, and gives back the one before', () => {
    const mine = { newId: () => 'one', now: () => Date.parse('2026-01-31T12:00:00.000Z') };
    setIdentitySource(undefined);
    expect(setIdentitySource(mine)).toBeUndefined();
    expect([newId(), timeText()]).toEqual(['one', '2026-01-31T12:00:00.000Z']);
    expect(setIdentitySource(undefined)).toBe(mine);
    expect(newId()).toMatch(V7);
  });

  it('tells the time of the clock by default, with milliseconds', () => {
    vi.useFakeTimers({ now: Date.parse('2035-06-07T08:09:10.011Z') });
    setIdentitySource(undefined);
    expect([timeText(), timeText()]).toEqual(['2035-06-07T08:09:10.011Z', '2035-06-07T08:09:10.011Z']);
    vi.advanceTimersByTime(1);
    expect(timeText()).toBe('2035-06-07T08:09:10.012Z');
  });
});
