import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openaiResponses, type OpenAIResponsesOptions } from '../../src/formats/openai-responses/index.ts';
import {
  ContentPart,
  type ContentPartInput,
  FileSource,
  ImageSource,
  Message,
  type MessageStoreError,
  Messages,
  ToolCall,
} from '../../src/index.ts';
import {
  assistant,
  call,
  chat,
  checkOpenAIResponses,
  developer,
  fixIdentity,
  result,
  store,
  system,
  user,
} from '../../src/testing/index.ts';
import { anthropic } from '../../src/formats/anthropic/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/formats/openai-responses/', import.meta.url));
const read = (file: string): any => JSON.parse(readFileSync(FIXTURES + file, 'utf8'));
const named = (pattern: string) =>
  globSync(pattern, { cwd: FIXTURES })
    .map((file) => basename(file, '.wire.json'))
    .toSorted();
const conversationOf = ({ instructions, input }: any) => ({
  ...(instructions !== undefined && { instructions }),
  input,
});
const NOTHING = { losses: [], repairs: [] };

let restore: () => void;
beforeEach(() => {
  restore = fixIdentity();
});
afterEach(() => restore());

const encoded = (messages: Messages, options?: OpenAIResponsesOptions) => {
  const before = JSON.stringify(messages);
  const { payload, report } = openaiResponses.encode(messages, options);
  expect(JSON.stringify(messages)).toBe(before);
  expect(JSON.stringify(openaiResponses.encode(messages, options).payload)).toBe(JSON.stringify(payload));
  expect(checkOpenAIResponses(payload)).toEqual([]);
  return { payload, report };
};
const wire = (...messages: readonly Message[]): any[] => encoded(chat(...messages)).payload.input as any[];
const told = (messages: Messages, options?: OpenAIResponsesOptions) => {
  const { losses, repairs } = encoded(messages, options).report;
  return [losses, repairs].map((entries) => entries.map(({ path, rule, action }) => [path, rule, action]));
};
const losses = (...messages: readonly Message[]) => told(chat(...messages))[0];
/** How parts of the user go out. */
const parts = (...given: readonly ContentPartInput[]): any[] => wire(user(['!', ...given]))[0].content.slice(1);
/** A turn with an answer to each of its calls, after a word of the user. */
const asked = (turn: Message): Message[] => [
  user('q'),
  turn,
  ...turn.toolCalls.map(({ id }) => result(id as string, 'r')),
];
const read1 = (...items: readonly unknown[]): Message => openaiResponses.decode(items).messages.first() as Message;
const codeAt = (run: () => unknown): unknown[] => {
  try {
    run();
  } catch (error) {
    const { code, path, value } = error as MessageStoreError;
    return [code, path, value];
  }
  return [];
};
const said = (text: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
});
const thought = (id = 'rs_1', more: object = {}) => ({ type: 'reasoning', id, summary: [], ...more });
const asking = (id = 'call_1', more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{}',
  ...more,
});
const answer = (id = 'call_1', output: unknown = 'r') => ({ type: 'function_call_output', call_id: id, output });

/** Items and parts that the rules do not know. */
const ODD = ['shapes'];

describe('a recorded request', () => {
  it.each(named('*.wire.json'))('is read into the same messages, and goes out again as it came: %s', (name) => {
    const request = read(`${name}.wire.json`);
    const { messages, report } = openaiResponses.decode(request);
    if (process.env['UPDATE']) writeFileSync(`${FIXTURES}${name}.model.json`, `${JSON.stringify(messages, null, 2)}\n`);
    expect(messages.toJSON()).toEqual(read(`${name}.model.json`));
    expect(report).toEqual(NOTHING);
    const payload = conversationOf(request);
    expect(openaiResponses.encode(messages)).toEqual({ payload, report: NOTHING });
    expect(openaiResponses.encode(Messages.fromJSON(read(`${name}.model.json`))).payload).toEqual(payload);
    if (!ODD.includes(name)) expect(checkOpenAIResponses(payload)).toEqual([]);
  });
});

