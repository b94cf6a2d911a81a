import { Message, type MessagesInput, ToolCall, validate, type ValidateOptions } from 'message-store';
import { assistant, call, chat, result, type Turn } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const asking = assistant('', call('f', {}, 'a'), call('g', {}, 'b'));

const madeUp = (callId: string) =>
  Message.of({
    role: 'tool',
    toolResult: { content: 'cancelled', call_id: callId, status: 'cancelled', synthetic: true },
  });

/** What is wrong, as words: code, place, id. */
const wrong = (history: MessagesInput, options?: ValidateOptions) =>
  validate(history, options).map(({ code, at, id }) => [code, at, ...(id === undefined ? [] : [id])].join(' '));

describe('a history that providers take', () => {
  it.each<readonly [string, readonly Turn[]]>([
    ['nothing', []],
    ['talk', ['Hi', assistant('Hello')]],
    ['answers right behind their calls, in any order', ['Hi', asking, result('b', '2'), result('a', '1'), 'Thanks']],
    ['ids that repeat in later turns', [call('f'), result('f', '1'), call('f'), result('f', '2')]],
    ['calls at the end that wait', ['Hi', asking, result('b', '2')]],
  ])('is %s', (_, turns) => {
    expect(wrong(chat(...turns))).toEqual([]);
  });

  it('has no open calls when it is to be sent', () => {
    expect(wrong(chat('Hi', asking, result('b', '2')), { allowOpenTail: false })).toEqual(['missing_tool_answer 1 a']);
    expect(wrong(chat('Hi', asking), { allowOpenTail: false })).toEqual([
      'missing_tool_answer 1 a',
      'missing_tool_answer 1 b',
    ]);
  });

  it('may be anything that messages are read from', () => {
    expect(wrong('Hi')).toEqual([]);
    expect(wrong([{ role: 'tool', tool_call_id: 'a', content: '1' }])).toEqual(['orphan_tool_answer 0 a']);
  });
});

