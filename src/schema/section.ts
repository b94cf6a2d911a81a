import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { hasSoundFields, isRecord, isText, type JsonObject } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { isMessageJSON, type MessageJSON, messageSchema } from './message.ts';

/** How a section is treated when a prompt is assembled: data that is stored with it. */
export type SectionPolicy = JsonObject;

/** A section as stored. Keys that are not named here are kept beside them. */
export interface SectionJSON {
  readonly name: string;
  readonly messages: readonly MessageJSON[];
  readonly policy?: SectionPolicy;
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
