import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeToolChoice, encodeTools, ollama, type OllamaOptions } from '../../src/formats/ollama/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';
import {
  ContentPart,
  FileSource,
  ImageSource,
  Message,
  Messages,
  MessageStore,
  MessageStoreError,
  ToolCall,
} from '../../src/index.ts';
import { assistant, call, chat, developer, fixIdentity, result, store, system, user } from '../../src/testing/index.ts';
import { checkOllama } from 'message-store/testing';

const FIXTURES = fileURLToPath(new URL('../fixtures/formats/ollama/', import.meta.url));
const casesIn = (folder: string) =>
  globSync(`${folder}*.wire.json`, { cwd: FIXTURES })
    .map((file) => basename(file, '.wire.json'))
    .toSorted();
const read = (file: string): any => JSON.parse(readFileSync(FIXTURES + file, 'utf8'));
const write = (file: string, value: unknown) => writeFileSync(FIXTURES + file, `${JSON.stringify(value, null, 2)}\n`);

let restore: () => void;
beforeEach(() => {
  restore = fixIdentity();
});
afterEach(() => restore());

const PNG = 'iVBORw0KGgo=';
const image = (data = PNG, mimeType = 'image/png') => ContentPart.imageUrl(`data:${mimeType};base64,${data}`);
const thought = (text: string, provider = 'ollama') => ContentPart.reasoning(text, { provider });
const nothing = { losses: [], repairs: [] };

const encoded = (...messages: readonly Message[]) => ollama.encode(Messages.of(...messages));
const wire = (...messages: readonly Message[]): any[] => encoded(...messages).payload.messages;
const losses = (...messages: readonly Message[]) =>
  encoded(...messages).report.losses.map(({ path, rule, action }) => [path, rule, action]);
/** A turn with an answer to each of its calls. */
const answered = (turn: Message): Message[] => [turn, ...turn.toolCalls.map(({ id }) => result(id as string, 'r'))];
/** Calls as this wire gives them, without ids. */
const called = (...names: readonly string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: names.map((name) => ({ function: { name, arguments: {} } })),
});
/** Goes in and out again. */
const again = (...messages: readonly unknown[]): any[] => {
  const { payload, report } = ollama.encode(ollama.decode(messages).messages);
  expect(report).toEqual(nothing);
  return payload.messages;
};
const codeAt = (run: () => unknown): unknown[] => {
  try {
    run();
  } catch (error) {
    if (MessageStoreError.isInstance(error)) return [error.code, error.path, error.value];
  }
  return [];
};

describe('a recorded request', () => {
  it.each(casesIn(''))('is read into the same messages: %s', (name) => {
    const request = read(`${name}.wire.json`);
    const { messages, report } = ollama.decode(request);
    if (process.env['UPDATE']) write(`${name}.model.json`, messages);
    expect(messages.toJSON()).toEqual(read(`${name}.model.json`));
    expect(report).toEqual(nothing);
  });

  it.each(casesIn(''))('goes out again as it came: %s', (name) => {
    const request = read(`${name}.wire.json`);
    expect(ollama.encode(ollama.decode(request).messages)).toEqual({ payload: request, report: nothing });
    expect(ollama.encode(Messages.fromJSON(read(`${name}.model.json`))).payload).toEqual(request);
  });
});

describe('a recorded response', () => {
  it.each(casesIn('responses/'))('is read with why it ended and what it cost, and goes out again: %s', (name) => {
    const response = read(`responses/${name}.wire.json`);
    const { messages, report, ...said } = ollama.decode(response);
    const model = { messages: messages.toJSON(), ...said };
    if (process.env['UPDATE']) write(`responses/${name}.model.json`, model);
    expect(model).toEqual(read(`responses/${name}.model.json`));
    expect(report).toEqual(nothing);
    const sent = ollama.encode(Messages.of(...[...messages].flatMap(answered)));
    expect([sent.payload.messages[0], sent.report]).toEqual([response.message, nothing]);
  });
});

