import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { isRecord, isSound, isText, type JsonValue } from './json.ts';

/** A content part as stored: its type, and the fields of that type beside it. Types that are not known here are kept as they are. */
export interface ContentPartJSON {
  readonly type: string;
  readonly [field: string]: JsonValue;
}

/** Content as stored: the text of a single text part, else the list of parts. */
export type ContentJSON = string | readonly ContentPartJSON[];

/** The zod schema of a {@link ContentPartJSON}. */
export const contentPartSchema = lazy(
  () => z.looseObject({ type: z.string() }) as unknown as z.ZodMiniType<ContentPartJSON>,
);

/** The zod schema of a {@link ContentJSON}. */
export const contentSchema = lazy(
  () => z.union([z.string(), z.array(contentPartSchema())]) satisfies z.ZodMiniType<ContentJSON>,
);

/** Whether JSON is content as stored. */
export function isContentJSON(value: unknown): value is ContentJSON {
  return isText(value) || (Array.isArray(value) && value.every(isContentPartJSON));
}

/** Whether JSON is a part as stored. */
export function isContentPartJSON(value: unknown): value is ContentPartJSON {
  return isRecord(value) && typeof value['type'] === 'string' && isSound(value);
}