describe('a recorded response', () => {
  it.each(named('responses/*.wire.json'))(
    'is read with why it ended and what it cost, and goes out again: %s',
    (name) => {
      const response = read(`responses/${name}.wire.json`);
      const { messages, report, ...end } = openaiResponses.decode(response);
      const model = { messages: messages.toJSON(), ...end };
      const path = `responses/${name}.model.json`;
      if (process.env['UPDATE']) writeFileSync(FIXTURES + path, `${JSON.stringify(model, null, 2)}\n`);
      expect(model).toEqual(read(path));
      expect(report).toEqual(NOTHING);
      if (name === 'failed') return;
      const [message] = messages;
      const input = openaiResponses.encode(chat(...asked(message!))).payload.input.slice(1) as any[];
      const items = input.filter(({ type }) => !type.endsWith('_output'));
      if (name === 'cut') expect(items[0].arguments).toBe('{}');
      else expect(items).toEqual(response.output);
    },
  );

  it.each([
    ['completed', null, 'stop', 'completed'],
    ['incomplete', { reason: 'max_output_tokens' }, 'length', 'max_output_tokens'],
    ['incomplete', { reason: 'content_filter' }, 'content_filter', 'content_filter'],
    ['incomplete', { reason: 'steered' }, 'other', 'steered'],
    ['incomplete', null, 'other', 'incomplete'],
    ['failed', null, 'error', 'failed'],
    ['cancelled', null, 'error', 'cancelled'],
    ['in_progress', null, 'other', 'in_progress'],
    ['__proto__', null, 'other', '__proto__'],
  ])('tells why it ended: %s %o', (status, incomplete_details, reason, raw) => {
    expect(openaiResponses.decode({ status, incomplete_details, output: [said('x')] }).finish).toEqual({ reason, raw });
  });

  it('tells of calls by what it holds', () => {
    const finish = (...output: unknown[]) => openaiResponses.decode({ status: 'completed', output }).finish?.reason;
    expect(finish(asking())).toBe('tool_calls');
    expect(finish({ type: 'custom_tool_call', call_id: 'c', name: 'f', input: '' })).toBe('tool_calls');
    expect(finish({ type: 'web_search_call', id: 'ws_1' })).toBe('stop');
    expect(finish(said('', { content: [{ type: 'refusal', refusal: 'no' }] }))).toBe('stop');
    expect(openaiResponses.decode({ output: [] }).finish).toBeUndefined();
  });

  it('marks calls that may have been cut: they must not be run', () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const incomplete = (output: unknown[]) => openaiResponses.decode({ ...cut, output }).messages.first()?.incomplete;
    expect(incomplete([said('Let me'), asking()])).toEqual({ reason: 'length' });
    expect(incomplete([said('Let me')])).toBeUndefined();
    const ended = (status: string) =>
      openaiResponses.decode({ status, output: [asking()] }).messages.first()?.incomplete;
    expect(['completed', 'failed', 'cancelled', 'in_progress'].map(ended)).toEqual([
      undefined,
      { reason: 'error' },
      { reason: 'error' },
      { reason: 'other' },
    ]);
  });

  it('has why it ended and what it cost written into its message, where that is wanted', () => {
    const response = { status: 'completed', output: [said('x')], usage: { input_tokens: 3, output_tokens: 1 } };
    const metadata = (record: boolean) =>
      openaiResponses.decode(response, { record }).messages.first()?.metadata.toJSON();
    expect(metadata(false)).toEqual({});
    expect(metadata(true)).toEqual({
      finish: { reason: 'stop', raw: 'completed' },
      usage: { inputTokens: 3, outputTokens: 1 },
    });
  });

  it('is one message, however many items it has', () => {
    const output = [
      thought('rs_1'),
      said('a'),
      thought('rs_2'),
      said('b', { id: 'msg_2' }),
      asking('c1', { id: 'fc_1' }),
    ];
    const { messages } = openaiResponses.decode({ model: 'gpt-5.6', output });
    expect(messages.size).toBe(1);
    expect(messages.first()?.origin?.model).toBe('gpt-5.6');
    expect(String(messages.first())).toBe('a\nb');
  });
});

