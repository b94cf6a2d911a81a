import { fc, test } from '@fast-check/vitest';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, vi } from 'vitest';
import { gptTokenizer } from '../../src/counters/gpt-tokenizer/index.ts';
import { shortPieces } from '../../src/counters/gpt-tokenizer/short-pieces.ts';
import { ContentPart, countTokens, tokenEstimate } from '../../src/index.ts';

const counter = await gptTokenizer();
const plain = { disallowedSpecial: new Set<string>() };

describe('gptTokenizer', () => {
  it('counts exactly what the encoding gives', () => {
    expect(counter.text('')).toBe(0);
    expect(counter.text('The ferry leaves twice a day.')).toBe(7);
    expect(countTokens('Hello!', counter)).toBe(2 + 4 + 3);
  });

  it('takes an encoding or a model; of unknown models, that of new ones', async () => {
    const words = 'Źdźbło trawy 12345';
    const of = async (options: Parameters<typeof gptTokenizer>[0]) => (await gptTokenizer(options)).text(words);
    const old = await of({ encoding: 'cl100k_base' });
    expect(old).not.toBe(counter.text(words));
    expect(await of({ model: 'gpt-4' })).toBe(old);
    expect(await of({ model: 'gpt-4o' })).toBe(counter.text(words));
    expect(await of({ model: 'toString' })).toBe(counter.text(words));
    expect(await of({ model: 'gpt2' })).toBe(await of({ encoding: 'r50k_base' }));
    expect(await of({ model: 'gpt-4o', encoding: 'cl100k_base' })).toBe(old);
  });

  it.each(['o200k_harmony', 'p50k_base', 'p50k_edit'] as const)('has %s', async (encoding) => {
    expect((await gptTokenizer({ encoding })).text('Hello')).toBe(1);
  });

  it.each(['o300k' as never, 'toString' as never, 7 as never])(
    'refuses an encoding that is none: %s',
    async (encoding) => {
      await expect(gptTokenizer({ encoding })).rejects.toThrow('encoding: expected one of "o200k_base"');
    },
  );

  it('counts special tokens as the text that they are', () => {
    expect(counter.text('<|endoftext|>')).toBeGreaterThan(3);
    expect(counter.text('Stop at <|endoftext|>, <|im_start|> or <|endofprompt|>.')).toBeGreaterThan(12);
  });

  it('estimates media', () => {
    const image = ContentPart.imageUrl('https://example.com/a.png');
    expect(counter.media(image)).toBe(tokenEstimate.media(image));
    const note = ContentPart.of('note', { body: 'Źdźbło' });
    expect(counter.media(note)).toBe(counter.text('{"type":"note","body":"Źdźbło"}'));
  });

  it('tells which package it needs where that is not installed', async () => {
    vi.doMock('gpt-tokenizer/encoding/o200k_base', () => {
      throw new Error('Cannot find package');
    });
    await expect(gptTokenizer()).rejects.toMatchObject({
      code: 'missing_package',
      message: expect.stringContaining('npm install gpt-tokenizer') as string,
    });
    vi.doUnmock('gpt-tokenizer/encoding/o200k_base');
  });

  test.prop([fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })])('follows its laws', (a, b) => {
    const tokens = counter.text(a);
    expect(tokens).toBe(o200k(a, plain));
    expect(Number.isSafeInteger(tokens)).toBe(true);
    expect(tokens > 0).toBe(a !== '');
    expect(counter.text(a + b)).toBeLessThanOrEqual(tokens + counter.text(b) + 3);
  });
});

describe('a text without spaces', () => {
  it.each(['a', '字', '🎉', '1', '=', ' ', '\n'])('of %j is counted in pieces that are short', (unit) => {
    const pieces = [...shortPieces(unit.repeat(10_000))];
    expect(pieces.join('')).toBe(unit.repeat(10_000));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(1025);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  it('is whole where its words are short, however long it is', () => {
    const text = '{"key":12,"other":[true,null]},'.repeat(1000);
    expect([...shortPieces(text)]).toEqual([text]);
    expect(counter.text(text)).toBe(o200k(text, plain));
  });

  it('of one letter costs about what it does in one piece', () => {
    const text = 'a'.repeat(4000);
    expect(Math.abs(counter.text(text) / o200k(text, plain) - 1)).toBeLessThan(0.02);
  });
});
