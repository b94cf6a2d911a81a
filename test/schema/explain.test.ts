import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { InvalidInputError, type MessageStoreError } from '../../src/errors.ts';
import { contentSchema } from '../../src/schema/content.ts';
import { explain, oneOf } from '../../src/schema/explain.ts';
import { messageSchema } from '../../src/schema/message.ts';
import { sectionSchema } from '../../src/schema/section.ts';
import { storeSchema } from '../../src/schema/store.ts';

const MESSAGE = { id: 'm1', createdAt: '2026-01-31T12:00:00.000Z', role: 'user', content: 'Hi' };
const CALL = { id: 'c1', name: 'f', arguments: {} };

function explanation(schema: z.ZodMiniType, value: unknown, root?: string): InvalidInputError {
  try {
    explain(schema, value, root);
  } catch (error) {
    return error as InvalidInputError;
  }
}

const ROLES = 'one of "system", "developer", "user", "assistant", "tool"';
const ID = 'an id: text of 1 to 255 UTF-8 bytes without control characters';
const CALL_ID = 'a tool call id: non-empty text without control characters';
const TIME = 'an ISO 8601 date and time (2026-01-31T12:00:00.000Z)';

describe('what is wrong with a message', () => {
  it.each<[object, string]>([
    [{ role: 'robot' }, `role: expected ${ROLES}, got "robot"`],
    [{ role: undefined }, `role: expected ${ROLES}, got undefined`],
    [{ id: '' }, `id: expected ${ID}, got ""`],
    [{ id: 7 }, 'id: expected a string, got 7'],
    [{ parentId: null }, 'parentId: expected a string, got null'],
    [{ createdAt: 'yesterday' }, `createdAt: expected ${TIME}, got "yesterday"`],
    [{ name: {} }, 'name: expected a string, got an object'],
    [{ content: 5 }, 'content: expected a string or a list, got 5'],
    [{ content: null }, 'content: expected a string or a list, got null'],
    [{ content: {} }, 'content: expected a string or a list, got an object'],
    [{ content: [{ type: 'text' }, 'more'] }, 'content[1]: expected an object, got "more"'],
    [{ content: [{ type: 'text' }, { type: 3 }] }, 'content[1].type: expected a string, got 3'],
    [{ content: [{ text: 'no type' }] }, 'content[0].type: expected a string, got undefined'],
    [{ tool_calls: {} }, 'tool_calls: expected a list, got an object'],
    [{ tool_calls: [CALL, null] }, 'tool_calls[1]: expected an object, got null'],
    [{ tool_calls: [{ ...CALL, id: '' }] }, `tool_calls[0].id: expected ${CALL_ID}, got ""`],
    [{ tool_calls: [{ ...CALL, id: 5 }] }, 'tool_calls[0].id: expected a string or null, got 5'],
    [
      { tool_calls: [{ ...CALL, arguments: [] }] },
      'tool_calls[0].arguments: expected a string or an object, got an empty list',
    ],
    [{ tool_calls: [{ ...CALL, kind: 'function' }] }, 'tool_calls[0].kind: expected "custom", got "function"'],
    [{ tool_result: { content: 'x' } }, 'tool_result.call_id: expected a string or null, got undefined'],
    [{ tool_result: { content: [{}] } }, 'tool_result.content[0].type: expected a string, got undefined'],
    [
      { tool_result: { content: '', call_id: null, tool_name: null, is_error: 'no' } },
      'tool_result.is_error: expected true or false, got "no"',
    ],
    [
      { tool_result: { content: '', call_id: null, tool_name: null, is_error: true, status: 'ok' } },
      'tool_result.status: expected one of "denied", "cancelled", got "ok"',
    ],
    [
      { tool_result: { content: '', call_id: null, tool_name: null, is_error: true, synthetic: false } },
      'tool_result.synthetic: expected true, got false',
    ],
    [{ _metadata: [1] }, '_metadata: expected an object, got a list'],
    [{ incomplete: { reason: 5 } }, 'incomplete.reason: expected a string, got 5'],
    [{ incomplete: {} }, 'incomplete.reason: expected a string, got undefined'],
  ])('%j is named with its path', (fields, message) => {
    const error = explanation(messageSchema(), { ...MESSAGE, ...fields });
    expect(error).toBeInstanceOf(InvalidInputError);
    expect([error.message, error.code]).toEqual([message, 'invalid_input']);
    expect(message.startsWith(`${error.path}: expected ${error.expected}, got `)).toBe(true);
  });

  it('is found below a root', () => {
    const value = { ...MESSAGE, tool_calls: [CALL, { ...CALL, name: 5 }] };
    expect(explanation(messageSchema(), value, '[3]').path).toBe('[3].tool_calls[1].name');
    expect(explanation(messageSchema(), 'Hi', '[3]').message).toBe('[3]: expected an object, got "Hi"');
  });

  it('comes with the value as it came', () => {
    const name = { not: 'a name' };
    expect(explanation(messageSchema(), { ...MESSAGE, name }).value).toBe(name);
  });
});

