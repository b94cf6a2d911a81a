import { ContentPart, ContentParts, ImageSource } from 'message-store';
import { describe, expect, it } from 'vitest';

const json = (part: ContentPart) => part.toJSON();

describe('a content part', () => {
  it('has a type and fields', () => {
    const part = ContentPart.of('video', { url: 'https://a/b.mp4', at: [1, 2] });
    expect([part.type, part.fields]).toEqual(['video', { url: 'https://a/b.mp4', at: [1, 2] }]);
    expect(json(part)).toEqual({ type: 'video', url: 'https://a/b.mp4', at: [1, 2] });
  });

  it('has no fields that are null or an empty list', () => {
    expect(ContentPart.of('video', { a: null, b: [], c: undefined, d: '', e: 0, f: false, g: {} }).fields).toEqual({
      d: '',
      e: 0,
      f: false,
      g: {},
    });
  });

  it('has its own type, whatever a field of that name says', () => {
    const part = ContentPart.of('text', { type: 'image_url', text: 'a' });
    expect([json(part), part.toExport()]).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'a' },
    ]);
    expect(part.withField('type', 'file')).toBe(part);
    expect(json(part.withFields({ type: 'file', text: 'b' }))).toEqual({ type: 'text', text: 'b' });
  });

  it('tells its type only as text', () => {
    expect(() => ContentPart.of(5 as never)).toThrow('type: expected a string, got 5');
    expect(() => ContentPart.of('a\ud83d')).toThrow('type: expected well-formed Unicode');
  });

  it('comes in the forms that have a meaning here', () => {
    const origin = { provider: 'anthropic', data: { signature: 's' } };
    expect(json(ContentPart.text('Hi'))).toEqual({ type: 'text', text: 'Hi' });
    expect(json(ContentPart.imageUrl('https://a/b.png'))).toEqual({
      type: 'image_url',
      image_url: { url: 'https://a/b.png' },
    });
    expect(json(ContentPart.reasoning('Hm.', origin))).toEqual({ type: 'reasoning', text: 'Hm.', _origin: origin });
    expect(json(ContentPart.reasoning('Hm.'))).toEqual({ type: 'reasoning', text: 'Hm.' });
    expect(json(ContentPart.refusal('No.'))).toEqual({ type: 'refusal', refusal: 'No.' });
    expect(() => ContentPart.text('a\udc00')).toThrow('text: expected well-formed Unicode');
  });

  it('comes from a media source, or whatever provides a part', () => {
    const part = ContentPart.imageUrl('https://a/b.png');
    const provider = { toContentPart: () => part };
    for (const of of [ContentPart.image, ContentPart.file, ContentPart.audio, ContentPart.from])
      expect(of(provider)).toBe(part);
    expect(ContentPart.from(ImageSource.fromUrl('https://a/b.png')).equals(part)).toBe(true);
  });

  it('knows its origin', () => {
    expect(ContentPart.reasoning('Hm.', { provider: 'gemini' }).origin).toEqual({ provider: 'gemini' });
    expect(ContentPart.of('text', { text: 'a', _origin: { model: 'no provider' } }).origin).toBeUndefined();
    expect(ContentPart.text('a').origin).toBeUndefined();
  });
});

describe('a content part from the outside', () => {
  const part = ContentPart.text('a');

  it('is itself, text, or an object whose type is text unless it says another', () => {
    expect(ContentPart.from(part)).toBe(part);
    expect(json(ContentPart.from('Hi'))).toEqual({ type: 'text', text: 'Hi' });
    expect(json(ContentPart.from({ text: 'Hi' }))).toEqual({ type: 'text', text: 'Hi' });
    expect(json(ContentPart.from({ type: null, text: 'Hi' }))).toEqual({ type: 'text', text: 'Hi' });
  });

  it('moves flat legacy fields to where they belong', () => {
    expect(json(ContentPart.from({ type: 'image_url', url: 'u', detail: 'low' }))).toEqual({
      type: 'image_url',
      image_url: { url: 'u' },
      detail: 'low',
    });
    expect(json(ContentPart.from({ type: 'file', file_data: 'd', filename: 'a.pdf' }))).toEqual({
      type: 'file',
      file: { file_data: 'd', file_name: 'a.pdf' },
    });
    expect(json(ContentPart.from({ type: 'input_audio', data: 'd', format: 'wav' }))).toEqual({
      type: 'input_audio',
      input_audio: { data: 'd', format: 'wav' },
    });
  });

  it('keeps an unknown type as it is, null and all', () => {
    const odd = { type: 'video', a: null, b: [], c: { d: null } };
    expect(json(ContentPart.from(odd))).toEqual(odd);
    expect(json(ContentPart.fromJSON(odd))).toEqual(odd);
  });

  it.each([42, true, null, undefined, [['a']], []])('is not %j', (input) => {
    expect(() => ContentPart.from(input as never, 'content[2]')).toThrow(
      'content[2]: expected text or a content part (other values are unsupported), got',
    );
  });

  it('is refused where stored JSON has no type', () => {
    expect(() => ContentPart.fromJSON({ text: 'a' })).toThrow('type: expected a string, got undefined');
    expect(() => ContentPart.fromJSON('a')).toThrow('expected an object, got "a"');
  });
});

