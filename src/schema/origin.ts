import * as z from 'zod/mini';
import { lazy } from '../internal/lazy.ts';
import { isRecord, type JsonValue } from './json.ts';
import { jsonSchema } from './json-schema.ts';

/**
 * Where a message, part or tool call comes from, and what its provider needs to get the same thing back
 * (signatures, item ids, encrypted reasoning). Replayed only to that provider.
 */
export interface Origin {
  /** The format's name: `openai-chat`, `anthropic`, … */
  readonly provider: string;
  readonly model?: string;
  /** The provider's own data, opaque here. */
  readonly data?: JsonValue;
}

/** The zod schema of an {@link Origin}. */
export const originSchema = lazy(
  () =>
    z.looseObject({
      provider: z.string(),
      model: z.exactOptional(z.string()),
      data: z.exactOptional(jsonSchema()),
    }) satisfies z.ZodMiniType<Origin>,
);

/** Where an origin may stand: anything else under that key is kept, but says nothing. */
export const originFieldSchema = (): z.ZodMiniExactOptional<z.ZodMiniType<Origin>> =>
  z.exactOptional(z.union([originSchema(), jsonSchema()]) as unknown as z.ZodMiniType<Origin>);

/** Whether a JSON value is an origin: an object with a `provider`. */
export function isOrigin(value: unknown): value is Origin {
  return (
    isRecord(value) &&
    typeof value['provider'] === 'string' &&
    (value['model'] === undefined || typeof value['model'] === 'string')
  );
}
