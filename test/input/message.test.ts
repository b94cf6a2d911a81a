import { describe, expect, it } from 'vitest';
import {
  canBeMessage,
  isMessageShape,
  type MessageRecord,
  readIncomplete,
  readMessage,
} from '../../src/input/message.ts';
import { throwingField } from '../support/hostile-values.ts';

const NOTHING: MessageRecord = {
  id: undefined,
  createdAt: undefined,
  parentId: undefined,
  role: undefined,
  name: '',
  content: undefined,
  toolCalls: undefined,
  toolResult: undefined,
  metadata: undefined,
  metadataPath: 'metadata',
  origin: undefined,
  incomplete: undefined,
  extra: {},
};

/** What is read of an object, as what differs from nothing. */
const reads = (input: Record<string, unknown>, fields: Partial<MessageRecord>, path = ''): void => {
  const before = JSON.stringify(input);
  const { toolResult, ...record } = readMessage(input, path);
  const key = (input['_metadata'] ?? null) === null ? 'metadata' : '_metadata';
  const metadataPath = path === '' ? key : `${path}.${key}`;
  const { toolResult: wanted, ...others } = { ...NOTHING, ...fields, metadataPath };
  expect(record).toStrictEqual(others);
  expect(toolResult && { value: toolResult.value, path: toolResult.path }).toEqual(wanted);
  expect(JSON.stringify(input)).toBe(before);
};

const CALLS = [{ id: 'c1', name: 'f', arguments: {} }];
const RESULT = { content: 'ok', call_id: 'c1' };

