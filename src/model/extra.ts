import { reject } from '../errors.ts';
import { copyJson, equalJson, freezeJson, type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../schema/json.ts';
import { isOrigin, type Origin } from '../schema/origin.ts';

/** The fields of an own record that have no meaning here, frozen. `_origin` counts as one where it is no origin. */
export function ownExtra(record: object, isKnown: (key: string) => boolean): JsonObject {
  let extra: Record<string, JsonValue> | undefined;
  for (const key in record) {
    if (isKnown(key)) continue;
    const value = record[key as never] as JsonValue;
    if (key !== '_origin' || !isOrigin(value)) setOwn((extra ??= {}), key, freezeJson(value));
  }
  return extra === undefined ? NO_FIELDS : Object.freeze(extra);
}

/** The `_origin` of an own record, frozen; only an object with a `provider` counts. */
export function ownOrigin(record: { readonly _origin?: unknown }): Origin | undefined {
  const origin = record._origin;
  return isOrigin(origin) ? (freezeJson(origin as unknown as JsonObject) as unknown as Origin) : undefined;
}

/**
 * An origin given by the caller, copied.
 *
 * @throws InvalidInputError when it has no provider
 */
export function givenOrigin(origin: unknown): Origin | undefined {
  if (origin === undefined || origin === null) return undefined;
  const copied = copyJson(origin, 'origin');
  return isOrigin(copied) ? copied : reject('origin', 'an origin: an object with a provider', origin);
}

/** Two maps of fields in one, frozen: the other's win. Itself when the other adds nothing. */
export function mergeFields(own: JsonObject, other: JsonObject): JsonObject {
  const addsNothing = Object.keys(other).every((key) => Object.hasOwn(own, key) && equalJson(own[key], other[key]));
  return addsNothing ? own : Object.freeze({ ...own, ...other });
}
