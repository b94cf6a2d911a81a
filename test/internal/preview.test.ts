import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { preview } from '../../src/internal/preview.ts';
import { revokedProxy } from '../support/hostile-values.ts';

class Point {
  x = 1;
}
/** An object of a class with such a name. */
const named = (name: unknown): object =>
  Object.create({ constructor: Object.defineProperty(() => {}, 'name', { value: name }) }) as object;

describe('the preview of a value', () => {
  it.each<[string, () => unknown]>([
    ['"robot"', () => 'robot'],
    ['""', () => ''],
    ['"a \\"b\\"\\n"', () => 'a "b"\n'],
    ['42', () => 42],
    ['0', () => -0],
    ['NaN', () => Number.NaN],
    ['Infinity', () => Infinity],
    ['true', () => true],
    ['undefined', () => undefined],
    ['null', () => null],
    ['10n', () => 10n],
    ['a function', () => () => 1],
    ['a function', () => Point],
    ['a symbol', () => Symbol('secret')],
    ['an empty list', () => []],
    ['a list', () => [1]],
    ['an object', () => ({})],
    ['an object', () => ({ a: 1 })],
    ['an object', () => Object.create(null)],
    ['an object of class Point', () => new Point()],
    ['an object of class Map', () => new Map()],
    ['an object of class Date', () => new Date(0)],
    ['an object', () => named('')],
    ['an object', () => Object.create({ constructor: 'no function' })],
    ['an object of class Object', () => Object.create({})],
    ['an object', () => named(Symbol('no text'))],
    ['the error "boom"', () => new TypeError('boom')],
    ['a value that cannot be read', () => revokedProxy()],
  ])('is %s', (text, value) => {
    expect(preview(value())).toBe(text);
  });

  it('is cut where the value is long', () => {
    expect(preview('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
    expect(preview('x'.repeat(61))).toBe(`"${'x'.repeat(60)}…"`);
    expect(preview(10n ** 80n)).toBe(`1${'0'.repeat(59)}…`);
    expect(preview(new Error('y'.repeat(99)))).toBe(`the error "${'y'.repeat(60)}…"`);
    expect(preview(named('C'.repeat(99)))).toBe(`an object of class ${'C'.repeat(60)}…`);
  });

  it('is cut between characters, never within one', () => {
    expect(preview(`${'x'.repeat(59)}😀y`)).toBe(`"${'x'.repeat(59)}…"`);
    expect(preview(`${'x'.repeat(58)}😀y`)).toBe(`"${'x'.repeat(58)}😀…"`);
    expect(preview(`${'x'.repeat(59)}\udbff\udfffy`)).toBe(`"${'x'.repeat(59)}…"`);
    expect(preview(`${'x'.repeat(59)}\ue000y`)).toBe(`"${'x'.repeat(59)}\ue000…"`);
  });

  test.prop([
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
  ])('is short and well-formed, whatever the value', (value) => {
    expect(preview(value).isWellFormed()).toBe(true);
    expect(preview(value).length).toBeLessThan(400);
  });
});
