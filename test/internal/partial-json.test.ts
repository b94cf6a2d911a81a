import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parsePartialJson } from '../../src/internal/partial-json.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', '"', '\\', '\\\\"', ',', '{[', ']}', '\u2028', '😀', '\\u12', 'a,b:c'),
);
const { json, object } = fc.letrec<{ json: Json; object: Record<string, Json> }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(text, tie('json')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
}));

/** JSON text with everything beyond ASCII escaped, as many servers send it. */
const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const printed = fc.constantFrom(
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => JSON.stringify(value, undefined, 2),
  escaped,
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value can be what was read of another so far: less of it, but nothing else. */
function isBeginningOf(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (typeof part === 'number') return typeof whole === 'number';
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item, at) => isBeginningOf(item, whole[at]));
  if (!isObject(part)) return part === whole;
  return (
    isObject(whole) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && isBeginningOf(value, whole[key]))
  );
}

const hasLoneSurrogate = (value: unknown): boolean =>
  !(JSON.stringify(value) ?? '').isWellFormed() || /\\ud[89a-f]/.test(JSON.stringify(value) ?? '');

describe('cut-off JSON', () => {
  test.prop([object, printed])('is read at every place where it can be cut, and whole at its end', (value, print) => {
    const whole = print(value);
    for (let end = 1; end < whole.length; end++) {
      const part = parsePartialJson(whole.slice(0, end));
      expect(isBeginningOf(part, value), `${whole.slice(0, end)} → ${JSON.stringify(part)}`).toBe(true);
      expect(hasLoneSurrogate(part), whole.slice(0, end)).toBe(false);
    }
    expect(JSON.stringify(parsePartialJson(whole))).toBe(JSON.stringify(value));
  });

  test.prop([json])('gives any complete value', (value) => {
    expect(JSON.stringify(parsePartialJson(JSON.stringify(value)))).toBe(JSON.stringify(value));
  });

  test.prop([fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'{}[]",:\\u1dtrue- \n') }))])(
    'never throws, whatever the text',
    (garbage) => {
      const value = parsePartialJson(garbage);
      expect(value === undefined || JSON.stringify(value) !== undefined).toBe(true);
    },
  );

  it.each<[string, unknown]>([
    ['', undefined],
    [' ', undefined],
    ['about forty two', undefined],
    ['tru', undefined],
    ['-', undefined],
    ['nul', undefined],
    ['null', null],
    ['{', {}],
    ['[', []],
    ['{"ci', {}],
    ['{"city"', {}],
    ['{"city":', {}],
    ['{"city" : ', {}],
    ['{"city":"', { city: '' }],
    ['{"city":"Os', { city: 'Os' }],
    ['{"city":"Oslo"', { city: 'Oslo' }],
    ['{"city":"Oslo",', { city: 'Oslo' }],
    ['{"city":"Oslo", ', { city: 'Oslo' }],
    ['{"city":"Oslo","da', { city: 'Oslo' }],
    ['{"city":"Oslo","days":1', { city: 'Oslo', days: 1 }],
    ['{"city":"Oslo","days":-', { city: 'Oslo' }],
    ['{"days":1.', {}],
    ['{"days":1e', {}],
    ['{"a":[1,2],"b":tr', { a: [1, 2] }],
    ['{"a":{"x":1,"y":2},"b":{"c":nul', { a: { x: 1, y: 2 }, b: {} }],
    ['[[1,2],[3,', [[1, 2], [3]]],
    ['[{"a":1},{"b', [{ a: 1 }, {}]],
    ['{"text":"a, b: {[', { text: 'a, b: {[' }],
    ['{"path":"C:\\\\', { path: 'C:\\' }],
    ['{"path":"C:\\', { path: 'C:' }],
    ['{"quote":"\\"', { quote: '"' }],
    ['{"letter":"\\u', { letter: '' }],
    ['{"letter":"a\\u00e', { letter: 'a' }],
    ['{"letter":"\\u00e9', { letter: 'é' }],
    ['{"no escape":"\\\\u00e', { 'no escape': '\\u00e' }],
    ['{"half a pair":"a\\ud83d', { 'half a pair': 'a' }],
    ['{"half a pair":"a\\uD83D\\', { 'half a pair': 'a' }],
    ['{"half a pair":"a\\ud83d\\ude0', { 'half a pair': 'a' }],
    ['{"a pair":"a\\ud83d\\ude00', { 'a pair': 'a😀' }],
    ['{"two pairs":"\\ud83d\\ude00\\ud83d', { 'two pairs': '😀' }],
    ['{"half a pair":"a\ud83d', { 'half a pair': 'a' }],
    ['{"no pair":"\\\\ud83d', { 'no pair': '\\ud83d' }],
    ['{"a":1}}', undefined],
    ['{"a":1]', undefined],
  ])('%j is read as %j', (cut, value) => {
    expect(parsePartialJson(cut)).toEqual(value);
  });

  it('is read at any depth', () => {
    expect(parsePartialJson('['.repeat(1000))).toEqual(JSON.parse('['.repeat(1000) + ']'.repeat(1000)));
    expect(Array.isArray(parsePartialJson('['.repeat(100_000)))).toBe(true);
  });
});
