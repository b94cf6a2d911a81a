import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { WireNames } from '../../src/formats/wire-names.ts';

const isNineLetters = (text: string): boolean => /^[a-z0-9]{9}$/.test(text);
const nineLetters = () => new WireNames(isNineLetters, (_, hash) => hash.slice(0, 9));
/** All texts get one of two names, so that they collide. */
const colliding = () => new WireNames(isNineLetters, (_, hash) => `aaaaaaa${hash.slice(0, 2)}`);
const texts = fc.array(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9]{9}$/)), { maxLength: 30 });

describe('names for a wire', () => {
  it('are those that were given where the wire takes them', () => {
    const names = nineLetters();
    expect(['abcdefghi', 'call_1', 'abcdefghi'].map((text) => names.of(text))[0]).toBe('abcdefghi');
    expect(names.of('call_1')).toMatch(/^[a-z0-9]{9}$/);
  });

  for (const make of [nineLetters, colliding]) {
    it.prop([texts])(`are taken, told apart, and the same each time (${make.name})`, (given) => {
      const names = make();
      const first = given.map((text) => names.of(text));
      expect(first.filter((name) => !isNineLetters(name))).toEqual([]);
      expect(new Set(first).size).toBe(new Set(given).size);
      expect(given.map((text) => names.of(text))).toEqual(first);
      const others = make();
      expect(given.map((text) => others.of(text))).toEqual(first);
    });
  }

  it.prop([texts, texts])('stay when the history grows', (given, more) => {
    const [names, grown] = [nineLetters(), nineLetters()];
    const all = [...given, ...more].map((text) => grown.of(text));
    expect(given.map((text) => names.of(text))).toEqual(all.slice(0, given.length));
  });
});
