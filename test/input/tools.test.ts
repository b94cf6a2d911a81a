import { describe, expect, it } from 'vitest';
import { listToolCalls, readArgs, readToolCall, type ToolCallRecord, UNNAMED_TOOL } from '../../src/input/tool-call.ts';
import { readToolResult, type ToolResultRecord } from '../../src/input/tool-result.ts';
import { throwingField } from '../support/hostile-values.ts';

describe('a tool call', () => {
  const reads = (input: Record<string, unknown>, fields: Partial<ToolCallRecord>): void => {
    expect(readToolCall(input, '')).toEqual({
      kind: 'function',
      id: undefined,
      name: 'f',
      args: {},
      origin: undefined,
      extra: {},
      ...fields,
    });
  };

  it('in our form is read field by field', () => {
    const _origin = { provider: 'x' };
    reads(
      { id: 'c1', name: 'f', arguments: { a: 1 }, _origin, vendor: 2 },
      { id: 'c1', args: { a: 1 }, origin: _origin, extra: { vendor: 2 } },
    );
    reads({ name: 'f', args: { a: 1 } }, { args: { a: 1 } });
    reads({ name: 'f', arguments: '{"a": 1}' }, { args: '{"a": 1}' });
    reads({ name: 'f', kind: 'custom', arguments: 'free text' }, { kind: 'custom', args: 'free text' });
    reads({ name: 'f', kind: 'other' }, {});
  });

  it("in OpenAI's form is read from inside", () => {
    reads({ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }, { id: 'c1', args: '{"a":1}' });
    reads(
      { id: 'c1', type: 'custom', custom: { name: 'f', input: 'free text' } },
      { id: 'c1', kind: 'custom', args: 'free text' },
    );
  });

  it('prefers what stands outside, and takes what is given first', () => {
    reads({ name: 'f', function: { name: 'g', arguments: '{"b":1}' } }, { args: '{"b":1}' });
    reads({ name: null, arguments: null, args: null, function: { name: 'f', arguments: null } }, {});
    reads({ name: 'f', arguments: {}, args: { a: 1 }, function: { arguments: '{"b":1}' } }, {});
    reads({ name: 'f', arguments: null, args: { a: 1 } }, { args: { a: 1 } });
  });

  it('without a name has a name that says so, and without an id none', () => {
    reads({}, { name: UNNAMED_TOOL });
    reads({ name: null }, { name: UNNAMED_TOOL });
    reads({ name: '', id: '' }, { name: '' });
    reads({ name: 'f', id: 5, function: 'g', custom: 'h' }, {});
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['id', { id: 'a\u0000' }, 'expected a tool call id: non-empty text without control characters, got "a\\u0000"'],
    ['name', { name: 5 }, 'expected a string, got 5'],
    ['name', { name: '\ud83d' }, 'expected well-formed Unicode (no lone surrogates), got "\\ud83d"'],
    ['function.name', { function: { name: [] } }, 'expected a string, got an empty list'],
    ['custom.name', { custom: { name: {} } }, 'expected a string, got an object'],
    ['arguments', { arguments: 5 }, 'expected an object or JSON text, got 5'],
    ['arguments.a[1]', { arguments: { a: [1, Number.NaN] } }, 'expected a finite number, got NaN'],
    ['arguments', { arguments: '\ud83d' }, 'expected well-formed Unicode (no lone surrogates), got "\\ud83d"'],
    ['args', { args: true }, 'expected an object or JSON text, got true'],
    ['function.arguments', { function: { name: 'f', arguments: 5 } }, 'expected an object or JSON text, got 5'],
    ['custom.input', { custom: { name: 'f', input: 5 } }, 'expected an object or JSON text, got 5'],
    ['_origin.data', { _origin: { provider: 'x', data: 1n } }, 'expected a JSON value, got 1n'],
    ['vendor', { vendor: Symbol('s') }, 'expected a JSON value, got a symbol'],
  ])('is refused at %s: %#', (path, input, message) => {
    expect(() => readToolCall(input, '')).toThrow(`${path}: ${message}`);
    expect(() => readToolCall(input, 'tool_calls[1]')).toThrow(`tool_calls[1].${path}: ${message}`);
  });

  it('is refused where a field throws when it is read', () => {
    expect(() => readToolCall(throwingField('name'), 'tool_calls[1]')).toThrow(
      'tool_calls[1]: expected a value that can be read, got the error "boom"',
    );
  });
});

describe('arguments', () => {
  it('are an object, or text as given', () => {
    const given = { a: { b: [] } };
    const read = readArgs(given, 'arguments');
    expect([read, read === given, Object.isFrozen(read)]).toEqual([given, false, true]);
    for (const text of ['', ' {} ', 'about forty two']) expect(readArgs(text, '')).toBe(text);
  });

  it('are none where there are none, which is how PHP writes an empty map', () => {
    for (const none of [undefined, null, [], {}]) expect(readArgs(none, '')).toEqual({});
  });

  it('that are a list stay one, as text', () => {
    expect(readArgs([1, { a: 2 }], '')).toBe('[1,{"a":2}]');
  });

  it.each<[unknown, string]>([
    [5, 'arguments: expected an object or JSON text, got 5'],
    [new Map(), 'arguments: expected an object or JSON text, got an object of class Map'],
    [new Date(0), 'arguments: expected an object or JSON text, got an object of class Date'],
    [[() => 1], 'arguments[0]: expected a JSON value, got a function'],
  ])('are refused otherwise: %#', (args, message) => {
    expect(() => readArgs(args, 'arguments')).toThrow(message);
  });
});