describe('encode', () => {
  it('takes a store in section order, without blank messages', () => {
    const prompt = store({ system: [system('S')], chat: [user('a'), user('')] });
    expect(ollama.encode(prompt).payload).toEqual({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'a' },
      ],
    });
  });

  it('sends one text, bare images, arguments as an object, and the name of the tool with its answer', () => {
    const look = assistant('checking', call('look', { x: 1 }, 'c1'));
    expect(wire(user([ContentPart.text('what is this?'), image()]), look, result('c1', 'cat'))).toEqual([
      { role: 'user', content: 'what is this?', images: [PNG] },
      { role: 'assistant', content: 'checking', tool_calls: [{ function: { name: 'look', arguments: { x: 1 } } }] },
      { role: 'tool', tool_name: 'look', content: 'cat' },
    ]);
  });

  it('links answers to calls by the order alone, and sends no ids', () => {
    const turn = assistant('', call('f', { limit: 5 }, 'call_0'), call('g', {}, 'call_1'));
    expect(
      wire(user('q'), turn, result('call_0', 'A', { toolName: 'f' }), result('call_1', 'B', { toolName: 'g' })),
    ).toEqual([
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'f', arguments: { limit: 5 } } }, { function: { name: 'g', arguments: {} } }],
      },
      { role: 'tool', tool_name: 'f', content: 'A' },
      { role: 'tool', tool_name: 'g', content: 'B' },
    ]);
  });

  it('sends all ids where newer servers want them', () => {
    const messages = chat(...answered(assistant('', call('f', {}, 'a1'))), ...ollama.decode([called('g')]).messages);
    const { payload, report } = ollama.encode(messages, { toolCallIds: 'all', openTurn: 'cancel' });
    const [first, second] = [payload.messages[0], payload.messages[2]].map((one: any) => one.tool_calls[0].id);
    expect([first, typeof second]).toEqual(['a1', 'string']);
    expect(payload.messages.map((one: any) => one.tool_call_id)).toEqual([undefined, 'a1', undefined, second]);
    expect(report.losses).toEqual([]);
  });

  it('sends the thinking that came from here, and any other where that is asked for', () => {
    const messages = chat(assistant([thought('hm'), 'a']), assistant([thought('so', 'anthropic'), 'b']));
    const thinking = (options?: OllamaOptions) =>
      ollama.encode(messages, options).payload.messages.map((one: any) => one.thinking);
    expect([thinking(), thinking({ reasoning: 'all' })]).toEqual([
      ['hm', undefined],
      ['hm', 'so'],
    ]);
    expect(losses(...messages)).toEqual([['messages[1].content[0]', 'reasoning', 'dropped']]);
  });

  it('sends developer messages as system messages, each in its place', () => {
    expect(wire(developer('D'), system('S'), user('hi'))).toEqual([
      { role: 'system', content: 'D' },
      { role: 'system', content: 'S' },
      { role: 'user', content: 'hi' },
    ]);
    expect(losses(developer('D'))).toEqual([['messages[0].role', 'developer-role', 'rewritten']]);
  });

  it('joins the instructions at the beginning where that is asked for', () => {
    const messages = chat(developer('D'), system(''), system('S'), user('hi'), system('later'));
    const { payload, report } = ollama.encode(messages, { instructions: 'merged' });
    expect(payload.messages).toEqual([
      { role: 'system', content: 'D\n\nS' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'later' },
    ]);
    expect(report.losses.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[0].role', 'developer-role', 'rewritten'],
      ['messages[1]', 'instructions', 'moved'],
      ['messages[2]', 'instructions', 'moved'],
    ]);
  });

  it('does not join instructions that hold more than text', () => {
    const [pictured] = ollama.decode([{ role: 'system', content: 'S', images: [PNG] }]).messages;
    const { payload } = ollama.encode(chat(system('D'), pictured!), { instructions: 'merged' });
    expect(payload.messages).toHaveLength(2);
  });

  it('always has a text as content, whatever is missing', () => {
    expect(wire(assistant([]), ...answered(assistant([], call('f'))), user(image()))).toMatchObject([
      { role: 'assistant', content: '' },
      { role: 'assistant', content: '' },
      { role: 'tool', content: 'r' },
      { role: 'user', content: '', images: [PNG] },
    ]);
  });

  it('sends nothing internal', () => {
    const message = Message.of({ role: 'user', content: 'hi', metadata: { secret: 't-1' }, parentId: 'p' });
    const noted = user([ContentPart.of('text', { text: 'hi', _origin: { provider: 'x' }, _note: 'n' })]);
    expect(wire(message, noted)).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'user', content: 'hi' },
    ]);
    expect(losses(message, noted)).toEqual([]);
  });
});

