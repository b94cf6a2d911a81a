import { type FileSystem, readAt } from './files.ts';

/** One line of a file. */
export interface Line {
  /** Without the end of the line. */
  readonly bytes: Buffer;
  /** Where it begins. */
  readonly start: number;
  /** Where the next one begins. */
  readonly end: number;
  /** Whether the line has an end: the last one of a file may lack it. */
  readonly isEnded: boolean;
}

const NEWLINE = 10;
const BLOCK = 2 ** 20;

/** The lines between two places of a file, read block by block. The bytes of a line may be kept. */
export function* linesOf(fs: FileSystem, fd: number, from: number, to: number): Generator<Line, void> {
  let pieces: Buffer[] = [];
  let start = from;
  for (let at = from; at < to;) {
    const block = readAt(fs, fd, at, Math.min(BLOCK, to - at));
    if (block.length === 0) break;
    let done = 0;
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, done)) {
      const bytes = joined(pieces, block.subarray(done, end));
      pieces = [];
      done = end + 1;
      yield { bytes, start, end: at + done, isEnded: true };
      start = at + done;
    }
    if (done < block.length) pieces.push(block.subarray(done));
    at += block.length;
  }
  if (pieces.length > 0) yield openLine(joined(pieces), start);
}

function openLine(bytes: Buffer, start: number): Line {
  return { bytes, start, end: start + bytes.length, isEnded: false };
}

function joined(pieces: readonly Buffer[], last?: Buffer): Buffer {
  const all = last === undefined ? pieces : [...pieces, last];
  return all.length === 1 ? (all[0] as Buffer) : Buffer.concat(all);
}