describe('a message object', () => {
  it('in our form is read field by field', () => {
    const origin = { provider: 'openai-chat' };
    reads(
      {
        id: 'm1',
        createdAt: '2026-01-31T13:00:00+01:00',
        parentId: 'm0',
        role: 'assistant',
        name: 'Ann',
        content: 'Hi',
        tool_calls: CALLS,
        tool_result: RESULT,
        _metadata: { a: 1 },
        _origin: origin,
        incomplete: { reason: 'cut' },
        vendor: 1,
      },
      {
        id: 'm1',
        createdAt: '2026-01-31T12:00:00.000Z',
        parentId: 'm0',
        role: 'assistant',
        name: 'Ann',
        content: 'Hi',
        toolCalls: { value: CALLS, path: 'tool_calls' },
        toolResult: { value: RESULT, path: 'tool_result' },
        metadata: { a: 1 },
        origin,
        incomplete: { reason: 'cut' },
        extra: { vendor: 1 },
      },
    );
  });

  it('says nothing with null and undefined', () => {
    const nothing = { id: null, createdAt: null, parentId: null, role: null, name: null, tool_calls: null };
    reads({ ...nothing, tool_result: null, _metadata: null, metadata: null, incomplete: null }, {});
    reads({ role: '', content: null }, { content: null });
  });

  it("in OpenAI's form of a tool's answer is a result, whose tool is its name", () => {
    const input = { role: 'tool', content: '12 °C', tool_call_id: 'c1', name: 'weather' };
    const value = { content: '12 °C', tool_call_id: 'c1', tool_name: 'weather' };
    reads(input, { role: 'tool', content: '12 °C', toolResult: { value, path: '' } });
    reads(input, { role: 'tool', content: '12 °C', toolResult: { value, path: 'messages[3]' } }, 'messages[3]');
  });

  it('keeps a call id that says nothing where it stands', () => {
    reads(
      { role: 'user', content: 'x', tool_call_id: 'c1' },
      { role: 'user', content: 'x', extra: { tool_call_id: 'c1' } },
    );
    reads({ role: 'tool', content: 'x', tool_call_id: null }, { role: 'tool', content: 'x' });
    reads({ role: 'tool', name: 'Ann', content: 'x' }, { role: 'tool', name: 'Ann', content: 'x' });
  });

  it('gives its result the call id beside it, unless it has its own', () => {
    const toolResult = { value: { ...RESULT, tool_call_id: 'c2' }, path: 'tool_result' };
    reads({ role: 'tool', tool_result: RESULT, tool_call_id: 'c2' }, { role: 'tool', toolResult });
    const own = { value: { tool_call_id: 'c1' }, path: 'tool_result' };
    reads({ role: 'tool', tool_result: { tool_call_id: 'c1' }, tool_call_id: 'c2' }, { role: 'tool', toolResult: own });
  });

  it('with metadata under either key reads the first that is there, and keeps the other', () => {
    reads({ metadata: { a: 1 } }, { metadata: { a: 1 } });
    reads({ _metadata: null, metadata: { a: 1 } }, { metadata: { a: 1 } });
    reads({ _metadata: { b: 2 }, metadata: { a: 1 } }, { metadata: { b: 2 }, extra: { metadata: { a: 1 } } });
    reads({ _metadata: {}, metadata: { a: 1 } }, { metadata: {}, extra: { metadata: { a: 1 } } });
    reads({ _metadata: [] }, {});
    reads(
      { _metadata: { tool_calls: null, tool_result: null } },
      { metadata: { tool_calls: null, tool_result: null } },
    );
  });

  it('in the legacy form has its calls and its result in the metadata', () => {
    const metadata = { a: 1, tool_calls: CALLS, tool_result: RESULT };
    reads(
      { role: 'assistant', _metadata: metadata },
      {
        role: 'assistant',
        metadata: { a: 1 },
        toolCalls: { value: CALLS, path: '_metadata.tool_calls' },
        toolResult: { value: RESULT, path: '_metadata.tool_result' },
      },
    );
    reads(
      { metadata: { tool_calls: CALLS }, tool_calls: [] },
      { metadata: {}, toolCalls: { value: CALLS, path: 'messages[1].metadata.tool_calls' } },
      'messages[1]',
    );
  });

  it('in the legacy form keeps in the metadata what cannot be understood', () => {
    reads(
      { metadata: { tool_calls: 'none', tool_result: 'ok' } },
      { metadata: { tool_calls: 'none', tool_result: 'ok' } },
    );
    reads(
      { metadata: { tool_calls: 'none', tool_result: RESULT } },
      { metadata: { tool_calls: 'none' }, toolResult: { value: RESULT, path: 'metadata.tool_result' } },
    );
    reads(
      { metadata: { tool_calls: CALLS, tool_result: 'ok' } },
      { metadata: { tool_result: 'ok' }, toolCalls: { value: CALLS, path: 'metadata.tool_calls' } },
    );
    reads(
      { metadata: { tool_calls: CALLS, tool_result: null } },
      { metadata: {}, toolCalls: { value: CALLS, path: 'metadata.tool_calls' } },
    );
  });

  it('prefers calls and results of its own to legacy ones', () => {
    const own = [{ name: 'own' }];
    const input = {
      tool_calls: own,
      tool_result: { content: 'own' },
      metadata: { tool_calls: CALLS, tool_result: RESULT },
    };
    reads(input, {
      metadata: {},
      toolCalls: { value: own, path: 'tool_calls' },
      toolResult: { value: { content: 'own' }, path: 'tool_result' },
    });
  });

  it('keeps an _origin that is none', () => {
    reads({ _origin: 'somewhere', content: '' }, { content: '', extra: { _origin: 'somewhere' } });
  });
});