describe('a history that no template takes', () => {
  it.each<[string, Messages, unknown[]]>([
    [
      'a call without an answer',
      chat(user('run it'), assistant('', call('c1')), user('continue')),
      [['user', 'assistant', 'tool', 'user'], [['messages[1]', 'synthesised', 'added']]],
    ],
    [
      'an answer without a call',
      chat(result('gone', 'r'), user('q')),
      [['user'], [['messages[0]', 'dropped', 'dropped']]],
    ],
    [
      'an answer behind a word of the user',
      chat(assistant('', call('c1')), user('docx please'), result('c1', 'r')),
      [['assistant', 'tool', 'user'], [['messages[2]', 'hoisted', 'moved']]],
    ],
    [
      'a call without a name',
      chat(assistant('', call('', {}, 'c')), result('c', 'r')),
      [['assistant', 'tool'], [['messages[0]', 'named', 'rewritten']]],
    ],
  ])('is repaired on the way out, and told: %s', (_, messages, expected) => {
    const { payload, report } = ollama.encode(messages);
    const roles = payload.messages.map(({ role }) => role);
    expect([roles, report.repairs.map(({ path, rule, action }) => [path, rule, action])]).toEqual(expected);
    expect(checkOllama(payload)).toEqual([]);
    expect(() => ollama.encode(messages, { invalid: 'throw' })).toThrow(
      /^messages\[\d\]: .*expected a history that providers take/,
    );
  });

  it('has answers in another order than their calls put in order, and told', () => {
    const { payload, report } = ollama.encode(
      chat(assistant('', call('a'), call('b')), result('b', '2'), result('a', '1')),
    );
    expect(payload.messages.map(({ content }) => content)).toEqual(['', '1', '2']);
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([['messages[1]', 'reordered']]);
  });

  it('gives the answer to a call of many names the name that the call goes out with', () => {
    const turn = chat(assistant('', call('browser.tabs.open', {}, 'c1')), result('c1', 'r', { toolName: 'open' }));
    expect(wire(...turn)[1]).toEqual({ role: 'tool', tool_name: 'browser.tabs.open', content: 'r' });
    expect(losses(...turn)).toEqual([
      ['messages[0].toolCalls[0].id', 'call-id', 'dropped'],
      ['messages[1].name', 'tool-name', 'rewritten'],
    ]);
    const named = result('f', 'r', { toolName: 'f' }).withName('mine');
    expect(losses(assistant('', call('f')), named)[1]).toEqual(['messages[1].name', 'tool-name', 'rewritten']);
  });

  it.each([['{"city":"Os'], ['[1]'], ['"x"']])(
    'sends {} for arguments that are no object, and tells it: %s',
    (args) => {
      const turn = chat(...answered(assistant('', ToolCall.of({ id: 'c1', name: 'f', args }))));
      const { payload, report } = ollama.encode(turn);
      expect((payload.messages[0] as any).tool_calls).toEqual([{ function: { name: 'f', arguments: {} } }]);
      expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([
        ['messages[0].toolCalls[0]', 'malformed-arguments'],
      ]);
      expect(codeAt(() => ollama.encode(turn, { invalid: 'throw' }))).toEqual([
        'malformed_arguments',
        'messages[0].toolCalls[0].arguments',
        args,
      ]);
    },
  );

  it('sends {} for blank arguments, which say nothing', () => {
    const blank = ['', ' \n'].map((args, at) => ToolCall.of({ id: `c${at}`, name: 'now', args }));
    const { payload, report } = ollama.encode(chat(...answered(assistant('', ...blank))));
    expect((payload.messages[0] as any).tool_calls.map((one: any) => one.function.arguments)).toEqual([{}, {}]);
    expect(report.repairs).toEqual([]);
  });

  it('is refused while calls at its end wait for their answers', () => {
    const open = chat(user('q'), assistant('', call('a')));
    expect(codeAt(() => ollama.encode(open))).toEqual(['tool_turn_open', 'messages[1]', ['a']]);
    expect(ollama.encode(open, { openTurn: 'cancel' }).payload.messages).toHaveLength(3);
  });
});

