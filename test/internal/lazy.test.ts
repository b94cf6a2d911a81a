import { expect, it, vi } from 'vitest';
import { lazy } from '../../src/internal/lazy.ts';

it.each([[{ made: true }], [undefined], [0]])('a lazy value is computed once, when it is asked for: %j', (value) => {
  const compute = vi.fn<() => unknown>(() => value);
  const get = lazy(compute);
  expect(compute).not.toHaveBeenCalled();
  expect([get(), get()]).toEqual([value, value]);
  expect(compute).toHaveBeenCalledTimes(1);
});
