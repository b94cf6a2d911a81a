import { reject } from '../errors.ts';
import { parseJsonText } from '../internal/json-text.ts';
import { isRecord } from '../schema/json.ts';

/** A text as the event that it is; undefined for a blank one. */
export function eventOf(text: string): object | undefined {
  if (text.trim() === '') return undefined;
  const event = parsed(text);
  return isRecord(event) ? event : reject('event', 'a JSON object', text, 'invalid_json');
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
