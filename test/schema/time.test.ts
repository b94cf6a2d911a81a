import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isStoredTime, storedForm, toStoredTime } from '../../src/schema/time.ts';

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const date = fc.date({ min: new Date(FIRST), max: new Date(LAST), noInvalidDate: true });
const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** The same moment as seen in a zone so many minutes east. */
function inZone(time: Date, minutes: number, colon: string): string {
  const local = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const east = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.floor(east / 60))}${colon}${pad(east % 60)}`;
}

describe('a stored time', () => {
  test.prop([date])('is what a Date prints as ISO text, and is read back as the same moment', (time) => {
    const text = time.toISOString();
    expect([storedForm(time), toStoredTime(text), isStoredTime(text)]).toEqual([text, text, true]);
  });

  test.prop([date, fc.integer({ min: -839, max: 839 }), fc.constantFrom(':', '')])(
    'is the same moment, whatever the zone it was written in',
    (time, minutes, colon) => {
      fc.pre(/^\d{4}-/.test(new Date(time.getTime() + minutes * 60_000).toISOString()));
      expect(toStoredTime(inZone(time, minutes, colon))).toBe(time.toISOString());
    },
  );

  test.prop([date])('is in UTC where no zone is written, and at the beginning of what is left out', (time) => {
    const text = time.toISOString();
    expect(toStoredTime(text.slice(0, -1))).toBe(text);
    expect(toStoredTime(text.slice(0, 19))).toBe(`${text.slice(0, 19)}.000Z`);
    expect(toStoredTime(text.slice(0, 16))).toBe(`${text.slice(0, 16)}:00.000Z`);
    expect(toStoredTime(text.slice(0, 10))).toBe(`${text.slice(0, 10)}T00:00:00.000Z`);
  });

  test.prop([fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 })])(
    'is one that exists in the calendar',
    (year, month, day) => {
      const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}T12:00:00.000Z`;
      const read = new Date(text);
      const exists = !Number.isNaN(read.getTime()) && read.toISOString() === text;
      expect(isStoredTime(text)).toBe(exists);
      expect(toStoredTime(text)).toBe(exists ? text : undefined);
    },
  );

  test.prop([fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 })])(
    'is one that exists on the clock',
    (hour, minute, second) => {
      const text = `2026-01-31T${pad(hour)}:${pad(minute)}:${pad(second)}.000Z`;
      const exists = hour < 24 && minute < 60 && second < 60;
      expect([isStoredTime(text), toStoredTime(text)]).toEqual([exists, exists ? text : undefined]);
    },
  );

  test.prop([fc.string()])('is nothing else', (text) => {
    fc.pre(!/^\d{4}-\d\d-\d\d/.test(text));
    expect([isStoredTime(text), toStoredTime(text)]).toEqual([false, undefined]);
  });

  it.each<[string, string | undefined]>([
    ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00.000Z', '2000-02-29T00:00:00.000Z'],
    ['2023-02-29T00:00:00.000Z', undefined],
    ['1900-02-29T00:00:00.000Z', undefined],
    ['2026-04-31T00:00:00Z', undefined],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123Z'],
    [`2026-01-31T12:00:00.${'1'.repeat(5000)}Z`, '2026-01-31T12:00:00.111Z'],
    ['2026-01-31T12:00:00+05:30', '2026-01-31T06:30:00.000Z'],
    ['2026-01-31T12:00-0800', '2026-01-31T20:00:00.000Z'],
    ['2026-01-31T12:00:00+25:00', undefined],
    ['2026-01-31T12:00:00+00:60', undefined],
    ['2026-01-31T24:00:00Z', undefined],
    ['2026-01-31 12:00:00Z', undefined],
    ['2026-01-31t12:00:00z', undefined],
    ['2026-01-31T12:00:00.Z', undefined],
    ['2026-01-31T12Z', undefined],
    ['2026-01-31Z', undefined],
    [' 2026-01-31T12:00:00Z', undefined],
    ['2026-01-31T12:00:00Z\n', undefined],
    ['+002026-01-31T12:00:00Z', undefined],
    ['0000-01-01T00:00:00+01:00', undefined],
    ['9999-12-31T23:59:59-01:00', undefined],
    ['yesterday', undefined],
    ['now', undefined],
    ['', undefined],
    ['1769860800', undefined],
  ])('%s is read as %s', (text, stored) => {
    expect(toStoredTime(text)).toBe(stored);
  });

  it('is text in exactly one form', () => {
    const others = ['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.00Z', '2026-01-31T12:00:00.000+00:00'];
    expect([...others, 1, null, undefined, new Date(0)].some(isStoredTime)).toBe(false);
  });

  it('is none where a Date is invalid or its year needs a sign', () => {
    expect(storedForm(new Date(Number.NaN))).toBeUndefined();
    expect(storedForm(new Date(FIRST - 1))).toBeUndefined();
    expect(storedForm(new Date(LAST + 1))).toBeUndefined();
  });
});
