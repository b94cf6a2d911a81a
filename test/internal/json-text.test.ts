import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseJsonText } from '../../src/internal/json-text.ts';

const parse = (text: string): unknown => parseJsonText(text);

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Text around everything that is written with an escape. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'n', 'u', ':', '@', '{', ' ', '\u2028', '😀'), maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', '0', '10', '@0', '@1', '@@0'),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(text, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** JSON text with every character of every string and key as an escape. */
const escaped = (value: Json): string =>
  JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (token) => {
    const units = (JSON.parse(token) as string).split('');
    return `"${units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  });

describe('JSON text', () => {
  test.prop([json], { numRuns: 500 })('is read as what was written, whatever its keys', (value) => {
    const written = JSON.stringify(value);
    expect(JSON.stringify(parse(written))).toBe(written);
    expect(JSON.stringify(parse(JSON.stringify(value, undefined, '\t')))).toBe(written);
    expect(JSON.stringify(parse(escaped(value)))).toBe(written);
  });

  it('is read right after an object of the same shape with another escaped key', () => {
    const read = (key: string): string[] => Object.keys(parse(`{"shape":1,"${key}":2}`) as object);
    expect(read('\\\\')).toEqual(['shape', '\\']);
    for (const [key, name] of [
      ['\\"', '"'],
      ['\\n', '\n'],
      ['\\u0041', 'A'],
      ['\\/', '/'],
    ] as const)
      expect(read(key)).toEqual(['shape', name]);
  });

  it('keeps the order of its keys, and the last of two with one name', () => {
    const read = (json: string): string => JSON.stringify(parse(json));
    expect(read('{"b":1,"\\u0061":2,"c":3}')).toBe('{"b":1,"a":2,"c":3}');
    expect(read('{"a":1,"\\u0061":2}')).toBe('{"a":2}');
    expect(read('{"\\u0061":1,"a":2}')).toBe('{"a":2}');
    expect(read('{"b":1,"\\u0031":2}')).toBe('{"1":2,"b":1}');
    expect(read('{"@0":1,"\\"":2,"@@@0":{"\\u0040":3}}')).toBe('{"@0":1,"\\"":2,"@@@0":{"@":3}}');
  });

  it('has __proto__ as a key like any other, also where it is escaped', () => {
    const value = parse('{"\\u005f_proto__":{"polluted":true}}') as object;
    expect([Object.keys(value), Object.getPrototypeOf(value), 'polluted' in {}]).toEqual([
      ['__proto__'],
      Object.prototype,
      false,
    ]);
  });

  it('may end strings with backslashes, and hold what looks like keys', () => {
    for (const value of [{ a: 'C:\\', b: '\\' }, ['"a\\":1', '\\'], { 'a\\': '":', '"': '{"b\\":2}' }])
      expect(parse(JSON.stringify(value))).toEqual(value);
    expect(parse('{"\\n" \n\t :1}')).toEqual({ '\n': 1 });
  });

  it('is refused as JSON.parse refuses it', () => {
    for (const broken of ['', '{"\\n":}', '{"\\x":1}', '{"a\\":1}', '{"\\n":1', '"\\n":1']) {
      expect(() => parse(broken)).toThrow(SyntaxError);
      expect(messageOf(() => parse(broken))).toBe(messageOf(() => JSON.parse(broken)));
    }
  });

  it('is read however deep and long it is', () => {
    const deep = `${'{"\\n":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(Object.keys(parse(deep) as object)).toEqual(['\n']);
    const long = { ['"'.repeat(500_000)]: '\\n'.repeat(500_000), ['@'.repeat(100_000)]: 1 };
    expect(JSON.stringify(parse(JSON.stringify(long))) === JSON.stringify(long)).toBe(true);
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}
