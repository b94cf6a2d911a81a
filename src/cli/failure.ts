import { MessageStoreError } from '../errors.ts';

/** Input that cannot be used, told in one sentence that names the place. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(place: string, message: string, cause?: unknown) {
    super(`${place}: ${message}`, { cause });
  }
}

/** Runs `read`; what goes wrong in it is told with the place in front. */
export function at<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(place, error instanceof Error ? error.message : String(error), error);
  }
}

/** An error as one line for a person; the stack where it is no fault of the input. */
export function tell(error: unknown): string {
  if (error instanceof Failure || MessageStoreError.isInstance(error)) return oneLine(error.message);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
