import type { Decoded, DecodeOptions } from './format.ts';

/** What was read, with the finish reason and the usage also in the metadata of its last message, where that is wanted. */
export function recorded(decoded: Decoded, { record = false }: DecodeOptions): Decoded {
  const { messages, finish, usage } = decoded;
  const last = record ? messages.last() : undefined;
  if (last === undefined) return decoded;
  const finished = finish === undefined ? last : last.withMetadata('finish', finish);
  const counted = usage === undefined ? finished : finished.withMetadata('usage', usage);
  return { ...decoded, messages: messages.replaceLast(counted) };
}
