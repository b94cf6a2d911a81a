import { describe, expect, it } from 'vitest';
import { anthropic } from '../../src/formats/anthropic/index.ts';
import { bedrock } from '../../src/formats/bedrock/index.ts';
import { gemini } from '../../src/formats/gemini/index.ts';
import { mistral } from '../../src/formats/mistral/index.ts';
import { ollama } from '../../src/formats/ollama/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';
import { openaiResponses } from '../../src/formats/openai-responses/index.ts';
import { Message, type Messages, MessageStore, MessageStoreError, runPendingTools, turns } from '../../src/index.ts';
import { assistant, call, chat, result, user } from '../../src/testing/index.ts';
import { checkBedrock } from 'message-store/testing';

/** What went wrong with tool calls in other libraries, and what goes out here. */
const roles = (messages: Messages): string[] => openaiChat.encode(messages).payload.messages.map(({ role }) => role);
const told = (messages: Messages): string[] =>
  openaiChat.encode(messages).report.repairs.map(({ path, rule }) => `${path}: ${rule}`);
const refusal = (run: () => unknown): [code: string, path: string, value: unknown] => {
  try {
    run();
  } catch (error) {
    if (MessageStoreError.isInstance(error)) return [error.code, error.path, error.value];
  }
  throw new Error('nothing was refused');
};
const refused = (messages: Messages) => refusal(() => openaiChat.encode(messages, { invalid: 'throw' }));

