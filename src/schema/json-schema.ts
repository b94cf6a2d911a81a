import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from './json.ts';

/**
 * The zod schema of any JSON value. Parsed text holds nothing else, and what callers give is checked when it
 * is copied, so that this one need not look inside.
 */
export const jsonSchema = (): z.ZodMiniType<JsonValue> => z.unknown() as unknown as z.ZodMiniType<JsonValue>;

/** The zod schema of a map of JSON values. */
export const jsonObjectSchema = (): z.ZodMiniType<JsonObject> =>
  z.looseObject({}) as unknown as z.ZodMiniType<JsonObject>;

/** The zod schema of a value that may be null. */
export const orNull = <Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniUnion<[Schema, z.ZodMiniLiteral<null>]> => z.union([schema, z.literal(null)]);
