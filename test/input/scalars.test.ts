import { describe, expect, it } from 'vitest';
import { readCallId, readId, readOptionalId } from '../../src/input/ids.ts';
import { readRole, rejectRole } from '../../src/input/role.ts';
import { readOptionalString, readString } from '../../src/input/string.ts';
import { textOf } from '../../src/input/text.ts';
import { readTime } from '../../src/input/time.ts';
import { cycle, revokedProxy, throwingField } from '../support/hostile-values.ts';

const UUID = 'F47AC10B-58CC-4372-A567-0E02B2C3D479';
const ID = 'an id: text of 1 to 255 UTF-8 bytes without control characters';

describe('an id', () => {
  it('is text as given, a UUID in lower case', () => {
    expect([readId('msg_01XYZ'), readId(UUID)]).toEqual(['msg_01XYZ', UUID.toLowerCase()]);
  });

  it('is refused where it is none', () => {
    expect(() => readId('')).toThrow(`id: expected ${ID}, got ""`);
    expect(() => readId(5, 'parentId')).toThrow(`parentId: expected ${ID}, got 5`);
    expect(() => readOptionalId('a\nb')).toThrow(`id: expected ${ID}, got "a\\nb"`);
  });

  it('may be missing where it is optional', () => {
    expect([readOptionalId(undefined), readOptionalId(null), readOptionalId('a')]).toEqual([undefined, undefined, 'a']);
  });
});

describe('the id of a call', () => {
  it('is text as given, of any length', () => {
    const long = 'call_'.repeat(200);
    expect([readCallId(long), readCallId(UUID)]).toEqual([long, UUID]);
  });

  it('is missing where there is only blank text, or no text', () => {
    for (const nothing of ['', ' ', '\n', null, undefined, 5, {}]) expect(readCallId(nothing)).toBeUndefined();
  });

  it('is refused where it holds what no text may hold', () => {
    const expected = 'expected a tool call id: non-empty text without control characters, got';
    expect(() => readCallId('a\u0000b')).toThrow(`id: ${expected} "a\\u0000b"`);
    expect(() => readCallId('\ud83d', 'call_id')).toThrow(`call_id: ${expected} "\\ud83d"`);
  });
});