describe('what the wire cannot carry', () => {
  it.each([
    ['reasoning of nobody', ContentPart.reasoning('hm'), 'reasoning'],
    ['thinking of the user', thought('hm'), 'part-role'],
    ['an unknown type', ContentPart.of('video', { url: 'v' }), 'part-type'],
    ['a text part without text', ContentPart.of('text', { note: 'x' }), 'part-shape'],
    ['an image by its address', ImageSource.fromUrl('https://a.test/i').toContentPart(), 'image-url'],
    ['an image that is written out', ContentPart.imageUrl('data:image/svg+xml,<svg/>'), 'image-url'],
    ['an image that is no base64', image('a b'), 'image-data'],
    ['an image without data', image(''), 'image-data'],
    ['an image without anything', ContentPart.of('image_url', { note: 1 }), 'part-shape'],
    ['audio', ContentPart.of('input_audio', { input_audio: { data: 'QQ==', format: 'wav' } }), 'part-type'],
    ['a file', FileSource.fromUrl('https://a.test/f').toContentPart(), 'part-type'],
    ['thinking without text', ContentPart.of('reasoning', { _origin: { provider: 'ollama' } }), 'part-shape'],
    ['a refusal without text', ContentPart.of('refusal', { note: 1 }), 'part-shape'],
  ])('is left out and reported: %s', (_, part, rule) => {
    expect(wire(user(['text', part]))).toEqual([{ role: 'user', content: 'text' }]);
    expect(losses(user(['text', part]))).toEqual([['messages[0].content[1]', rule, 'dropped']]);
  });

  it('is left out and reported: images that are not the user’s', () => {
    const shot = chat(assistant(['a', image()], call('s')), result('s', ['see', image()]));
    expect(wire(...shot).map((one) => [one.content, one.images])).toEqual([
      ['a', undefined],
      ['see', undefined],
    ]);
    expect(losses(...shot).filter(([, rule]) => rule === 'part-role')).toEqual([
      ['messages[0].content[1]', 'part-role', 'dropped'],
      ['messages[1].content[1]', 'part-role', 'dropped'],
    ]);
  });

  it('is joined and reported: the bounds of texts', () => {
    const message = assistant([thought('a'), thought('b'), 'c', '', 'd']);
    expect(wire(message)).toEqual([{ role: 'assistant', content: 'c\nd', thinking: 'a\nb' }]);
    expect(losses(message)).toEqual([
      ['messages[0].content', 'text-boundaries', 'degraded'],
      ['messages[0].content', 'text-boundaries', 'degraded'],
    ]);
    expect(losses(user(['a', '', image()]))).toEqual([]);
  });

  it('is moved and reported: text behind an image, thinking behind text', () => {
    expect(losses(user([image(), 'a']))).toEqual([['messages[0].content', 'part-order', 'moved']]);
    expect(losses(assistant(['a', thought('hm')]))).toEqual([['messages[0].content', 'part-order', 'moved']]);
    expect(losses(assistant([thought('hm'), 'a']), user(['a', image(), '', image()]))).toEqual([]);
  });

  it('is moved and reported: content after a tool call', () => {
    const turn = assistant(['a', ContentPart.of('tool_call', { id: 'f' }), 'b'], call('f'));
    expect(losses(...answered(turn))).toEqual([
      ['messages[0].content', 'interleaving', 'moved'],
      ['messages[0].content', 'text-boundaries', 'degraded'],
      ['messages[0].toolCalls[0].id', 'call-id', 'dropped'],
    ]);
  });

  it('goes out as text and is reported: a refusal', () => {
    const refused = openaiChat.decode([{ role: 'assistant', content: null, refusal: 'I cannot.' }]).messages;
    expect(wire(...refused)).toEqual([{ role: 'assistant', content: 'I cannot.' }]);
    expect(losses(...refused)).toEqual([['messages[0].content[0]', 'refusal', 'degraded']]);
  });

  it('is wrapped and reported: the free text of a custom tool', () => {
    const custom = ToolCall.of({ id: 'b', name: 'sql', kind: 'custom', args: 'select 1' });
    const turn = answered(assistant('', custom));
    expect(wire(...turn)[0].tool_calls).toEqual([{ function: { name: 'sql', arguments: { input: 'select 1' } } }]);
    expect(losses(...turn)).toEqual([
      ['messages[0].toolCalls[0].id', 'call-id', 'dropped'],
      ['messages[0].toolCalls[0]', 'custom-tool', 'degraded'],
    ]);
  });

  it('is rounded and reported: a number with more digits than can be kept', () => {
    const turn = (args: string) => answered(assistant('', ToolCall.of({ id: 'b', name: 'f', args })));
    expect(losses(...turn('{"n": 12345678901234567890}'))).toContainEqual([
      'messages[0].toolCalls[0]',
      'number-digits',
      'degraded',
    ]);
    expect(losses(...turn('{"n": "12345678901234567890", "m": 1000000000000000}'))).toHaveLength(1);
  });

  it('is left out and reported: names, and that a tool failed', () => {
    const turn = chat(user('q', 'ann'), assistant('', call('f')), result('f', 'r', { status: 'error' }));
    expect(wire(...turn)[2]).toEqual({ role: 'tool', tool_name: 'f', content: 'r' });
    expect(losses(...turn)).toEqual([
      ['messages[0].name', 'name', 'dropped'],
      ['messages[1].toolCalls[0].id', 'call-id', 'dropped'],
      ['messages[2].toolResult.status', 'error-flag', 'dropped'],
    ]);
  });

  it('is left out and reported: keys that a part does not have there', () => {
    const text = ContentPart.of('text', { text: 't', citations: [{ url: 'u' }] });
    const pictured = ContentPart.of('image_url', { image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } });
    expect(encoded(user([text, pictured])).report.losses.map(({ path, message }) => [path, message])).toEqual([
      ['messages[0].content[0]', 'text parts have no key "citations" on this wire: left out'],
      ['messages[0].content[1]', 'image_url parts have no key "detail" on this wire: left out'],
    ]);
  });

  it('is left out with its message when nothing else is left', () => {
    const messages = [user('a'), assistant(ContentPart.reasoning('hmm')), user('b')];
    expect(wire(...messages).map(({ role }) => role)).toEqual(['user', 'user']);
    expect(losses(...messages)).toEqual([
      ['messages[1].content[0]', 'reasoning', 'dropped'],
      ['messages[1]', 'emptied-message', 'dropped'],
    ]);
  });

  it('is left out and reported: unknown keys from elsewhere, and keys that the wire means something else by', () => {
    const extra = { tag: 1, none: null, images: ['x'], _note: 1 };
    const of = (provider: string) => Message.of({ role: 'user', content: 'x', extra, origin: { provider } });
    expect(wire(of('openai-chat'), of('ollama'))).toEqual([
      { role: 'user', content: 'x' },
      { role: 'user', content: 'x', tag: 1, none: null },
    ]);
    expect(losses(of('openai-chat'), of('ollama'))).toEqual([
      ['messages[0].tag', 'message-key', 'dropped'],
      ['messages[0].images', 'message-key', 'dropped'],
      ['messages[1].images', 'message-key', 'dropped'],
    ]);
  });

  it('is left out and reported: unknown keys of a call from elsewhere', () => {
    const of = (provider: string, id: string) =>
      ToolCall.from({ id, function: { name: 'f', arguments: {}, index: 7, note: 1 }, tag: 1, _origin: { provider } });
    const turn = answered(assistant('', of('openai-chat', 'a'), of('ollama', 'b')));
    expect(wire(...turn)[0].tool_calls).toEqual([
      { function: { name: 'f', arguments: {} } },
      { id: 'b', tag: 1, function: { name: 'f', arguments: {}, note: 1 } },
    ]);
    expect(losses(...turn)).toEqual([
      ['messages[0].toolCalls[0].id', 'call-id', 'dropped'],
      ['messages[0].toolCalls[0].tag', 'tool-call-key', 'dropped'],
      ['messages[0].toolCalls[0].function.index', 'tool-call-key', 'dropped'],
      ['messages[0].toolCalls[0].function.note', 'tool-call-key', 'dropped'],
      ['messages[0].toolCalls[1].function.index', 'tool-call-key', 'dropped'],
    ]);
    const odd = ToolCall.fromJSON({ id: 'c', name: 'f', arguments: {}, function: 5 });
    expect(losses(...answered(assistant('', odd))).at(-1)).toEqual([
      'messages[0].toolCalls[0].function',
      'tool-call-key',
      'dropped',
    ]);
  });

  it('throws where that is asked for, with all losses', () => {
    expect(() => ollama.encode(chat(user('a', 'ann')), { losses: 'throw' })).toThrow(
      'messages[0].name: messages carry no name on this wire: "ann": left out',
    );
  });
});

