import { fc, it } from '@fast-check/vitest';
import { Content, ContentPart, examples, examplesText, ImageSource, Message } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';

const any = arbitraries(fc);

describe('examples', () => {
  it('are turns of user and assistant', () => {
    const image = ImageSource.fromUrl('https://example.com/a.png');
    const turns = examples([
      { input: 'a', output: { type: 'text', text: 'b' } },
      { input: image, output: Content.of(ContentPart.text('c')) },
      { input: 1, output: null },
      { input: ['x'], output: Message.of({ role: 'assistant', content: 'd' }) },
    ]);
    expect(turns.map(({ role, content }) => [role, content.toJSON()])).toEqual([
      ['user', 'a'],
      ['assistant', '{"type":"text","text":"b"}'],
      ['user', [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]],
      ['assistant', 'c'],
      ['user', '1'],
      ['assistant', 'null'],
      ['user', '["x"]'],
      ['assistant', 'd'],
    ]);
    expect(examples([]).size).toBe(0);
  });

  it('must be JSON', () => {
    expect(() => examples([{ input: 'a', output: 1n }])).toThrow(/^\[0\]\.output: expected a JSON value/);
    expect(() => examples([{ input: undefined, output: 'a' }])).toThrow('[0].input: expected text, content, or a JSON');
    expect(() => examplesText([{ input: { a: [Number.NaN] }, output: '' }])).toThrow(/^\[0\]\.input\.a\[0\]: /);
  });

  it('are one text between fences, as long as it takes', () => {
    expect(examplesText([])).toBe('');
    expect(examplesText([{ input: 'a\n```\nb', output: '````' }])).toBe(
      'Example 1\n\nInput:\n`````\na\n```\nb\n`````\n\nOutput:\n`````\n````\n`````',
    );
  });

  const backticks = fc.string({ unit: fc.constantFrom('`', '\n', 'a', 'Output:', 'Input:') });
  const value = fc.oneof(any.json, backticks);

  it.prop([fc.array(fc.record({ input: value, output: value }), { maxLength: 4 })])(
    'can be read back from the text',
    (list) => {
      const text = examplesText(list);
      const [fence] = /^`+$/m.exec(text) ?? ['```'];
      const pieces = text.split(new RegExp(`^${fence}$`, 'm')).filter((_, at) => at % 2 === 1);
      expect(pieces.map((piece) => piece.slice(1, -1))).toEqual(
        examples(list).map(({ content }) => content.toString()),
      );
    },
  );
});
