import { describe, expect, it } from 'vitest';
import { readExtra, readOrigin } from '../../src/input/extra.ts';
import { NO_FIELDS } from '../../src/schema/json.ts';

const isKnown = (key: string): boolean => key === 'id';

describe('the fields without a meaning', () => {
  it('are copied and frozen, whatever they are called', () => {
    const record = JSON.parse('{"id":1,"vendor":{"a":[1]},"__proto__":{"b":2},"constructor":3}') as object;
    const extra = readExtra(record, isKnown, 'message');
    expect(JSON.stringify(extra)).toBe('{"vendor":{"a":[1]},"__proto__":{"b":2},"constructor":3}');
    expect([Object.isFrozen(extra), Object.isFrozen(extra['vendor'])]).toEqual([true, true]);
    expect(extra['vendor']).not.toBe((record as { vendor: object }).vendor);
  });

  it('are the shared nothing where there are none', () => {
    expect(readExtra({ id: 1 }, isKnown, '')).toBe(NO_FIELDS);
    expect(readExtra({ _origin: { provider: 'x' } }, isKnown, '')).toBe(NO_FIELDS);
    expect(readExtra({ from: { provider: 'x' } }, isKnown, '')).toEqual({ from: { provider: 'x' } });
  });

  it('are an _origin that says nothing', () => {
    for (const _origin of ['openai', { model: 'x' }, { provider: 1 }, null, ['x']])
      expect(readExtra({ _origin }, isKnown, '')).toEqual({ _origin });
  });

  it('are refused with their path where they are no JSON', () => {
    expect(() => readExtra({ vendor: { a: [1n] } }, isKnown, 'messages[2]')).toThrow(
      'messages[2].vendor.a[0]: expected a JSON value, got 1n',
    );
  });
});

describe('the origin of a record', () => {
  it('is an object with a provider, copied', () => {
    const origin = { provider: 'x', model: 'm', data: { ids: ['a'] }, more: 1 };
    expect(readOrigin({ _origin: origin }, '')).toEqual(origin);
    expect(readOrigin({ _origin: origin }, '')).not.toBe(origin);
    expect(readOrigin({ _origin: { model: 'm' } }, '')).toBeUndefined();
    expect(readOrigin({}, '')).toBeUndefined();
  });

  it.each([
    ['', '_origin.data'],
    ['messages[2]', 'messages[2]._origin.data'],
  ])('is refused with its path below %j', (path, at) => {
    expect(() => readOrigin({ _origin: { provider: 'x', data: Number.NaN } }, path)).toThrow(
      `${at}: expected a finite number, got NaN`,
    );
  });
});
