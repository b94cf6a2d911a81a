import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { parseYaml } from '../../../src/cli/input/parse-yaml.ts';

const valueOf = (text: string): any => parseYaml(text, 'f').value;
const says = (text: string, message: string) => expect(() => valueOf(text)).toThrow(message);

describe('YAML', () => {
  it('is the core schema: what looks like a date or a yes is text', () => {
    expect(valueOf('a: yes\nb: 2026-12-24\nc: 1.5\nd: true\ne: ~')).toEqual({
      a: 'yes',
      b: '2026-12-24',
      c: 1.5,
      d: true,
      e: null,
    });
  });

  it('has keys that are text, whatever they look like', () => {
    expect(Object.keys(valueOf('true: a\n007: b\n~: c'))).toEqual(['true', '007', '~']);
  });

  it('may merge mappings', () => {
    expect(valueOf('a: &a { x: 1, y: 1 }\nb: { <<: *a, y: 2 }').b).toEqual({ x: 1, y: 2 });
  });

  it('treats __proto__ as a key like any other', () => {
    const { a, b } = valueOf('a: &a { __proto__: { evil: 1 } }\nb: { <<: *a }');
    expect([a.evil, b.evil, ({} as any).evil]).toEqual([undefined, undefined, undefined]);
    expect([Object.keys(a), Object.keys(b)]).toEqual([['__proto__'], ['__proto__']]);
  });

  it.prop([fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t')])(
    'reads JSON as JSON.parse does',
    (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(valueOf(text)).toEqual(JSON.parse(text));
    },
  );

  it.each([
    ['a tag of its own', 'a: 1\nb: !new 2', 'f: line 2: expected YAML: Unresolved tag: !new'],
    ['a function', 'a: !!js/function "x"', 'f: line 1: expected YAML: Unresolved tag'],
    ['bytes', 'a: !!binary aGk=', 'f: line 1: expected YAML: Unresolved tag'],
    ['a key twice', 'a: 1\nb: 2\na: 3', 'f: line 3: the same key stands twice'],
    ['a key twice in JSON', '{"a": 1,\n"a": 2}', 'f: line 2: the same key stands twice'],
    ['a list as a key', '? [a]\n: b', 'f: line 1: expected YAML: With stringKeys, all keys must be strings'],
    ['two documents', 'a: 1\n---\nb: 2', 'f: line 2: expected one YAML document'],
    ['an alias of nothing', 'a: 1\nb: *nope', 'f: line 2: expected YAML: there is no anchor &nope before'],
    ['a tab as indent', 'a:\n\t- b', 'f: line 2: expected YAML: Tabs are not allowed as indentation'],
    ['deep lists', `a: ${'['.repeat(1e5)}${']'.repeat(1e5)}`, 'f: line 1: is nested too deeply'],
  ])('refuses %s', (_, text, message) => says(text, message));

  it('refuses aliases that stand for too much', () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array.from({ length: 10 }, () => of).join()}]\n`;
    says(level('a', 'x') + level('b', '*a') + level('c', '*b') + level('d', '*c'), 'f: the aliases stand for too much');
  });
});

describe('a YAML document', () => {
  const { keys, lineOf } = parseYaml(
    'sections:\n  b: x\n  2: y\n  1:\n    - user: hi\n    - role: user\n      content: z\nalias: &a\n  - q\nuse: *a\n',
    'f',
  );

  it('knows its keys in the order of the text', () => {
    expect(keys(['sections'])).toEqual(['b', '2', '1']);
    expect(keys(['use'])).toEqual([]);
    expect(keys(['nothing', 'there'])).toEqual([]);
  });

  it.each([
    [['sections', 'b'], 2],
    [['sections', '1'], 4],
    [['sections', '1', 0, 'user'], 5],
    [['sections', '1', 1, 'content'], 7],
    [['sections', '1', 0, 'content', 'deeper'], 5],
    [['sections', '1', 9], 4],
    [['use', 0], 10],
    [[], 1],
  ])('knows the line of %j', (path, line) => expect(lineOf(path)).toBe(line));
});
