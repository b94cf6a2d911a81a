import * as z from 'zod/mini';
import {
  contentPartSchema,
  messageSchema,
  sectionSchema,
  storeSchema,
  toolCallSchema,
  toolResultSchema,
} from '../../src/schema/index.ts';

/** The stored records that are published as JSON Schema, by the name of their file. */
const RECORDS = {
  store: storeSchema,
  section: sectionSchema,
  message: messageSchema,
  'content-part': contentPartSchema,
  'tool-call': toolCallSchema,
  'tool-result': toolResultSchema,
};

/** The text of each file in docs/schema, by its name. */
export function schemaFiles(): Map<string, string> {
  return new Map(
    Object.entries(RECORDS).map(([name, schema]) => {
      const text = JSON.stringify({ title: name, ...z.toJSONSchema(schema()) }, null, 2);
      return [`${name}.json`, `${text}\n`];
    }),
  );
}
