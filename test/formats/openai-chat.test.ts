import { readFileSync, writeFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenAIChatOptions, openaiChat } from '../../src/formats/openai-chat/index.ts';
import {
  ContentPart,
  FileSource,
  ImageSource,
  Message,
  MessageStore,
  type MessageStoreError,
  Messages,
  ToolCall,
} from '../../src/index.ts';
import { assistant, call, chat, developer, fixIdentity, result, store, system, user } from '../../src/testing/index.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/formats/openai-chat/', import.meta.url));
const cases = globSync('*.wire.json', { cwd: FIXTURES })
  .map((file) => basename(file, '.wire.json'))
  .toSorted();
const read = (file: string): any => JSON.parse(readFileSync(FIXTURES + file, 'utf8'));

let restore: () => void;
beforeEach(() => {
  restore = fixIdentity();
});
afterEach(() => restore());

const encoded = (...messages: readonly Message[]) => openaiChat.encode(Messages.of(...messages));
const wire = (...messages: readonly Message[]): unknown[] => encoded(...messages).payload.messages;
/** The code of what is thrown, where it is, and what it is about. */
const codeAt = (run: () => unknown): unknown[] => {
  try {
    run();
  } catch (error) {
    const { code, path, value } = error as MessageStoreError;
    return [code, path, value];
  }
  return [];
};
/** A turn with an answer to each of its calls. */
const answered = (turn: Message): Message[] => [turn, ...turn.toolCalls.map(({ id }) => result(id as string, 'r'))];
/** How a turn goes out. */
const wireOf = (turn: Message, options?: OpenAIChatOptions): unknown =>
  openaiChat.encode(Messages.of(...answered(turn)), options).payload.messages[0];
const lossesOf = (turn: Message) => losses(...answered(turn));
const losses = (...messages: readonly Message[]) =>
  encoded(...messages).report.losses.map(({ path, rule, action }) => [path, rule, action]);

describe('a recorded request', () => {
  it.each(cases)('is read into the same messages: %s', (name) => {
    const { messages, report } = openaiChat.decode(read(`${name}.wire.json`));
    if (process.env['UPDATE']) {
      writeFileSync(`${FIXTURES}${name}.model.json`, `${JSON.stringify(messages, null, 2)}\n`);
    }
    expect(messages.toJSON()).toEqual(read(`${name}.model.json`));
    expect(report).toEqual({ losses: [], repairs: [] });
  });

  it.each(cases)('goes out again as it came: %s', (name) => {
    const request = read(`${name}.wire.json`);
    const again = openaiChat.encode(openaiChat.decode(request).messages);
    expect(again).toEqual({ payload: request, report: { losses: [], repairs: [] } });
    const stored = Messages.fromJSON(read(`${name}.model.json`));
    expect(openaiChat.encode(stored).payload).toEqual(request);
  });
});

describe('a recorded response', () => {
  const responses = globSync('responses/*.wire.json', { cwd: FIXTURES })
    .map((file) => basename(file, '.wire.json'))
    .toSorted();

  it.each(responses)('is read with why it ended and what it cost, and goes out again as a turn: %s', (name) => {
    const { messages, report, ...said } = openaiChat.decode(read(`responses/${name}.wire.json`));
    const { payload, report: sent } = openaiChat.encode(Messages.of(...[...messages].flatMap(answered)));
    const model = { messages: messages.toJSON(), ...said, sent: payload.messages, losses: sent.losses };
    const path = `responses/${name}.model.json`;
    if (process.env['UPDATE']) writeFileSync(FIXTURES + path, `${JSON.stringify(model, null, 2)}\n`);
    expect(model).toEqual(read(path));
    expect(report).toEqual({ losses: [], repairs: [] });
  });
});

