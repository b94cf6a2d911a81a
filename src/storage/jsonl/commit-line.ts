import type { LogEntry } from '../session-state.ts';
import { commitStart, hashed, UNHASHED_END } from './write-record.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(UNHASHED_END);

/** The line of a commit whose changes come one by one, as text or as bytes that may be several. One object makes many lines. */
export class CommitLine {
  #bytes: Buffer = Buffer.allocUnsafe(2 ** 16);
  #length = 0;
  #isEmpty = true;

  get length(): number {
    return this.#length;
  }

  begin(fields: Omit<LogEntry, 'ops' | 'nodes'>): void {
    this.#length = 0;
    this.#isEmpty = true;
    this.#put(Buffer.from(commitStart(fields)));
  }

  add(change: Buffer | string): void {
    if (!this.#isEmpty) this.#put(COMMA);
    this.#isEmpty = false;
    this.#put(typeof change === 'string' ? Buffer.from(change) : change);
  }

  /** The line; the next one is written over it. */
  end(): Buffer {
    this.#put(END);
    return hashed(this.#bytes.subarray(0, this.#length));
  }

  #put(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) this.#grow(length);
    bytes.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  #grow(length: number): void {
    const before = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(2 * length);
    before.copy(this.#bytes);
  }
}
