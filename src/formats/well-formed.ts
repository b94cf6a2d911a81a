import { reject } from '../errors.ts';
import { isRecord, MAX_DEPTH } from '../schema/json.ts';
import { joinPath } from '../internal/path.ts';
import type { Repair } from './format.ts';

/**
 * A wire value, which stands at `path`, with each lone surrogate replaced by U+FFFD and reported; itself when there is none.
 *
 * @throws InvalidInputError when it is nested deeper than any message
 */
export function wellFormed(value: unknown, repairs: Repair[], path: string): unknown {
  return isWellFormed(value, 0) ? value : repaired(value, repairs, path);
}

function isWellFormed(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) reject('', `nesting of at most ${MAX_DEPTH} levels`, value);
  if (Array.isArray(value)) return value.every((item) => isWellFormed(item, depth + 1));
  for (const key in value) if (!key.isWellFormed() || !isWellFormed(value[key as never], depth + 1)) return false;
  return true;
}

function repaired(value: unknown, repairs: Repair[], path: string): unknown {
  if (typeof value === 'string') return repairedText(value, repairs, path);
  if (Array.isArray(value)) return value.map((item, at) => repaired(item, repairs, `${path}[${at}]`));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      repairedText(key, repairs, path),
      repaired(item, repairs, joinPath(path, key)),
    ]),
  );
}

function repairedText(text: string, repairs: Repair[], path: string): string {
  if (text.isWellFormed()) return text;
  repairs.push({
    path,
    rule: 'lone-surrogate',
    action: 'rewritten',
    message: 'half of a character was replaced by U+FFFD',
  });
  return text.toWellFormed();
}
