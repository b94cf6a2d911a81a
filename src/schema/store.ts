import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { hasSoundFields, isRecord, type JsonObject } from './json.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { isSectionJSON, type SectionJSON, sectionSchema } from './section.ts';
import { STORE_VERSION } from './version.ts';

/** A store as stored: one JSON document. Keys that are not named here are kept beside them. */
export interface MessageStoreJSON {
  /** The version of the document's shape; documents of older versions are upgraded when they are read. */
  readonly version: typeof STORE_VERSION;
  readonly sections: readonly SectionJSON[];
  readonly parameters: JsonObject;
}

/** The zod schema of a {@link MessageStoreJSON}. */
export const storeSchema = lazy(
  () =>
    z.looseObject({
      version: z.literal(STORE_VERSION),
      sections: z.array(sectionSchema()),
      parameters: jsonObjectSchema(),
    }) satisfies z.ZodMiniType<MessageStoreJSON>,
);

/** Whether a key is one of {@link MessageStoreJSON}; others are kept as extra. */
export function isStoreKey(key: string): boolean {
  return ['version', 'sections', 'parameters'].includes(key);
}

/** Whether JSON is a store document of the current version. */
export function isStoreJSON(value: unknown): value is MessageStoreJSON {
  return (
    isRecord(value) &&
    value['version'] === STORE_VERSION &&
    Array.isArray(value['sections']) &&
    value['sections'].every(isSectionJSON) &&
    isRecord(value['parameters']) &&
    hasSoundFields(value, 'sections')
  );
}
