import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { parseJson, parseJsonLine } from '../../../src/cli/input/parse-json.ts';

const says = (text: string, message: string) =>
  expect(() => parseJson(text, 'f')).toThrow(expect.objectContaining({ message }));

describe('a JSON document that is broken', () => {
  it.each([
    ['{\n"a": bad\n}', "f: line 2: expected JSON: unexpected token 'b'"],
    ['{\n\n"a": 1,\n}', 'f: line 4: expected JSON: expected double-quoted property name'],
    ['[1,\n2\n', "f: line 3: expected JSON: expected ',' or ']' after array element"],
    ['{"a": [\n', 'f: line 2: expected JSON: unexpected end of JSON input'],
    ['["\\u00e9",\n"a\\"b\\\\",\n1.5e3, tru]', "f: line 3: expected JSON: unexpected token ']'"],
    ['[\n"one\ntwo"]', 'f: line 2: expected JSON: bad control character in string literal'],
    ['{}\n{}', 'f: line 2: expected JSON: unexpected non-whitespace character after JSON'],
  ])('names the line: %j', (text, message) => says(text, message));

  it('names the place of a line, and no line in it', () => {
    expect(() => parseJsonLine('{"a": bad}', 'f:7')).toThrow(/^f:7: expected JSON: unexpected token 'b'$/);
  });

  // Text without commas: each comma stands between values, and a line ends after it.
  const words = fc.json({ stringUnit: fc.constantFrom('a', '"', '\\', '\u0001', '😀') });

  it.prop([words, fc.nat(), fc.constantFrom('@', 'ü', '\u2028')])(
    'names the line of a character that may not stand there',
    (json, seed, wrong) => {
      const lines = json.split(',').map((line, index) => (index === 0 ? line : `,\n${line}`));
      const before = lines.slice(0, 1 + (seed % lines.length)).join('');
      const after = lines.slice(1 + (seed % lines.length)).join('');
      expect(() => parseJson(before + wrong + after, 'f')).toThrow(
        `f: line ${before.split('\n').length}: expected JSON: `,
      );
    },
  );
});