describe('a list of tool calls', () => {
  it('is a list, each with its place', () => {
    const calls = [{ name: 'f' }, { function: { name: 'g' } }];
    expect(listToolCalls(calls, 'tool_calls')).toEqual([
      { item: calls[0], path: 'tool_calls[0]' },
      { item: calls[1], path: 'tool_calls[1]' },
    ]);
    expect(listToolCalls([], 'tool_calls')).toEqual([]);
  });

  it('can be one call', () => {
    for (const call of [
      { name: 'f', arguments: {} },
      { id: 'c1', function: {} },
      { type: 'custom', custom: {} },
    ])
      expect(listToolCalls(call, 'tool_calls')).toEqual([{ item: call, path: 'tool_calls' }]);
  });

  it('can be a map from names to arguments', () => {
    const map = JSON.parse('{"f":{"a":1},"two words":"{}","__proto__":{},"name":{}}') as object;
    expect(listToolCalls({ custom: { a: 1 } }, 'tool_calls')).toEqual([
      { item: { name: 'custom', arguments: { a: 1 } }, path: 'tool_calls.custom' },
    ]);
    expect(listToolCalls({ type: 'custom', custom: '{}' }, 'tool_calls')).toHaveLength(2);
    expect(listToolCalls(map, 'tool_calls')).toEqual([
      { item: { name: 'f', arguments: { a: 1 } }, path: 'tool_calls.f' },
      { item: { name: 'two words', arguments: '{}' }, path: 'tool_calls["two words"]' },
      { item: { name: '__proto__', arguments: {} }, path: 'tool_calls.__proto__' },
      { item: { name: 'name', arguments: {} }, path: 'tool_calls.name' },
    ]);
  });

  it.each<[unknown, string]>([
    ['f', 'tool_calls: expected a list of tool calls, got "f"'],
    [undefined, 'tool_calls: expected a list of tool calls, got undefined'],
    [new Map([['f', {}]]), 'tool_calls: expected a list of tool calls, got an object of class Map'],
    [throwingField('f'), 'tool_calls: expected a value that can be read, got the error "boom"'],
    [[{ name: 'f' }, 'g'], 'tool_calls[1]: expected a tool call with a name and arguments, got "g"'],
    [[null], 'tool_calls[0]: expected a tool call with a name and arguments, got null'],
    [
      Object.assign([], { 0: { name: 'f' }, 2: { name: 'g' } }),
      'tool_calls[1]: expected a tool call with a name and arguments, got undefined',
    ],
  ])('is refused otherwise: %#', (calls, message) => {
    expect(() => listToolCalls(calls, 'tool_calls')).toThrow(message);
  });
});

describe('a tool result', () => {
  const reads = (input: Record<string, unknown>, fields: Partial<ToolResultRecord>): void => {
    expect(readToolResult(input, '')).toEqual({
      content: '',
      callId: undefined,
      toolName: undefined,
      status: 'ok',
      synthetic: false,
      extra: {},
      ...fields,
    });
  };

  it('is read field by field', () => {
    reads({}, {});
    reads(
      { content: ['12 °C'], call_id: 'c1', tool_name: 'weather', is_error: true, synthetic: true, vendor: 1 },
      { content: ['12 °C'], callId: 'c1', toolName: 'weather', status: 'error', synthetic: true, extra: { vendor: 1 } },
    );
    reads({ tool_call_id: 'c1' }, { callId: 'c1' });
    reads({ call_id: 'c1', tool_call_id: 'c2' }, { callId: 'c1' });
    reads({ call_id: null, tool_call_id: 'c2' }, { callId: 'c2' });
    reads({ call_id: '', tool_call_id: 'c2' }, {});
    reads({ content: null, call_id: null, tool_name: null, is_error: null }, {});
    reads({ tool_name: '', synthetic: 'yes' }, {});
    reads({ tool_name: 5 }, {});
  });

  it('has the status that is said, else the one that the error mark says', () => {
    for (const status of ['ok', 'error', 'denied', 'cancelled'] as const) reads({ status, is_error: true }, { status });
    reads({ status: 'lost', is_error: true }, { status: 'error' });
    reads({ is_error: 'false' }, { status: 'error' });
    reads({ is_error: 0 }, {});
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['call_id', { call_id: 'a\n' }, 'expected a tool call id: non-empty text without control characters, got "a\\n"'],
    [
      'tool_call_id',
      { tool_call_id: '\ud83d' },
      'expected a tool call id: non-empty text without control characters, got "\\ud83d"',
    ],
    ['tool_name', { tool_name: '\ud83d' }, 'expected well-formed Unicode (no lone surrogates), got "\\ud83d"'],
    ['vendor[0]', { vendor: [1n] }, 'expected a JSON value, got 1n'],
  ])('is refused at %s', (path, input, message) => {
    expect(() => readToolResult(input, '')).toThrow(`${path}: ${message}`);
    expect(() => readToolResult(input, 'tool_result')).toThrow(`tool_result.${path}: ${message}`);
  });

  it('is refused where a field throws when it is read', () => {
    expect(() => readToolResult(throwingField('content'), 'tool_result')).toThrow(
      'tool_result: expected a value that can be read, got the error "boom"',
    );
  });
});