describe('encode', () => {
  it('takes a store in section order, without blank messages', () => {
    const prompt = store({ system: [system('S')], chat: [user('a'), user('')] });
    expect(openaiChat.encode(prompt).payload).toEqual({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'a' },
      ],
    });
  });

  it('keeps names, and each role as it is', () => {
    expect(wire(developer('D'), user('hi', 'ann'), assistant('yo').withName('bot'))).toEqual([
      { role: 'developer', content: 'D' },
      { role: 'user', content: 'hi', name: 'ann' },
      { role: 'assistant', content: 'yo', name: 'bot' },
    ]);
  });

  it('gives instructions the one role that is asked for', () => {
    const messages = chat(system('S'), developer(['D', 'E']), user('u'));
    const roles = (instructionRole: 'system' | 'developer') =>
      openaiChat.encode(messages, { instructionRole }).payload.messages.map(({ role }) => role);
    expect(roles('developer')).toEqual(['developer', 'developer', 'user']);
    expect(roles('system')).toEqual(['system', 'system', 'user']);
  });

  it('sends a turn without parts beside calls as null, one blank part as an empty text', () => {
    const tool_calls = [{ id: 'f', type: 'function', function: { name: 'f', arguments: '{}' } }];
    expect(wireOf(assistant([], call('f')))).toEqual({ role: 'assistant', content: null, tool_calls });
    expect(wireOf(assistant('', call('f')))).toEqual({ role: 'assistant', content: '', tool_calls });
    expect(wire(assistant([]))).toEqual([{ role: 'assistant', content: '' }]);
  });

  it('sends an empty text for no content beside calls where that is asked for', () => {
    expect(wireOf(assistant([], call('f')), { emptyContent: 'text' })).toMatchObject({ content: '' });
    expect(wireOf(assistant([], call('f')), { emptyContent: 'null' })).toMatchObject({ content: null });
    expect(wireOf(assistant('', call('f')), { emptyContent: 'text' })).toMatchObject({ content: '' });
  });

  it('sends null for an empty text beside calls where that is asked for', () => {
    const contents = (turn: Message) =>
      [turn, turn.withName('bot')].map((one) => (wireOf(one, { emptyContent: 'null' }) as any).content);
    expect(contents(assistant('', call('f')))).toEqual([null, null]);
    expect(contents(assistant('Hm.', call('f')))).toEqual(['Hm.', 'Hm.']);
    expect(wireOf(assistant('').withName('bot'), { emptyContent: 'null' })).toMatchObject({ content: '' });
    const refused = openaiChat.decode([{ role: 'assistant', content: '', refusal: 'No.' }]).messages;
    expect(openaiChat.encode(refused, { emptyContent: 'null' }).payload.messages).toMatchObject([{ content: '' }]);
  });

  it('sends argument texts byte for byte, and custom input as text', () => {
    const odd = ToolCall.of({ id: 'a', name: 'f', args: '{ "n": 12345678901234567890 }' });
    const custom = ToolCall.of({ id: 'b', name: 'sql', kind: 'custom', args: 'select 1' });
    expect(wireOf(assistant('', odd, custom))).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{ "n": 12345678901234567890 }' } },
        { id: 'b', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
      ],
    });
  });

  it('spells files, images and audio as the wire does', () => {
    const file = FileSource.of({ fileData: 'data:application/pdf;base64,JVBERi0=', fileName: 'a.pdf' });
    const image = ContentPart.of('image_url', {
      image_url: { url: 'https://a.test/i', detail: 'low' },
      detail: 'high',
    });
    const audio = ContentPart.of('input_audio', { input_audio: { data: 'QQ==', format: 'wav' } });
    expect(wire(user([file, image, audio, ImageSource.fromUrl('https://a.test/j')]))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
          { type: 'image_url', image_url: { url: 'https://a.test/i', detail: 'high' } },
          { type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav' } },
          { type: 'image_url', image_url: { url: 'https://a.test/j' } },
        ],
      },
    ]);
  });

  it('gives data without a name one, which is told', () => {
    const file = FileSource.fromDataUri('data:application/pdf;base64,JVBERi0=');
    const { payload, report } = encoded(user(['!', file, FileSource.fromId('file-1')]));
    expect(payload.messages[0]?.content?.slice(1)).toEqual([
      { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'file' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ]);
    expect(report.losses).toEqual([]);
    expect(report.repairs.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[0].content[1]', 'file-name', 'added'],
    ]);
  });

  it('sends reasoning back into each of the fields that it came from', () => {
    const reasoning = ['reasoning', 'reasoning_content'].map((data) => ({
      type: 'reasoning',
      text: data,
      _origin: { provider: 'openai-chat', data },
    }));
    const turn = { role: 'assistant', content: [...reasoning, 'So.'] };
    const [, sent] = openaiChat.encode(['q', turn]).payload.messages;
    expect(sent).toEqual({
      role: 'assistant',
      reasoning: 'reasoning',
      reasoning_content: 'reasoning_content',
      content: 'So.',
    });
  });

  it('keeps cache marks on parts', () => {
    const part = ContentPart.text('long').withField('prompt_cache_breakpoint', { mode: 'explicit' });
    expect(wire(user(part))).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'long', prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ]);
  });

  it('sends nothing internal', () => {
    const message = Message.of({ role: 'user', content: 'hi', metadata: { secret: 't-1' }, parentId: 'p' });
    const noted = user([ContentPart.of('text', { text: 'hi', _origin: { provider: 'x' }, _note: 'n' })]);
    expect(wire(message, noted)).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
    expect(losses(message, noted)).toEqual([]);
  });

  it('gives fresh objects: changing a payload changes nothing here', () => {
    const messages = chat(user(['a', 'b']), assistant('', call('f', { n: [1] })), result('f', 'r'));
    const before = JSON.stringify(messages);
    const first = openaiChat.encode(messages).payload;
    const text = JSON.stringify(first);
    (first.messages[0] as any).content.push({ type: 'text', text: 'c' });
    (first.messages[1] as any).tool_calls.length = 0;
    expect(JSON.stringify(messages)).toBe(before);
    expect(JSON.stringify(openaiChat.encode(messages).payload)).toBe(text);
  });
});

