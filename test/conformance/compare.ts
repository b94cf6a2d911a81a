const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** What a call gave, or how it failed. */
export type Outcome = { readonly value: unknown } | { readonly error: Error };

interface ExpectedError {
  readonly error: { readonly kind: string; readonly mentions: readonly string[] };
}

/** A result as plain JSON: promises awaited, values by their `toArray`, ids by their `toString`, dates as ISO text. */
export async function plain(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (hasMethod(value, 'then')) return plain(await Promise.resolve(value as PromiseLike<unknown>));
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (hasMethod(value, 'toArray')) return plain(value.toArray());
  if (!isPlain(value)) return (value as { toString(): string }).toString();
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await plain(item)] as const)),
  );
}

/** Whether an outcome is what a case expects. `isDeliberate` tells the library's errors from slips of the run itself. */
export function satisfies(expected: unknown, outcome: Outcome, isDeliberate: (error: Error) => boolean): boolean {
  if (!isExpectedError(expected)) return 'value' in outcome && matches(expected, outcome.value);
  if ('value' in outcome) return false;
  const { kind, mentions } = expected.error;
  const message = outcome.error.message.toLowerCase();
  return (
    (isDeliberate(outcome.error) || kind === 'type' || kind === 'engine-error') &&
    mentions.every((mention) => message.includes(mention.toLowerCase()))
  );
}

/** Whether plain JSON is what is expected; `labels` remembers which UUID a `<uuid:…>` label stands for. */
export function matches(expected: unknown, got: unknown, labels = new Map<string, string>()): boolean {
  if (expected === null || expected === undefined) return got === null || got === undefined;
  if (typeof expected === 'string') return typeof got === 'string' && matchesText(expected, got, labels);
  if (Array.isArray(expected)) return Array.isArray(got) && matchesList(expected, got, labels);
  if (isRecord(expected)) return isRecord(got) && !Array.isArray(got) && matchesRecord(expected, got, labels);
  return expected === got;
}

function matchesText(expected: string, got: string, labels: Map<string, string>): boolean {
  if (expected === '<datetime>') return DATE_TIME.test(got);
  if (expected.startsWith('<uuid:')) {
    if (!labels.has(expected)) labels.set(expected, got);
    return UUID.test(got) && labels.get(expected) === got;
  }
  return (
    expected === got || (DATE_TIME.test(expected) && DATE_TIME.test(got) && Date.parse(expected) === Date.parse(got))
  );
}

function matchesList(expected: readonly unknown[], got: readonly unknown[], labels: Map<string, string>): boolean {
  const size = Math.max(expected.length, got.length);
  return Array.from({ length: size }, (_, at) => at < expected.length && matches(expected[at], got[at], labels)).every(
    Boolean,
  );
}

function matchesRecord(
  expected: Record<string, unknown>,
  got: Record<string, unknown>,
  labels: Map<string, string>,
): boolean {
  return (
    Object.keys(expected).every((key) => Object.hasOwn(got, key) && matches(expected[key], got[key], labels)) &&
    Object.keys(got).every((key) => Object.hasOwn(expected, key) || got[key] === undefined)
  );
}

function isExpectedError(expected: unknown): expected is ExpectedError {
  return isRecord(expected) && isRecord(expected['error']) && Array.isArray(expected['error']['mentions']);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function hasMethod<Name extends string>(value: object, name: Name): value is object & Record<Name, () => unknown> {
  return typeof (value as Record<string, unknown>)[name] === 'function';
}