describe('encode', () => {
  it('puts a first system message at the top, and the rest into the input', () => {
    const messages = chat(system('S'), developer('D'), user('hi'), assistant('yo'), system('late'), user('next'));
    expect(encoded(messages)).toEqual({
      payload: {
        instructions: 'S',
        input: [
          { role: 'developer', content: 'D' },
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'yo' },
          { role: 'system', content: 'late' },
          { role: 'user', content: 'next' },
        ],
      },
      report: NOTHING,
    });
    expect(encoded(chat(developer('D'), system('S'), user('hi'))).payload).toEqual({
      input: [
        { role: 'developer', content: 'D' },
        { role: 'system', content: 'S' },
        { role: 'user', content: 'hi' },
      ],
    });
  });

  it('puts instructions into the input where they are asked for there, and where they are all there is', () => {
    expect(encoded(chat(system('S'), user('hi')), { instructions: 'input' }).payload).toEqual({
      input: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'hi' },
      ],
    });
    expect(encoded(chat(system('S'))).payload).toEqual({ input: [{ role: 'system', content: 'S' }] });
    expect(wire(user('q'), system(['S', 'T']))[1].content).toHaveLength(2);
  });

  it('takes a store in section order, without blank messages', () => {
    const prompt = store({ system: [system('S')], chat: [user('a'), user('')] });
    expect(openaiResponses.encode(prompt).payload).toEqual({
      instructions: 'S',
      input: [{ role: 'user', content: 'a' }],
    });
  });

  it('makes an item of each call and answer, without ids of items', () => {
    const messages = chat(
      user('q'),
      assistant(
        'Let me see.',
        call('f', {}, 'c1'),
        ToolCall.of({ id: 'c2', name: 'sql', kind: 'custom', args: 'select {' }),
      ),
      result('c1', '[1,2]', { toolName: 'f' }),
      result('c2', ['a', ImageSource.fromUrl('https://a.test/i.png')]),
    );
    expect(encoded(messages)).toEqual({
      payload: {
        input: [
          { role: 'user', content: 'q' },
          { role: 'assistant', content: 'Let me see.' },
          { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
          { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: 'select {' },
          { type: 'function_call_output', call_id: 'c1', output: '[1,2]' },
          {
            type: 'custom_tool_call_output',
            call_id: 'c2',
            output: [
              { type: 'input_text', text: 'a' },
              { type: 'input_image', image_url: 'https://a.test/i.png' },
            ],
          },
        ],
      },
      report: NOTHING,
    });
  });

  it('tells the name of a tool that an answer has and its call has not', () => {
    const messages = chat('q', call('f', {}, 'c1'), result('c1', 'r', { toolName: 'g' }));
    expect(encoded(messages).report.losses).toMatchObject([
      { path: 'messages[2].toolResult.toolName', rule: 'tool-name', action: 'dropped' },
    ]);
  });

  it('has no message where only calls are made, and a blank one where nothing is', () => {
    expect(wire(...asked(assistant('', call('f', {}, 'c1')))).map(({ type, role }) => type ?? role)).toEqual([
      'user',
      'function_call',
      'function_call_output',
    ]);
    expect(wire(user('a'), assistant(''), assistant([]))).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: '' },
    ]);
  });

  it('keeps the order of what is said and called', () => {
    const marked = Message.of({
      role: 'assistant',
      content: ['first', ContentPart.of('tool_call', { id: 'a' }), 'between'],
      toolCalls: [call('a'), call('b')],
    });
    expect(
      wire(...asked(marked))
        .slice(1, 5)
        .map((item) => item.call_id ?? item.content),
    ).toEqual(['first', 'a', 'between', 'b']);
  });

  it('says several texts and refusals of one message in one, in the shape of an answer', () => {
    const [, item] = wire(user('q'), assistant(['one', 'two', ContentPart.refusal('no')]));
    expect(item).toEqual({
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'one', annotations: [] },
        { type: 'output_text', text: 'two', annotations: [] },
        { type: 'refusal', refusal: 'no' },
      ],
    });
  });

  it('carries a refusal of another wire', () => {
    const { messages } = openaiChat.decode([{ role: 'assistant', content: null, refusal: 'I cannot help with that.' }]);
    expect(wire(user('q'), ...messages)[1].content).toEqual([{ type: 'refusal', refusal: 'I cannot help with that.' }]);
  });

  it('sends nothing internal', () => {
    const noted = Message.of({
      role: 'user',
      content: [ContentPart.of('text', { text: 'hi', _note: 'n' }), '!'],
      metadata: { secret: 't-1' },
      parentId: 'p',
    });
    expect(wire(noted)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'hi' },
          { type: 'input_text', text: '!' },
        ],
      },
    ]);
    expect(losses(noted)).toEqual([]);
  });

  it('gives a payload that may be changed', () => {
    const { messages } = openaiResponses.decode(read('server-tools.wire.json'));
    const { input } = openaiResponses.encode(messages).payload as { input: any[] };
    const before = JSON.stringify(messages);
    input[3].action.queries.push('x');
    input[4].content[1].annotations.push('x');
    input[2].summary.push('x');
    expect(JSON.stringify(messages)).toBe(before);
  });

  it('reports what this wire cannot say', () => {
    const named = Message.of({
      role: 'user',
      name: 'ada',
      content: 'hi',
      extra: { vendor: 1, nothing: null, _own: 1 },
    });
    expect(losses(named)).toEqual([
      ['messages[0].name', 'name', 'dropped'],
      ['messages[0]', 'key', 'dropped'],
    ]);
    const audio = { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } };
    expect(losses(user(['a', audio, { type: 'video', x: 1 }, ContentPart.refusal('x')]))).toEqual([
      ['messages[0].content[1]', 'part-type', 'dropped'],
      ['messages[0].content[2]', 'part-type', 'dropped'],
      ['messages[0].content[3]', 'part-type', 'dropped'],
    ]);
    expect(losses(user('a'), assistant(['b', ContentPart.imageUrl('https://a.test/i')]), user([audio]))).toEqual([
      ['messages[1].content[1]', 'part-type', 'dropped'],
      ['messages[2].content[0]', 'part-type', 'dropped'],
      ['messages[2]', 'emptied-message', 'dropped'],
    ]);
    const failed = chat(user('q'), assistant('', call('f', {}, 'c')), result('c', 'no', { status: 'error' }));
    expect(told(failed)[0]).toEqual([['messages[2].toolResult.status', 'error-flag', 'dropped']]);
    expect(codeAt(() => openaiResponses.encode(failed, { losses: 'throw' })).slice(0, 2)).toEqual([
      'losses',
      'messages[2].toolResult.status',
    ]);
    expect(told(failed, { acceptLosses: ['error-flag'] })).toEqual([[], []]);
  });

  it('reports keys that the wire does not know', () => {
    const odd = ContentPart.of('text', {
      text: 'x',
      cache_control: { type: 'ephemeral' },
      annotations: [1],
      blank: null,
    });
    expect(losses(user([odd, '!']), assistant([odd]))).toEqual([
      ['messages[0].content[0]', 'key', 'dropped'],
      ['messages[0].content[0]', 'key', 'dropped'],
      ['messages[1].content[0]', 'key', 'dropped'],
      ['messages[1].content[0]', 'key', 'dropped'],
    ]);
    const turn = Message.from({
      role: 'assistant',
      content: 'x',
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' }, index: 0 }],
    });
    expect(losses(...asked(turn))).toEqual([['messages[1].toolCalls[0]', 'key', 'dropped']]);
  });
});

