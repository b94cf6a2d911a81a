import { describe, expect, it } from 'vitest';
import type { MessageStoreError } from '../../src/errors.ts';
import { STORE_VERSION, upgradeStore } from '../../src/schema/version.ts';

function refusal(document: unknown): MessageStoreError {
  try {
    upgradeStore(document);
  } catch (error) {
    return error as MessageStoreError;
  }
  return expect.fail('it was not refused');
}

describe('a document', () => {
  it('of the current version is itself', () => {
    const document = { version: STORE_VERSION, sections: [], parameters: {} };
    expect(upgradeStore(document)).toBe(document);
  });

  it('without a version is lifted, its parameters filled in, and not changed itself', () => {
    const document = Object.freeze({ sections: [1], more: 2 });
    expect(upgradeStore(document)).toEqual({ version: 1, sections: [1], parameters: {}, more: 2 });
    expect(document).toEqual({ sections: [1], more: 2 });
    expect(upgradeStore({ version: 0, parameters: { a: 1 } })).toEqual({ version: 1, parameters: { a: 1 } });
    expect(upgradeStore({ version: null })).toEqual({ version: 1, parameters: {} });
  });

  it('keeps its key __proto__ when it is lifted', () => {
    const lifted = upgradeStore(JSON.parse('{"__proto__":{"a":1}}'));
    expect(JSON.stringify(lifted)).toBe('{"__proto__":{"a":1},"version":1,"parameters":{}}');
  });

  it('that is no object is left for the schema to refuse', () => {
    for (const value of [null, undefined, 5, 'x', [1]]) expect(upgradeStore(value)).toBe(value);
  });

  it('of a newer version is refused, with advice', () => {
    const error = refusal({ version: 2 });
    expect([error.code, error.path, error.value, error.message]).toEqual([
      'unsupported_version',
      'version',
      2,
      'version: expected a document of version 1 or older, got 2. A newer message-store wrote it: update yours.',
    ]);
  });

  it.each<[unknown, string]>([
    ['1', '"1"'],
    [-1, '-1'],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [[1], 'a list'],
    [Object.create(null), 'an object'],
  ])('whose version is none is refused: %#', (version, got) => {
    const error = refusal({ version });
    expect([error.code, error.message]).toEqual(['invalid_input', `version: expected a whole number, got ${got}`]);
  });
});
