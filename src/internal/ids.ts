import { v7 } from 'uuid';
import { platform } from './platform.ts';

/** Where new ids and creation times come from: one replaceable pair, the only source of both. */
export interface IdentitySource {
  /** A new unique id, made at `time` (milliseconds since 1970 UTC) where the caller has just read the clock. */
  newId(time?: number): string;
  /** The time now, in milliseconds since 1970 UTC. */
  now(): number;
}

const POOL_SIZE = 4096;
const UUID_BYTES = 16;
/** Where the random bytes begin: four from which the first id of a millisecond takes the start of its count, and the tail. */
const RANDOM = 6;

/** UUID v7 from a pool of random bytes (ten times cheaper than a system call per id); ids of one millisecond ascend. */
function uuidSource(): IdentitySource {
  const pool = new Uint8Array(POOL_SIZE);
  const random = new Uint8Array(UUID_BYTES);
  const bytes = new Uint8Array(UUID_BYTES);
  const asText = uuidWriter();
  let used = pool.length;
  let lastTime = 0;
  let sequence = 0;
  const draw = (): void => {
    if (used > pool.length - UUID_BYTES) {
      platform.crypto.getRandomValues(pool);
      used = 0;
    }
    for (let at = RANDOM; at < UUID_BYTES; at++) random[at] = pool[used++] as number;
  };
  return {
    newId(time = Date.now()) {
      const msecs = Math.max(time, lastTime);
      draw();
      sequence = msecs === lastTime ? sequence + 1 : firstSequence(random);
      lastTime = msecs;
      return asText(v7({ random, msecs, seq: sequence }, bytes));
    },
    now: () => Date.now(),
  };
}

/** A random start below 2^30, so that a millisecond's ids can count up without wrapping round. */
function firstSequence(random: Uint8Array): number {
  return new DataView(random.buffer).getUint32(RANDOM) >>> 2;
}

/** Writes a UUID as one flat string: the package joins 20 pieces, which costs three times as much. */
function uuidWriter(): (bytes: Uint8Array) => string {
  const codes = Array.from('00000000-0000-0000-0000-000000000000', codeOf);
  return (bytes) => {
    let place = 0;
    // By index: for…of over bytes takes twice as long.
    for (let at = 0; at < UUID_BYTES; at++) {
      const byte = bytes[at] as number;
      if (codes[place] === DASH) place++;
      codes[place++] = hexDigit(byte >>> 4);
      codes[place++] = hexDigit(byte & 15);
    }
    return String.fromCharCode(...codes);
  };
}

const DASH = 45;
const codeOf = (char: string): number => char.charCodeAt(0);
const hexDigit = (value: number): number => value + (value < 10 ? 48 : 87);

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