describe('a session that was killed while a tool ran', () => {
  const killed = chat(user('run it'), assistant('', call('run', { cmd: 'ls' }, 'c1')), user('continue'));

  it('loses nothing by the words that are made up, which are told as a repair', () => {
    for (const format of [anthropic, bedrock, gemini, mistral, ollama, openaiChat, openaiResponses]) {
      const { report } = format.encode(killed, { losses: 'throw', acceptLosses: ['call-id'] });
      expect(report.repairs.map(({ rule }) => rule)).toContain('synthesised');
    }
  });

  it('goes on: the call is answered with words that it did not complete', () => {
    const { payload } = openaiChat.encode(killed);
    expect(payload.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(payload.messages[2]).toMatchObject({
      tool_call_id: 'c1',
      content: 'Tool call was interrupted before it produced a result.',
    });
    expect(told(killed)).toEqual(['messages[1]: synthesised']);
    expect(killed.size).toBe(3);
  });

  it('goes on with Mistral, which takes no user right behind an answer', () => {
    const { messages } = mistral.encode(killed).payload;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('is refused with the place and the call, where that is asked for', () => {
    expect(refused(killed)).toEqual(['missing_tool_answer', 'messages[1]', 'c1']);
  });
});

describe('the newest messages of a session, cut between a call and its answer', () => {
  const stored = chat(user('q'), assistant('', call('lookup', { k: 1 }, 'c1')), result('c1', 'v'), assistant('done'));
  const read = stored.slice(-2).appendMessages('next');

  it('are kept as they were read, and the answer alone is not sent', () => {
    expect(read.map(({ role }) => role)).toEqual(['tool', 'assistant', 'user']);
    expect([roles(read), told(read)]).toEqual([['assistant', 'user'], ['messages[0]: dropped']]);
    expect(refused(read)).toEqual(['orphan_tool_answer', 'messages[0]', 'c1']);
    expect(openaiResponses.encode(read).payload.input).toEqual([
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'next' },
    ]);
    expect(stored.size).toBe(4);
  });
});

describe('an answer that does not stand behind its call', () => {
  const asking = assistant('', call('search', { q: 'x' }, 'c1'));
  const texts = (messages: Messages) => openaiChat.encode(messages).payload.messages.map(({ content }) => content);

  it('goes behind it, before what the user said in between', () => {
    const steered = chat(user('write it'), asking, user('docx please'), result('c1', 'r'), user('again'));
    expect(roles(steered)).toEqual(['user', 'assistant', 'tool', 'user', 'user']);
    expect(texts(steered)).toEqual(['write it', '', 'r', 'docx please', 'again']);
    expect(refused(steered)).toEqual(['missing_tool_answer', 'messages[1]', 'c1']);
  });

  it('goes behind it from before it', () => {
    const early = chat(user('q'), result('c1', 'r'), asking, user('next'));
    expect(roles(early)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(texts(early)).toEqual(['q', '', 'r', 'next']);
    expect(() => openaiChat.encode(early, { invalid: 'throw' })).toThrow(
      'messages[1]: expected a history that providers take: the answer to "c1" does not stand right behind its call in message 2',
    );
  });
});

describe('a call that is answered twice', () => {
  const turn = chat(user('q'), assistant('', call('web', {}, 'c1')), result('c1', 'first'));

  it('is not, through the guarded operations', () => {
    const store = MessageStore.fromMessages(turn, 'chat');
    expect(refusal(() => turns(store, 'chat').answer('c1', 'second'))[0]).toBe('tool_call_already_answered');
  });

  it('goes out with its first answer, and the other is told', () => {
    const poisoned = turn.appendMessages(result('c1', 'second'));
    const { payload, report } = openaiChat.encode(poisoned);
    expect(payload.messages.map(({ content }) => content)).toEqual(['q', '', 'first']);
    expect(report.repairs).toMatchObject([{ path: 'messages[3]', rule: 'dropped', action: 'dropped' }]);
  });
});

describe('calls with one id, or none', () => {
  it.each([
    ['the same id twice', [{ id: 'x' }, { id: 'x' }]],
    ['no id', [{}, {}]],
  ])('are two calls with an answer each, the same after a reload: %s', async (_, ids) => {
    const wire = {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id, at) => ({ ...id, function: { name: 'w', arguments: `{"c":${at}}` } })),
    };
    const store = MessageStore.fromMessages(openaiChat.decode([wire]).messages, 'chat');
    const reloaded = MessageStore.parse(JSON.stringify(store));
    const { store: answered } = await runPendingTools(reloaded, {
      section: 'chat',
      tools: { w: { run: (input: unknown) => JSON.stringify(input) } },
    });
    const [turn, ...answers] = openaiChat.encode(answered).payload.messages as any[];
    const [first, second] = turn.tool_calls.map((one: { id: string }) => one.id);
    expect([first, second].includes('') || first === second).toBe(false);
    expect(answers).toMatchObject([
      { role: 'tool', tool_call_id: first, content: '{"c":0}' },
      { role: 'tool', tool_call_id: second, content: '{"c":1}' },
    ]);
  });
});

it('ids of any provider are kept as they came, and what is no id is refused when the message is made', () => {
  for (const id of ['msg_01XYZ', 'x7hnCHCUxY15RGl4', '4ccab2ce-f948-4a7b-bec6-103d5125687c-mxb7wz']) {
    expect(Message.fromJSON(JSON.parse(JSON.stringify(Message.of({ id })))).id).toBe(id);
  }
  expect(refusal(() => Message.of({ id: '' }))[1]).toBe('id');
  expect(refusal(() => Message.of({ id: 'x'.repeat(256) }))[1]).toBe('id');
  expect(refusal(() => Message.of({ id: 5 as never }))[1]).toBe('id');
});

describe('what goes out to Bedrock, which wants the answers to a message in the next one', () => {
  const asking = assistant('', call('a', {}, 'c1'), call('b', {}, 'c2'));
  it.each<[string, Messages, answers: string[]]>([
    ['a call without an answer', chat(user('q'), asking, result('c1', 'r'), user('go on')), ['c1', 'c2']],
    ['an answer without a call', chat(result('c0', 'r'), assistant('done'), user('next')), []],
    [
      'an answer behind other words',
      chat(user('q'), asking, user('x'), result('c2', 's'), result('c1', 'r')),
      ['c1', 'c2'],
    ],
    [
      'an answer before its call',
      chat(user('q'), result('c1', 'r'), asking, result('c2', 's'), user('so')),
      ['c1', 'c2'],
    ],
    ['two answers', chat(user('q'), asking, result('c1', 'r'), result('c2', 's'), result('c1', 't')), ['c1', 'c2']],
  ])('is repaired: %s', (_, messages, answers) => {
    const { payload, report } = bedrock.encode(messages);
    const given = payload.messages.flatMap(({ content }) =>
      content.flatMap((block) => ('toolResult' in block ? block.toolResult.toolUseId : [])),
    );
    expect([given, checkBedrock(payload)]).toEqual([answers, []]);
    expect(report.repairs).not.toEqual([]);
  });
});