describe('what is made valid', () => {
  it('is told with where it stood', () => {
    const broken = chat(user('run it'), assistant('', call('run', {}, 'c1')), user('continue'));
    expect(encoded(broken).payload.input).toMatchObject([
      { role: 'user' },
      { call_id: 'c1' },
      { call_id: 'c1', output: 'Tool call was interrupted before it produced a result.' },
      { content: 'continue' },
    ]);
    expect(told(broken)[1]).toEqual([['messages[1]', 'synthesised', 'added']]);
    expect(codeAt(() => openaiResponses.encode(broken, { invalid: 'throw' }))).toEqual([
      'missing_tool_answer',
      'messages[1]',
      'c1',
    ]);
    const open = chat(user('q'), assistant('', call('f', {}, 'c1')));
    expect(codeAt(() => openaiResponses.encode(open))[0]).toBe('tool_turn_open');
    expect(encoded(open, { openTurn: 'cancel' }).payload.input).toHaveLength(3);
  });

  it('has no answer to a call that it does not show', () => {
    const cut = chat(result('c1', 'v'), assistant('done'), user('next'));
    expect(encoded(cut).payload.input).toEqual([
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'next' },
    ]);
  });

  it('has ids of calls that are short, and used once: the same for call and answer', () => {
    const long = 'call_'.padEnd(300, 'x');
    const turn = (id: string) => [assistant('', call('f', {}, id)), result(id, 'r')];
    const messages = chat(user('q'), ...turn(long), ...turn('c1'), ...turn('c1'), ...turn(`${long}y`), ...turn('c1'));
    const ids = (encoded(messages).payload.input as any[]).slice(1).map(({ call_id }) => call_id as string);
    ids.forEach((id, at) => expect(id).toBe(ids[at - (at % 2)]));
    expect(new Set(ids).size).toBe(5);
    expect(ids.filter((id) => id.length > 64)).toEqual([]);
    expect(ids[2]).toBe('c1');
    expect(told(messages)[1]?.map(([path, rule]) => [path, rule])).toEqual(
      [1, 5, 7, 9].map((at) => [`messages[${at}].toolCalls[0]`, 'call-id']),
    );
  });

  it('has an id that was made before another call came with it', () => {
    const turn = (id: string) => [assistant('', call('f', {}, id)), result(id, 'r')];
    const first = wire(user('q'), ...turn('x'.repeat(65)))[1].call_id as string;
    const ids = wire(user('q'), ...turn('x'.repeat(65)), ...turn(first)).map(({ call_id }) => call_id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe(first);
  });

  it('has names of tools that the API takes', () => {
    const messages = chat(...asked(assistant('', call('browser.tabs.open', {}, 'c1'), call('f'.repeat(70), {}, 'c2'))));
    const [, first, second] = encoded(messages).payload.input as any[];
    expect(first.name).toMatch(/^browser_tabs_open_[a-z0-9]{10}$/);
    expect(second.name).toMatch(/^f{53}_[a-z0-9]{10}$/);
    expect(told(messages)[1]).toEqual([
      ['messages[1].toolCalls[0]', 'call-name', 'rewritten'],
      ['messages[1].toolCalls[1]', 'call-name', 'rewritten'],
    ]);
  });

  it('has arguments that are a JSON object', () => {
    const messages = chat(
      ...asked(assistant('', call('f', '[1]', 'c1'), call('f', ' \n', 'c2'), call('f', '{"a": 1}', 'c3'))),
    );
    expect((encoded(messages).payload.input as any[]).slice(1, 4).map((item) => item.arguments)).toEqual([
      '{}',
      '{}',
      '{"a": 1}',
    ]);
    expect(told(messages)[1]).toEqual([['messages[1].toolCalls[0]', 'malformed-arguments', 'rewritten']]);
    expect(codeAt(() => openaiResponses.encode(messages, { invalid: 'throw' })).slice(0, 2)).toEqual([
      'malformed_arguments',
      'messages[1].toolCalls[0].arguments',
    ]);
  });
});

