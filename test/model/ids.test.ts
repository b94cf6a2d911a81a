import { fc, it as property } from '@fast-check/vitest';
import { Message, MessageId, MessageSessionId, SessionId, ToolCall, ToolCallId } from 'message-store';
import { describe, expect, it } from 'vitest';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each([
  { name: 'message', ids: MessageId },
  { name: 'session', ids: SessionId },
])('a $name id', ({ ids }) => {
  it('is a UUID v7 when it is made here, later ones sort after earlier ones', () => {
    const made = Array.from({ length: 100 }, () => ids.generate());
    expect(made.every((id) => UUID_V7.test(id))).toBe(true);
    expect(new Set(made).size).toBe(made.length);
    expect(made.toSorted()).toEqual(made);
  });

  it('is any opaque text', () => {
    for (const id of ['msg_01XYZ', 'x7hnCHCUxY15RGl4', 'thread_abc', '../../etc/passwd', 'ключ', ' ', '😀']) {
      expect(ids.from(id)).toBe(id);
    }
  });

  it('is lower-cased when it is a UUID, and only then', () => {
    expect(ids.from('4CCAB2CE-F948-4A7B-BEC6-103D5125687C')).toBe('4ccab2ce-f948-4a7b-bec6-103d5125687c');
    expect(ids.from('4CCAB2CE-F948-4A7B-BEC6-103D5125687C-x')).toBe('4CCAB2CE-F948-4A7B-BEC6-103D5125687C-x');
    expect(ids.from('MSG_1')).toBe('MSG_1');
  });

  it.each([
    ['empty text', ''],
    ['a control character', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['half of a character', 'a\ud83d'],
    ['more than 255 bytes', 'é'.repeat(128)],
    ['no text', 42],
  ])('is not %s', (_, id) => {
    expect(() => ids.from(id as string)).toThrow(
      'id: expected an id: text of 1 to 255 UTF-8 bytes without control characters',
    );
  });

  it('may be 255 bytes long', () => {
    expect(ids.from('a'.repeat(255))).toHaveLength(255);
    expect(ids.from(`${'é'.repeat(127)}a`)).toHaveLength(128);
  });
});

describe('a tool call id', () => {
  it('is a UUID v7 when it is made here', () => {
    expect(ToolCallId.generate()).toMatch(UUID_V7);
  });

  it('is any text, however long, as the provider gave it', () => {
    const long = 'call_'.padEnd(900, 'x');
    expect(ToolCallId.from(long)).toBe(long);
    expect(ToolCallId.from('4CCAB2CE-F948-4A7B-BEC6-103D5125687C')).toBe('4CCAB2CE-F948-4A7B-BEC6-103D5125687C');
  });

  it.each(['', ' ', 'a\u0007', '\ud83d'])('is not %j', (id) => {
    expect(() => ToolCallId.from(id)).toThrow('id: expected a tool call id: non-empty text without control characters');
  });
});

it('a session id has two names', () => {
  expect(MessageSessionId).toBe(SessionId);
});

property.prop([fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7, 8] })])(
  'a UUID of any version is an id, whatever its case',
  (id) => {
    expect(Message.of({ id: id.toUpperCase() }).id).toBe(id);
    expect(ToolCall.of({ name: 'f', id: id.toUpperCase() }).id).toBe(id.toUpperCase());
  },
);