describe('a message object that is wrong', () => {
  const roles = 'one of "system", "developer", "user", "assistant", "tool"';
  const id = 'an id: text of 1 to 255 UTF-8 bytes without control characters';
  it.each<[Record<string, unknown>, string, string]>([
    [{ role: 'robot' }, 'role', `expected ${roles}, got "robot"`],
    [{ id: '' }, 'id', `expected ${id}, got ""`],
    [{ parentId: 7 }, 'parentId', `expected ${id}, got 7`],
    [{ createdAt: 'now' }, 'createdAt', 'expected an ISO 8601 date and time (2026-01-31T12:00:00.000Z), got "now"'],
    [{ name: 5 }, 'name', 'expected a string, got 5'],
    [{ name: 'a\ud83d' }, 'name', 'expected well-formed Unicode (no lone surrogates), got "a\\ud83d"'],
    [{ role: 'tool', tool_call_id: 'c1', name: 5 }, 'name', 'expected a string, got 5'],
    [{ role: 'tool', tool_call_id: 5 }, 'tool_call_id', 'expected a string, got 5'],
    [{ tool_result: 'ok' }, 'tool_result', 'expected an object, got "ok"'],
    [{ tool_result: [] }, 'tool_result', 'expected an object, got an empty list'],
    [{ _metadata: 'a' }, '_metadata', 'expected an object, got "a"'],
    [{ metadata: [1] }, 'metadata', 'expected an object, got a list'],
    [{ incomplete: 'cut' }, 'incomplete', 'expected an object with a reason, got "cut"'],
    [
      { incomplete: { reason: 'a\ud83d' } },
      'incomplete.reason',
      'expected well-formed Unicode (no lone surrogates), got "a\\ud83d"',
    ],
    [{ _origin: { provider: 'x', data: 1n } }, '_origin.data', 'expected a JSON value, got 1n'],
    [{ vendor: { a: [undefined] } }, 'vendor.a[0]', 'expected a JSON value, got undefined'],
  ])('%# is refused at %s', (input, path, message) => {
    expect(() => readMessage(input, '')).toThrow(`${path}: ${message}`);
    expect(() => readMessage(input, 'sections.main.messages[3]')).toThrow(
      `sections.main.messages[3].${path}: ${message}`,
    );
  });

  it('is refused as a whole where a field throws when it is read', () => {
    const message = 'messages[3]: expected a value that can be read, got the error "boom"';
    for (const key of ['role', 'content', 'tool_calls', '_metadata', 'vendor'])
      expect(() => readMessage(throwingField(key), 'messages[3]')).toThrow(message);
  });
});

describe('the mark of a cut stream', () => {
  it('is copied and frozen', () => {
    const given = { reason: 'cut', at: [1] };
    const read = readIncomplete(given, 'incomplete');
    expect(read).toEqual(given);
    expect([read === given, Object.isFrozen(read)]).toEqual([false, true]);
    expect([readIncomplete(undefined, ''), readIncomplete(null, '')]).toEqual([undefined, undefined]);
  });
});

describe('the shape of a message', () => {
  it('is a role, and something to say', () => {
    const role = 'assistant';
    const shapes = [
      { content: null },
      { _metadata: {} },
      { metadata: {} },
      { tool_calls: [] },
      { tool_result: {} },
      { tool_call_id: 'c' },
    ];
    expect(shapes.every((shape) => isMessageShape({ role, ...shape }))).toBe(true);
    expect(shapes.some(isMessageShape)).toBe(false);
    const others = [{ role }, { role: null, content: 'x' }, { role, content: undefined }, [], [{ role }], 'x', null];
    expect(others.some(isMessageShape)).toBe(false);
  });

  it('can do without the role, or without anything to say', () => {
    for (const value of [{ role: undefined }, { role: 'user' }, { content: 'x' }, { tool_calls: [] }])
      expect(canBeMessage(value)).toBe(true);
    for (const value of [{}, { name: 'x' }, { content: undefined }, [], 'x', null, undefined])
      expect(canBeMessage(value)).toBe(false);
  });

  it('is there where a field throws: reading it will say so', () => {
    expect(isMessageShape(throwingField('role', { content: 'x' }))).toBe(true);
    expect(isMessageShape(throwingField('content', { role: 'user' }))).toBe(true);
    expect(canBeMessage(throwingField('content'))).toBe(true);
  });
});
