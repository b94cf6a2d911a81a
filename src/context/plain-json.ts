/** The fields of an object that came as JSON. */
export type PlainFields = ReadonlyMap<string, unknown>;

/**
 * The own fields of a plain object, each read once, so that what was checked is what is used; undefined where it is no
 * plain object, has a getter, or cannot be read. No foreign code runs, save the traps of a proxy.
 */
export function plainFields(value: unknown): PlainFields | undefined {
  try {
    return isPlainObject(value) ? readFields(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The items of a list, each read once; undefined where it is no list, and in the place of an item that is no plain one. */
export function plainItems(value: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(value)
      ? Array.from({ length: value.length }, (_, at): unknown => Object.getOwnPropertyDescriptor(value, at)?.value)
      : undefined;
  } catch {
    return undefined;
  }
}

function readFields(object: object): PlainFields | undefined {
  const fields = new Map<string, unknown>();
  for (const key of Object.keys(object)) {
    const field = Object.getOwnPropertyDescriptor(object, key);
    if (field === undefined || !('value' in field)) return undefined;
    if (field.value !== undefined) fields.set(key, field.value);
  }
  return fields;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || isForeignPlain(prototype as object);
}

/** Whether this is the `Object.prototype` of another realm, where a server reads its requests in one. */
function isForeignPlain(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty');
}
