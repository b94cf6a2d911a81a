import { fc, test } from '@fast-check/vitest';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gptTokenizer } from '../../src/counters/gpt-tokenizer/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';
import {
  AudioSource,
  ContentPart,
  countTokens,
  FileSource,
  ImageSource,
  type TokenCounter,
  tokenEstimate,
} from '../../src/index.ts';
import { lacksRealData, realConversations } from '../support/real-conversations.ts';
import { find, read } from '../support/source.ts';

const exact = await gptTokenizer();
const estimate = (text: string) => tokenEstimate.text(text);

/** How much too high the estimate is: 0.1 where it is 10 % too high. */
const errorOf = (text: string) => estimate(text) / exact.text(text) - 1;
const percent = (ratio: number) => `${(100 * ratio).toFixed(1)} %`;

describe('the estimate of a text', () => {
  const samples = find('test/fixtures/tokens/*.txt').map((path) => ({
    name: basename(path, '.txt'),
    text: read(path),
  }));

  it('is measured', () => {
    const lines = samples.map(({ name, text }) => `${name.padEnd(20)} ${percent(errorOf(text)).padStart(8)}`);
    console.log(['too high by, against o200k_base:', ...lines].join('\n'));
    expect(samples.length).toBeGreaterThanOrEqual(8);
  });

  /** What is written with the letters of English alone cannot be told from it. */
  const bounds: Readonly<Record<string, number>> = { english: 0.1, finnish: 0.3, indonesian: 0.3 };

  it.each(samples)('is near what o200k_base counts in $name', ({ name, text }) => {
    expect(Math.abs(errorOf(text))).toBeLessThan(bounds[name] ?? 0.2);
  });

  it.each(['docs/*.md', 'src/model/*.ts'])('is near on average in files that it was not fitted to: %s', (files) => {
    const errors = find(files).map((path) => Math.abs(errorOf(read(path))));
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    console.log(`${files}: ${percent(mean)} off`);
    expect(mean).toBeLessThan(0.1);
  });

  it.each([
    ['nothing', '', 0, 0],
    ['a word', 'Hi', 1, 1],
    ['a contraction', "I don't know", 3, 3],
    ['contractions of two letters', "we're sure they've said I'll go", 6, 9],
    ['camel case', 'countAllTokens', 3, 3],
    ['digits by threes', '1234567', 3, 3],
    ['a hundred letters', 'abcdefghij'.repeat(10), 20, 40],
    ['a hundred capitals', 'A'.repeat(100), 20, 40],
    ['a hundred Han', '你好世界'.repeat(25), 60, 130],
    ['an emoji', '🎉', 1, 3],
    ['a rule of signs', '='.repeat(200), 1, 10],
    ['an indent', `{\n${' '.repeat(40)}x`, 2, 4],
    ['half a surrogate pair', '\ud83d', 1, 3],
  ])('of %s is in its bounds', (_, text, least, most) => {
    expect(estimate(text)).toBeGreaterThanOrEqual(least);
    expect(estimate(text)).toBeLessThanOrEqual(most);
  });

  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary-ascii' }),
    fc
      .array(fc.constantFrom('a', 'B', '1', ' ', '\n', "'t", '-', 'ą', '字', '🎉', '\ud83d'), { maxLength: 40 })
      .map((list) => list.join('')),
  );

  test.prop([texts])('is a whole number, 0 for nothing only, and always the same', (text) => {
    const tokens = estimate(text);
    expect(Number.isSafeInteger(tokens)).toBe(true);
    expect(tokens > 0).toBe(text !== '');
    expect(estimate(text)).toBe(tokens);
  });

  test.prop([texts, texts])('grows with the text, save where two pieces become one', (a, b) => {
    expect(estimate(a + b)).toBeGreaterThanOrEqual(Math.max(estimate(a), estimate(b)) - 2);
    expect(estimate(a + b)).toBeLessThanOrEqual(estimate(a) + estimate(b) + 2);
  });

  test.prop([texts.filter((text) => text !== ''), fc.integer({ min: 2, max: 50 })])(
    'grows no faster than the text',
    (text, times) => {
      expect(estimate(text.repeat(times))).toBeLessThanOrEqual(times * (estimate(text) + 2));
    },
  );
});

