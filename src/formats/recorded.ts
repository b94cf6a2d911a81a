import type { Decoded, DecodeOptions } from './format.ts';

/** What was read, with the finish reason and the usage also in the metadata of its last message, where that is wanted. */
export function recorded(decoded: Decoded, { record = false }: DecodeOptions): Decoded {
  const { messages, finish, usage } = decoded;
  let last = record ? messages.last() : undefined;
  for (const [key, value] of Object.entries({ finish, usage }))
    if (value !== undefined) last = last?.withMetadata(key, value);
  return last === undefined ? decoded : { ...decoded, messages: messages.replaceLast(last) };
}
