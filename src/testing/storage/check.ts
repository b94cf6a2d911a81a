import { MessageStoreError, type StorageErrorCode } from '../../errors.ts';
import { equalJson } from '../../schema/json.ts';

const MAX_SHOWN = 400;

/** Fails a case, in a sentence. */
export function fail(sentence: string): never {
  throw new Error(sentence);
}

/** Fails unless two values of JSON are equal, the order of keys aside. */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (!equalJson(actual, expected)) fail(`${what}: expected ${shown(expected)}, got ${shown(actual)}`);
}

/** Fails unless two values have the same JSON text. */
export function sameText(what: string, actual: unknown, expected: unknown): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) fail(`${what}: expected the JSON text ${shownText(wanted)}, got ${shownText(got)}`);
}

/** Fails unless it is so. */
export function holds(isSo: boolean, sentence: string): void {
  if (!isSo) fail(sentence);
}

/** The error of a call that must reject with this code, or with one of these. */
export async function refused(
  what: string,
  code: StorageErrorCode | readonly StorageErrorCode[],
  call: () => Promise<unknown>,
): Promise<MessageStoreError> {
  const [expected, outcome] = [[code].flat(), await outcomeOf(what, call)];
  if (!('error' in outcome))
    return fail(`${what}: expected the error ${expected.join(' or ')}, got ${shown(outcome.value)}`);
  const { error } = outcome;
  if (MessageStoreError.isInstance(error) && expected.some((one) => one === error.code)) return error;
  return fail(`${what}: expected the error ${expected.join(' or ')}, got ${describeError(error)}`);
}

/** How a call ended. */
export type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

/** How a call ends that may fail; a call that throws instead of rejecting its promise fails the case. */
export async function outcomeOf<Value>(what: string, call: () => Promise<Value>): Promise<Outcome<Value>> {
  let promise: Promise<Value>;
  try {
    promise = call();
  } catch (error) {
    return fail(`${what}: expected a promise that rejects, got a throw: ${describeError(error)}`);
  }
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** An error as short text: its code, or its name, and its sentence. */
export function describeError(error: unknown): string {
  if (MessageStoreError.isInstance(error)) return `${error.code} (${cut(error.message)})`;
  return error instanceof Error ? `${error.name} without a code (${cut(error.message)})` : cut(String(error));
}

function shown(value: unknown): string {
  return shownText(JSON.stringify(value));
}

function shownText(text: string | undefined): string {
  return cut(text ?? 'undefined');
}

function cut(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}
