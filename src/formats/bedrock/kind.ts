import { isRecord, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';

/** What a block is: its only key. Undefined for a block without keys. */
export function kindOf(block: object): string | undefined {
  return Object.keys(block)[0];
}

/**
 * What a block says in words where it is not just a text: guarded words, cited words, JSON of a tool. Empty where it
 * says nothing in words.
 */
export function textOf(block: JsonObject): string {
  const { text, guardContent, citationsContent, json } = block;
  if (typeof text === 'string') return text;
  if (json !== undefined) return JSON.stringify(json);
  if (citationsContent !== undefined) return wordsIn(recordOf(citationsContent)['content']);
  return guardContent === undefined ? '' : wordsOf(recordOf(guardContent)['text']);
}

function wordsIn(list: JsonValue | undefined): string {
  return Array.isArray(list) ? list.map(wordsOf).join('') : '';
}

function wordsOf(value: JsonValue | undefined): string {
  const { text } = recordOf(value);
  return typeof text === 'string' ? text : '';
}

/** A record; an empty one for any other value. */
export function recordOf(value: JsonValue | undefined): JsonObject {
  return isRecord(value) ? value : NO_FIELDS;
}
