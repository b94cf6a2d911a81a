import { parseJsonText } from './json-text.ts';

/**
 * The value that cut-off JSON text holds so far, best effort: open strings, lists and objects are
 * closed; an unfinished key, literal or escape is left out, and so is a key without its value.
 * Undefined where nothing can be read yet.
 */
export function parsePartialJson(text: string): unknown {
  const { closers, inString, lastComma, lastOpen } = scan(text);
  const whole = inString ? `${withoutHalfCharacter(text)}"` : text;
  const closed = parse(whole + closers);
  return closed === undefined ? parse(text.slice(0, Math.max(lastComma, lastOpen + 1)) + closers) : closed;
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

interface Scan {
  /** What closes the lists and objects that are open. */
  readonly closers: string;
  readonly inString: boolean;
  /** Where the last comma and the bracket of the innermost open value stand: an unfinished token begins after them. */
  readonly lastComma: number;
  readonly lastOpen: number;
}

function scan(text: string): Scan {
  const open: { readonly closer: string; readonly at: number }[] = [];
  let inString = false;
  let lastComma = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') open.push({ closer: char === '{' ? '}' : ']', at });
    else if (char === '}' || char === ']') open.pop();
    else if (char === ',') lastComma = at;
  }
  const closers = open
    .map(({ closer }) => closer)
    .toReversed()
    .join('');
  return { closers, inString, lastComma, lastOpen: open.at(-1)?.at ?? -1 };
}

/** An escape that has only begun (`\`, `\u12`), after the first half of a surrogate pair if that waits for it. */
const HALF_ESCAPE = /(?<!\\)((?:\\\\)*)(?:\\u[dD][89abAB][\da-fA-F]{2})?(?:\\(?:u[\da-fA-F]{0,3})?)?$/;
const HALF_PAIR = /[\ud800-\udbff]$/;

/** Without the half of a character at the end. */
function withoutHalfCharacter(text: string): string {
  return text.replace(HALF_ESCAPE, '$1').replace(HALF_PAIR, '');
}
