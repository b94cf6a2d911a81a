import type { MessageStore } from 'message-store';
import { describe, expect, it } from 'vitest';
import { promptStore } from '../../../src/cli/input/prompt-store.ts';

const read = (text: string): MessageStore => promptStore(text, 'p.yaml');
const turns = (text: string) =>
  read(text).sections.map(({ name, messages }) => [name, messages.map((m) => `${m.role}: ${m.content.toString()}`)]);
const says = (text: string, message: string) => expect(() => read(text)).toThrow(message);

describe('a prompt file', () => {
  it('holds text: instructions in system and developer, else what a user says', () => {
    expect(turns('sections:\n  system: a\n  developer: [b]\n  prompt: c\n  history:\n    - d')).toEqual([
      ['system', ['system: a']],
      ['developer', ['developer: b']],
      ['prompt', ['user: c']],
      ['history', ['user: d']],
    ]);
  });

  it('holds pairs of a role and what it says, in any section', () => {
    expect(
      turns('sections:\n  system:\n    - user: a\n    - assistant: b\n    - text\n  one: { assistant: c }'),
    ).toEqual([
      ['system', ['user: a', 'assistant: b', 'system: text']],
      ['one', ['assistant: c']],
    ]);
  });

  it('holds full messages with all that they carry', () => {
    const [call, result] = read(`
sections:
  history:
    - role: assistant
      content: null
      tool_calls: [{ id: c1, type: function, function: { name: find, arguments: '{"q": 1}' } }]
    - role: tool
      tool_call_id: c1
      content: found
`)
      .section('history')
      .messages();
    expect([call?.toolCalls.first()?.argsText, call?.content.isEmpty()]).toEqual(['{"q": 1}', true]);
    expect([result?.toolResult?.callId, result?.toString()]).toEqual(['c1', 'found']);
  });

  it('holds parts', () => {
    const content = '[look, { type: image_url, image_url: { url: "https://a.example/b.png" } }]';
    const parts = read(`sections: { prompt: [ { user: ${content} } ] }`).section('prompt').messages().contentParts();
    expect(parts.map((part) => part.type)).toEqual(['text', 'image_url']);
  });

  it('keeps the order of its sections, also of names that look like numbers', () => {
    const names = (text: string) => read(text).sections.names();
    expect(names('sections: { b: x, "2": y, 1: z, a: }')).toEqual(['b', '2', '1', 'a']);
    expect(names('{"sections": {"b": "x", "10": "y", "9": "z"}}')).toEqual(['b', '10', '9']);
  });

  it('may have sections without messages, and none at all', () => {
    expect(turns('sections:\n  a:\n  b: []')).toEqual([
      ['a', []],
      ['b', []],
    ]);
    expect(turns('sections: {}')).toEqual([]);
  });

  it('may share sections by merge keys', () => {
    expect(turns('sections:\n  <<: { a: x }\n  b: y')).toEqual([
      ['b', ['user: y']],
      ['a', ['user: x']],
    ]);
  });

  it('has parameters and policies', () => {
    const store = read(
      'sections: { a: x, b: y }\nparameters: { n: 1, deep: { l: [true] } }\npolicies: { a: { pin: true } }',
    );
    expect(store.parameters().get().toJSON()).toEqual({ n: 1, deep: { l: [true] } });
    expect(store.sections.map(({ policy }) => policy)).toEqual([{ pin: true }, undefined]);
    expect(read('sections: {}\nparameters:\npolicies:').parameters().get().isEmpty()).toBe(true);
  });

  it('treats __proto__ as a name like any other', () => {
    const store = read('sections: { __proto__: [hi] }\nparameters: { __proto__: { evil: 1 } }');
    expect(store.sections.names()).toEqual(['__proto__']);
    expect(JSON.stringify(store.parameters().get())).toBe('{"__proto__":{"evil":1}}');
    expect(({} as any).evil).toBeUndefined();
  });

  it.each([
    [
      'sections:\n  a:\n    - user: x\n    - role: robot\n      content: y',
      'line 4: sections.a[1].role: expected one of',
    ],
    ['sections:\n  a:\n    - user: 42', 'line 3: sections.a[0].user: expected text in quotes, or a list'],
    [
      'sections:\n  a:\n    - user:',
      'line 3: sections.a[0].user: expected text in quotes, or a list of content parts, got null',
    ],
    [
      'sections:\n  a:\n    - robot: x',
      'line 3: sections.a[0]: expected one role (system, developer, user, assistant, tool)',
    ],
    ['sections:\n  a:\n    - user: x\n      assistant: y', 'a message with role and content, got "user, assistant"'],
    ['sections:\n  a:\n    - {}', 'line 3: sections.a[0]: expected one role'],
    ['sections:\n  a:\n    - 5', 'line 3: sections.a[0]: expected a message: text in quotes'],
    ['sections:\n  a:\n    - [x]', 'line 3: sections.a[0]: expected a message: text in quotes'],
    ['sections:\n  a:\n    - role: user', 'line 3: sections.a[0]: expected a message with a role and content'],
    ['sections:\n  b: x\n  a: true', 'line 3: sections.a: expected a message: text in quotes'],
    ['sections:\n  "a b": { robot: x }', 'line 2: sections["a b"]: expected one role'],
    [
      'sections: {}\nsectoins: {}',
      'line 2: sectoins: expected the key to be one of "sections", "parameters", "policies"',
    ],
    ['sections: {}\nparameters: [1]', 'line 2: parameters: expected a mapping'],
    ['sections: {}\nparameters:\n  a: .inf', 'line 3: parameters.a: expected a finite number'],
    ['sections: { a: x }\npolicies:\n  b: {}', 'line 3: policies.b: expected the key to be "a", got "b"'],
    ['sections: { a: x }\npolicies:\n  a: 1', 'line 3: policies.a: expected a mapping'],
    [
      'sections: { a: x }\npolicies:\n  a: { pinned: true }',
      'line 3: policies.a.pinned: expected the key to be one of "pin", "trust", "budget", "cache", "evict"',
    ],
    ['sections:\n  a:\n    - &m { role: user, content: x, loop: *m }', 'line 3: sections.a[0].loop'],
    ['{"sections": {\n"a": "\\ud800"}}', 'line 2: sections.a[0].content: expected well-formed Unicode'],
  ])('is refused with the line and path: %j', (text, message) =>
    says(text, `p.yaml: ${message}`.replace(/^p\.yaml: (?!line)/, '')),
  );
});
