import { Failure } from '../failure.ts';

/**
 * The value of a JSON document.
 *
 * @throws Failure naming the file and line
 */
export function parseJson(text: string, file: string): unknown {
  return parse(text, (position) => `${file}: line ${lineAt(text, position)}`);
}

/**
 * The value of one line of JSON Lines, which stands at `place`.
 *
 * @throws Failure naming the place
 */
export function parseJsonLine(text: string, place: string): unknown {
  return parse(text, () => place);
}

function parse(text: string, placeOf: (position: number) => string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as SyntaxError;
    throw new Failure(placeOf(positionOf(text, message)), `expected JSON: ${withoutPlace(message)}`, cause);
  }
}

/** The engine's words without the position and the snippet that it adds. */
function withoutPlace(message: string): string {
  const words = message.replace(/(?: in JSON)? at position .*$|, \.{0,3}".*$/s, '');
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/**
 * Where JSON text breaks. The engine names the position for most errors, but not for an unexpected token: there it is
 * the end of the longest beginning that more text could still complete.
 */
function positionOf(text: string, message: string): number {
  const named = / at position (\d+)/.exec(message);
  if (named !== null) return Number(named[1]);
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (canBeCompleted(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function canBeCompleted(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.startsWith('Unexpected end of JSON') || message.includes(` at position ${beginning.length} `);
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