describe('a role', () => {
  it('is one of five, or the default where nothing is said', () => {
    expect(['tool', 'developer', '', null, undefined].map((role) => readRole(role))).toEqual([
      'tool',
      'developer',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is named where it is asked for', () => {
    expect(() => rejectRole('robot')).toThrow('role: expected one of "system", ');
  });

  it.each<[unknown, string]>([
    ['robot', '"robot"'],
    [' user', '" user"'],
    ['USER', '"USER"'],
    [0, '0'],
    [false, 'false'],
    [['user'], 'a list'],
  ])('is refused otherwise: %j', (role, got) => {
    const roles = 'one of "system", "developer", "user", "assistant", "tool"';
    expect(() => readRole(role, 'messages[3].role')).toThrow(`messages[3].role: expected ${roles}, got ${got}`);
    expect(() => readRole(role)).toThrow(`role: expected ${roles}, got ${got}`);
  });
});

describe('text', () => {
  it('is well-formed', () => {
    expect(readString('é😀', 'name')).toBe('é😀');
    expect(() => readString('a\ude00', 'name')).toThrow(
      'name: expected well-formed Unicode (no lone surrogates), got "a\\ude00"',
    );
    expect(() => readString(5, 'name')).toThrow('name: expected a string, got 5');
  });

  it('may be missing where it is optional', () => {
    expect([readOptionalString(undefined, 'x'), readOptionalString(null, 'x'), readOptionalString('a', 'x')]).toEqual([
      '',
      '',
      'a',
    ]);
    expect(() => readOptionalString({}, 'name')).toThrow('name: expected a string, got an object');
  });
});

describe('a time', () => {
  it('is a Date or ISO text, in the stored form', () => {
    const date = new Date('2026-01-31T12:00:00.123Z');
    expect(readTime(date)).toBe('2026-01-31T12:00:00.123Z');
    expect(readTime('2026-01-31T13:00:00.123+01:00')).toBe('2026-01-31T12:00:00.123Z');
    expect(readTime('2026-01-31T12:00:00.123Z')).toBe('2026-01-31T12:00:00.123Z');
    expect([readTime(undefined), readTime(null)]).toEqual([undefined, undefined]);
  });

  it.each<[unknown, string]>([
    ['', '""'],
    ['yesterday', '"yesterday"'],
    [0, '0'],
    [new Date(Number.NaN), 'an object of class Date'],
    [new Date(8.64e15), 'an object of class Date'],
    [{}, 'an object'],
    [['2026-01-31T12:00:00Z'], 'a list'],
  ])('is refused otherwise: %#', (time, got) => {
    const expected = 'expected an ISO 8601 date and time (2026-01-31T12:00:00.000Z)';
    expect(() => readTime(time)).toThrow(`createdAt: ${expected}, got ${got}`);
    expect(() => readTime(time, 'messages[0].createdAt')).toThrow(`messages[0].createdAt: ${expected}, got ${got}`);
  });
});

describe('any value as text', () => {
  class Money {
    readonly amount: number;
    constructor(amount: number) {
      this.amount = amount;
    }
    toString(): unknown {
      return this.amount < 0 ? this : `${this.amount} €`;
    }
  }

  it.each<[unknown, string]>([
    ['text', 'text'],
    ['', ''],
    [undefined, ''],
    [null, ''],
    [5, '5'],
    [-0, '0'],
    [false, 'false'],
    [[], '[]'],
    [[1, { a: null }], '[1,{"a":null}]'],
    [{ a: [1] }, '{"a":[1]}'],
    [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    [new Date('2026-01-31T12:00:00.000Z'), '2026-01-31T12:00:00.000Z'],
    [new URL('https://example.com/'), 'https://example.com/'],
    [{ toJSON: () => 'own JSON', toString: () => 'own text' }, 'own JSON'],
    [{ toJSON: () => ({ a: 1 }) }, '{"a":1}'],
    [new Money(5), '5 €'],
    [{ toString: () => 7 }, '7'],
    [/a+/, '/a+/'],
    [new RangeError('too far'), 'RangeError: too far'],
    [{ toString: 'a field' }, '{"toString":"a field"}'],
  ])('%# is %j', (value, text) => {
    expect(textOf(value)).toBe(text);
  });

  it('has no place to name by itself', () => {
    expect(() => textOf(Number.NaN)).toThrow(/^expected a finite number, got NaN$/);
  });

  const UNREADABLE = 'expected a value that can be read, got the error';

  it.each<[string, () => unknown]>([
    ['v: expected well-formed Unicode (no lone surrogates), got "\\ud83d"', () => '\ud83d'],
    ['v: expected well-formed Unicode (no lone surrogates), got "\\ud83d"', () => ({ toString: () => '\ud83d' })],
    ['v: expected a JSON value, got a function', () => () => 1],
    ['v: expected a JSON value, got a symbol', () => Symbol('s')],
    ['v: expected a JSON value, got 1n', () => 1n],
    ['v: expected a finite number, got NaN', () => Number.NaN],
    ['v: expected a JSON value, got an object of class Map', () => new Map()],
    ['v.a[0]: expected a JSON value, got a function', () => ({ a: [() => 1] })],
    ['v.a[0].back: expected a value without cycles, got an object', cycle],
    ['v: expected a JSON value, got an object of class Money', () => new Money(-1)],
    ['v: expected a JSON value, got undefined', () => ({ toString: () => undefined })],
    [`v: ${UNREADABLE} "boom"`, () => throwingField('toString')],
    [`v.a: ${UNREADABLE} "boom"`, () => ({ toString: () => throwingField('a') })],
    [`v: ${UNREADABLE} "boom"`, () => throwingField('toJSON')],
    [`v: ${UNREADABLE} "Cannot perform 'has' on a proxy that has been revoked"`, revokedProxy],
  ])('is refused where it has none: %s', (message, value) => {
    expect(() => textOf(value(), 'v')).toThrow(message);
  });
});
