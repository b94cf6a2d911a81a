import { fc, test } from '@fast-check/vitest';
import { arbitraries } from 'message-store/testing';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/internal/ids.ts';
import { isCallId, isId, normalizeId } from '../../src/schema/ids.ts';

const { id } = arbitraries(fc);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\u001f', '\ud83d'), maxLength: 300 }),
);
/** A UUID in any mixture of upper and lower case. */
const uuid = fc
  .tuple(fc.uuid(), fc.infiniteStream(fc.boolean()))
  .map(([own, upper]) => [...own].map((char) => (upper.next().value ? char.toUpperCase() : char)).join(''));

describe('an id', () => {
  test.prop([text])('is well-formed text of 1 to 255 UTF-8 bytes without control characters', (value) => {
    const isClean = value.isWellFormed() && [...value].every((char) => char >= ' ');
    const bytes = new TextEncoder().encode(value).length;
    expect(isId(value)).toBe(isClean && bytes >= 1 && bytes <= 255);
    expect(isCallId(value)).toBe(isClean && bytes >= 1);
  });

  it.each<[string, boolean]>([
    ['a', true],
    [' ', true],
    ['\u007f\u0085', true],
    ['', false],
    ['a\u0000', false],
    ['a\u001f', false],
    ['tab\there', false],
    ['\ud83d', false],
    ['\ude00\ud83d', false],
    ['x'.repeat(85), true],
    ['x'.repeat(86), true],
    ['x'.repeat(255), true],
    ['x'.repeat(256), false],
    ['é'.repeat(127), true],
    ['é'.repeat(128), false],
    ['߿'.repeat(127), true],
    ['ࠀ'.repeat(85), true],
    ['ࠀ'.repeat(86), false],
    ['\uffff'.repeat(85), true],
    ['\uffff'.repeat(86), false],
    [`${'😀'.repeat(63)}abc`, true],
    [`${'😀'.repeat(63)}abcd`, false],
    [`${'x'.repeat(100)}${'\u007f'.repeat(155)}`, true],
    [`${'x'.repeat(100)}${'\u0080'.repeat(78)}`, false],
  ])('%j: %s', (value, accepted) => {
    expect(isId(value)).toBe(accepted);
  });

  it('is text, not what can be turned into text', () => {
    for (const value of [1, null, undefined, {}, ['a'], Object('a')])
      expect([isId(value), isCallId(value)]).toEqual([false, false]);
  });

  it('of a call has any length', () => {
    expect([isCallId('x'.repeat(900)), isCallId('😀'.repeat(5000)), isCallId('')]).toEqual([true, true, false]);
  });
});

describe('a normalized id', () => {
  test.prop([uuid])('is in lower case where it is a UUID', (value) => {
    expect(normalizeId(value)).toBe(value.toLowerCase());
  });

  test.prop([fc.oneof(id, text)])('is otherwise the id itself; doing it twice changes nothing', (value) => {
    const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
    expect(normalizeId(value)).toBe(isUuid ? value.toLowerCase() : value);
    expect(normalizeId(normalizeId(value))).toBe(normalizeId(value));
    expect(isId(normalizeId(value))).toBe(isId(value));
  });

  it.each([
    'MSG_01XYZ',
    'F47AC10B-58CC-4372-A567-0E02B2C3D47', // one short
    'F47AC10B-58CC-4372-A567-0E02B2C3D4790', // one long
    'G47AC10B-58CC-4372-A567-0E02B2C3D479', // no hexadecimal digit
    'F47AC10B58CC-4372-A567-0E02B2C3D479A', // other hyphens
    '{47AC10B-58CC-4372-A567-0E02B2C3D47}',
  ])('%s, which is no UUID, keeps its case', (value) => {
    expect(normalizeId(value)).toBe(value);
  });

  it('of a new id is the new id', () => {
    const made = newId();
    expect([isId(made), normalizeId(made), normalizeId(made.toUpperCase())]).toEqual([true, made, made]);
  });
});
