import { ContentType, InvalidInputError, MessageRole, MessageType } from 'message-store';
import { describe, expect, it } from 'vitest';

describe('the roles', () => {
  it('go by name', () => {
    expect(MessageRole.values).toEqual(['system', 'developer', 'user', 'assistant', 'tool']);
    expect([
      MessageRole.System,
      MessageRole.Developer,
      MessageRole.User,
      MessageRole.Assistant,
      MessageRole.Tool,
    ]).toEqual(MessageRole.values);
  });

  it('are read as they are written, case and blanks included', () => {
    expect(MessageRole.from('user')).toBe('user');
    expect(MessageRole.tryFrom('tool')).toBe('tool');
    expect(['User', ' user', '', null, undefined, 3].map(MessageRole.tryFrom)).toEqual(Array(6).fill(undefined));
  });

  it('are named when something is none', () => {
    expect(() => MessageRole.from('robot')).toThrow(
      new InvalidInputError({
        path: 'role',
        expected: 'one of "system", "developer", "user", "assistant", "tool"',
        value: 'robot',
      }),
    );
    expect(() => MessageRole.from('robot')).toThrow(
      'role: expected one of "system", "developer", "user", "assistant", "tool", got "robot"',
    );
  });

  it('can be compared', () => {
    expect([MessageRole.is('user', 'user'), MessageRole.is('user', 'tool')]).toEqual([true, false]);
    expect([MessageRole.isNot('user', 'user'), MessageRole.isNot('user', 'tool')]).toEqual([false, true]);
    expect([MessageRole.oneOf('user', 'tool', 'user'), MessageRole.oneOf('user')]).toEqual([true, false]);
    expect(MessageRole.values.filter(MessageRole.isSystem)).toEqual(['system', 'developer']);
  });

  it('are checked one by one in a list, which keeps its order and doubles', () => {
    expect(MessageRole.normalizeArray(['tool', 'user', 'tool'])).toEqual(['tool', 'user', 'tool']);
    expect(() => MessageRole.normalizeArray(['tool', 'robot'])).toThrow('role[1]: expected one of');
    expect(() => MessageRole.normalizeArray('user' as never)).toThrow('roles: expected a list of roles, got "user"');
  });
});

describe.each([
  { name: 'content types', companion: ContentType, values: ['text', 'image_url', 'file', 'input_audio'] },
  { name: 'message types', companion: MessageType, values: ['text', 'assistant_tool_calls', 'tool_result'] },
])('the $name', ({ companion, values }) => {
  const { from, tryFrom, is } = companion as typeof ContentType;

  it('have values, which are read as they are written', () => {
    expect(companion.values).toEqual(values);
    expect(values.map(from)).toEqual(values);
    expect(['Text', '', undefined].map(tryFrom)).toEqual([undefined, undefined, undefined]);
  });

  it('are named when something is none', () => {
    expect(() => from('video')).toThrow(
      `type: expected one of ${values.map((value) => `"${value}"`).join(', ')}, got "video"`,
    );
  });

  it('can be compared', () => {
    expect([is('text', 'text'), is('text', values[1] as never)]).toEqual([true, false]);
  });
});

it('the content and message types go by name', () => {
  expect([ContentType.Text, ContentType.Image, ContentType.File, ContentType.Audio]).toEqual(ContentType.values);
  expect([MessageType.Text, MessageType.AssistantToolCalls, MessageType.ToolResult]).toEqual(MessageType.values);
});
