import { Buffer } from 'node:buffer';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { runInNewContext } from 'node:vm';
import { isBytes, isDataUri, mimeTypeOf, requireDataUri, toBase64, toDataUri } from '../../src/input/bytes.ts';

/** Around every border at which a group of three bytes or a piece is full. */
const LENGTHS = [0, 1, 2, 3, 4, 3 * 1024 - 1, 3 * 1024, 3 * 1024 + 1, 6 * 1024 + 2];

describe('bytes as base64', () => {
  test.prop([fc.uint8Array({ maxLength: 200 })])('are what any other encoder gives', (bytes) => {
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  });

  it.each(LENGTHS)('join without a seam: %i bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  });

  it('are only those of the view, not of the buffer behind it', () => {
    expect(toBase64(new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 3))).toBe('AgM=');
    expect(toBase64(Buffer.from('Hi'))).toBe('SGk=');
  });
});

describe('bytes', () => {
  it('are those of any realm', () => {
    const foreign: unknown = runInNewContext('new Uint8Array([1, 2, 3])');
    expect([new Uint8Array(), Buffer.from('Hi'), foreign].every(isBytes)).toBe(true);
    expect(toBase64(foreign as Uint8Array)).toBe('AQID');
  });

  it('are nothing else', () => {
    const others = [new ArrayBuffer(3), new Uint16Array(3), new DataView(new ArrayBuffer(3)), [1, 2], 'AQID', null, 5];
    expect(others.some(isBytes)).toBe(false);
    expect(() => toBase64([1] as never)).toThrow('bytes: expected a Uint8Array, got a list');
  });
});

describe('a data URI', () => {
  it('says what the bytes are', () => {
    expect(toDataUri(new Uint8Array([1, 2, 3]), 'image/png')).toBe('data:image/png;base64,AQID');
  });

  it.each<[string, boolean, string]>([
    ['data:image/png;base64,AQID', true, 'image/png'],
    ['DATA:image/png;base64,AQID', true, 'image/png'],
    ['data:text/plain;charset=utf-8,Hi', true, 'text/plain'],
    ['data:text/plain,Hi', true, 'text/plain'],
    ['data:;base64,AQID', true, ''],
    ['data:,', true, ''],
    ['data:image/png;base64', false, ''],
    ['https://example.com/data:image/png,', false, ''],
    [' data:image/png;base64,AQID', false, ''],
    ['', false, ''],
  ])('%s: %s %s', (text, accepted, mimeType) => {
    expect([isDataUri(text), mimeTypeOf(text)]).toEqual([accepted, mimeType]);
  });

  it('is text', () => {
    for (const other of [5, null, undefined, ['data:,'], new Uint8Array(3), Object('data:,')])
      expect(isDataUri(other)).toBe(false);
    expect(() => requireDataUri(5 as never, 'image/png', 'dataUri')).toThrow(
      'dataUri: expected a data URI (data:image/png;base64,…), got 5',
    );
  });

  it('is due where it is asked for', () => {
    expect(requireDataUri('data:,', 'image/png', 'dataUri')).toBe('data:,');
    expect(() => requireDataUri('AQID', 'image/png', 'dataUri')).toThrow(
      'dataUri: expected a data URI (data:image/png;base64,…), got "AQID"',
    );
  });

  it('is found at the beginning of long text without reading all of it', () => {
    expect(isDataUri(`data:${'x'.repeat(10_000_000)}`)).toBe(false);
    expect(mimeTypeOf(`data:image/png;base64,${'A'.repeat(10_000_000)}`)).toBe('image/png');
  });
});
