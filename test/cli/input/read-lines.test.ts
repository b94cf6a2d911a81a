import { fc, it } from '@fast-check/vitest';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { linesOf, readLines, unzipped } from '../../../src/cli/input/read-lines.ts';
import { file, folder } from '../run.ts';

const each = <T>(items: readonly T[]): AsyncIterable<T> => Readable.from(items);
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const bytesOf = async (pieces: readonly Uint8Array[]) => Buffer.concat(await all(unzipped(each(pieces))));
const readAll = (name: string, content: string | Uint8Array) => all(readLines(file(name, content)));

describe('lines', () => {
  it('end with a line feed, with or without a return', async () => {
    expect(await all(linesOf(each(['a\r', '\nb', 'c\n', '\n\rd\r\n', 'e'])))).toEqual(['a', 'bc', '', '\rd', 'e']);
  });

  it('may hold the other line separators, which are allowed inside JSON', async () => {
    expect(await all(linesOf(each(['"a\u2028b\u2029c\u0085d"'])))).toHaveLength(1);
  });

  it.prop([fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '"') }))])(
    'are the same however the text comes',
    async (pieces) => {
      const lines = pieces.join('').split('\n');
      if (lines.at(-1) === '') lines.pop();
      expect(await all(linesOf(each(pieces)))).toEqual(lines);
    },
  );
});

describe('bytes', () => {
  const text = Buffer.from('Blåbærsyltetøy'.repeat(100));
  const zipped = gzipSync(text);

  it.each([
    ['at once', [zipped]],
    ['byte by byte', [...zipped].map((byte) => Uint8Array.of(byte))],
    ['with empty pieces', [new Uint8Array(), zipped.subarray(0, 1), new Uint8Array(), zipped.subarray(1)]],
    ['as two archives in one', [gzipSync(text.subarray(0, 7)), gzipSync(text.subarray(7))]],
  ])('are unzipped: %s', async (_, pieces) => expect(await bytesOf(pieces)).toEqual(text));

  it.each([[[]], [[new Uint8Array()]], [[Uint8Array.of(0x1f)]], [[text]]])(
    'are passed on where they are no gzip',
    async (pieces) => {
      expect(await bytesOf(pieces)).toEqual(Buffer.concat(pieces));
    },
  );
});

describe('a file', () => {
  it('has no byte order mark, and its characters survive the borders of what is read at once', async () => {
    const line = 'ø😀'.repeat(50_000);
    expect(await readAll('marked.txt', `\ufeffa\n${line}\n`)).toEqual(['a', line]);
    expect(await readAll('marked.gz', gzipSync(`\ufeffa\n${line}\n`))).toEqual(['a', line]);
  });

  it.each([
    ['latin-1', Buffer.from('caf\xe9', 'latin1'), 'expected text in UTF-8'],
    ['a character cut in half', Buffer.from('é').subarray(0, 1), 'expected text in UTF-8'],
    ['UTF-16', Buffer.from('\ufeff[]', 'utf16le'), 'expected text in UTF-8'],
    ['binary data', Buffer.from('ab\0cd'), 'expected text, found binary data'],
    ['a torn gzip', gzipSync('x'.repeat(1000)).subarray(0, 20), 'cannot be unzipped: unexpected end of file'],
    [
      'what only begins like a gzip',
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 255, 255]),
      'cannot be unzipped: ',
    ],
    ['a gzip whose sum is wrong', Buffer.concat([zippedWithWrongSum()]), 'cannot be unzipped: incorrect data check'],
  ])('is refused: %s', async (name, content, message) => {
    await expect(readAll(`${name}.txt`, content)).rejects.toThrow(`${name}.txt: ${message}`);
  });

  it('must be there, and no folder', async () => {
    await expect(all(readLines('nope.txt'))).rejects.toThrow('nope.txt: cannot be read: no such file or directory');
    await expect(all(readLines(folder))).rejects.toThrow(`${folder}: cannot be read: illegal operation on a directory`);
  });
});

function zippedWithWrongSum(): Buffer {
  const bytes = gzipSync('hello');
  bytes[bytes.length - 8]! ^= 1;
  return bytes;
}
