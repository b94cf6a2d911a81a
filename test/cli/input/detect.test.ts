import { describe, expect, it } from 'vitest';
import { formOf, kindOf } from '../../../src/cli/input/detect.ts';

describe('the form of a file', () => {
  it.each([
    ['a.yaml', '{"sections":{}}', false, 'yaml'],
    ['a.YML.gz', '[]', true, 'yaml'],
    ['a.jsonl', '{"messages":[]}', false, 'jsonl'],
    ['a.ndjson.gz', 'not JSON at all', true, 'jsonl'],
    ['a.json', 'sections:', true, 'json'],
    ['a.json', '{', true, 'json'],
    ['a.json', '{"messages":[]}', true, 'jsonl'],
  ])('is told by its name: %s with %j', (name, first, hasMore, form) => {
    expect(formOf(name, first, hasMore)).toBe(form);
  });

  it.each([
    ['sections:', true, 'yaml'],
    ['# a comment', true, 'yaml'],
    ['  {"messages":[]}', false, 'json'],
    ['[', true, 'json'],
    ['{"messages": [', true, 'json'],
    ['{"messages":[]}', true, 'jsonl'],
    ['[{"role":"user","content":"x"}]', true, 'jsonl'],
  ])('is told by its first line where the name says nothing: %j, more: %j', (first, hasMore, form) => {
    expect(formOf('standard input', first, hasMore)).toBe(form);
    expect(formOf('notes.txt.gz', first, hasMore)).toBe(form);
  });
});

describe('the kind of a value', () => {
  it.each([
    [{ sections: { system: 'x' } }, 'prompt'],
    [{ sections: {}, version: 1 }, 'prompt'],
    [{ sections: [] }, 'store'],
    [{ sections: [], messages: [] }, 'store'],
    [{ version: 1 }, 'store'],
    [{ version: 1, messages: [] }, 'conversation'],
    [{ messages: [] }, 'conversation'],
    [{ choices: [] }, 'conversation'],
    [[], 'conversation'],
    [{ role: 'user', content: 'x' }, 'message'],
    [{ role: 'user', messages: [] }, 'conversation'],
  ])('of %j is %s', (value, kind) => expect(kindOf(value)).toBe(kind));

  it.each([[{}], [{ messages: 'x' }], [{ sections: 'x' }], [{ system: 'x' }], ['text'], [null], [undefined], [7]])(
    'of %j is none',
    (value) => expect(kindOf(value)).toBeUndefined(),
  );

  it('looks at own keys only', () => {
    expect(kindOf(Object.create({ role: 'user' }))).toBeUndefined();
    expect(kindOf(JSON.parse('{"__proto__":{"messages":[]}}'))).toBeUndefined();
  });
});
