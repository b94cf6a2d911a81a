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

/** Whether text is a JSON value. */
export function isJson(text: string): boolean {
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
 * a prompt a mapping of sections, a conversation is a list, or a request or response of a provider, a message has a
 * role or is a call or its answer.
 */
export function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return 'conversation';
  if (!isRecord(value)) return undefined;
  const own = new Map(Object.entries(value));
  if (isRecord(own.get('sections'))) return 'prompt';
  if (Array.isArray(own.get('sections'))) return 'store';
  if (own.has('call_id')) return 'message';
  if (isBody(own)) return 'conversation';
  if (own.get('version') !== undefined) return 'store';
  return own.get('role') === undefined ? undefined : 'message';
}

const LISTS = ['messages', 'choices', 'contents', 'candidates', 'input', 'output'];

/** Whether these are the fields of a request or a response. */
function isBody(fields: ReadonlyMap<string, unknown>): boolean {
  if (LISTS.some((key) => Array.isArray(fields.get(key))) || typeof fields.get('input') === 'string') return true;
  return ['message', 'output', 'promptFeedback'].some((key) => isRecord(fields.get(key))) || fields.has('stop_reason');
}
