import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { CALL_ID_EXPECTED, isCallId } from './ids.ts';
import { hasSoundFields, isRecord, type JsonObject } from './json.ts';
import { jsonObjectSchema, orNull } from './json-schema.ts';
import { type Origin, originFieldSchema } from './origin.ts';

/** `function`: the input is a JSON object. `custom`: the input is free text. */
export type ToolCallKind = 'function' | 'custom';

/** A tool call as stored. */
export interface ToolCallJSON {
  readonly id: string | null;
  readonly name: string;
  /** The arguments, or their raw text where that is not what the object would print. */
  readonly arguments: JsonObject | string;
  readonly kind?: 'custom';
  readonly _origin?: Origin;
}

/** The zod schema of a {@link ToolCallJSON}. */
export const toolCallSchema = lazy(
  () =>
    z.looseObject({
      id: orNull(z.string().check(z.refine(isCallId, CALL_ID_EXPECTED))),
      name: z.string(),
      arguments: z.union([z.string(), jsonObjectSchema()]),
      kind: z.exactOptional(z.literal('custom')),
      _origin: originFieldSchema(),
    }) satisfies z.ZodMiniType<ToolCallJSON>,
);

/** Whether a key is one of {@link ToolCallJSON}, `_origin` left out; others are kept as extra. */
export function isToolCallKey(key: string): boolean {
  return key === 'id' || key === 'name' || key === 'arguments' || key === 'kind';
}

/** Whether JSON is a tool call as stored. */
export function isToolCallJSON(value: unknown): value is ToolCallJSON {
  return (
    isRecord(value) &&
    hasSoundFields(value) &&
    (value['id'] === null || isCallId(value['id'])) &&
    typeof value['name'] === 'string' &&
    (typeof value['arguments'] === 'string' || isRecord(value['arguments'])) &&
    (value['kind'] === undefined || value['kind'] === 'custom')
  );
}