describe('a history that no provider takes', () => {
  const told = (messages: Messages, options?: OpenAIChatOptions) => {
    const { payload, report } = openaiChat.encode(messages, options);
    return [
      payload.messages.map(({ role }) => role),
      report.repairs.map(({ path, rule, action }) => [path, rule, action]),
    ];
  };

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
      'two calls with one id',
      chat(assistant('', call('c1', {}, 'c'), call('c2', {}, 'c')), result('c', 'a'), result('c', 'b')),
      [['assistant', 'tool', 'tool'], [['messages[0]', 'renamed', 'rewritten']]],
    ],
    [
      'calls of a user',
      chat(assistant('x', call('f')).withRole('user')),
      [['user'], [['messages[0]', 'stripped', 'dropped']]],
    ],
  ])('is repaired on the way out, and told: %s', (_, messages, expected) => {
    const before = JSON.stringify(messages);
    expect(told(messages)).toEqual(expected);
    expect(JSON.stringify(messages)).toBe(before);
    expect(() => openaiChat.encode(messages, { invalid: 'throw' })).toThrow(/^messages\[\d\]: /);
  });

  it('is refused with the code of its rule, where that is asked for', () => {
    const messages = chat(user('run it'), assistant('', call('c1')), user('continue'));
    const prompt = store({ system: [system('S'), user('')], chat: [...messages] });
    const codeOf = (input: Messages | MessageStore) => codeAt(() => openaiChat.encode(input, { invalid: 'throw' }));
    expect([codeOf(messages), codeOf(prompt)]).toEqual([
      ['missing_tool_answer', 'messages[1]', 'c1'],
      ['missing_tool_answer', 'messages[2]', 'c1'],
    ]);
    expect(told(chat(user('a')), { invalid: 'throw' })).toEqual([['user'], []]);
  });

  it('tells the places of losses as they were given', () => {
    const { report } = openaiChat.encode(
      chat(
        result('gone', 'r'),
        assistant('', call('c1')),
        user('x'),
        assistant(ContentPart.reasoning('hm')),
        user('y'),
      ),
    );
    expect(report.losses.map(({ path, rule }) => [path, rule])).toEqual([
      ['messages[3].content[0]', 'reasoning'],
      ['messages[3]', 'emptied-message'],
    ]);
  });

  it('sends {} for blank arguments, and for a list in their place', () => {
    const given = ['', ' \n', '[]', '{}'].map((args, at) => ({
      id: `c${at}`,
      function: { name: 'now', arguments: args },
    }));
    const { messages } = openaiChat.decode([{ role: 'assistant', content: '', tool_calls: given }]);
    const turn = messages.first() as Message;
    expect(turn.toolCalls.map((one) => [one.argsText, one.isMalformed()])).toEqual([
      ['{}', false],
      ['{}', false],
      ['[]', true],
      ['{}', false],
    ]);
    const { payload, report } = openaiChat.encode(Messages.of(...answered(turn)));
    expect((payload.messages[0] as any).tool_calls.map((one: any) => one.function.arguments)).toEqual(
      Array(4).fill('{}'),
    );
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([
      ['messages[0].toolCalls[2]', 'malformed-arguments'],
    ]);
  });

  it('sends {} for arguments that are no JSON object, and tells it', () => {
    const cut = ToolCall.of({ id: 'c1', name: 'f', args: '{"city":"Os' });
    const turn = chat(...answered(assistant('', cut, call('c2'))));
    const sent = (options?: OpenAIChatOptions) =>
      (openaiChat.encode(turn, options).payload.messages[0] as any).tool_calls.map(
        (one: any) => one.function.arguments,
      );
    expect([sent(), sent({ malformedArguments: 'verbatim' })]).toEqual([
      ['{}', '{}'],
      ['{"city":"Os', '{}'],
    ]);
    expect(openaiChat.encode(turn).report.repairs).toEqual([
      {
        path: 'messages[0].toolCalls[0]',
        rule: 'malformed-arguments',
        action: 'rewritten',
        message: 'the arguments of "c1" are no JSON object: {} goes out instead',
      },
    ]);
    expect(openaiChat.encode(turn, { malformedArguments: 'verbatim' }).report.repairs).toEqual([]);
    expect(codeAt(() => openaiChat.encode(turn, { invalid: 'throw' }))).toEqual([
      'malformed_arguments',
      'messages[0].toolCalls[0].arguments',
      '{"city":"Os',
    ]);
  });
});