describe('what a content part says', () => {
  const parts = {
    text: ContentPart.text('a'),
    blank: ContentPart.text(''),
    cached: ContentPart.of('text', { text: 'a', cache: true }),
    thinking: ContentPart.of('thinking', { text: 'a' }),
    bare: ContentPart.of('text'),
    odd: ContentPart.of('text', { text: 5 }),
    image: ContentPart.imageUrl('u'),
    mark: ContentPart.of('tool_call', { id: 'c1' }),
    nothing: ContentPart.fromJSON({ type: 'video', a: null, b: [], c: '' }),
  };
  const those = (accept: (part: ContentPart) => boolean) =>
    Object.entries(parts)
      .filter(([, part]) => accept(part))
      .map(([name]) => name);

  it('is text, or not', () => {
    expect(those((part) => part.isTextPart())).toEqual(['text', 'blank', 'cached', 'bare', 'odd']);
    expect(those((part) => part.hasText())).toEqual(['text', 'blank', 'cached', 'thinking']);
    expect(those((part) => part.isSimple())).toEqual(['text', 'blank', 'odd']);
    expect(Object.values(parts).map(String)).toEqual(['a', '', 'a', 'a', '', '', '', '', '']);
  });

  it('may be nothing', () => {
    expect(those((part) => part.isEmpty())).toEqual(['blank', 'bare', 'nothing']);
  });

  it('is no more than a place when it is a mark', () => {
    expect(those((part) => part.isMark())).toEqual(['mark']);
  });

  it('is exported without what is null, blank, an empty list or private, but with the text of a text part', () => {
    expect(parts.blank.toExport()).toEqual({ type: 'text', text: '' });
    expect(parts.nothing.toExport()).toEqual({ type: 'video' });
    expect(ContentPart.of('thinking', { text: '', _private: 1, kept: 0 }).toExport()).toEqual({
      type: 'thinking',
      kept: 0,
    });
  });

  it('is asked for by field', () => {
    const part = ContentPart.of('video', { a: 0, b: false });
    expect([part.has('a'), part.has('c'), part.has('constructor')]).toEqual([true, false, false]);
    expect([part.get('a'), part.get('b', true), part.get('c'), part.get('c', 7)]).toEqual([0, false, undefined, 7]);
    expect([part.get('toString'), part.get('__proto__')]).toEqual([undefined, undefined]);
  });
});

describe('a changed content part', () => {
  const part = ContentPart.of('text', { text: 'a', cache: true });

  it('has another field, or one less, and leaves the rest', () => {
    expect(json(part.withField('text', 'b'))).toEqual({ type: 'text', text: 'b', cache: true });
    expect(json(part.withField('more', { n: 1 }))).toEqual({ type: 'text', text: 'a', cache: true, more: { n: 1 } });
    expect(json(part.withField('cache', null))).toEqual({ type: 'text', text: 'a' });
    expect(json(part.withField('cache', []))).toEqual({ type: 'text', text: 'a' });
    expect(json(part.withFields({ text: 'c' }))).toEqual({ type: 'text', text: 'c' });
    expect(part.withFields({ cache: true, text: 'a', more: null })).toBe(part);
  });

  it('of an unknown type keeps the null fields that it came with', () => {
    const odd = ContentPart.from({ type: 'video', a: null });
    expect(json(odd.withField('b', 1))).toEqual({ type: 'video', a: null, b: 1 });
    expect(json(odd.withField('a', null))).toEqual({ type: 'video' });
    expect(odd.withFields({ a: null })).toBe(odd);
  });

  it('keeps a key named __proto__ as a key', () => {
    const proto = part.withFields(JSON.parse('{"__proto__":{"x":1}}'));
    expect(JSON.stringify(proto.withField('b', 1))).toBe('{"type":"text","__proto__":{"x":1},"b":1}');
    expect(JSON.stringify(part.withField('__proto__', 1))).toBe(
      '{"type":"text","text":"a","cache":true,"__proto__":1}',
    );
  });

  it('does not take what every object inherits for a field', () => {
    expect(json(part.withField('constructor', {}))).toEqual({ ...part.toJSON(), constructor: {} });
    expect(part.withField('__proto__', {}).has('__proto__')).toBe(true);
    expect(part.withField('constructor', null)).toBe(part);
  });

  it('is checked like a new one', () => {
    expect(() => part.withField('bad', { n: Number.POSITIVE_INFINITY })).toThrow(
      'bad.n: expected a finite number, got Infinity',
    );
  });
});