describe('decode', () => {
  const linksOf = (...list: readonly unknown[]) => {
    const { messages } = ollama.decode(list);
    const ids = messages.map(({ toolCalls }) => toolCalls.map((one) => one.idString())).flat();
    const places = new Map(ids.map((id, at) => [id, at]));
    return messages
      .filter(({ role }) => role === 'tool')
      .map(({ toolResult }) => places.get(toolResult!.callIdString()) ?? -1);
  };

  it('reads a response with why it ended and what it cost', () => {
    const response = { message: { role: 'assistant', content: 'a' }, done: true };
    const said = (more: object) => {
      const { finish, usage } = ollama.decode({ ...response, ...more });
      return [finish, usage];
    };
    expect([
      said({ done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 }),
      said({ done_reason: 'length', eval_count: 4 }),
      said({ done_reason: 'load', prompt_eval_count: 9 }),
      said({}),
      said({ message: called('f'), done_reason: 'stop' }),
      said({ message: called('f'), done_reason: 'length' }),
    ]).toEqual([
      [
        { reason: 'stop', raw: 'stop' },
        { inputTokens: 9, outputTokens: 4 },
      ],
      [
        { reason: 'length', raw: 'length' },
        { inputTokens: 0, outputTokens: 4 },
      ],
      [
        { reason: 'other', raw: 'load' },
        { inputTokens: 9, outputTokens: 0 },
      ],
      [undefined, undefined],
      [{ reason: 'tool_calls', raw: 'stop' }, undefined],
      [{ reason: 'length', raw: 'length' }, undefined],
    ]);
  });

  it('marks calls as incomplete that the limit of tokens may have cut', () => {
    const incomplete = (done_reason: string, message: object) =>
      ollama.decode({ message, done_reason }).messages.first()?.incomplete;
    expect([incomplete('length', called('f')), incomplete('stop', called('f'))]).toEqual([
      { reason: 'length' },
      undefined,
    ]);
    expect(incomplete('length', { role: 'assistant', content: 'Once up' })).toBeUndefined();
  });

  it('writes the reason and the usage into the message where that is wanted', () => {
    const response = { message: called('f'), done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 };
    expect(ollama.decode(response, { record: true }).messages.first()?.metadata.toJSON()).toEqual({
      finish: { reason: 'tool_calls', raw: 'stop' },
      usage: { inputTokens: 9, outputTokens: 4 },
    });
    expect(ollama.decode(response).messages.first()?.metadata.isEmpty()).toBe(true);
  });

  it('gives calls without ids some that every wire takes: the same each time, others in each response', () => {
    const idsOf = (created_at: string) =>
      ollama
        .decode({ created_at, message: called('f', 'f') })
        .messages.first()!
        .toolCalls.map((one) => one.idString());
    const ids = [...idsOf('2026-11-30T12:00:00Z'), ...idsOf('2026-11-30T12:00:01Z')];
    expect(ids.every((id) => /^[a-z0-9]{9}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(4);
    expect(idsOf('2026-11-30T12:00:00Z')).toEqual(ids.slice(0, 2));
  });

  it('finds the call of an answer by its id, by the name of the tool, and by order', () => {
    const answer = (fields: object) => ({ role: 'tool', content: 'r', ...fields });
    const [f, g, h] = ['f', 'g', 'h'].map((tool_name) => answer({ tool_name }));
    const asked = called('f', 'g', 'f');
    const named = { role: 'assistant', tool_calls: ['a', 'b'].map((id) => ({ id, function: { name: id } })) };
    expect([
      linksOf(asked, g, f, f),
      linksOf(asked, answer({}), answer({}), answer({})),
      linksOf(asked, h, f, f),
      linksOf(asked, f, f, f, f),
      linksOf(asked, answer({ name: 'g' })),
      linksOf(named, answer({ tool_call_id: 'b' }), answer({ tool_name: 'a' })),
      linksOf(named, answer({ tool_call_id: 'z', tool_name: 'a' })),
      linksOf(asked, { role: 'user', content: 'x', tool_calls: [] }, g, called('g'), g),
    ]).toEqual([[1, 0, 2], [0, 1, 2], [1, 0, 2], [0, 2, 1, -1], [1], [1, 0], [-1], [1, 3]]);
  });

  it('finds the calls of very many answers in any order, in linear time', () => {
    const names = Array.from({ length: 40_000 }, (_, at) => `f${at}`);
    const answers = names.map((tool_name) => ({ role: 'tool', tool_name, content: 'r' })).toReversed();
    expect(linksOf(called(...names), ...answers).slice(0, 2)).toEqual([39_999, 39_998]);
  });

  it('sends back no ids that it made up, and those that came', () => {
    const turn = { ...called('f'), tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] };
    const answer = { role: 'tool', tool_name: 'f', content: 'r' };
    const list = [called('f'), answer, turn, { ...answer, tool_call_id: 'a' }];
    expect(again(...list)).toEqual(list);
  });

  it('gives what it read to another provider, ids included', () => {
    const list = [called('f', 'f'), { role: 'tool', content: '1' }, { role: 'tool', content: '2' }];
    const { payload, report } = openaiChat.encode(ollama.decode(list).messages);
    const [turn, ...answers] = payload.messages as any[];
    expect(answers.map((one) => one.tool_call_id)).toEqual(turn.tool_calls.map((one: any) => one.id));
    expect(report).toEqual(nothing);
  });

  it('keeps ids and links over a store, in which tools are run later', () => {
    const { messages } = ollama.decode({ message: called('w', 'w') });
    const stored = MessageStore.parse(JSON.stringify(MessageStore.fromMessages(messages, 'chat')));
    const [first, second] = messages.first()!.toolCalls;
    const answers = [result(first!.idString(), 'A'), result(second!.idString(), 'B')];
    expect(ollama.encode(stored.section('chat').appendMessages(answers)).payload.messages).toEqual([
      called('w', 'w'),
      { role: 'tool', tool_name: 'w', content: 'A' },
      { role: 'tool', tool_name: 'w', content: 'B' },
    ]);
  });

  it('reads arguments as an object or as text, and calls without any', () => {
    const wires = [{ a: 1 }, '{"a": 1}', undefined, '{"a'].map((args) => ({
      function: { name: 'f', arguments: args },
    }));
    const { toolCalls } = ollama.decode([{ role: 'assistant', tool_calls: wires }]).messages.first()!;
    expect(toolCalls.map(({ argsText }) => argsText)).toEqual(['{"a":1}', '{"a": 1}', '{}', '{"a']);
  });

  it('reads calls that are written without a function', () => {
    const { toolCalls } = ollama
      .decode([{ role: 'assistant', tool_calls: [{ name: 'f', arguments: { a: 1 } }] }])
      .messages.first()!;
    expect(toolCalls.map((one) => [one.name, one.argsText, one.extra])).toEqual([['f', '{"a":1}', {}]]);
  });

  it('tells the type of an image by its first characters', () => {
    const images = [
      PNG,
      '/9j/4AAQ',
      'R0lGODlh',
      'UklGRhoAAABXRUJQVlA4',
      'Qk0eAAAA',
      'data:image/png;base64,AA==',
      'http://a',
    ];
    const urls = ollama
      .decode([{ role: 'user', content: '', images }])
      .messages.first()!
      .contentParts()
      .map((part) => (part.get('image_url') as any).url);
    expect(urls).toEqual([
      `data:image/png;base64,${PNG}`,
      'data:image/jpeg;base64,/9j/4AAQ',
      'data:image/gif;base64,R0lGODlh',
      'data:image/webp;base64,UklGRhoAAABXRUJQVlA4',
      'data:application/octet-stream;base64,Qk0eAAAA',
      'data:image/png;base64,AA==',
      'http://a',
    ]);
  });

  it('reads what other servers and clients send: parts as content, roles in capitals, content that is missing', () => {
    const { messages } = ollama.decode([
      { role: 'USER', content: [{ type: 'text', text: 'a' }, 'b'] },
      { role: 'assistant', content: null },
      { role: 'assistant', thinking: 'hm', tool_calls: [] },
    ]);
    expect(messages.map(({ role, content }) => [role, content.toString(), content.parts.size])).toEqual([
      ['user', 'a\nb', 2],
      ['assistant', '', 1],
      ['assistant', '', 1],
    ]);
  });

  it('reads the name of a tool message as the name of the tool, any other as the speaker’s', () => {
    const { messages } = ollama.decode([
      { role: 'user', content: 'q', name: 'ann' },
      called('f'),
      { role: 'tool', name: 'f', content: 'r' },
    ]);
    expect(messages.map(({ name, toolResult }) => [name, toolResult?.toolName])).toEqual([
      ['ann', undefined],
      ['', undefined],
      ['', 'f'],
    ]);
    expect(wire(...messages)[2]).toEqual({ role: 'tool', tool_name: 'f', content: 'r' });
    const both = ollama.decode([called('f'), { role: 'tool', name: 'x', tool_name: 'f', content: 'r' }]);
    expect(both.report.losses.map(({ path, rule }) => [path, rule])).toEqual([['messages[1].name', 'message-key']]);
  });

  it('tells the keys that it cannot keep', () => {
    const { messages, report } = ollama.decode([{ role: 'user', content: 'q', id: 'm1', createdAt: 5, vendor: 1 }]);
    expect(messages.first()?.extra).toEqual({ vendor: 1 });
    expect(report.losses.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[0].id', 'message-key', 'dropped'],
      ['messages[0].createdAt', 'message-key', 'dropped'],
    ]);
  });

  it('replaces lone surrogates and reports it, everywhere', () => {
    const half = 'ok\ud83d';
    const list = [
      { role: 'user', content: half },
      {
        role: 'assistant',
        content: 'pair 😀 stays',
        tool_calls: [{ function: { name: 'f', arguments: { k: half } } }],
      },
    ];
    const { messages, report } = ollama.decode(list);
    const sent = JSON.stringify(ollama.encode(messages, { openTurn: 'cancel' }).payload);
    expect([messages.first()?.toString(), messages.at(1)?.toolCalls.first()?.args]).toEqual([
      'ok\ufffd',
      { k: 'ok\ufffd' },
    ]);
    expect([sent.includes('pair 😀 stays'), /\\ud83d/i.test(sent)]).toEqual([true, false]);
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([
      ['messages[0].content', 'lone-surrogate'],
      ['messages[1].tool_calls[0].function.arguments.k', 'lone-surrogate'],
    ]);
    expect(ollama.decode({ message: list[0], done_reason: half }).finish).toEqual({ reason: 'other', raw: 'ok\ufffd' });
  });

  it.each([
    ['no list', { history: [] }, 'messages: expected messages or a response'],
    ['no message', [5], 'messages[0]: expected a message with a role, got 5'],
    ['an unknown role', [{ role: 'function', content: 'x' }], 'messages[0].role: expected one of'],
    ['no role', { message: { content: 'x' } }, 'message.role: expected one of'],
    ['content of no kind', [{ role: 'user', content: 5 }], 'messages[0].content: expected text or content parts'],
    ['thinking of no kind', [{ role: 'assistant', thinking: 5 }], 'messages[0].thinking: expected text, got 5'],
    ['images of no kind', [{ role: 'user', images: PNG }], 'messages[0].images: expected a list of images'],
    ['an image of no kind', [{ role: 'user', images: [5] }], 'messages[0].images[0]: expected base64 text, got 5'],
    [
      'calls of no kind',
      [{ role: 'assistant', tool_calls: {} }],
      'messages[0].tool_calls: expected a list of tool calls',
    ],
    ['a bad call', [{ role: 'assistant', tool_calls: [5] }], 'messages[0].tool_calls[0]: expected a tool call'],
    [
      'bad arguments',
      [{ role: 'assistant', tool_calls: [{ function: { arguments: 5 } }] }],
      'messages[0].tool_calls[0].arguments: ',
    ],
    ['a wire without a bottom', [JSON.parse('['.repeat(2000) + ']'.repeat(2000))], 'expected nesting of at most'],
  ])('names the place of what it cannot read: %s', (_, input, message) => {
    expect(() => ollama.decode(input)).toThrow(message);
  });
});