describe('ids of items', () => {
  it('of another provider do not go out, nor does what it thought', () => {
    const foreign = Message.of({
      role: 'assistant',
      id: '019f629b-43ee-7a82-acb1-3071dbffbdad',
      origin: { provider: 'anthropic', model: 'm' },
      content: [
        ContentPart.reasoning('r', { provider: 'anthropic', data: { signature: 'sig', id: 'thinking_0' } }),
        'part one',
        'part two',
      ],
      toolCalls: [call('f', {}, 'call_1')],
    });
    const items = wire(user('q'), foreign, result('call_1', 'ok'));
    expect(items.map(({ id }) => id)).toEqual([undefined, undefined, undefined, undefined]);
    expect(items[2].call_id).toBe('call_1');
    expect(losses(user('q'), foreign, result('call_1', 'ok'))).toEqual([
      ['messages[1].content[0]', 'reasoning', 'dropped'],
    ]);
  });

  it('that the API refuses, or that are there twice, are left out', () => {
    const bad = openaiResponses.decode([
      said('a', { id: 'call_1' }),
      asking('c1', { id: 'call_1' }),
      answer('c1'),
    ]).messages;
    expect(told(bad)[1]).toEqual([
      ['messages[0].content[0]', 'item-id', 'dropped'],
      ['messages[0].toolCalls[0]', 'item-id', 'dropped'],
    ]);
    const turn = openaiResponses.decode([thought(), { type: 'web_search_call', id: 'ws_1' }, said('a')]).messages;
    const twice = turn.appendMessages('again').appendMessages(turn);
    expect(told(twice)[1]).toEqual([
      ['messages[2].content[0]', 'item-id', 'dropped'],
      ['messages[2].content[1]', 'item-id', 'dropped'],
      ['messages[2].content[2]', 'item-id', 'dropped'],
    ]);
    expect((encoded(twice).payload.input as any[]).at(-1)).not.toHaveProperty('id');
  });

  it('do not go out without the reasoning behind which they came', () => {
    const message = read1(thought(), said('a'), asking('c1', { id: 'fc_1', status: 'completed' }));
    const bare = message.withContent(message.content.parts.filter(({ type }) => type !== 'reasoning'));
    const items = wire(user('q'), bare, result('c1', 'r'));
    expect(items.slice(1, 3)).toEqual([{ ...said('a'), id: undefined }, { ...asking('c1', { status: 'completed' }) }]);
    expect(told(chat(user('q'), bare, result('c1', 'r')))[1]).toEqual([
      ['messages[1].content[0]', 'item-id', 'dropped'],
      ['messages[1].toolCalls[0]', 'item-id', 'dropped'],
    ]);
  });
});

