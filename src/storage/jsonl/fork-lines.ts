import { newId } from '../../internal/ids.ts';
import type { Fork } from '../fork-state.ts';
import type { StoredNode } from '../storage.ts';
import { CommitLine } from './commit-line.ts';
import { type FileSystem, readInto } from './files.ts';
import type { PlainLine, PlainLines } from './plain-lines.ts';
import { changesIn, headerLine, opText } from './write-record.ts';

/** About how long a line becomes, and how much is read at once. */
const BLOCK = 2 ** 18;

/**
 * The lines of a session's fork, each to be used before the next one is asked for. Nodes go into it as the bytes that
 * they are in the session's file, where all of their line goes.
 */
export function* forkLines(file: Blocks, lines: PlainLines, fork: Fork): Generator<Buffer, void> {
  const { birth, nodes } = fork;
  yield headerLine(birth);
  const line = new CommitLine();
  let [version, seq] = [0, 1];
  const begin = (leaf: string | null): void =>
    line.begin({ id: newId(), version: ++version, seq, at: birth.createdAt, fingerprint: '', leaf });
  begin(null);
  for (const op of fork.before) line.add(opText(op));
  for (const { change, count } of changesOf(file, lines, nodes)) {
    line.add(change);
    seq += count;
    if (line.length < BLOCK) continue;
    yield line.end();
    begin(null);
  }
  yield line.end();
  begin(fork.leaf);
  for (const op of fork.behind) line.add(opText(op));
  yield line.end();
}

/** Nodes as changes, several in one where their line is copied. */
function* changesOf(file: Blocks, lines: PlainLines, nodes: readonly StoredNode[]) {
  for (let at = 0; at < nodes.length;) {
    const node = nodes[at] as StoredNode;
    const line = lines.at(node.seq);
    const isWhole = line !== undefined && nodes[at + line.count - 1]?.seq === node.seq + line.count - 1;
    const copied = isWhole ? changesIn(file.bytes(line)) : undefined;
    const count = copied === undefined ? 1 : (line as PlainLine).count;
    yield { change: copied ?? textOf(node), count };
    at += count;
  }
}

function textOf({ id, parentId, section, type, at, depth, bytes, data }: StoredNode): string {
  const node = { id, parentId, section, type, at, depth, bytes, text: JSON.stringify(data) };
  return opText({ op: 'node', node });
}

/** The lines of a file, read one after another. */
export class Blocks {
  readonly #fs: FileSystem;
  readonly #fd: number;
  #buffer: Buffer = Buffer.allocUnsafe(BLOCK);
  #from = 0;
  #to = 0;

  constructor(fs: FileSystem, fd: number) {
    this.#fs = fs;
    this.#fd = fd;
  }

  /** To be used before others are asked for. */
  bytes({ start, length }: PlainLine): Buffer {
    if (start < this.#from || start + length > this.#to) this.#read(start, length);
    return this.#buffer.subarray(start - this.#from, start - this.#from + length);
  }

  #read(start: number, length: number): void {
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length);
    this.#from = start;
    this.#to = start + readInto(this.#fs, this.#fd, start, this.#buffer);
  }
}
