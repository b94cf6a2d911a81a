import { Content, ContentPart, ContentParts, FileSource, Message } from 'message-store';
import { describe, expect, it } from 'vitest';

const image = ContentPart.imageUrl('https://a/b.png');
const blank = ContentPart.text('');
const mark = ContentPart.of('tool_call', { id: 'c1' });
const cached = ContentPart.of('text', { text: 'a', cache: true });
const thinking = ContentPart.of('thinking', { text: 'a' });

describe('content from the outside', () => {
  it.each([
    ['text', 'Hi', 'Hi'],
    ['blank text', '', ''],
    ['nothing', null, []],
    ['nothing at all', undefined, []],
    ['an empty list', [], []],
    ['an empty object', {}, []],
    ['a part', image, [image.toJSON()]],
    ['a plain text part', ContentPart.text('Hi'), 'Hi'],
    ['a list of parts', ContentParts.of(image, blank), [image.toJSON(), blank.toJSON()]],
    ['a part object', { type: 'text', text: 'Hi' }, 'Hi'],
    ['an object without a type', { text: 'Hi' }, 'Hi'],
    ['texts and parts', ['a', image], [{ type: 'text', text: 'a' }, image.toJSON()]],
    ['a media source', FileSource.fromId('f1'), [{ type: 'file', file: { file_id: 'f1' } }]],
    ['a message object', { role: 'user', content: 'Hi' }, 'Hi'],
    ['a message object without content', { role: 'user', content: null }, []],
  ])('is read from %s', (_, input, json) => {
    expect(Content.from(input as never).toJSON()).toEqual(json);
  });

  it('is itself when it is content', () => {
    const content = Content.texts('a', 'b');
    expect(Content.from(content)).toBe(content);
  });

  it.each([42, true, Symbol('a')])('is not %s', (input) => {
    expect(() => Content.from(input as never, 'content')).toThrow(
      'content: expected text or content parts (other values are unsupported), got',
    );
  });

  it('names the place of what cannot be read', () => {
    expect(() => Content.from(['a', { type: 5 }] as never, 'content')).toThrow(
      'content[1].type: expected a string, got 5',
    );
    expect(() => Content.from('half \ud83d', 'content')).toThrow('content: expected well-formed Unicode');
    expect(() => Content.from({ role: 'user', content: 5 }, 'it')).toThrow(
      'it.content: expected text or content parts',
    );
  });

  it('is refused where stored JSON is none', () => {
    expect(() => Content.fromJSON(null)).toThrow('expected a string or a list, got null');
    expect(() => Content.fromJSON([{ text: 'a' }])).toThrow('[0].type: expected a string, got undefined');
  });
});

describe('content', () => {
  it('is text in and text out when a single plain text part is all there is', () => {
    for (const content of [
      Content.text('a'),
      Content.of(ContentPart.text('a')),
      Content.fromJSON([{ type: 'text', text: 'a' }]),
    ]) {
      expect([content.plainText, content.toJSON(), content.normalized(), String(content)]).toEqual([
        'a',
        'a',
        'a',
        'a',
      ]);
      expect(content.equals(Content.text('a'))).toBe(true);
    }
    expect(Content.of(cached).plainText).toBeUndefined();
  });

  it('has parts, the same ones at each look', () => {
    const content = Content.text('a');
    expect([...content.parts].map((part) => part.toJSON())).toEqual([{ type: 'text', text: 'a' }]);
    expect(content.parts).toBe(content.parts);
    const parts = ContentParts.of(image, blank);
    expect(Content.from(parts).parts).toBe(parts);
    expect(Content.empty().parts).toBe(ContentParts.empty());
  });

  it.each([
    ['text', Content.text('a'), false, false],
    ['blank text', Content.text(''), true, false],
    ['no part', Content.empty(), true, false],
    ['blank parts', Content.of(blank, ContentPart.of('video')), true, false],
    ['marks', Content.of(mark, mark), true, false],
    ['a text beside a mark', Content.of(ContentPart.text('a'), mark), false, false],
    ['texts', Content.texts('a', 'b'), false, true],
    ['an image', Content.of(image), false, true],
    ['a text with more to it', Content.of(cached), false, true],
    ['a part of another type with text', Content.of(thinking), false, true],
  ])('of %s is empty or composite, or neither', (_, content, isEmpty, isComposite) => {
    expect([content.isEmpty(), content.isComposite()]).toEqual([isEmpty, isComposite]);
    expect(typeof content.normalized() === 'string').toBe(!isComposite);
  });

  it('reads as the text of its parts, reasoning left out', () => {
    expect(
      String(
        Content.of(ContentPart.reasoning('Hm.'), ContentPart.text('a'), image, mark, blank, ContentPart.text('b')),
      ),
    ).toBe('a\nb');
    expect(String(Content.of(thinking))).toBe('a');
    expect(String(Content.empty())).toBe('');
  });

  it('is exported without marks, blank fields and private ones', () => {
    const content = Content.of(ContentPart.reasoning('Hm.', { provider: 'x' }), mark, blank);
    expect(content.toExport()).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: '' },
    ]);
    expect(Content.text('a').toExport()).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('grows by a part', () => {
    expect(Content.text('a').addContentPart(image).toJSON()).toEqual([{ type: 'text', text: 'a' }, image.toJSON()]);
    expect(Content.empty().addContentPart('a').toJSON()).toBe('a');
  });

  it('gets a field on its last part, or a text part to carry it', () => {
    expect(Content.texts('a', 'b').appendContentField('cache', true).toJSON()).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache: true },
    ]);
    expect(Content.empty().appendContentField('text', 'a').toJSON()).toBe('a');
    const content = Content.of(cached);
    expect(content.appendContentField('cache', true)).toBe(content);
  });

  it('is equal to content of the same parts', () => {
    const content = Content.of(image, blank);
    expect(content.equals(Content.of(image, blank))).toBe(true);
    expect(content.equals(Content.of(blank, image))).toBe(false);
    expect([content.equals(Content.text('')), Content.text('').equals(content)]).toEqual([false, false]);
    expect(Content.empty().equals(Content.text(''))).toBe(false);
  });
});

it('a message gives its content parts', () => {
  expect(Message.of({ content: [image, 'a'] }).contentParts().size).toBe(2);
});
