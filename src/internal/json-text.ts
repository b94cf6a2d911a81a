const COLON = /\s*:/y;

/**
 * What JSON text holds: `JSON.parse`, save that V8 (12.8 and later) may take a key with an escape in it for another
 * one that it has met in an object of the same shape (nodejs/node#63785). Such keys are read apart here.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasEscapedKey(text) ? parseEscapedKeys(text) : value;
}

/** Whether a key has an escape in it, in text that is known to be JSON. Looks only at strings with a backslash: most have none. */
function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0;) {
    const end = endOfString(text, at + 1);
    if (matchesAt(COLON, text, end)) return true;
    at = text.indexOf('\\', end);
  }
  return false;
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

/** The place behind a string of JSON text, `from` a place in it or its opening quote. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
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
