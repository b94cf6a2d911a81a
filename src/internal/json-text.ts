const COLON = /\s*:/y;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/y;

/** What JSON text holds, and whether it can hold text that is not well-formed although it is itself. */
export interface ParsedText {
  readonly value: unknown;
  readonly hasSurrogateEscapes: boolean;
}

/**
 * What JSON text holds: `JSON.parse`, save that V8 (12.8 and later) may take a key with an escape in it for another
 * one that it has met in an object of the same shape (nodejs/node#63785). Such keys are read apart here.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function parseJsonText(text: string): ParsedText {
  const value: unknown = JSON.parse(text);
  const { inKeys, ofSurrogates } = escapesIn(text);
  return { value: inKeys ? parseEscapedKeys(text) : value, hasSurrogateEscapes: ofSurrogates };
}

/** What kinds of escapes text has that is known to be JSON. Goes from backslash to backslash: most texts have few. */
function escapesIn(text: string): { readonly inKeys: boolean; readonly ofSurrogates: boolean } {
  let inKeys = false;
  let ofSurrogates = false;
  let quote = -1;
  let next: number;
  for (let at = text.indexOf('\\'); at >= 0; at = next) {
    ofSurrogates ||= text[at + 1] === 'u' && matchesAt(SURROGATE_ESCAPE, text, at);
    next = text.indexOf('\\', at + 2);
    if (quote < at + 2) quote = text.indexOf('"', at + 2);
    const endsString = next < 0 || next > quote;
    inKeys ||= endsString && matchesAt(COLON, text, quote + 1);
  }
  return { inKeys, ofSurrogates };
}

/** Parses text that is known to be JSON with stand-ins for the keys that have an escape, and puts the keys back. */
function parseEscapedKeys(text: string): unknown {
  const mark = unusedIn(text);
  const keys: string[] = [];
  const pieces: string[] = [];
  let done = 0;
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', done)) {
    const end = endOfString(text, open);
    const token = text.slice(open, end);
    const standIn = isEscapedKey(token, text, end) ? `"${mark}${keys.push(JSON.parse(token) as string) - 1}"` : token;
    pieces.push(text.slice(done, open), standIn);
    done = end;
  }
  const value: unknown = JSON.parse(pieces.join('') + text.slice(done));
  const nameOf = (key: string): string =>
    key.startsWith(mark) ? (keys[Number(key.slice(mark.length))] as string) : key;
  for (const object of objectsIn(value)) renameKeys(object, nameOf);
  return value;
}

/** Text that another does not contain. */
function unusedIn(text: string): string {
  let mark = '@';
  while (text.includes(mark)) mark += mark;
  return mark;
}

/** The place behind a string of JSON text. */
function endOfString(text: string, open: number): number {
  let quote = text.indexOf('"', open + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function isEscapedKey(token: string, text: string, end: number): boolean {
  return token.includes('\\') && matchesAt(COLON, text, end);
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** All objects inside a value, lists left out, however deep. */
function objectsIn(root: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const waiting = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) found.push(value as Record<string, unknown>);
    for (const child of Object.values(value)) waiting.push(child);
  }
  return found;
}

/** Gives all keys of an object their names, in the same order; of two with one name the last one counts. */
function renameKeys(object: Record<string, unknown>, nameOf: (key: string) => string): void {
  const entries = Object.entries(object);
  if (entries.every(([key]) => nameOf(key) === key)) return;
  for (const [key] of entries) delete object[key];
  for (const [key, value] of entries)
    Object.defineProperty(object, nameOf(key), { value, enumerable: true, configurable: true, writable: true });
}
