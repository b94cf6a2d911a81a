import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { showProgress } from '../../src/cli/progress.ts';

/** A stream that keeps what is written to it. */
const screen = (isTTY: boolean) => {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const written = () => String(stream.read() ?? '');
  return { stream, written, shown: () => stripVTControlCharacters(written()) };
};

const CLEAR_LINE = '\u001b[2K';

describe('progress', () => {
  it('is shown on a terminal, and taken away', () => {
    const { stream, written, shown } = screen(true);
    const progress = showProgress(200, stream);
    expect(shown()).toBe('');
    progress.add(50);
    expect(shown()).toMatch(/ 25%$/);
    progress.hide();
    expect(written().endsWith(CLEAR_LINE)).toBe(true);
    progress.add(100);
    expect(shown()).toMatch(/ 75%$/);
    progress.hide();
  });

  it.each([
    ['on what is no terminal', false, 200],
    ['where the total is not known', true, 0],
  ])('is not shown %s', (_, isTTY, total) => {
    const { stream, shown } = screen(isTTY);
    const progress = showProgress(total, stream);
    progress.add(50);
    progress.hide();
    expect(shown()).toBe('');
  });
});
