import { isRecord } from '../../schema/json.ts';

/** How a file is written. */
export type Form = 'json' | 'jsonl' | 'yaml';

/**
 * How a file is written, told by its name, or else by its first line that is not blank: what begins with a brace or
 * bracket is JSON, and JSON Lines where that line is complete and others follow.
 */
export function formOf(file: string, first: string, hasMore: boolean): Form {
  const name = file.toLowerCase().replace(/\.gz$/, '');
  if (/\.ya?ml$/.test(name)) return 'yaml';
  if (/\.(jsonl|ndjson)$/.test(name)) return 'jsonl';
  if (!name.endsWith('.json') && !/^\s*[[{]/.test(first)) return 'yaml';
  return hasMore && isJson(first) ? 'jsonl' : 'json';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a parsed value is meant to be. */
export type Kind = 'store' | 'prompt' | 'conversation' | 'message';

/**
 * What a parsed value is meant to be; undefined for what is none of it. A store has a list of sections or a version,
 * a prompt a mapping of sections, a conversation a list of messages or choices or is one itself, a message a role.
 */
export function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return 'conversation';
  if (!isRecord(value)) return undefined;
  const field = (key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
  if (isRecord(field('sections'))) return 'prompt';
  if (Array.isArray(field('sections'))) return 'store';
  if (Array.isArray(field('messages')) || Array.isArray(field('choices'))) return 'conversation';
  if (field('version') !== undefined) return 'store';
  return field('role') === undefined ? undefined : 'message';
}
