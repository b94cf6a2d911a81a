import { Metadata } from 'message-store';
import { describe, expect, it } from 'vitest';

describe('metadata', () => {
  it('is a map of JSON values', () => {
    const metadata = Metadata.of({ model: 'small', nested: { list: [1, null, true] }, absent: undefined });
    expect(metadata.toJSON()).toEqual({ model: 'small', nested: { list: [1, null, true] } });
    expect(metadata.keys()).toEqual(['model', 'nested']);
    expect([...metadata]).toEqual([
      ['model', 'small'],
      ['nested', { list: [1, null, true] }],
    ]);
    expect([metadata.size, metadata.isEmpty()]).toEqual([2, false]);
  });

  it('is the shared empty one when there is nothing in it', () => {
    for (const empty of [
      Metadata.of({}),
      Metadata.from(null),
      Metadata.from(undefined),
      Metadata.fromJSON({}),
      Metadata.of({ a: 1 }).withoutKey('a'),
    ]) {
      expect(empty).toBe(Metadata.empty());
    }
    expect([Metadata.empty().size, Metadata.empty().isEmpty()]).toEqual([0, true]);
  });

  it('tells a null from what is missing, save where a fallback is given', () => {
    const metadata = Metadata.of({ nothing: null, zero: 0, no: false, blank: '' });
    expect([metadata.get('nothing'), metadata.get('missing')]).toEqual([null, undefined]);
    expect([metadata.get('nothing', 7), metadata.get('missing', 7)]).toEqual([7, 7]);
    expect([metadata.get('zero', 7), metadata.get('no', 7), metadata.get('blank', 7)]).toEqual([0, false, '']);
    expect([metadata.hasKey('nothing'), metadata.hasKey('missing')]).toEqual([true, false]);
  });

  it('has own keys only: constructor and __proto__ are keys like any other', () => {
    const metadata = Metadata.fromJSON(JSON.parse('{"__proto__":{"admin":true},"constructor":1}'));
    expect(metadata.keys()).toEqual(['__proto__', 'constructor']);
    expect([metadata.get('__proto__'), metadata.get('constructor')]).toEqual([{ admin: true }, 1]);
    expect(Metadata.empty().get('constructor')).toBeUndefined();
    expect([Metadata.empty().hasKey('toString'), Metadata.empty().get('toString', 'none')]).toEqual([false, 'none']);
    expect(JSON.stringify(metadata.withKeyValue('__proto__', 2).withoutKey('constructor'))).toBe('{"__proto__":2}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('gets entries, which win and leave keys in their places', () => {
    const metadata = Metadata.of({ a: 1, b: 2 });
    expect(JSON.stringify(metadata.withMergedData({ c: 4, a: 3 }))).toBe('{"a":3,"b":2,"c":4}');
    expect(JSON.stringify(metadata.withKeyValue('b', null))).toBe('{"a":1,"b":null}');
    expect(metadata.withMergedData(Metadata.of({ a: 1 }))).toBe(metadata);
    expect(Metadata.empty().withMergedData(metadata)).toBe(metadata);
  });

  it('is equal to another with the same entries in another order', () => {
    expect(Metadata.of({ a: 1, b: { c: 2, d: 3 } }).equals(Metadata.of({ b: { d: 3, c: 2 }, a: 1 }))).toBe(true);
    expect(Metadata.of({ a: 1 }).equals(Metadata.of({ a: '1' }))).toBe(false);
  });

  it.each([
    [{ f: () => 1 }, 'f: expected a JSON value, got a function'],
    [{ deep: { list: [1, Number.NaN] } }, 'deep.list[1]: expected a finite number, got NaN'],
    [{ n: 10n }, 'n: expected a JSON value, got 10n'],
    [{ when: new Map() }, 'when: expected a JSON value, got an object of class Map'],
    [{ half: 'a\ud83d' }, 'half: expected well-formed Unicode (no lone surrogates), got "a\\ud83d"'],
  ])('refuses what is not JSON, with its path: %#', (entries, message) => {
    expect(() => Metadata.of(entries)).toThrow(message);
  });

  it('refuses what is no map', () => {
    expect(() => Metadata.of(['a'] as never)).toThrow('expected an object, got a list');
    expect(() => Metadata.fromJSON([1])).toThrow('expected an object, got a list');
    expect(() => Metadata.fromJSON('text')).toThrow('expected an object, got "text"');
  });
});

describe('a recipe for metadata', () => {
  const metadata = Metadata.of({ tags: ['a'], nested: { deep: { n: 1 } } });

  it('edits a draft of the plain object', () => {
    const changed = metadata.update((draft) => {
      (draft['tags'] as string[]).push('b');
      draft['new'] = true;
      delete draft['nested'];
    });
    expect(changed.toJSON()).toEqual({ tags: ['a', 'b'], new: true });
    expect(metadata.toJSON()).toEqual({ tags: ['a'], nested: { deep: { n: 1 } } });
  });

  it('may return something, which says nothing', () => {
    expect(metadata.update((draft) => (draft['tags'] as string[]).push('b')).get('tags')).toEqual(['a', 'b']);
    expect(metadata.update(() => 42)).toBe(metadata);
  });

  it('gives the same when what it writes is what was there', () => {
    expect(
      metadata.update((draft) => {
        draft['tags'] = ['a'];
      }),
    ).toBe(metadata);
  });

  it('leaves only JSON', () => {
    const write = (value: unknown) => () =>
      metadata.update((draft) => {
        draft['bad'] = { value } as never;
      });
    expect(write(() => 1)).toThrow('bad.value: expected a JSON value, got a function');
    expect(write(new Date(0))().get('bad')).toEqual({ value: '1970-01-01T00:00:00.000Z' });
  });
});