describe('calls that wait for their answers', () => {
  const open = chat(user('q'), assistant('', call('a'), call('b')), result('a', 'r'));

  it('are refused at the very end', () => {
    expect(codeAt(() => openaiChat.encode(open))).toEqual(['tool_turn_open', 'messages[1]', ['b']]);
    expect(codeAt(() => openaiChat.encode(open, { invalid: 'throw' }))).toEqual([
      'tool_turn_open',
      'messages[1]',
      ['b'],
    ]);
    expect(() => openaiChat.encode(open)).toThrow('messages[1]: the tool calls "b" have no answer yet');
  });

  it('are refused at the end of any section', () => {
    const prompt = store({ chat: [...open], more: [user('next')] });
    expect(codeAt(() => openaiChat.encode(prompt))).toEqual(['tool_turn_open', 'sections.chat.messages[1]', ['b']]);
    expect(() => openaiChat.encode(prompt.select(['more']))).not.toThrow();
  });

  it('are answered as cancelled where that is asked for', () => {
    for (const input of [open, store({ chat: [...open], more: [user('next')] })]) {
      for (const invalid of ['repair', 'throw'] as const) {
        const { payload, report } = openaiChat.encode(input, { openTurn: 'cancel', invalid });
        expect(payload.messages.slice(0, 4).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
        expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([['messages[1]', 'synthesised']]);
      }
    }
  });
});

describe('what the wire cannot carry', () => {
  it('is reported: the name and status of a tool result', () => {
    expect(losses(user('q'), assistant('', call('f')), result('f', 'r', { toolName: 'f', status: 'error' }))).toEqual([
      ['messages[2].name', 'tool-name', 'dropped'],
      ['messages[2].toolResult.status', 'error-flag', 'dropped'],
    ]);
  });

  it.each([
    ['reasoning', ContentPart.reasoning('hm'), 'reasoning'],
    ['an unknown type', ContentPart.of('video', { url: 'v' }), 'part-type'],
    ['a text part without text', ContentPart.of('text', { note: 'x' }), 'part-shape'],
    ['an image without a URL', ContentPart.of('image_url', { image_url: 5 }), 'part-shape'],
    ['audio without data', ContentPart.of('input_audio', { input_audio: { format: 'wav' } }), 'part-shape'],
    [
      'audio of another format',
      ContentPart.of('input_audio', { input_audio: { data: 'Q', format: 'ogg' } }),
      'audio-format',
    ],
    ['a file by URL', FileSource.fromUrl('https://a.test/f').toContentPart(), 'file-url'],
    ['a file without anything', ContentPart.of('file', { note: 1 }), 'part-shape'],
    ['a refusal without text', ContentPart.of('refusal', { note: 1 }), 'part-shape'],
    ['a refusal of the user', ContentPart.refusal('no'), 'part-role'],
  ])('is left out and reported: %s', (_, part, rule) => {
    expect(wire(user(['text', part]))).toEqual([{ role: 'user', content: [{ type: 'text', text: 'text' }] }]);
    expect(losses(user(['text', part]))).toEqual([['messages[0].content[1]', rule, 'dropped']]);
  });

  it('is left out and reported: keys that a part does not have there', () => {
    const text = ContentPart.of('text', { text: 't', cache_control: { type: 'ephemeral' } });
    const file = ContentPart.of('file', { file: { file_id: 'f', mime_type: 'x' }, caption: 'c' });
    expect(wire(user([text, file]))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 't' },
          { type: 'file', file: { file_id: 'f' } },
        ],
      },
    ]);
    expect(encoded(user([text, file])).report.losses.map(({ path, message }) => [path, message])).toEqual([
      ['messages[0].content[0]', 'text parts have no key "cache_control" on this wire: left out'],
      ['messages[0].content[1]', 'file parts have no key "caption" on this wire: left out'],
      ['messages[0].content[1]', 'file parts have no key "mime_type" on this wire: left out'],
    ]);
  });

  it('is rewritten or left out, and reported: names that the API refuses', () => {
    const messages = [user('hi', 'Team Lead (EU)'), user('x', 'é'), user('y', 'a'.repeat(70)), user('z', 'ann-2_b')];
    expect(wire(...messages).map((message) => (message as { name?: string }).name)).toEqual([
      'Team_Lead_EU',
      undefined,
      'a'.repeat(64),
      'ann-2_b',
    ]);
    expect(losses(...messages)).toEqual([
      ['messages[0].name', 'participant-name', 'rewritten'],
      ['messages[1].name', 'participant-name', 'dropped'],
      ['messages[2].name', 'participant-name', 'rewritten'],
    ]);
    expect(messages[0]?.name).toBe('Team Lead (EU)');
  });

  it('is left out with its message when nothing else is left', () => {
    expect(wire(user('a'), assistant(ContentPart.reasoning('hm')), user('b'))).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]);
    expect(losses(assistant(ContentPart.reasoning('hm')))).toEqual([
      ['messages[0].content[0]', 'reasoning', 'dropped'],
      ['messages[0]', 'emptied-message', 'dropped'],
    ]);
  });

  it('is moved and reported: content after a tool call', () => {
    const turn = assistant(['a', ContentPart.of('tool_call', { id: 'f' }), 'b'], call('f'));
    expect(lossesOf(turn)).toEqual([['messages[0].content', 'interleaving', 'moved']]);
  });

  it('is left out and reported: unknown keys from elsewhere, and keys of responses', () => {
    const foreign = Message.of({ role: 'user', content: 'x', extra: { tag: 1 }, origin: { provider: 'anthropic' } });
    const own = Message.of({
      role: 'assistant',
      content: 'x',
      extra: { tag: 1, annotations: [{ a: 1 }], audio: { id: 'a' } },
    });
    expect(wire(foreign, own)).toEqual([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'x', tag: 1, audio: { id: 'a' } },
    ]);
    expect(losses(foreign, own)).toEqual([
      ['messages[0].tag', 'message-key', 'dropped'],
      ['messages[1].annotations', 'message-key', 'dropped'],
    ]);
  });

  it('is told to people, too', () => {
    const turn = assistant(
      ['a', ContentPart.of('tool_call', { id: 'f' }), 'b', ContentPart.reasoning('hm'), ContentPart.of('video', {})],
      call('f'),
    );
    expect(encoded(turn, result('f', 'r', { toolName: 'find', status: 'denied' })).report.losses).toEqual([
      {
        path: 'messages[0].content',
        rule: 'interleaving',
        action: 'moved',
        message: 'content between tool calls goes in front of them',
      },
      {
        path: 'messages[0].content[3]',
        rule: 'reasoning',
        action: 'dropped',
        message: 'parts of type "reasoning" have no place on this wire: left out',
      },
      {
        path: 'messages[0].content[4]',
        rule: 'part-type',
        action: 'dropped',
        message: 'parts of type "video" have no place on this wire: left out',
      },
      {
        path: 'messages[1].name',
        rule: 'tool-name',
        action: 'dropped',
        message: 'the name "find" has no place in tool messages on this wire: left out',
      },
      {
        path: 'messages[1].toolResult.status',
        rule: 'error-flag',
        action: 'dropped',
        message: 'the status "denied" has no place in tool messages on this wire: left out',
      },
    ]);
  });

  it('is reported: the data of speech, which goes back by its id', () => {
    const spoken = (audio: unknown) => Message.of({ role: 'assistant', content: [], extra: { audio } });
    expect(wire(spoken({ id: 'a1', data: 'UklGRg==', expires_at: 1, transcript: 'Hi' }))).toEqual([
      { role: 'assistant', content: null, audio: { id: 'a1' } },
    ]);
    expect(losses(spoken({ id: 'a1', data: 'UklGRg==' }))).toEqual([['messages[0].audio', 'audio-data', 'degraded']]);
    expect(losses(spoken({ id: 'a1' }))).toEqual([]);
    expect([wire(spoken('odd')), losses(spoken('odd'))]).toEqual([
      [{ role: 'assistant', content: '' }],
      [['messages[0].audio', 'message-key', 'dropped']],
    ]);
  });

  it('is left out and reported: unknown keys of a call from elsewhere', () => {
    const read = (provider: string) =>
      ToolCall.from({ id: 'f', name: 'f', arguments: {}, extra_content: { a: 1 }, _origin: { provider } });
    const plain = { id: 'f', type: 'function', function: { name: 'f', arguments: '{}' } };
    const turn = assistant('', read('openai-chat'), read('gemini').withId('g'));
    expect(wireOf(turn)).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [
        { ...plain, extra_content: { a: 1 } },
        { ...plain, id: 'g' },
      ],
    });
    expect(lossesOf(turn)).toEqual([['messages[0].toolCalls[1].extra_content', 'tool-call-key', 'dropped']]);
  });

  it('is kept, left out and reported: what stands beside the arguments of a call', () => {
    const parsed = ToolCall.from({ id: 'f', function: { name: 'f', arguments: '{}', parsed_arguments: { a: 1 } } });
    expect(parsed.extra).toEqual({ function: { parsed_arguments: { a: 1 } } });
    expect(ToolCall.fromJSON(parsed.toJSON()).equals(parsed)).toBe(true);
    expect([wireOf(assistant('', parsed)), lossesOf(assistant('', parsed))]).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'f', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      [['messages[0].toolCalls[0].function', 'tool-call-key', 'dropped']],
    ]);
  });

  it('is the library’s own: keys that begin with _', () => {
    const message = Message.from({ role: 'user', content: 'a', _flags: ['seen'] });
    expect([wire(message), losses(message)]).toEqual([[{ role: 'user', content: 'a' }], []]);
  });

  it('is left out and reported: a stray key of our own records', () => {
    const message = Message.from({ role: 'user', content: 'a', _metadata: { n: 1 }, metadata: { secret: 1 } });
    expect([wire(message), losses(message)]).toEqual([
      [{ role: 'user', content: 'a' }],
      [['messages[0].metadata', 'message-key', 'dropped']],
    ]);
  });

  it('is never a key that every object has', () => {
    const odd = Message.from(JSON.parse('{"role":"user","content":"a","__proto__":{"constructor":1},"constructor":2}'));
    const [sent] = wire(odd) as [object];
    expect(JSON.stringify(sent)).toBe('{"role":"user","content":"a","constructor":2}');
    expect(Object.getPrototypeOf(sent)).toBe(Object.prototype);
  });

  it('throws where that is asked for, with all losses', () => {
    const messages = chat(assistant('', call('f')), result('f', 'r', { toolName: 'find', status: 'error' }));
    const encode = () => openaiChat.encode(messages, { losses: 'throw' });
    expect(encode).toThrow(
      'messages[1].name: the name "find" has no place in tool messages on this wire: left out (and 1 more)',
    );
    expect(() => openaiChat.encode(chat(user('a')), { losses: 'throw' })).not.toThrow();
    const rest = () => openaiChat.encode(messages, { losses: 'throw', acceptLosses: ['tool-name'] });
    expect(rest).toThrow(/^messages\[1\]\.toolResult\.status: [^(]*$/);
    const accepted = openaiChat.encode(messages, { losses: 'throw', acceptLosses: ['tool-name', 'error-flag'] });
    expect(accepted.report.losses).toEqual([]);
  });
});

