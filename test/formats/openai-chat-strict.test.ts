import { InvalidInputError, Message, MessageStoreError } from 'message-store';
import { openaiChat } from 'message-store/formats/openai-chat';
import { describe, expect, it } from 'vitest';

const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
const asking = (...calls: readonly unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const answer = (id: unknown) => ({ role: 'tool', tool_call_id: id, content: '1' });

const strictly = (...messages: readonly unknown[]) => openaiChat.decode({ messages }, { strict: true });
const refusal = (messages: readonly unknown[]) => refusalOf(() => strictly(...messages));

function refusalOf(read: () => unknown): [string, string] {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidInputError) return [error.code, error.path];
    throw error;
  }
  return ['', ''];
}

describe('strict reading refuses, with a code and a path', () => {
  it.each<[string, string, readonly unknown[]]>([
    [
      'invalid_role',
      'messages[1].role',
      [
        { role: 'user', content: 'q' },
        { role: 'robot', content: 'x' },
      ],
    ],
    ['missing_content', 'messages[0].content', [{ role: 'user', content: null }]],
    ['missing_content', 'messages[0].content', [{ role: 'assistant' }]],
    ['missing_content', 'messages[0].content', [{ role: 'user', content: [] }]],
    ['missing_content', 'messages[0].content', [{ role: 'user', content: {} }]],
    ['missing_content', 'messages[0].content', [{ ...asking(call), content: [] }]],
    ['empty_tool_calls', 'messages[0].tool_calls', [{ role: 'assistant', content: 'hi', tool_calls: [] }]],
    ['invalid_tool_calls', 'messages[0].tool_calls', [{ role: 'assistant', content: 'hi', tool_calls: {} }]],
    ['invalid_tool_calls', 'messages[0].tool_calls[1]', [asking(call, 'f')]],
    ['tool_calls_on_role', 'messages[0].tool_calls', [{ role: 'user', content: 'x', tool_calls: [call] }]],
    ['tool_call_id_on_role', 'messages[0].tool_call_id', [{ role: 'user', content: 'x', tool_call_id: 'a' }]],
    ['missing_tool_call_id', 'messages[0].tool_call_id', [answer(undefined)]],
    ['invalid_tool_call_id', 'messages[0].tool_call_id', [answer(7)]],
    ['empty_tool_call_id', 'messages[0].tool_call_id', [answer(' ')]],
    ['missing_tool_call_id', 'messages[0].tool_calls[0].id', [asking({ ...call, id: null })]],
    [
      'empty_tool_name',
      'messages[0].tool_calls[0].function.name',
      [asking({ ...call, function: { arguments: '{}' } })],
    ],
    ['empty_tool_name', 'messages[0].tool_calls[0].function.name', [asking({ id: 'a', name: '' })]],
    ['empty_tool_name', 'messages[0].tool_calls[0].function.name', [asking({ id: 'a', name: ' ' })]],
    ['invalid_tool_calls', 'messages[0].tool_calls[0].type', [asking({ ...call, type: '' })]],
    ['invalid_tool_calls', 'messages[0].tool_calls[0].type', [asking({ ...call, type: 7 })]],
    ['duplicate_tool_call_id', 'messages[0]', [asking(call, call)]],
    ['orphan_tool_answer', 'messages[1]', [{ role: 'user', content: 'q' }, answer('ghost')]],
    ['missing_tool_answer', 'messages[0]', [asking(call), { role: 'user', content: 'x' }]],
  ])('%s at %s', (code, path, messages) => {
    expect(refusal(messages)).toEqual([code, path]);
  });

  it.each<[string, string, unknown]>([
    ['empty_tool_call_id', 'choices[0].message.tool_calls[0].id', asking({ ...call, id: '' })],
    ['empty_tool_name', 'choices[0].message.tool_calls[0].function.name', asking({ id: 'a', function: { name: '' } })],
    ['missing_content', 'choices[0].message.content', { role: 'assistant', content: null, refusal: null }],
    ['duplicate_tool_call_id', 'choices[0].message', asking(call, call)],
  ])('in a response: %s at %s', (code, path, message) => {
    const response = { choices: [{ message, finish_reason: 'tool_calls' }] };
    expect(refusalOf(() => openaiChat.decode(response, { strict: true }))).toEqual([code, path]);
    expect(openaiChat.decode(response).messages.size).toBe(1);
  });

  it('what is no message at all, as the loose door does', () => {
    expect(() => strictly('x')).toThrow('messages[0]: expected a message with a role, got "x"');
  });
});

