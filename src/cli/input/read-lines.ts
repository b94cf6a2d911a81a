import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure, placed } from '../failure.ts';

/** The name on the command line that means standard input. */
export const STDIN = '-';

/** How a file is called in messages. */
export function nameOf(file: string): string {
  return file === STDIN ? 'standard input' : file;
}

/**
 * The lines of a file in UTF-8, gzipped or not, without their ends and without a byte order mark; `-` is standard
 * input. Holds one line at a time. `onRead` is told how many bytes of the file each piece has.
 *
 * @throws Failure when the file cannot be read, unzipped or decoded
 */
export async function* readLines(
  file: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<string, void, undefined> {
  try {
    const bytes = file === STDIN ? process.stdin : createReadStream(file);
    yield* linesOf(decoded(unzipped(counted(bytes, onRead)), file));
  } catch (error) {
    throw placed(nameOf(file), error);
  }
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes) {
    onRead(piece.length);
    yield piece;
  }
}

/** The bytes, unzipped where they begin as gzip does. */
export async function* unzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    if (head.length > 1) break;
  }
  const all = joined(head, { [Symbol.asyncIterator]: () => pieces });
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  yield* isGzip ? pipeline(all, createGunzip(), () => undefined) : all;
}

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield head;
  yield* rest;
}

/** The bytes as text, refusing what is no text. */
async function* decoded(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of bytes) {
    const text = decoder.decode(piece, { stream: true });
    if (text.includes('\0')) throw new Failure(nameOf(file), 'expected text, found binary data');
    yield text;
  }
  yield decoder.decode();
}

/** The lines of text that comes in pieces, without `\n` or `\r\n`. Other line separators may stand inside JSON. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let open: string[] = [];
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    open.push(first);
    for (const line of others) {
      yield withoutReturn(open.join(''));
      open = [line];
    }
  }
  const last = open.join('');
  if (last !== '') yield last;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