describe('decode', () => {
  const RESPONSE = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          annotations: [],
          tool_calls: [{ id: 'w1', type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } }],
        },
      },
    ],
    usage: {
      prompt_tokens: 90,
      completion_tokens: 40,
      total_tokens: 130,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 16 },
    },
  };

  it('reads a response with its finish reason and usage', () => {
    const { messages, finish, usage } = openaiChat.decode(RESPONSE);
    expect(messages.map((message) => [message.type, message.content.parts.size, String(message.toolCalls)])).toEqual([
      ['assistant_tool_calls', 0, 'weather(city=Lisbon)'],
    ]);
    expect(finish).toEqual({ reason: 'tool_calls', raw: 'tool_calls' });
    expect(usage).toEqual({ inputTokens: 90, outputTokens: 40, cachedInputTokens: 64, reasoningTokens: 16 });
  });

  it('sends a response back without what only responses have', () => {
    const { messages } = openaiChat.decode(RESPONSE);
    expect(openaiChat.encode(messages.appendMessages(result('w1', '12 °C')))).toEqual({
      payload: {
        messages: [
          { role: 'assistant', content: null, refusal: null, tool_calls: RESPONSE.choices[0]?.message.tool_calls },
          { role: 'tool', tool_call_id: 'w1', content: '12 °C' },
        ],
      },
      report: { losses: [], repairs: [] },
    });
  });

  it('marks calls that the limit of tokens may have cut, so that they are not run', () => {
    const cut = (finish_reason: string, message: object) =>
      openaiChat.decode({ choices: [{ finish_reason, message }] }).messages.first();
    const calling = RESPONSE.choices[0]?.message as object;
    expect(cut('length', calling)?.incomplete).toEqual({ reason: 'length' });
    expect(cut('tool_calls', calling)?.incomplete).toBeUndefined();
    expect(cut('length', { role: 'assistant', content: 'Once up' })?.incomplete).toBeUndefined();
    expect(wireOf(cut('length', calling) as Message)).not.toHaveProperty('incomplete');
  });

  it('takes a list of what can stand for messages', () => {
    const { payload } = openaiChat.encode(['Hi', { role: 'assistant', content: 'Hello' }]);
    expect(payload.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(() => openaiChat.encode(5 as never)).toThrow('expected a message');
  });

  it('reads the first choice, and tells of further ones', () => {
    const choice = { message: { role: 'assistant', content: 'a' }, finish_reason: 'mystery' };
    const { messages, finish, usage, report } = openaiChat.decode({ choices: [choice, choice], usage: {} });
    expect([messages.size, finish, usage]).toEqual([
      1,
      { reason: 'other', raw: 'mystery' },
      { inputTokens: 0, outputTokens: 0 },
    ]);
    expect(report.losses).toEqual([
      { path: 'choices[1]', rule: 'further-choice', action: 'dropped', message: 'only the first choice is read' },
    ]);
  });

  it('makes a refusal beside the content a part, and sends it back beside the content', () => {
    const wires = [{ role: 'assistant', content: null, refusal: 'I cannot.' }];
    const { messages } = openaiChat.decode(wires);
    expect(
      messages
        .first()
        ?.contentParts()
        .map((part) => [part.type, part.get('refusal')]),
    ).toEqual([['refusal', 'I cannot.']]);
    expect(openaiChat.encode(messages).payload.messages).toEqual(wires);
  });

  it('keeps a second refusal as a part: there is one place beside the content', () => {
    const refused = openaiChat
      .decode([{ role: 'assistant', content: null, refusal: 'No.' }])
      .messages.first() as Message;
    expect(wire(refused.withMergedFrom(refused))).toEqual([
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }], refusal: 'No.' },
    ]);
    expect(wire(refused.withRole('user'))).toEqual([]);
    expect(losses(refused.withRole('user'))).toEqual([
      ['messages[0].content[0]', 'part-role', 'dropped'],
      ['messages[0]', 'emptied-message', 'dropped'],
    ]);
  });

  it('reads a turn that says nothing beside its calls, with content null or none', () => {
    const tool_calls = [{ id: 'f', type: 'function', function: { name: 'f', arguments: '{}' } }];
    for (const turn of [
      { role: 'assistant', tool_calls },
      { role: 'assistant', content: null, tool_calls },
    ]) {
      const { messages } = openaiChat.decode([turn]);
      expect(messages.first()?.content.parts.size).toBe(0);
      expect(wireOf(messages.first() as Message)).toEqual({ role: 'assistant', content: null, tool_calls });
    }
  });

  it('reads speech by its id, and a deprecated function call, as they came', () => {
    for (const turn of [
      { role: 'assistant', content: null, audio: { id: 'a1' } },
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    ]) {
      expect(openaiChat.encode(openaiChat.decode([turn]).messages).payload.messages).toEqual([turn]);
    }
  });

  it('reads the name of a tool message as the name of the tool', () => {
    const { messages } = openaiChat.decode([{ role: 'tool', tool_call_id: 'c', name: 'find', content: 'r' }]);
    expect([messages.first()?.name, messages.first()?.toolResult?.toolName]).toEqual(['', 'find']);
  });

  it('replaces lone surrogates and reports it, everywhere', () => {
    const half = 'ok\ud83d';
    const { messages, report } = openaiChat.decode([
      { role: 'user', content: half },
      { role: 'user', content: [{ type: 'text', text: 'fine 😀', [half]: half }] },
    ]);
    expect(messages.map(String)).toEqual(['ok\ufffd', 'fine 😀']);
    expect(messages.at(1)?.contentParts().first()?.get('ok\ufffd')).toBe('ok\ufffd');
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([
      ['messages[0].content', 'lone-surrogate'],
      ['messages[1].content[0]', 'lone-surrogate'],
      ['messages[1].content[0]["ok\\ud83d"]', 'lone-surrogate'],
    ]);
  });

  it.each([
    ['no list', { hello: 1 }, 'messages: expected messages or a response, got an object'],
    ['no message', [5], 'messages[0]: expected a message with a role, got 5'],
    ['an unknown role', [{ role: 'function', content: 'x' }], 'messages[0].role: expected one of'],
    ['no choice', { choices: [] }, 'choices[0]: expected a choice with a message, got undefined'],
    ['a choice without a message', { choices: [{}] }, 'choices[0].message: expected a message with a role'],
    ['a bad part', [{ role: 'user', content: ['a', 5] }], 'messages[0].content[1]: expected text or a content part'],
    [
      'content of no kind',
      [{ role: 'assistant', content: 5, refusal: 'No.' }],
      'messages[0].content[0]: expected text',
    ],
    ['a bad call', [{ role: 'assistant', tool_calls: [{ function: 5, name: 5 }] }], 'messages[0].tool_calls[0].name: '],
    ['a wire without a bottom', [JSON.parse('['.repeat(2000) + ']'.repeat(2000))], 'expected nesting of at most'],
  ])('names the place of what it cannot read: %s', (_, input, message) => {
    expect(() => openaiChat.decode(input)).toThrow(message);
  });

  it('does not touch what it reads', () => {
    const input = [{ role: 'user', content: [{ type: 'image_url', url: 'https://a.test/i' }] }];
    const before = structuredClone(input);
    openaiChat.decode(input);
    expect(input).toEqual(before);
  });
});

it('is a value that describes itself', () => {
  expect([openaiChat.name, openaiChat.capabilities.parts.tool, Object.isFrozen(openaiChat)]).toEqual([
    'openai-chat',
    ['text'],
    true,
  ]);
  expect(MessageStore.fromMessages('a', 'x').pipe((prompt) => openaiChat.encode(prompt)).payload.messages).toHaveLength(
    1,
  );
});
