import { expect, it } from 'vitest';
import { columns } from '../../src/cli/columns.ts';

it('aligns words to the left and numbers to the right, by what a person sees', () => {
  expect(
    columns([
      ['name', 'count', 'note'],
      ['e\u0301te\u0301', '5', ''],
      ['a longer one', '1234567', '2x'],
    ]),
  ).toBe(
    [
      'name            count  note',
      '------------  -------  ----',
      'e\u0301te\u0301                 5',
      'a longer one  1234567  2x',
    ].join('\n'),
  );
});

it('shows headings alone', () => {
  expect(columns([['a', 'b']])).toBe('a  b\n-  -');
});
