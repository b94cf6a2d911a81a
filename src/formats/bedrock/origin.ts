import type { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';

/** The provider of what was read from this wire. */
export const PROVIDER = 'bedrock';

/** What only this wire's own message, part or call brought along; undefined for one from elsewhere. */
export function keptOf(origin: Origin | undefined): JsonObject | undefined {
  return origin?.provider === PROVIDER ? recordOf(origin.data) : undefined;
}

/** The origin that keeps this. */
export function originOf(data?: JsonObject): Origin {
  return { provider: PROVIDER, ...(data && { data }) };
}

/** The block of the wire that a part was read from, where it still says the same; undefined for any other part. */
export function ownBlock(part: ContentPart): JsonObject | undefined {
  const block = part.type === 'reasoning' ? undefined : keptOf(part.origin);
  if (block === undefined || wordsOf(block) !== part.toString()) return undefined;
  return Object.keys(block).length === 0 || block['text'] === '' ? undefined : block;
}

/** What a block says in words: a text, guarded or cited words, JSON of a tool. Empty where it says nothing in words. */
export function wordsOf({ text, json, guardContent, citationsContent }: JsonObject): string {
  if (json !== undefined) return JSON.stringify(json);
  if (guardContent !== undefined) return wordsOf(recordOf(recordOf(guardContent)['text']));
  const { content } = recordOf(citationsContent);
  if (Array.isArray(content)) return content.map((one: unknown) => wordsOf(recordOf(one))).join('');
  return typeof text === 'string' ? text : '';
}

/** A record; an empty one for any other value. */
export function recordOf(value: unknown): JsonObject {
  return isRecord(value) ? (value as JsonObject) : NO_FIELDS;
}
