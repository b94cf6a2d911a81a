import { getSystemErrorMessage } from 'node:util';
import { MessageStoreError } from '../errors.ts';

/** Input that cannot be used, told in one sentence that names the place. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(place: string, message: string, cause?: unknown) {
    super(`${place}: ${message}`, { cause });
  }
}

/** What `read` gives; an error that is the input's fault is thrown with the place in front. */
export function at<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw placed(place, error);
  }
}

/** What `action` gives, or the failure that it throws; what is no fault of the input is thrown on. */
export function attempt<Result>(action: () => Result): Result | Failure {
  try {
    return action();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** The error to throw for one that came up while something was read or written: a failure that names the place where the input is at fault, else the error itself. */
export function placed(place: string, error: unknown, verb = 'read'): unknown {
  if (error instanceof Failure) return error;
  const message = explain(error, verb);
  return message === undefined ? error : new Failure(place, message, error);
}

/** What an error says about the input; undefined where it says nothing about it. */
function explain(error: unknown, verb: string): string | undefined {
  if (MessageStoreError.isInstance(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { code = '', errno } = error as NodeJS.ErrnoException;
  if (code.startsWith('Z_')) return `cannot be unzipped: ${error.message}`;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'expected text in UTF-8';
  if (typeof errno === 'number') return `cannot be ${verb}: ${getSystemErrorMessage(errno)}`;
  if (!(error instanceof RangeError)) return undefined;
  if (/call stack/i.test(error.message)) return 'is nested too deeply';
  return /string length/i.test(error.message) ? 'is too large to be read as one text' : undefined;
}

/** An error as one line for a person; the stack where it is no fault of the input. */
export function tell(error: unknown): string {
  if (error instanceof Failure || MessageStoreError.isInstance(error)) return printable(error.message);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Text on one line that cannot steer a terminal: line breaks are spaces, other control characters are escaped. */
export function printable(text: string): string {
  return text
    .replace(/\s*[\n\r\u2028\u2029]\s*/g, ' ')
    .replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .trim();
}
