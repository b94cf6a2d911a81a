import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/cli/formats.ts';
import { find } from '../support/source.ts';

describe('the formats of the command line', () => {
  it('are all that the library has', () => {
    const folders = find('src/formats/*/').map((folder) => folder.split('/')[2]);
    expect(new Set(FORMAT_NAMES)).toEqual(new Set(folders));
  });
});
