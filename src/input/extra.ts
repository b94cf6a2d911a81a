import { joinPath } from '../internal/path.ts';
import { copyJsonObject, type JsonObject, NO_FIELDS } from '../schema/json.ts';
import { isOrigin, type Origin } from '../schema/origin.ts';

/** The fields of a record that have no meaning here, copied: they are kept and written again. */
export function readExtra(record: object, isKnown: (key: string) => boolean, path: string): JsonObject {
  let unknown: [string, unknown][] | undefined;
  for (const key of Object.keys(record)) {
    if (isKnown(key)) continue;
    const value: unknown = record[key as never];
    if (key !== '_origin' || !isOrigin(value)) (unknown ??= []).push([key, value]);
  }
  return unknown === undefined ? NO_FIELDS : copyJsonObject(Object.fromEntries(unknown), path);
}

/** The `_origin` of a record, copied; only an object with a `provider` counts. */
export function readOrigin(record: { readonly _origin?: unknown }, path: string): Origin | undefined {
  const origin = record._origin;
  return isOrigin(origin) ? (copyJsonObject(origin, joinPath(path, '_origin')) as unknown as Origin) : undefined;
}
