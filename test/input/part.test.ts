import { describe, expect, it } from 'vitest';
import { dropAbsent, readPart } from '../../src/input/part.ts';
import { throwingField } from '../support/hostile-values.ts';

const BYTES = new Uint8Array([1, 2, 3]);
const PNG = 'data:image/png;base64,AQID';
const UNKNOWN = 'data:application/octet-stream;base64,AQID';

describe('a part object', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['text', { type: 'text', text: 'Hi' }, { text: 'Hi' }],
    ['text without a type', { text: 'Hi', cache: true }, { text: 'Hi', cache: true }],
    ['text whose type is null', { type: null, text: '' }, { text: '' }],
    [
      'absent fields',
      { type: 'text', text: 'Hi', a: null, b: [], c: undefined, d: '', e: {}, f: 0 },
      { text: 'Hi', d: '', e: {}, f: 0 },
    ],

    [
      'an image',
      { type: 'image_url', image_url: { url: PNG, detail: 'low' } },
      { image_url: { url: PNG, detail: 'low' } },
    ],
    ['an image as text', { type: 'image_url', image_url: PNG }, { image_url: { url: PNG } }],
    ['a flat image', { type: 'image_url', url: PNG, detail: 'low' }, { image_url: { url: PNG }, detail: 'low' }],
    ['an image in bytes', { type: 'image_url', image_url: BYTES }, { image_url: { url: UNKNOWN } }],
    [
      'an image in bytes with a type',
      { type: 'image_url', image_url: BYTES, mime_type: 'image/png' },
      { image_url: { url: PNG }, mime_type: 'image/png' },
    ],
    [
      'a flat image in bytes',
      { type: 'image_url', url: BYTES, mime_type: 'image/png' },
      { image_url: { url: PNG }, mime_type: 'image/png' },
    ],
    [
      'an image with bytes inside',
      { type: 'image_url', image_url: { url: BYTES, mime_type: 'image/png' } },
      { image_url: { url: PNG, mime_type: 'image/png' } },
    ],
    [
      'an image whose address stands beside it',
      { type: 'image_url', image_url: { detail: 'low' }, url: PNG },
      { image_url: { detail: 'low', url: PNG } },
    ],
    [
      'an image whose address stands in both places',
      { type: 'image_url', image_url: { url: PNG }, url: 'x' },
      { image_url: { url: PNG } },
    ],
    [
      'an image with nothing beside it',
      { type: 'image_url', image_url: { detail: 'low' }, url: null },
      { image_url: { detail: 'low' } },
    ],
    ['an image that is no address', { type: 'image_url', image_url: 5, url: PNG }, { image_url: 5 }],
    ['no image', { type: 'image_url', image_url: null, url: 5 }, { url: 5 }],
    ['no image at all', { type: 'image_url' }, {}],

    ['a file', { type: 'file', file: { file_id: 'f1', more: 1 } }, { file: { file_id: 'f1', more: 1 } }],
    [
      'a flat file',
      { type: 'file', file_data: PNG, file_name: 'a.png', file_id: 'f1', more: 1 },
      { file: { file_data: PNG, file_name: 'a.png', file_id: 'f1' }, more: 1 },
    ],
    ["a file in OpenAI's spelling", { type: 'file', file: { filename: 'a.png' } }, { file: { file_name: 'a.png' } }],
    ['a flat file in that spelling', { type: 'file', filename: 'a.png' }, { file: { file_name: 'a.png' } }],
    [
      'a file with names in all places',
      { type: 'file', file: { file_name: 'a', filename: 'b' }, file_name: 'c', filename: 'd' },
      { file: { file_name: 'a' } },
    ],
    [
      'a file with names in three places',
      { type: 'file', file: { filename: 'b' }, file_name: 'c', filename: 'd' },
      { file: { file_name: 'b' } },
    ],
    [
      'a file with names beside it',
      { type: 'file', file: {}, file_name: 'c', filename: 'd' },
      { file: { file_name: 'c' } },
    ],
    [
      'a file that fills in from beside it',
      { type: 'file', file: { file_id: 'f1' }, file_id: 'f2', file_data: PNG },
      { file: { file_id: 'f1', file_data: PNG } },
    ],
    [
      'a file in bytes',
      { type: 'file', file: BYTES, file_name: 'a' },
      { file: { file_data: UNKNOWN, file_name: 'a' } },
    ],
    [
      'a flat file in bytes',
      { type: 'file', file_data: BYTES, mime_type: 'image/png' },
      { mime_type: 'image/png', file: { file_data: PNG } },
    ],
    [
      'a file with bytes inside',
      { type: 'file', file: { file_data: BYTES, mime_type: 5 } },
      { file: { file_data: UNKNOWN, mime_type: 5 } },
    ],
    [
      'a file that is none',
      { type: 'file', file: 'a.png', file_name: 'b', file_id: null },
      { file: 'a.png', file_name: 'b' },
    ],
    ['no file', { type: 'file', file: null, file_name: null }, {}],
    ['a flat file beside nothing', { type: 'file', file: null, file_name: 'a' }, { file: { file_name: 'a' } }],
    [
      'a file with data in both places',
      { type: 'file', file: { file_data: 'a' }, file_data: 'b' },
      { file: { file_data: 'a' } },
    ],
    ['an empty file', { type: 'file', file: {} }, {}],

    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'AQID', format: 'wav', rate: 8 } },
      { input_audio: { data: 'AQID', format: 'wav', rate: 8 } },
    ],
    [
      'flat audio',
      { type: 'input_audio', data: 'AQID', format: 'wav', rate: 8 },
      { rate: 8, input_audio: { data: 'AQID', format: 'wav' } },
    ],
    [
      'audio that fills in from beside it',
      { type: 'input_audio', input_audio: { data: 'AQID' }, data: 'x', format: 'wav' },
      { input_audio: { data: 'AQID', format: 'wav' } },
    ],
    [
      'audio in bytes',
      { type: 'input_audio', input_audio: BYTES, format: 'wav' },
      { input_audio: { data: 'AQID', format: 'wav' } },
    ],
    ['flat audio in bytes', { type: 'input_audio', data: BYTES }, { input_audio: { data: 'AQID' } }],
    [
      'audio that is none',
      { type: 'input_audio', input_audio: 'AQID', format: 'wav', data: null },
      { input_audio: 'AQID', format: 'wav' },
    ],
    ['no audio', { type: 'input_audio' }, {}],
    [
      'flat audio beside nothing',
      { type: 'input_audio', input_audio: null, data: 'a' },
      { input_audio: { data: 'a' } },
    ],
    [
      'audio with a format in both places',
      { type: 'input_audio', input_audio: { format: 'wav' }, format: 'mp3' },
      { input_audio: { format: 'wav' } },
    ],

    ['a type that is not known', { type: 'video', url: 'x', a: null, b: [] }, { url: 'x', a: null, b: [] }],
    ['a type with no name', { type: '', text: 'x' }, { text: 'x' }],
    ['a type named like something inherited', { type: 'toString', a: 1 }, { a: 1 }],
  ])('is read: %s', (_, input, fields) => {
    const part = readPart(input, 'content[1]');
    expect(part).toEqual({ type: input['type'] ?? 'text', fields });
    expect(Object.isFrozen(part.fields)).toBe(true);
  });

  it('with a field __proto__ keeps it as a field', () => {
    for (const type of ['text', 'image_url', 'file', 'input_audio', 'video', '__proto__']) {
      const { fields } = readPart({ ...JSON.parse('{"__proto__":{"a":1}}'), type }, '');
      expect([Object.keys(fields), Object.getPrototypeOf(fields)]).toEqual([['__proto__'], Object.prototype]);
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['type', { type: 5 }, 'expected a string, got 5'],
    ['type', { type: {} }, 'expected a string, got an object'],
    ['type', { type: 'a\ud83d' }, 'expected well-formed Unicode (no lone surrogates), got "a\\ud83d"'],
    ['text', { type: 'text', text: '\ude00' }, 'expected well-formed Unicode (no lone surrogates), got "\\ude00"'],
    ['image_url.url', { type: 'image_url', image_url: { url: Number.NaN } }, 'expected a finite number, got NaN'],
    ['file.more[1]', { type: 'file', file: { more: [1, 1n] } }, 'expected a JSON value, got 1n'],
    ['data', { type: 'video', data: BYTES }, 'expected a JSON value, got an object of class Uint8Array'],
    [
      '_origin.data',
      { type: 'reasoning', _origin: { provider: 'x', data: () => 1 } },
      'expected a JSON value, got a function',
    ],
  ])('is refused at %s: %#', (path, input, message) => {
    expect(() => readPart(input, '')).toThrow(`${path}: ${message}`);
    expect(() => readPart(input, 'content[1]')).toThrow(`content[1].${path}: ${message}`);
  });

  it('is refused where a field throws when it is read', () => {
    expect(() => readPart(throwingField('text'), 'content[1]')).toThrow(
      'content[1]: expected a value that can be read, got the error "boom"',
    );
  });
});

describe('absent fields', () => {
  it('are null and empty lists; without any the fields are the same', () => {
    const fields = Object.freeze({ a: '', b: {}, c: false, d: 0, e: [null] });
    expect(dropAbsent(fields)).toBe(fields);
    const kept = dropAbsent({ ...fields, f: null, g: [] });
    expect([kept, Object.isFrozen(kept)]).toEqual([fields, true]);
  });
});
