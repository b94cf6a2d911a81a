import { isRecord } from '../../schema/json.ts';
import type { Fields } from './origin.ts';

/** The keys of messages, and of their content, that the package spells in its own way. */
const KEYS = /^(toolCall(s|Id)|(image|document)Url|documentName|fileId|inputAudio|referenceIds)$/;

/** A message as the wire spells it, also where the package gave it. */
export function fromSdk(message: unknown): unknown {
  return respelled(message, (key) =>
    KEYS.test(key) ? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key,
  );
}

/** A record with other keys, also in the lists of chunks that it holds. What a tool is called with stays as it is. */
export function respelled(value: unknown, spell: (key: string) => string): unknown {
  if (!isRecord(value)) return value;
  const { type, raw }: Fields = value;
  // A chunk that the package does not know is kept by it as it came.
  if (type === 'UNKNOWN' && raw !== undefined) return raw;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      spell(key),
      Array.isArray(item) && (key === 'content' || key === 'thinking')
        ? item.map((chunk) => respelled(chunk, spell))
        : item,
    ]),
  );
}