describe('what is wrong with a store', () => {
  const store = (...sections: unknown[]): object => ({ version: 1, sections, parameters: {} });

  it.each<[unknown, string]>([
    [
      store({ name: 'main', messages: [MESSAGE, MESSAGE, MESSAGE, { ...MESSAGE, role: 'robot' }] }),
      `sections.main.messages[3].role: expected ${ROLES}, got "robot"`,
    ],
    [
      store({ name: 'main section', messages: [{ ...MESSAGE, content: [{ type: 'text' }, { type: null }] }] }),
      'sections["main section"].messages[0].content[1].type: expected a string, got null',
    ],
    [store({ name: '', messages: {} }), 'sections[""].messages: expected a list, got an object'],
    [store({ name: 'a', messages: [] }, { name: 5, messages: [] }), 'sections[1].name: expected a string, got 5'],
    [store({ messages: [] }), 'sections[0].name: expected a string, got undefined'],
    [store('main'), 'sections[0]: expected an object, got "main"'],
    [store({ name: 'a', messages: [], policy: 'pin' }), 'sections.a.policy: expected an object, got "pin"'],
    [{ version: 1, parameters: {} }, 'sections: expected a list, got undefined'],
    [{ version: 1, sections: [], parameters: [] }, 'parameters: expected an object, got an empty list'],
    [{ version: 3, sections: [], parameters: {} }, 'version: expected 1, got 3'],
    [[], 'expected an object, got an empty list'],
    [null, 'expected an object, got null'],
  ])('%# is named with its path: %s', (value, message) => {
    expect(explanation(storeSchema(), value).message).toBe(message);
  });

  it('names sections only where they stand: in the sections of a store', () => {
    const section = { name: 'main', messages: [{ ...MESSAGE, role: 'robot' }] };
    expect(explanation(sectionSchema(), section).path).toBe('messages[0].role');
  });
});

describe('an explanation', () => {
  it.each<[string, unknown, string]>([
    [
      'a lone surrogate',
      [{ type: 'text', text: 'a\ud83d' }],
      'content[0].text: expected well-formed Unicode (no lone surrogates), got "a\\ud83d"',
    ],
    ['nothing', 'fine', 'content: expected nesting of at most 1000 levels, got "fine"'],
  ])('is due even where the schema finds nothing wrong, but %s is', (_, value, message) => {
    expect(explanation(contentSchema(), value, 'content').message).toBe(message);
  });

  it('names what a schema of any kind expects', () => {
    const cases: [z.ZodMiniType, unknown, string][] = [
      [z.number(), 'x', 'expected a number, got "x"'],
      [z.null(), 'x', 'expected null, got "x"'],
      [z.bigint(), 1, 'expected bigint, got 1'],
      [z.union([z.string(), z.number(), z.string()]), true, 'expected a string or a number, got true'],
      [
        z.object({ a: z.union([z.object({ b: z.object({ c: z.string() }) }), z.object({ b: z.string() })]) }),
        { a: { b: { c: 1 } } },
        'a.b.c: expected a string, got 1',
      ],
      [
        z.object({ a: z.union([z.object({ b: z.string() }), z.object({ b: z.object({ c: z.string() }) })]) }),
        { a: { b: { c: 1 } } },
        'a.b.c: expected a string, got 1',
      ],
      [z.string().check(z.minLength(3)), 'ab', 'expected Invalid input, got "ab"'],
    ];
    for (const [schema, value, message] of cases) expect(explanation(schema, value).message).toBe(message);
  });

  it('is an error of the library', () => {
    const error: MessageStoreError = explanation(contentSchema(), 5);
    expect([error.name, error.code, error.value]).toEqual(['InvalidInputError', 'invalid_input', 5]);
  });
});

describe('a choice of values', () => {
  it('is put into words', () => {
    expect(oneOf(['a'])).toBe('"a"');
    expect(oneOf(['a', 'b', 1])).toBe('one of "a", "b", 1');
  });
});