describe('strict reading', () => {
  const strictly = (...messages: readonly unknown[]) => ollama.decode({ messages }, { strict: true });
  const asking = (fields: object) => ({ role: 'assistant', content: '', tool_calls: [{ function: fields }] });

  it.each<[string, string, readonly unknown[]]>([
    [
      'invalid_role',
      'messages[1].role',
      [
        { role: 'user', content: 'q' },
        { role: 'developer', content: 'x' },
      ],
    ],
    ['missing_content', 'messages[0].content', [{ role: 'user', content: [{ type: 'text', text: 'a' }] }]],
    ['invalid_input', 'messages[0].images', [{ role: 'user', content: '', images: PNG }]],
    [
      'invalid_input',
      'messages[0].images[0]',
      [{ role: 'user', content: '', images: [`data:image/png;base64,${PNG}`] }],
    ],
    ['invalid_input', 'messages[0].thinking', [{ role: 'assistant', content: '', thinking: true }]],
    ['invalid_input', 'messages[0].tool_name', [{ role: 'tool', content: '', tool_name: 5 }]],
    ['invalid_tool_call_id', 'messages[0].tool_call_id', [{ role: 'tool', content: '', tool_call_id: 7 }]],
    ['invalid_tool_calls', 'messages[0].tool_calls', [{ role: 'assistant', content: '', tool_calls: {} }]],
    [
      'invalid_tool_calls',
      'messages[0].tool_calls[0]',
      [{ role: 'assistant', content: '', tool_calls: [{ name: 'f' }] }],
    ],
    ['invalid_role', 'messages[0].role', [{ role: 7, content: 'q' }]],
    ['tool_calls_on_role', 'messages[0].tool_calls', [{ ...called('f'), role: 'user' }]],
    ['empty_tool_name', 'messages[0].tool_calls[0].function.name', [asking({ name: '', arguments: {} })]],
    ['malformed_arguments', 'messages[0].tool_calls[0].function.arguments', [asking({ name: 'f', arguments: '{}' })]],
    ['malformed_arguments', 'messages[0].tool_calls[0].function.arguments', [asking({ name: 'f', arguments: [] })]],
    ['missing_tool_call_id', 'messages[0]', [{ role: 'tool', content: 'r' }]],
    ['missing_tool_answer', 'messages[0]', [called('f'), { role: 'user', content: 'x' }]],
  ])('refuses with the code %s, at %s', (code, path, messages) => {
    expect(codeAt(() => strictly(...messages)).slice(0, 2)).toEqual([code, path]);
    if (code !== 'invalid_input') return;
    expect(() => strictly(...messages)).toThrow(path);
  });

  it('takes calls at the very end that wait, messages without content, and puts answers in order', () => {
    expect(strictly({ role: 'assistant', tool_calls: called('f').tool_calls }).messages.size).toBe(1);
    const tool = (tool_name: string) => ({ role: 'tool', tool_name, content: tool_name });
    const { messages, report } = strictly(called('f', 'g'), tool('g'), tool('f'));
    expect(messages.map(String)).toEqual(['', 'f', 'g']);
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([['messages[1]', 'reordered']]);
  });

  it('refuses the message of a response, too', () => {
    const read = (message: unknown) => ollama.decode({ message, done_reason: 'stop' }, { strict: true });
    expect(codeAt(() => read(asking({ name: '', arguments: {} }))).slice(0, 2)).toEqual([
      'empty_tool_name',
      'message.tool_calls[0].function.name',
    ]);
    expect(read(called('f')).finish?.reason).toBe('tool_calls');
  });

  it('refuses what is no message at all as the loose door does', () => {
    expect(() => strictly('x')).toThrow('messages[0]: expected a message with a role, got "x"');
  });
});

