import { unreadable } from '../errors.ts';
import { copyJson } from '../schema/json.ts';

/**
 * Any value as text: a string is itself, an object speaks through its own `toJSON` or `toString`, and
 * everything else is JSON text. Nothing given is no text.
 */
export function textOf(value: unknown, path = ''): string {
  if (value === undefined || value === null) return '';
  return jsonText(typeof value === 'object' ? spoken(value, path) : value, path);
}

/** What an object says of itself; the object where it leaves that to JSON. */
function spoken(value: object, path: string): unknown {
  try {
    return 'toJSON' in value || !speaks(value) ? value : (value as Speaker).toString();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

interface Speaker {
  toString(): string;
}

/** Whether an object says itself how it reads: not by the way of all objects, or of all lists and bytes. */
function speaks(value: object): boolean {
  const toString: unknown = Reflect.get(value, 'toString');
  return (
    typeof toString === 'function' && toString !== Object.prototype.toString && toString !== Array.prototype.toString
  );
}

function jsonText(value: unknown, path: string): string {
  const json = copyJson(value, path);
  return typeof json === 'string' ? json : JSON.stringify(json);
}
