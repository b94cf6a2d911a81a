import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { matches } from './compare.ts';
import type { Vector } from './deviations.ts';
import { run as runToolTurns } from './kinds/tool-turns.ts';
import { conformance } from './suite.ts';

const run = async (kinds: readonly string[], folder?: string) => {
  const lines: string[] = [];
  return { totals: await conformance({ kinds, folder, print: (line) => lines.push(line) }), lines };
};

describe('the library', () => {
  it('does what the reference does, or deviates for a listed reason', async () => {
    const { totals, lines } = await run(['vectors']);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([]);
    expect(totals).toMatchObject({ failed: 0, problems: [] });
    expect(totals.passed).toBeGreaterThan(400);
    expect(lines.at(-1)).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/);
  });

  it('keeps tool turns whole', async () => {
    const { totals, lines } = await run(['tool-turns']);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([]);
    expect(totals).toMatchObject({ failed: 0, problems: [] });
  });

  it('runs all cases of tool turns', async () => {
    const file = join(import.meta.dirname, '../fixtures/conformance/tool-turns/cases.json');
    const skipped: string[] = [];
    for await (const { id, status } of runToolTurns([file])) if (status === 'skipped') skipped.push(id);
    expect(skipped).toEqual([]);
  });
});

describe('the run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const runOf = (...vectors: readonly Vector[]) => {
    mkdirSync(join(folder, 'vectors'), { recursive: true });
    writeFileSync(join(folder, 'vectors/a.json'), JSON.stringify(vectors));
    return run([], folder);
  };

  it('reports an unknown kind, naming the known ones', async () => {
    const { totals } = await run(['dance']);
    expect(totals.problems).toEqual([expect.stringMatching(/unknown kind "dance": known kinds are .*vectors/)]);
  });

  it('shows what a failing case expected and what came', async () => {
    const { totals, lines } = await runOf(
      {
        area: 'a',
        id: 'a/right',
        call: 'return Message.fromAny(input).role()',
        input: 'x',
        expected: 'user',
      },
      {
        area: 'a',
        id: 'a/wrong',
        call: 'return Message.fromAny(input).role()',
        input: 'x',
        expected: 'tool',
      },
    );
    expect(totals).toMatchObject({ passed: 1, failed: 1, skipped: 0 });
    expect(lines).toEqual([
      'FAILED a/wrong',
      '  expected "tool"',
      '  got      "user"',
      'a: 1 passed, 1 failed, 0 skipped',
      '1 passed, 1 failed, 0 skipped',
    ]);
  });

  it('does not take a slip in a call for an error that is expected', async () => {
    const { totals } = await runOf({
      area: 'a',
      id: 'a/slip',
      call: 'return nobody()',
      input: {},
      expected: { error: { kind: 'runtime', mentions: [] } },
    });
    expect(totals).toMatchObject({ failed: 1 });
  });

  it('skips a case of a listed cause, with the reason', async () => {
    const { lines } = await runOf({
      area: 'a',
      id: 'a/store',
      call: 'return MessageStore.empty().toArray()',
      input: {},
      expected: { sections: [], parameters: {} },
    });
    expect(lines).toContain("skipped 1: design: the store's document carries a version");
  });
});

describe('a value matches', () => {
  const uuids = ['5d1c0000-0000-4000-8000-000000000001', '5d1c0000-0000-4000-8000-000000000002'];
  it.each([
    ['keys in any order', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['one UUID for one label', ['<uuid:1>', '<uuid:1>'], [uuids[0], uuids[0]]],
    ['any date-time', '<datetime>', '2025-01-01T00:00:00+02:00'],
    ['the same instant', '2025-01-01T00:00:00Z', '2025-01-01T02:00:00.000+02:00'],
    ['nothing where null is expected', [1, null], [1]],
  ])('%s', (_, expected, got) => expect(matches(expected, got)).toBe(true));

  it.each([
    ['a key too few', { a: 1, b: null }, { a: 1 }],
    ['a key too many', { a: 1 }, { a: 1, b: 2 }],
    ['two UUIDs for one label', ['<uuid:1>', '<uuid:1>'], uuids],
    ['a longer list', [1], [1, null]],
    ['a list for an object', {}, []],
  ])('not %s', (_, expected, got) => expect(matches(expected, got)).toBe(false));
});
