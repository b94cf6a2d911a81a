import { v7 } from 'uuid';
import { platform } from './platform.ts';

/** Where new ids and creation times come from: one replaceable pair, the only source of both. */
export interface IdentitySource {
  /** A new unique id. */
  newId(): string;
  /** The time now, in milliseconds since 1970 UTC. */
  now(): number;
}

const POOL_SIZE = 256;
const BYTES_PER_ID = 16;

/** UUID v7 from a pool of random bytes (ten times cheaper than a system call per id); ids of one millisecond ascend. */
function uuidSource(): IdentitySource {
  const pool = new Uint8Array(POOL_SIZE * BYTES_PER_ID);
  let used = pool.length;
  let lastTime = 0;
  let sequence = 0;
  const random = (): Uint8Array => {
    if (used === pool.length) {
      platform.crypto.getRandomValues(pool);
      used = 0;
    }
    return pool.subarray(used, (used += BYTES_PER_ID));
  };
  return {
    newId() {
      const bytes = random();
      const msecs = Math.max(Date.now(), lastTime);
      sequence = msecs === lastTime ? sequence + 1 : firstSequence(bytes);
      lastTime = msecs;
      return v7({ random: bytes, msecs, seq: sequence });
    },
    now: () => Date.now(),
  };
}

/** A random start below 2^30, so that a millisecond's ids can count up without wrapping round. */
function firstSequence(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) >>> 2;
}

let source: IdentitySource | undefined;

/** A fresh id. */
export function newId(): string {
  return (source ??= uuidSource()).newId();
}

let lastTime: number | undefined;
let lastText = '';

/** The time now as ISO 8601 text in UTC with milliseconds. The text is made once a millisecond. */
export function nowText(): string {
  const time = (source ??= uuidSource()).now();
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
