import { setIdentitySource } from '../internal/ids.ts';

/** How the ids and times of a test look. */
export interface FixedIdentity {
  /** What ids begin with, before `1`, `2`, … Default `id-`. */
  readonly prefix?: string;
  /** The first time that is told, ISO 8601. Default `2026-01-01T00:00:00.000Z`. */
  readonly start?: string;
  /** By how many milliseconds each further time is later. Default 1000. */
  readonly step?: number;
}

/**
 * Makes the ids and times of everything built from now on predictable: `id-1`, `id-2`, … and a clock that steps
 * by a second each time it is read. Gives back the function that ends it.
 *
 * @example
 * import { fixIdentity, user } from 'message-store/testing';
 * const restore = fixIdentity();
 * const { id, timestamp } = user('Hi');
 * restore();
 * [id, timestamp] // => ['id-1', '2026-01-01T00:00:00.000Z']
 */
export function fixIdentity({
  prefix = 'id-',
  start = '2026-01-01T00:00:00.000Z',
  step = 1000,
}: FixedIdentity = {}): () => void {
  let ids = 0;
  let next = Date.parse(start) - step;
  const before = setIdentitySource({
    newId: () => `${prefix}${++ids}`,
    now: () => (next += step),
  });
  return () => {
    setIdentitySource(before);
  };
}

/** What a function gives while ids and times are fixed: see {@link fixIdentity}. */
export function withFixedIdentity<Result>(run: () => Result, identity?: FixedIdentity): Result {
  const restore = fixIdentity(identity);
  try {
    return run();
  } finally {
    restore();
  }
}