describe('content parts', () => {
  const [a, b] = [ContentPart.text('a'), ContentPart.imageUrl('u')] as const;
  const blank = ContentPart.text('');
  const mark = ContentPart.of('tool_call', { id: 'c1' });

  it('are a list', () => {
    const parts = ContentParts.of(a, b);
    expect([parts.size, parts.at(0), parts.at(-1), parts.first(), parts.last(), parts.at(2)]).toEqual([
      2,
      a,
      b,
      a,
      b,
      undefined,
    ]);
    expect([...parts]).toEqual([a, b]);
    expect(parts.map((part, at) => `${at}${part.type}`)).toEqual(['0text', '1image_url']);
    expect(parts.reduce((types, part) => types + part.type[0], '')).toBe('ti');
    expect([...parts.filter((part) => part.isTextPart())]).toEqual([a]);
    expect([parts.isEmpty(), ContentParts.empty().isEmpty()]).toEqual([false, true]);
    expect(parts.toJSON()).toEqual([a.toJSON(), b.toJSON()]);
  });

  it('come from what can stand for parts', () => {
    const parts = ContentParts.from(['a', b, { type: 'text', text: 'c' }]);
    expect(parts.map(String)).toEqual(['a', '', 'c']);
    expect(ContentParts.from(parts)).toBe(parts);
    expect(ContentParts.from([])).toBe(ContentParts.empty());
    expect(() => ContentParts.from('a' as never, 'content')).toThrow(
      'content: expected a list of content parts, got "a"',
    );
    expect(() => ContentParts.from(['a', 5 as never], 'content')).toThrow(
      'content[1]: expected text or a content part',
    );
  });

  it('are read back', () => {
    expect(ContentParts.fromJSON([a.toJSON()]).equals(ContentParts.of(a))).toBe(true);
    expect(() => ContentParts.fromJSON({})).toThrow('expected a list of content parts, got an object');
  });

  it('grow and change at the end', () => {
    expect([...ContentParts.of(a).add('b')].map(String)).toEqual(['a', 'b']);
    expect([...ContentParts.of(a, b).replaceLast('c')].map(String)).toEqual(['a', 'c']);
    expect([...ContentParts.empty().replaceLast('c')].map(String)).toEqual(['c']);
    expect([...ContentParts.of(a, blank, b).withoutEmpty()]).toEqual([a, b]);
  });

  it('read as the text of those that say something', () => {
    expect(ContentParts.of(a, blank, mark, ContentPart.text('c')).toString()).toBe('a\nc');
    expect(ContentParts.of(a, b, ContentPart.text('c')).toString(' | ')).toBe('a |  | c');
  });

  it('are exported without marks', () => {
    expect(ContentParts.of(a, mark, blank).toExport()).toEqual([a.toJSON(), { type: 'text', text: '' }]);
  });

  it('are equal to a list of the same parts, and to no other kind of list', () => {
    expect(ContentParts.of(a, b).equals(ContentParts.of(ContentPart.text('a'), b))).toBe(true);
    expect(ContentParts.of(a, b).equals(ContentParts.of(b, a))).toBe(false);
    expect(ContentParts.of(a).equals(ContentParts.of(a, b))).toBe(false);
    expect(ContentParts.of(a).equals([a] as never)).toBe(false);
  });
});