describe('what providers would refuse', () => {
  it.each<readonly [string, readonly Turn[], readonly string[]]>([
    ['an answer without a call', [result('a', '1'), 'Hi'], ['orphan_tool_answer 0 a']],
    ['a second answer', [call('f'), result('f', '1'), result('f', '2')], ['duplicate_tool_answer 2 f']],
    [
      'the same answer once more, later',
      [call('f'), result('f', '1'), 'Hi', result('f', '1')],
      ['duplicate_tool_answer 3 f'],
    ],
    ['calls without answers', [asking, result('a', '1'), 'Hi'], ['missing_tool_answer 0 b']],
    [
      'a word between a call and its answer',
      ['write it', call('search', {}, 'c1'), 'docx please', result('c1', 'r'), 'again'],
      ['missing_tool_answer 1 c1', 'interleaved_message 3 c1'],
    ],
    [
      'an answer before its call',
      ['q', result('c1', 'r'), call('search', {}, 'c1'), 'next'],
      ['interleaved_message 1 c1', 'missing_tool_answer 2 c1'],
    ],
    [
      'an answer behind a later turn',
      [call('f', {}, 'a'), call('g', {}, 'b'), result('b', '2'), result('a', '1')],
      ['missing_tool_answer 0 a', 'interleaved_message 3 a'],
    ],
    [
      'an id twice in a turn',
      [assistant('', call('f', {}, 'x'), call('f', {}, 'x')), result('x', '1'), result('x', '2')],
      ['duplicate_tool_call_id 0 x'],
    ],
    [
      'a call without an id, though its answer follows',
      [ToolCall.of({ name: 'f' }), Message.of({ role: 'tool', content: '1' })],
      ['missing_tool_call_id 0', 'missing_tool_call_id 1'],
    ],
    [
      'a blank id, as stored JSON may have it',
      [ToolCall.fromJSON({ id: ' ', name: 'f', arguments: {} }), result('f', '1')],
      ['missing_tool_call_id 0', 'missing_tool_answer 0', 'orphan_tool_answer 1 f'],
    ],
    ['a call without a name', [call('', {}, 'a'), result('a', '1')], ['empty_tool_name 0 a']],
    ['a call with a blank name', [call(' ', {}, 'a'), result('a', '1')], ['empty_tool_name 0 a']],
    ['a call that was read without a name', [ToolCall.from({ id: 'a' }), result('a', '1')], ['empty_tool_name 0 a']],
    ['a tool message without a result', ['Hi', Message.of({ role: 'tool', content: '1' })], ['missing_tool_call_id 1']],
    [
      'calls and answers of the wrong roles',
      [Message.of({ role: 'user', toolCalls: [call('f')] }), result('f', '1').withRole('assistant')],
      ['tool_calls_on_role 0', 'tool_call_id_on_role 1'],
    ],
    [
      'an answer of the wrong role, though its call waits for it',
      [call('f'), result('f', '1').withRole('user')],
      ['tool_call_id_on_role 1'],
    ],
    ['a made-up answer beside the real one', [call('f'), madeUp('f'), result('f', '1')], ['duplicate_tool_answer 1 f']],
    ['a tool message that calls', [call('f'), result('f', '1').withToolCalls([call('g')])], ['tool_calls_on_role 1']],
    [
      'an answer without an id behind a later message than its call',
      [ToolCall.of({ name: 'f' }), 'Hi', Message.of({ role: 'tool', content: '1' })],
      ['missing_tool_call_id 0', 'missing_tool_answer 0', 'missing_tool_call_id 2', 'interleaved_message 2'],
    ],
  ])('is %s', (_, turns, expected) => {
    expect(wrong(chat(...turns, 'and on')).toSorted()).toEqual(expected.toSorted());
  });

  it('is told in the order of the history', () => {
    const history = chat(result('x', '1'), asking, 'Hi', result('y', '2'), result('a', '1'));
    expect(wrong(history)).toEqual([
      'orphan_tool_answer 0 x',
      'missing_tool_answer 1 b',
      'missing_tool_answer 1 a',
      'orphan_tool_answer 3 y',
      'interleaved_message 4 a',
    ]);
  });

  it('is said in words too', () => {
    const said = (...turns: readonly Turn[]) => validate(chat(...turns)).map(({ message }) => message);
    expect(said('q', result('c1', 'r'), call('search', {}, 'c1'), 'next')).toEqual([
      'the answer to "c1" does not stand right behind its call in message 2',
      'the call of search has its answer in message 1, not right behind it',
    ]);
    expect(said(ToolCall.of({ name: '' }), 'Hi')).toEqual([
      'a tool call has no name',
      'the call of (unnamed-tool) has no id',
      'the call of (unnamed-tool) has no answer behind it',
    ]);
    expect(said(call('', {}, 'a'), 'Hi', result('a', '1'))).toContain(
      'the call of (unnamed-tool) has its answer in message 2, not right behind it',
    );
    expect(said(result('x', '1').withRole('assistant'), Message.of({ role: 'tool' }))).toEqual([
      'an assistant message carries a tool result: only a tool message may',
      'a tool message does not say which call it answers',
    ]);
    expect(said(assistant('', call('f', {}, 'x'), call('f', {}, 'x')))).toEqual([
      'two calls of one turn have the id "x"',
    ]);
    expect(said(call('f'), result('f', '1'), result('f', '1'), result('g', '1'))).toEqual([
      'the call "f" is answered already',
      'there is no call "g" that this could answer',
    ]);
  });
});

describe('an answer that does not say what it answers', () => {
  const nameless = (text: string) => Message.of({ role: 'tool', content: text });

  it('is taken for the first call that no other answer names, which then has one', () => {
    expect(wrong(chat(asking, nameless('1'), result('a', '2'), 'Hi'))).toEqual(['missing_tool_call_id 1']);
    expect(wrong(chat(asking, nameless('1'), result('a', '2'), result('b', '3')))).toEqual(['missing_tool_call_id 1']);
    expect(wrong(chat(asking, result('a', '1'), nameless('2'), nameless('3')))).toEqual([
      'missing_tool_call_id 2',
      'missing_tool_call_id 3',
    ]);
  });
});
