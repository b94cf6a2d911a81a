import { expect, it } from 'vitest';
import { checkCommit, DEFAULT_LIMITS } from '../../src/storage/check-commit.ts';
import type { NodeRecord, Op } from '../../src/storage/storage.ts';

const node = (id: string, more: Partial<NodeRecord> = {}): NodeRecord => ({
  id,
  section: 'chat',
  type: 'message',
  at: '2026-01-01T00:00:00.000Z',
  data: { text: 'naïve 🙂' },
  ...more,
});

const MANY: readonly Op[] = [
  { op: 'node', node: node('n') },
  { op: 'node', node: node('m', { parentId: 'n' }) },
  { op: 'leaf', to: null },
  { op: 'draft', id: 'd', node: node('d', { parentId: null }) },
  { op: 'draft', id: 'd', node: null },
];

it.each([
  ['nothing', [], false, '0408f947ad635c16'],
  ['nothing, the leaf kept', [], true, '7991a9e23e523b3d'],
  ['many changes', MANY, false, '9e1a2fbc9dd75d63'],
] as const)('a commit of %s has the fingerprint that is stored of it', (_, ops, keepLeaf, expected) => {
  expect(checkCommit({ id: 'c', ops, keepLeaf }, DEFAULT_LIMITS).fingerprint).toBe(expected);
});
