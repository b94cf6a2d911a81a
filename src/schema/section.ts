import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { hasSoundFields, isRecord, isText, type JsonObject } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { isMessageJSON, type MessageJSON, messageSchema } from './message.ts';

/** How long a provider keeps what is in its prompt cache. Each provider has its own steps: the next longer one is taken. */
export type CacheLifetime = '5m' | '30m' | '1h' | '12h';

/** How a section is treated when a prompt is assembled: data that is stored with it. Other keys that it has are kept, and mean nothing. */
export interface SectionPolicy {
  /**
   * Whether nothing of the section is left out to fit a budget; false: not even the instructions at its start are kept.
   * Default: only those are.
   */
  readonly pin?: boolean;
  /** The most that it may take: tokens, or its share of what there is, such as `'25%'`, which grows where others need less. */
  readonly budget?: number | `${number}%`;
  /** Whether the provider's prompt cache ends behind it, and how long that lives. Default: no. */
  readonly cache?: boolean | CacheLifetime;
  /**
   * Whether its texts are templates, whoever said them; false: none is. Default: only those of system and developer
   * messages are.
   */
  readonly trust?: boolean;
  /** What becomes of what does not fit: it is left out, or waits for a summary. Default: it is left out. */
  readonly evict?: 'oldest' | 'summary';
}

/** A section as stored. Keys that are not named here are kept beside them. */
export interface SectionJSON {
  readonly name: string;
  readonly messages: readonly MessageJSON[];
  readonly policy?: JsonObject;
}

/** The zod schema of a {@link SectionJSON}. */
export const sectionSchema = lazy(
  () =>
    z.looseObject({
      name: z.string(),
      messages: z.array(messageSchema()),
      policy: z.exactOptional(jsonObjectSchema()),
    }) satisfies z.ZodMiniType<SectionJSON>,
);

/** Whether a key is one of {@link SectionJSON}; others are kept as extra. */
export function isSectionKey(key: string): boolean {
  return ['name', 'messages', 'policy'].includes(key);
}

/** Whether JSON is a section as stored. */
export function isSectionJSON(value: unknown): value is SectionJSON {
  return (
    isRecord(value) &&
    isText(value['name']) &&
    Array.isArray(value['messages']) &&
    value['messages'].every(isMessageJSON) &&
    (value['policy'] === undefined || isRecord(value['policy'])) &&
    hasSoundFields(value, 'messages')
  );
}