describe('the loose door reads all the same', () => {
  it.each<[string, readonly unknown[]]>([
    ['no content', [{ role: 'user', content: null }]],
    ['an empty list of calls', [{ role: 'assistant', content: 'hi', tool_calls: [] }]],
    ['calls of a user', [{ role: 'user', content: 'x', tool_calls: [call] }]],
    ['an answer without an id', [answer(undefined)]],
    ['an answer without its call', [answer('ghost')]],
    ['a call without its answer', [asking(call), { role: 'user', content: 'x' }]],
  ])('%s', (_, messages) => {
    expect(openaiChat.decode({ messages }).messages.size).toBe(messages.length);
  });
});

describe('strict reading takes', () => {
  it.each<[string, readonly unknown[]]>([
    [
      'a complete turn',
      [{ role: 'user', content: 'q' }, asking(call), answer('a'), { role: 'assistant', content: 'ok' }],
    ],
    ['calls at the very end that wait for their answers', [asking(call)]],
    ['a custom call', [asking({ id: 'a', type: 'custom', custom: { name: 'f', input: 'x' } })]],
    ['arguments that are no JSON', [asking({ ...call, function: { name: 'f', arguments: 'not-json' } })]],
    ['a refusal in the place of content', [{ role: 'assistant', refusal: 'No.' }]],
  ])('%s', (_, messages) => {
    const { messages: read, report } = strictly(...messages);
    expect(read.size).toBe(messages.length);
    expect(report).toEqual({ losses: [], repairs: [] });
  });

  it('a response with calls, and tells how it ended', () => {
    const response = { choices: [{ message: asking(call), finish_reason: 'tool_calls' }] };
    const { messages, finish } = openaiChat.decode(response, { strict: true });
    expect([messages.first()?.toolCalls.size, finish?.reason]).toEqual([1, 'tool_calls']);
  });

  it('answers in another order, and puts them into that of their calls', () => {
    const { messages, report } = strictly(asking(call, { ...call, id: 'b' }), answer('b'), answer('a'));
    expect(messages.map(({ toolResult }) => toolResult?.callId)).toEqual([undefined, 'a', 'b']);
    expect(report.repairs.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[1]', 'reordered', 'moved'],
    ]);
  });
});

describe('a message built for a tool turn', () => {
  const codeOf = (build: () => Message): string => {
    try {
      build();
    } catch (error) {
      if (MessageStoreError.isInstance(error)) return error.code;
    }
    return '';
  };

  it('is refused with the code of the rule that it breaks', () => {
    expect(codeOf(() => Message.assistantToolCalls([]))).toBe('empty_tool_calls');
    expect(codeOf(() => Message.assistantToolCalls([{ id: 'a', name: '' }]))).toBe('empty_tool_name');
    expect(codeOf(() => Message.assistantToolCalls([{ id: 'a', name: ' ' }]))).toBe('empty_tool_name');
    expect(codeOf(() => Message.assistantToolCalls([{ id: 'a' }]))).toBe('empty_tool_name');
    expect(codeOf(() => Message.assistantToolCalls([{ id: '', name: 'f' }]))).toBe('empty_tool_call_id');
    expect(codeOf(() => Message.assistantToolCalls({ id: ' ', name: 'f' }))).toBe('empty_tool_call_id');
    expect(codeOf(() => Message.toolResult('', 'x'))).toBe('empty_tool_call_id');
    expect(codeOf(() => Message.toolResult(' ', 'x'))).toBe('empty_tool_call_id');
  });
});
