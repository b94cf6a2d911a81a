import { reject } from '../errors.ts';
import { isRecord, isSound, MAX_DEPTH } from '../schema/json.ts';
import { joinPath } from '../internal/path.ts';
import type { Repair } from './format.ts';

/**
 * A wire value, which stands at `path`, with each lone surrogate replaced by U+FFFD and reported; itself when there is none.
 *
 * @throws InvalidInputError when it is nested deeper than any message
 */
export function wellFormed(value: unknown, repairs: Repair[], path: string): unknown {
  return isSound(value) ? value : repaired(value, repairs, path, 0);
}

function repaired(value: unknown, repairs: Repair[], path: string, depth: number): unknown {
  if (typeof value === 'string') return repairedText(value, repairs, path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) reject('', `nesting of at most ${MAX_DEPTH} levels`, value);
  if (Array.isArray(value)) return value.map((item, at) => repaired(item, repairs, `${path}[${at}]`, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      repairedText(key, repairs, path),
      repaired(item, repairs, joinPath(path, key), depth + 1),
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
