import { v7 } from 'uuid';

/** Where new ids and creation times come from: one replaceable pair, the only source of both. */
export interface IdentitySource {
  /** A new unique id, made at `time` (milliseconds since 1970 UTC) where the caller has just read the clock. */
  newId(time?: number): string;
  /** The time now, in milliseconds since 1970 UTC. */
  now(): number;
}

/** The first and the last digit of a UUID's random tail. */
const TAIL = 24;
const LAST = 35;

/**
 * UUID v7 of the package, one a millisecond: the further ones of that millisecond count its tail up (RFC 9562,
 * section 6.2, method 2), which costs a tenth of making each from new random bytes.
 */
function uuidSource(): IdentitySource {
  let codes: number[] = [];
  let lastTime = -1;
  return {
    newId(time = Date.now()) {
      if (time > lastTime) {
        lastTime = time;
        codes = Array.from(v7({ msecs: time }), codeOf);
        // Room to count up.
        codes[TAIL] = codeOf('0');
      } else countUp(codes);
      return String.fromCharCode(...codes);
    },
    now: () => Date.now(),
  };
}

const codeOf = (char: string): number => char.charCodeAt(0);

/** Adds one to the hexadecimal number at the end of a text. */
function countUp(codes: number[]): void {
  let at = LAST;
  for (; codes[at] === codeOf('f'); at--) codes[at] = codeOf('0');
  codes[at] = codes[at] === codeOf('9') ? codeOf('a') : (codes[at] as number) + 1;
}

let source: IdentitySource | undefined;

/** A fresh id; `time` where the clock has just been read. */
export function newId(time?: number): string {
  return (source ??= uuidSource()).newId(time);
}

/** The time now, in milliseconds since 1970 UTC. */
export function now(): number {
  return (source ??= uuidSource()).now();
}

let lastTime: number | undefined;
let lastText = '';

/** A time as ISO 8601 text in UTC with milliseconds; default: now. The text is made once a millisecond. */
export function timeText(time = now()): string {
  if (time !== lastTime) {
    lastTime = time;
    lastText = new Date(time).toISOString();
  }
  return lastText;
}

/** Replaces the source of ids and times (for tests); `undefined` brings the default back. Returns the one before. */
export function setIdentitySource(next: IdentitySource | undefined): IdentitySource | undefined {
  const before = source;
  source = next;
  return before;
}
