import { AudioSource, FileSource, ImageSource } from 'message-store';
import { describe, expect, it } from 'vitest';

const HELLO = new TextEncoder().encode('Hello');
const HELLO_64 = 'SGVsbG8=';
const part = (source: { toContentPart(): { toJSON(): unknown } }) => source.toContentPart().toJSON();

describe('an image', () => {
  it('has an address', () => {
    const image = ImageSource.fromUrl('https://example.com/a.png', { detail: 'low' });
    expect([image.url, image.dataUri, image.mimeType, image.detail, image.toImageUrl()]).toEqual([
      'https://example.com/a.png',
      '',
      '',
      'low',
      'https://example.com/a.png',
    ]);
    expect(part(image)).toEqual({ type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } });
  });

  it('has any scheme, in whatever case', () => {
    expect(ImageSource.fromUrl('HTTPS://EXAMPLE.COM/A.PNG').url).toBe('HTTPS://EXAMPLE.COM/A.PNG');
    expect(ImageSource.fromUrl('gs://bucket/a.png').url).toBe('gs://bucket/a.png');
    expect(() => ImageSource.fromUrl('a.png')).toThrow('url: expected a URL with a scheme, got "a.png"');
  });

  it('is data, with its type told by the data URI', () => {
    const uri = `data:image/webp;base64,${HELLO_64}`;
    for (const image of [ImageSource.fromDataUri(uri), ImageSource.fromUrl(uri), ImageSource.of({ dataUri: uri })]) {
      expect([image.url, image.dataUri, image.mimeType]).toEqual(['', uri, 'image/webp']);
      expect(part(image)).toEqual({ type: 'image_url', image_url: { url: uri } });
    }
    expect(ImageSource.fromDataUri(`DATA:image/webp;base64,${HELLO_64}`).mimeType).toBe('image/webp');
  });

  it('comes from bytes', () => {
    const image = ImageSource.fromBytes(HELLO, 'image/png', { detail: 'original' });
    expect([image.dataUri, image.mimeType, image.detail]).toEqual([
      `data:image/png;base64,${HELLO_64}`,
      'image/png',
      'original',
    ]);
  });

  it('comes from exact fields', () => {
    const image = ImageSource.of({ url: 'https://a/b', mimeType: 'image/png' });
    expect([image.url, image.mimeType]).toEqual(['https://a/b', 'image/png']);
    expect(ImageSource.of({}).toImageUrl()).toBe('');
  });

  it('is no data when it is no data URI', () => {
    expect(() => ImageSource.fromDataUri(HELLO_64)).toThrow(
      'dataUri: expected a data URI (data:image/png;base64,…), got "SGVsbG8="',
    );
    expect(() => ImageSource.of({ dataUri: 'https://a/b', mimeType: 'image/gif' })).toThrow(
      'expected a data URI (data:image/gif;base64,…)',
    );
  });
});

