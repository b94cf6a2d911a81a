import { fc, it } from '@fast-check/vitest';
import { expect } from 'vitest';
import { pathKeys } from '../../../src/cli/input/path-keys.ts';
import { joinPath } from '../../../src/internal/path.ts';

it('takes a path apart', () => {
  expect(pathKeys('sections.chat[3].role')).toEqual(['sections', 'chat', 3, 'role']);
  expect(pathKeys('sections["a.b \\"c\\""][0]')).toEqual(['sections', 'a.b "c"', 0]);
  expect(pathKeys('')).toEqual([]);
});

it.prop([fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.nat()))])('takes apart what errors join', (keys) => {
  expect(pathKeys(keys.reduce<string>(joinPath, ''))).toEqual(keys);
});
