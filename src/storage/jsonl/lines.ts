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
/** Whoever wants the first line only reads little; whoever wants all reads on in ever larger blocks. */
const [FIRST_BLOCK, LARGEST_BLOCK] = [2 ** 12, 2 ** 20];
const BLOCK_BACKWARDS = 2 ** 16;

/** The lines between two places of a file, read block by block. The bytes of a line may be kept. */
export function* linesOf(fs: FileSystem, fd: number, from: number, to: number): Generator<Line, void> {
  let pieces: Buffer[] = [];
  let start = from;
  let size = FIRST_BLOCK;
  for (let at = from; at < to; size = Math.min(2 * size, LARGEST_BLOCK)) {
    const block = readAt(fs, fd, at, Math.min(size, to - at));
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

/** The lines before a place of a file, the last one first. */
export function* linesBackwards(
  fs: FileSystem,
  fd: number,
  to: number,
): Generator<Pick<Line, 'bytes' | 'start'>, void> {
  let rest: Buffer = Buffer.alloc(0);
  for (let at = to; at > 0;) {
    const from = Math.max(0, at - BLOCK_BACKWARDS);
    const block = Buffer.concat([readAt(fs, fd, from, at - from), rest]);
    let end = block.length;
    for (let before = lastNewline(block, end); before >= 0; before = lastNewline(block, end)) {
      yield { bytes: block.subarray(before + 1, end), start: from + before + 1 };
      end = before;
    }
    rest = block.subarray(0, end);
    at = from;
  }
  yield { bytes: rest, start: 0 };
}

function lastNewline(block: Buffer, end: number): number {
  return end === 0 ? -1 : block.lastIndexOf(NEWLINE, end - 1);
}
