import type * as z from 'zod/mini';
import { reject } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import { explain } from './explain.ts';
import { copyJson } from './json.ts';

/**
 * A copy of a list of stored records.
 *
 * @throws InvalidInputError naming the index and path of what is wrong
 */
export function copyList<Record>(
  json: unknown,
  expected: string,
  isRecord: (item: unknown) => item is Record,
  schema: () => z.ZodMiniType,
): readonly Record[] {
  const copied = copyJson(json);
  if (!Array.isArray(copied)) return reject('', expected, json);
  return copied.map((item: unknown, at) => (isRecord(item) ? item : explain(schema(), item, joinPath('', at))));
}