describe('reasoning', () => {
  const items = [thought('rs_1', { encrypted_content: 'E' }), said('ok'), asking('call_1', { id: 'fc_1' })];

  it('goes back as it came, in its place', () => {
    const { messages } = openaiResponses.decode({ output: items });
    const stored = Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    expect(wire(user('q'), ...stored, result('call_1', 'r')).slice(1, 4)).toEqual(items);
  });

  it('is not sent where nothing follows it', () => {
    const aborted = openaiResponses.decode({ output: [thought('rs_2')] }).messages;
    expect(encoded(chat(user('q'), ...aborted, user('go on'))).payload.input).toEqual([
      { role: 'user', content: 'q' },
      { role: 'user', content: 'go on' },
    ]);
    expect(told(chat(user('q'), ...aborted))).toEqual([
      [['messages[1]', 'emptied-message', 'dropped']],
      [['messages[1]', 'reasoning-alone', 'dropped']],
    ]);
    const whole = read1(...items);
    const trimmed = whole.withContent(whole.content.parts.filter(({ type }) => type === 'reasoning')).withToolCalls([]);
    expect(encoded(chat(user('q'), trimmed)).payload.input).toEqual([{ role: 'user', content: 'q' }]);
  });

  it('of others goes out as text where that is asked for', () => {
    const foreign = assistant([ContentPart.reasoning('Hm.'), ContentPart.reasoning(' '), 'Yes.']);
    const options = { foreignReasoning: 'text' } as const;
    expect((encoded(chat(user('q'), foreign), options).payload.input as any[])[1].content).toMatchObject([
      { text: 'Hm.' },
      { text: 'Yes.' },
    ]);
    expect(told(chat(user('q'), foreign), options)[0]).toEqual([
      ['messages[1].content[0]', 'reasoning', 'degraded'],
      ['messages[1].content[1]', 'reasoning', 'dropped'],
    ]);
    expect(wire(user('q'), foreign)[1]).toEqual({ role: 'assistant', content: 'Yes.' });
  });
});

describe('media', () => {
  it.each<[string, ContentPartInput, unknown]>([
    [
      'an image by URL',
      ImageSource.fromUrl('https://a.test/i'),
      { type: 'input_image', detail: 'auto', image_url: 'https://a.test/i' },
    ],
    [
      'an image with its detail',
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
      { type: 'input_image', detail: 'low', image_url: 'data:image/png;base64,AA' },
    ],
    [
      'an image by its id',
      { type: 'image_url', image_url: { file_id: 'file-1' } },
      { type: 'input_image', detail: 'auto', file_id: 'file-1' },
    ],
    [
      'a file',
      FileSource.of({ fileData: 'data:application/pdf;base64,JVBERi0=', fileName: 'a.pdf' }),
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    ],
    [
      'a file by URL',
      FileSource.fromUrl('https://a.test/a.pdf'),
      { type: 'input_file', file_url: 'https://a.test/a.pdf' },
    ],
    ['a file by its id', FileSource.fromId('file-2'), { type: 'input_file', file_id: 'file-2' }],
    [
      'a cache mark',
      { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } },
    ],
  ])('go out as the wire has them: %s', (_, part, expected) => {
    expect(parts(part)).toEqual([expected]);
    expect(told(chat(user(['!', part])))).toEqual([[], []]);
  });

  it('that are files without a name get one, which is told', () => {
    const files = [
      FileSource.fromDataUri('data:application/pdf;base64,JVBERi0='),
      FileSource.fromDataUri('data:;base64,AA'),
    ];
    expect(parts(...files).map(({ filename }) => filename)).toEqual(['file.pdf', 'file.bin']);
    expect(told(chat(user(['!', ...files])))[1]).toEqual([
      ['messages[0].content[1]', 'file-name', 'added'],
      ['messages[0].content[2]', 'file-name', 'added'],
    ]);
  });

  it('that are files by URL or id go out without a name, which the API refuses beside it', () => {
    const files = [{ file_url: 'https://a.test/a.pdf' }, { file_id: 'file-1' }];
    const named = files.map((file) => ({ type: 'file', file: { ...file, file_name: 'a.pdf' } }));
    expect(parts(...named)).toEqual(files.map((file) => ({ type: 'input_file', ...file })));
    expect(losses(user(['!', ...named]))).toEqual([
      ['messages[0].content[1]', 'key', 'dropped'],
      ['messages[0].content[2]', 'key', 'dropped'],
    ]);
  });

  it('that the provider cannot get are left out', () => {
    const foreign = ContentPart.of('file', { file: { file_id: 'file_1' }, _origin: { provider: 'anthropic' } });
    const same = ContentPart.of('file', { file: { file_id: 'file-1' }, _origin: { provider: 'openai-chat' } });
    expect(losses(user(['!', foreign, ContentPart.imageUrl('gs://a/b'), ContentPart.of('file', {}), same]))).toEqual([
      ['messages[0].content[1]', 'file-id', 'dropped'],
      ['messages[0].content[2]', 'address', 'dropped'],
      ['messages[0].content[3]', 'address', 'dropped'],
    ]);
  });
});

