import { isRecord } from '../schema/json.ts';

/** What a provider tells of an error, in the middle of a stream. */
export function failureOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof Error) return error.message;
  const { message, type, code } = isRecord(error) ? error : {};
  return [message, type, code].find((text): text is string => typeof text === 'string') ?? JSON.stringify(error);
}
