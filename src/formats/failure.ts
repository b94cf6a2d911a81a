import { MessageStoreError, reject } from '../errors.ts';
import { isRecord, NO_FIELDS } from '../schema/json.ts';

/** What a provider tells of an error, as its answer or in the middle of a stream. */
export function failureOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  const { message, type, code } = error;
  return [message, type, code].find((text) => typeof text === 'string') ?? JSON.stringify(error);
}

/**
 * Refuses what is no wire, or none that `path` may hold.
 *
 * @throws MessageStoreError `provider_error` where a provider tells of an error in it
 * @throws InvalidInputError for anything else
 */
export function rejectWire(path: string, wire: unknown, expected = 'messages or a response'): never {
  // Each provider has its words for it; the last but one are those of AWS.
  const { error, detail, Message, message = Message } = isRecord(wire) ? wire : NO_FIELDS;
  if (!(error ?? detail) && typeof message !== 'string') reject(path, expected, wire);
  throw new MessageStoreError('provider_error', `error of the provider: ${JSON.stringify(wire)}`, { value: wire });
}