describe('items that only this wire has', () => {
  it('are kept, and told when they go elsewhere', () => {
    const { messages } = openaiResponses.decode([
      { role: 'user', content: 'q' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      said('done'),
    ]);
    expect(messages.last()?.content.parts.map(({ type }) => type)).toEqual(['web_search_call', 'text']);
    const { payload, report } = openaiChat.encode(messages);
    expect(payload.messages).toMatchObject([{ content: 'q' }, { content: [{ text: 'done' }] }]);
    expect(report.losses.map(({ path, rule }) => [path, rule])).toEqual([['messages[1].content[0]', 'part-type']]);
  });

  it('can be given by hand, in what the user says', () => {
    const approval = ContentPart.of('mcp_approval_response', {
      approval_request_id: 'mcpr_1',
      approve: true,
      _origin: { provider: 'openai-responses' },
    });
    expect(wire(user(['Yes.', approval, 'Go.']))).toEqual([
      { role: 'user', content: 'Yes.' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      { role: 'user', content: 'Go.' },
    ]);
    expect(losses(user('q'), assistant('', call('f', {}, 'c')), result('c', ['x', approval]))).toEqual([
      ['messages[2].content[1]', 'part-type', 'dropped'],
    ]);
  });

  it('go back without what only a response has', () => {
    const { messages } = openaiResponses.decode({
      output: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed', created_by: 'me' },
        { ...thought(), created_by: 'me' },
        said('a', { content: [{ type: 'output_text', text: 'a', annotations: [], parsed: { a: 1 } }] }),
        asking('c1', { id: 'fc_1', parsed_arguments: {}, created_by: 'me' }),
      ],
    });
    const { payload, report } = openaiResponses.encode(messages.appendMessages(result('c1', 'r')));
    expect(payload.input.slice(0, 4)).toEqual([
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      thought(),
      said('a'),
      asking('c1', { id: 'fc_1' }),
    ]);
    expect(report).toEqual(NOTHING);
  });
});

describe('decode', () => {
  it('reads a list of items, a request and a response', () => {
    const items = [{ role: 'user', content: 'hi' }];
    expect(openaiResponses.decode(items).messages.map(String)).toEqual(['hi']);
    expect(openaiResponses.decode({ input: items }).messages.map(String)).toEqual(['hi']);
    expect(openaiResponses.decode({ instructions: null, input: 'hi' }).messages.size).toBe(1);
    expect(openaiResponses.decode({ output: [said('hi')] }).messages.toString()).toBe('hi\n');
  });

  it('puts what the assistant does in a row into one message, save texts of their own', () => {
    const shape = (...items: readonly unknown[]) =>
      openaiResponses.decode(items).messages.map(({ content, toolCalls }) => [content.toString(), toolCalls.size]);
    const easy = (content: string) => ({ role: 'assistant', content });
    expect(shape(easy('a'), easy('b'))).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
    expect(shape(easy('a'), asking('c1'), asking('c2'), answer('c1'), answer('c2'))).toEqual([
      ['a', 2],
      ['r', 0],
      ['r', 0],
    ]);
    expect(shape(asking('c1'), easy('a'), answer('c1'))).toEqual([
      ['a', 1],
      ['r', 0],
    ]);
    expect(shape(easy('a'), thought(), easy('b'))).toEqual([['a\nb', 0]]);
    expect(shape(said('a'), said('b', { id: 'msg_2' }))).toEqual([['a\nb', 0]]);
  });

  it('keeps a message whose parts are new as it is', () => {
    const odd = said('', { content: [{ type: 'output_hologram', x: 1 }] });
    expect(read1(odd).content.parts.map(({ type }) => type)).toEqual(['message']);
  });

  it('reads the summary of reasoning, and all of it where it is shown', () => {
    const summary = [{ type: 'summary_text', text: 'One.' }];
    expect(read1(thought('rs_1', { summary })).content.parts.first()?.toString()).toBe('One.');
    const content = [{ type: 'reasoning_text', text: 'All.' }];
    expect(read1(thought('rs_1', { summary, content })).content.parts.first()?.toString()).toBe('One.\nAll.');
  });

  it('replaces halves of characters, and tells where', () => {
    const { messages, report } = openaiResponses.decode({
      instructions: 'a\ud83d',
      input: [{ role: 'user', content: 'b\ude00' }, asking('c1', { arguments: '{"\ud83d":1}' }), answer('c1', 'x😀')],
    });
    expect(messages.map(({ content }) => content.toString())).toEqual(['a\ufffd', 'b\ufffd', '', 'x😀']);
    expect(report.repairs.map(({ path }) => path)).toEqual(['input[0].content', 'input[1].arguments', 'instructions']);
  });

  it.each<[string, unknown, string, string]>([
    ['nothing', undefined, 'input', 'invalid_input'],
    ['a text', 'hi', 'input', 'invalid_input'],
    ['an object without input', { messages: [] }, 'input', 'invalid_input'],
    ['instructions that are no text', { instructions: [], input: [] }, 'instructions', 'invalid_input'],
    ['an item that is none', [null], 'input[0]', 'invalid_input'],
    ['a list as an item', [[]], 'input[0]', 'invalid_input'],
    ['a role that is none', [{ role: 'tool', content: 'x' }], 'input[0].role', 'invalid_role'],
    ['an inherited role', [Object.create({ role: 'user', content: 'x' })], 'input[0]', 'invalid_input'],
    ['a message without content', [{ role: 'user' }], 'input[0].content', 'missing_content'],
    ['content that is an object', [{ role: 'user', content: {} }], 'input[0].content', 'missing_content'],
    ['no content of the assistant', [{ role: 'assistant', content: null }], 'input[0].content', 'missing_content'],
    ['a part that is none', [{ role: 'user', content: ['x'] }], 'input[0].content[0]', 'invalid_input'],
    ['a part without a type', [{ role: 'user', content: [{ x: 1 }] }], 'input[0].content[0].type', 'invalid_input'],
    ['a type that is none', [{ type: 5 }], 'input[0].type', 'invalid_input'],
    ['a type of ours', [{ type: 'tool_call', id: 'x' }], 'input[0].type', 'invalid_input'],
    [
      'an answer without output',
      [{ type: 'function_call_output', call_id: 'c' }],
      'input[0].output',
      'missing_content',
    ],
    ['a cycle', [cyclic()], '', 'invalid_input'],
    ['an item of a response', { output: [5] }, 'output[0]', 'invalid_input'],
  ])('refuses %s', (_, given, path, code) => {
    expect(codeAt(() => openaiResponses.decode(given)).slice(0, 2)).toEqual([code, path]);
  });

  it('reads keys of any name as nothing but keys', () => {
    const given: unknown = JSON.parse('{"role":"user","content":"x","__proto__":{"role":"system"},"constructor":1}');
    const { messages } = openaiResponses.decode([given]);
    expect(messages.first()?.role).toBe('user');
    const [item] = openaiResponses.encode(messages).payload.input as object[];
    expect(Object.keys(item as object).toSorted()).toEqual(['__proto__', 'constructor', 'content', 'role']);
  });
});

function cyclic(): object {
  const item: Record<string, unknown> = { type: 'future_item' };
  item['self'] = item;
  return item;
}

describe('strict reading', () => {
  const strict = (input: unknown) => openaiResponses.decode(input, { strict: true });

  it.each<[string, unknown, string, string]>([
    ['an answer without a call', [answer('c')], 'orphan_tool_answer', 'messages[0]'],
    [
      'a call without an answer',
      [{ role: 'user', content: 'q' }, asking('c'), { role: 'user', content: 'x' }],
      'missing_tool_answer',
      'messages[1]',
    ],
    ['a call without an id', [asking('c', { call_id: null })], 'missing_tool_call_id', 'messages[0]'],
    ['two answers', [said('x'), asking('c'), answer('c'), answer('c')], 'duplicate_tool_answer', 'messages[2]'],
  ])('refuses %s', (_, input, code, path) => {
    expect(codeAt(() => strict(input)).slice(0, 2)).toEqual([code, path]);
    expect(codeAt(() => openaiResponses.decode(input))).toEqual([]);
  });

  it('counts the instructions, and puts answers into the order of their calls', () => {
    const { messages, report } = strict({
      instructions: 'S',
      input: [asking('c1'), asking('c2'), answer('c2', '2'), answer('c1', '1')],
    });
    expect(messages.map(String)).toEqual(['S', '', '1', '2']);
    expect(report.repairs).toMatchObject([{ path: 'messages[2]', rule: 'reordered' }]);
    expect(strict({ output: [asking('c1')] }).messages.size).toBe(1);
  });
});

it('what came from Anthropic goes out here', () => {
  const { messages } = anthropic.decode({
    messages: [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'text', text: 'See.', citations: [] },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'no', is_error: true }] },
    ],
  });
  expect(encoded(messages).payload.input).toEqual([
    { role: 'user', content: 'q' },
    { role: 'assistant', content: 'See.' },
    { type: 'function_call', call_id: 'toolu_1', name: 'f', arguments: '{"a":1}' },
    { type: 'function_call_output', call_id: 'toolu_1', output: 'no' },
  ]);
  expect(told(messages)[0]).toEqual([
    ['messages[1].content[0]', 'reasoning', 'dropped'],
    ['messages[2].toolResult.status', 'error-flag', 'dropped'],
  ]);
});
