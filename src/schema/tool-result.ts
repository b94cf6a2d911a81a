import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { orNull } from './json-schema.ts';
import { type ContentJSON, contentSchema, isContentJSON } from './content.ts';
import { CALL_ID_EXPECTED, isCallId } from './ids.ts';
import { hasSoundFields, isRecord } from './json.ts';

/** How a tool call ended. All but `ok` count as errors. */
export type ToolResultStatus = 'ok' | 'error' | 'denied' | 'cancelled';

/** The statuses, in their order of declaration. */
export const STATUSES: readonly ToolResultStatus[] = Object.freeze(['ok', 'error', 'denied', 'cancelled'] as const);

/** A tool result as stored. */
export interface ToolResultJSON {
  readonly content: ContentJSON;
  readonly call_id: string | null;
  readonly tool_name: string | null;
  readonly is_error: boolean;
  /** Only where `is_error` does not say it. */
  readonly status?: 'denied' | 'cancelled';
  /** Only where the result was made up because the real one never came. */
  readonly synthetic?: true;
}

/** The zod schema of a {@link ToolResultJSON}. */
export const toolResultSchema = lazy(
  () =>
    z.looseObject({
      content: contentSchema(),
      call_id: orNull(z.string().check(z.refine(isCallId, CALL_ID_EXPECTED))),
      tool_name: orNull(z.string()),
      is_error: z.boolean(),
      status: z.exactOptional(z.literal(['denied', 'cancelled'])),
      synthetic: z.exactOptional(z.literal(true)),
    }) satisfies z.ZodMiniType<ToolResultJSON>,
);

/** Whether a key is one of {@link ToolResultJSON}; others are kept as extra. */
export function isToolResultKey(key: string): boolean {
  return ['content', 'call_id', 'tool_name', 'is_error', 'status', 'synthetic'].includes(key);
}

/** Whether JSON is a tool result as stored. */
export function isToolResultJSON(value: unknown): value is ToolResultJSON {
  return (
    isRecord(value) &&
    hasSoundFields(value, 'content') &&
    isContentJSON(value['content']) &&
    (value['call_id'] === null || isCallId(value['call_id'])) &&
    (value['tool_name'] === null || typeof value['tool_name'] === 'string') &&
    typeof value['is_error'] === 'boolean' &&
    (value['status'] === undefined || value['status'] === 'denied' || value['status'] === 'cancelled') &&
    (value['synthetic'] === undefined || value['synthetic'] === true)
  );
}