describe('explain', () => {
  const messages = Messages.of(
    developer('D'),
    system('S'),
    user([ContentPart.of('video', { url: 'v' }), image()]),
    assistant('', ToolCall.of({ id: 'c1', name: 'look', args: '{"at":' }), call('find', { x: 1 }, 'c2')),
    result('c1', 'A cat.', { status: 'error' }),
    result('c2', 'None.'),
    assistant(ContentPart.reasoning('hm')),
    user('Go on.'),
  );
  const explainer = (options: OllamaOptions = {}) => {
    const { report } = ollama.encode(messages, options);
    return (path: string) =>
      report.explain(path).map(({ path: at, message, part, rules }) => {
        const index = [...messages].indexOf(message);
        return [at, index, part?.toString(), rules.map(({ rule }) => rule)];
      });
  };
  const explain = explainer();

  it('leads from a message of the payload to the stored one, and to what was told of it', () => {
    expect(explain('messages[0].content')).toEqual([['messages[0]', 0, undefined, ['developer-role']]]);
    expect(explain('messages.2.images.0: illegal base64 data')).toEqual([['messages[2]', 2, undefined, ['part-type']]]);
    expect(explain('messages.6')).toEqual([['messages[7]', 7, undefined, []]]);
  });

  it('leads to a call, and to an answer', () => {
    const first = ['messages[3].toolCalls[0]', 3, 'look({"at":)', ['call-id', 'malformed-arguments']];
    const second = ['messages[3].toolCalls[1]', 3, 'find(x=1)', ['call-id']];
    expect(explain('messages[3].tool_calls[0].function.arguments')).toEqual([first]);
    expect(explain('messages[3].tool_calls[1].function.name')).toEqual([second]);
    expect(explain('messages[3].tool_calls')).toEqual([first, second]);
    expect(explain('messages[4].tool_name')).toEqual([['messages[4]', 4, 'A cat.', ['error-flag']]]);
  });

  it('leads to all instructions that went out as one', () => {
    const merged = explainer({ instructions: 'merged' });
    const both = [
      ['messages[0]', 0, undefined, ['developer-role']],
      ['messages[1]', 1, undefined, ['instructions']],
    ];
    for (const path of ['messages[0]', 'messages[0].role', 'messages[0].content']) expect(merged(path)).toEqual(both);
    expect(merged('messages[1].images')).toEqual([['messages[2]', 2, undefined, ['part-type']]]);
  });

  it('leads from a made-up answer to the message of its call', () => {
    const open = chat(user('q'), assistant('', call('a')));
    const [found] = ollama.encode(open, { openTurn: 'cancel' }).report.explain('messages[2].content');
    expect([found?.path, found?.message]).toEqual(['messages[1]', open.at(1)]);
  });

  it.each(['messages[9]', 'model', '', 'messages.length'])('leads nowhere from %j', (path) => {
    expect(explain(path)).toEqual([]);
  });
});

describe('tools', () => {
  it('are told as functions with their schemas', () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    expect(encodeTools([{ name: 'get.weather', description: 'Now', inputSchema }, { name: 'time' }])).toEqual([
      { type: 'function', function: { name: 'get.weather', description: 'Now', parameters: inputSchema } },
      { type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } },
    ]);
    expect(() => encodeTools([{ name: ' ' }])).toThrow('tools[0].name');
  });

  it('are called as the model likes: this wire has no other choice', () => {
    expect(encodeToolChoice('auto')).toBeUndefined();
    for (const choice of ['none', 'required', { name: 'f' }] as const)
      expect(() => encodeToolChoice(choice)).toThrow('choice: expected "auto", the only choice on this wire');
  });
});

it('is a value that describes itself', () => {
  const { name, capabilities } = ollama;
  expect([name, capabilities.roles, capabilities.parts.user, capabilities.names, Object.isFrozen(ollama)]).toEqual([
    'ollama',
    ['system', 'user', 'assistant', 'tool'],
    ['text', 'image_url'],
    [],
    true,
  ]);
});