describe('a file', () => {
  const uri = `data:application/pdf;base64,${HELLO_64}`;

  it('is data with a name', () => {
    const file = FileSource.fromDataUri(uri, { fileName: 'a.pdf' });
    expect([file.fileData, file.fileName, file.fileId, file.fileUrl, file.mimeType]).toEqual([
      uri,
      'a.pdf',
      '',
      '',
      'application/pdf',
    ]);
    expect(part(file)).toEqual({ type: 'file', file: { file_data: uri, file_name: 'a.pdf' } });
    expect(FileSource.fromBytes(HELLO, 'application/pdf', { fileName: 'a.pdf' }).fileData).toBe(uri);
  });

  it('tells its type without the parameters', () => {
    for (const parameters of [';charset=utf-8;base64', ';charset=utf-8', ';base64', '']) {
      expect(FileSource.fromDataUri(`data:text/plain${parameters},Hello`).mimeType).toBe('text/plain');
    }
    expect(FileSource.fromDataUri('data:,Hello').mimeType).toBe('application/octet-stream');
    expect(FileSource.fromDataUri('data:,Hello', { mimeType: 'text/plain' }).mimeType).toBe('text/plain');
  });

  it('was uploaded, or has an address', () => {
    expect(part(FileSource.fromId('file-1', { fileName: 'a.pdf' }))).toEqual({
      type: 'file',
      file: { file_name: 'a.pdf', file_id: 'file-1' },
    });
    expect(part(FileSource.fromUrl('https://a/b.pdf'))).toEqual({
      type: 'file',
      file: { file_url: 'https://a/b.pdf' },
    });
    expect(FileSource.fromId('file-1').mimeType).toBe('application/octet-stream');
  });

  it('comes from exact fields; nothing is sent of what is blank', () => {
    expect(part(FileSource.of({ fileData: uri, fileName: '' }))).toEqual({ type: 'file', file: { file_data: uri } });
    expect(part(FileSource.of({}))).toEqual({ type: 'file' });
  });

  it('is no data when it is no data URI', () => {
    expect(() => FileSource.fromDataUri(HELLO_64)).toThrow(
      'dataUri: expected a data URI (data:application/octet-stream;base64,…)',
    );
    expect(() => FileSource.fromDataUri(HELLO_64, { mimeType: 'text/csv' })).toThrow('(data:text/csv;base64,…)');
    expect(() => FileSource.of({ fileData: HELLO_64 })).toThrow('fileData: expected a data URI');
    expect(() => FileSource.of({ fileData: HELLO_64, mimeType: 'text/csv' })).toThrow('(data:text/csv;base64,…)');
  });
});

describe('audio', () => {
  it('is bare base64 of a format', () => {
    for (const audio of [
      AudioSource.of({ format: 'wav', data: HELLO_64 }),
      AudioSource.of({ format: 'wav', data: `data:audio/wav;base64,${HELLO_64}` }),
      AudioSource.fromBytes(HELLO, 'wav'),
      AudioSource.fromDataUri(`data:audio/x-wav;base64,${HELLO_64}`),
      AudioSource.fromDataUri(`data:audio/webm;codecs=opus;base64,${HELLO_64}`, 'wav'),
    ]) {
      expect([audio.format, audio.data]).toEqual(['wav', HELLO_64]);
      expect(part(audio)).toEqual({ type: 'input_audio', input_audio: { format: 'wav', data: HELLO_64 } });
    }
  });

  it('has the format that its type names', () => {
    expect(AudioSource.fromDataUri(`data:audio/mpeg;base64,${HELLO_64}`).format).toBe('mp3');
    expect(AudioSource.fromDataUri(`data:audio/webm;codecs=opus;base64,${HELLO_64}`).format).toBe('webm');
  });

  it('sends nothing of what is blank', () => {
    expect(part(AudioSource.of({ format: '', data: HELLO_64 }))).toEqual({
      type: 'input_audio',
      input_audio: { data: HELLO_64 },
    });
    expect(part(AudioSource.of({ format: '', data: '' }))).toEqual({ type: 'input_audio' });
  });

  it('is none when it is no data URI', () => {
    expect(() => AudioSource.fromDataUri(HELLO_64)).toThrow('dataUri: expected a data URI (data:audio/wav;base64,…)');
  });
});

it.each([
  ['an image', ImageSource.fromUrl('https://a/b')],
  ['a file', FileSource.fromId('f1')],
  ['audio', AudioSource.fromBytes(HELLO, 'wav')],
])('%s is content, a message and messages', (_, source) => {
  const content = source.toContent();
  expect(content.toJSON()).toEqual([part(source)]);
  expect([source.toMessage().role, source.toMessage().content.equals(content)]).toEqual(['user', true]);
  expect(source.toMessages().size).toBe(1);
});

it('bytes of any number become base64 as Node writes it', () => {
  for (const length of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 256);
    expect(AudioSource.fromBytes(bytes, 'wav').data).toBe(Buffer.from(bytes).toString('base64'));
  }
});