describe.skipIf(lacksRealData)(
  'the estimate of real conversations (200 of a tool-using agent; needs REAL_DATA)',
  () => {
    const bare = (counter: TokenCounter): TokenCounter => ({ ...counter, perMessage: 0, perRequest: 0 });
    const [estimated, counted] = [bare(tokenEstimate), bare(exact)];

    it('is near what o200k_base counts, and rather too high', () => {
      const errors = realConversations.map((conversation) => {
        const { messages } = openaiChat.decode(conversation);
        return countTokens(messages, estimated) / countTokens(messages, counted) - 1;
      });
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
      const absolute = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
      const worst = Math.max(...errors.map(Math.abs));
      console.log(
        `real conversations: ${percent(mean)} too high, ${percent(absolute)} off, at worst ${percent(worst)}`,
      );
      expect(absolute).toBeLessThan(0.1);
      expect(worst).toBeLessThan(0.2);
      expect(mean).toBeGreaterThan(0);
    });
  },
);

describe('the estimate of media', () => {
  const media = (part: ContentPart) => tokenEstimate.media(part);
  const base64 = (length: number) => 'iVBORw0KGgoAAAAN'.repeat(Math.ceil(length / 16)).slice(0, length);
  const dataUri = (type: string, length: number) => `data:${type};base64,${base64(length)}`;
  const image = (length: number) => ContentPart.imageUrl(dataUri('image/png', length));

  it('is the same for images of every size, and less for those of low detail', () => {
    expect(media(image(1000))).toBe(1600);
    expect(media(image(4_000_000))).toBe(1600);
    expect(media(ContentPart.imageUrl('https://example.com/a.png'))).toBe(1600);
    expect(media(ImageSource.fromUrl('https://example.com/a.png', { detail: 'low' }).toContentPart())).toBe(85);
    expect(media(ContentPart.of('image_url', { image_url: 'https://example.com/a.png', detail: 'low' }))).toBe(85);
  });

  it('goes by the length of audio', () => {
    const second = new Uint8Array(32_000);
    expect(media(AudioSource.fromBytes(second, 'wav').toContentPart())).toBe(32);
    expect(media(AudioSource.fromBytes(second, 'mp3').toContentPart())).toBe(64);
    expect(media(ContentPart.of('input_audio', { input_audio: { format: 'mp3' } }))).toBe(1920);
  });

  it('goes by the type and the size of files, up to a bound', () => {
    const file = (type: string, bytes: number) =>
      media(FileSource.fromBytes(new Uint8Array(bytes), type).toContentPart());
    expect(file('application/pdf', 10)).toBe(2000);
    expect(file('application/pdf', 250_000)).toBe(6000);
    expect(file('application/pdf', 20_000_000)).toBe(50_000);
    expect(file('image/png', 1_000_000)).toBe(1600);
    expect(file('audio/wav', 32_000)).toBeGreaterThanOrEqual(32);
    expect(file('text/csv', 4000)).toBeGreaterThanOrEqual(1000);
    expect(file('application/json', 4000)).toBeLessThan(1020);
    expect(media(FileSource.fromId('file-1').toContentPart())).toBe(2000);
  });

  it('of a part of another type is that of its JSON text, with base64 as an image', () => {
    const video = ContentPart.of('video', { start: 3, title: 'How the ferry lands' });
    expect(media(video)).toBe(estimate('{"type":"video","start":3,"title":"How the ferry lands"}'));
    const source = (length: number) => ContentPart.of('image', { source: { type: 'base64', data: base64(length) } });
    expect(media(source(1000))).toBe(media(source(4_000_000)));
    expect(media(source(1000)) - 1600).toBeLessThan(30);
    expect(media(ContentPart.of('image', { url: dataUri('image/png', 9000) })) - 1600).toBeLessThan(30);
    const lines = base64(9000).replaceAll(/.{76}/g, '$&\r\n');
    expect(media(ContentPart.of('image', { data: lines })) - 1600).toBeLessThan(30);
  });

  it('of a part of another type reads long prose as prose, with spaces or without', () => {
    const words = ContentPart.of('note', { body: 'The ferry leaves twice a day. '.repeat(40) });
    const han = ContentPart.of('note', { body: '村口的老桃树开满粉色的花'.repeat(100) });
    expect(media(words)).toBeLessThan(400);
    expect(media(han)).toBeGreaterThan(1000);
    expect(media(han)).toBeLessThan(1400);
  });

  it('does not count what is not sent: origins', () => {
    const part = ContentPart.of('note', { body: 'x' });
    const signed = ContentPart.of('note', { body: 'x', _origin: { provider: 'p', data: { signature: base64(9000) } } });
    expect(media(signed)).toBe(media(part));
  });

  const fields = fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<unknown>);
  const types = fc.constantFrom('image_url', 'input_audio', 'file', 'image', 'document', 'toString', '__proto__');
  test.prop([types, fields])('is a whole number for whatever a part holds', (type, content) => {
    const tokens = media(ContentPart.of(type, { ...content, [type]: content }));
    expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
  });
});
