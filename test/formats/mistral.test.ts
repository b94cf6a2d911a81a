import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ChatCompletionRequest$outboundSchema as SdkRequest,
  ChatCompletionResponse$inboundSchema as SdkResponse,
} from '@mistralai/mistralai/models/components';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mistral, type MistralOptions, toSdk } from '../../src/formats/mistral/index.ts';
import {
  AudioSource,
  ContentPart,
  FileSource,
  InvalidInputError,
  Message,
  Messages,
  type MessageStoreError,
  ToolCall,
} from '../../src/index.ts';
import { assistant, call, chat, developer, fixIdentity, result, store, system, user } from '../../src/testing/index.ts';
import { checkMistral } from 'message-store/testing';

const FIXTURES = fileURLToPath(new URL('../fixtures/formats/mistral/', import.meta.url));
const casesIn = (folder: string): string[] =>
  globSync(`${folder}*.wire.json`, { cwd: FIXTURES })
    .map((file) => basename(file, '.wire.json'))
    .toSorted();
const read = (file: string): any => JSON.parse(readFileSync(FIXTURES + file, 'utf8'));
const NOTHING = { losses: [], repairs: [] };

let restore: () => void;
beforeEach(() => {
  restore = fixIdentity();
});
afterEach(() => restore());

const encoded = (messages: Messages, options?: MistralOptions) => mistral.encode(messages, options);
const wire = (messages: Messages, options?: MistralOptions): any[] => {
  const { payload } = encoded(messages, options);
  expect(checkMistral(payload)).toEqual([]);
  return payload.messages;
};
const roles = (messages: Messages, options?: MistralOptions) => wire(messages, options).map(({ role }) => role);
const losses = (messages: Messages, options?: MistralOptions) =>
  encoded(messages, options).report.losses.map(({ path, rule, action }) => [path, rule, action]);
const repairs = (messages: Messages, options?: MistralOptions) =>
  encoded(messages, options).report.repairs.map(({ path, rule, action }) => [path, rule, action]);
/** The content of one message of the user. */
const said = (...parts: ContentPart[]) => wire(chat(user(parts)))[0].content;
const refusal = (run: () => unknown): [code: string, path: string] => {
  try {
    run();
  } catch (error) {
    const { code, path } = error as MessageStoreError;
    return [code, path];
  }
  throw new Error('nothing was refused');
};
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const asking = assistant('', call('f', {}, 'abcDEF123'));
const answer = result('abcDEF123', 'r');

describe('a recorded request', () => {
  it.each(casesIn(''))('is one that Mistral takes, and is read into the same messages: %s', (name) => {
    const request = read(`${name}.wire.json`);
    expect(checkMistral(request)).toEqual([]);
    const { messages, report } = mistral.decode(request, { strict: true });
    if (process.env['UPDATE']) writeFileSync(`${FIXTURES}${name}.model.json`, `${JSON.stringify(messages, null, 2)}\n`);
    expect(messages.toJSON()).toEqual(read(`${name}.model.json`));
    expect(report).toEqual(NOTHING);
  });

  it.each(casesIn(''))('goes out again as it came: %s', (name) => {
    const request = read(`${name}.wire.json`);
    const { messages } = mistral.decode(request);
    expect(encoded(messages, { invalid: 'throw', losses: 'throw' })).toEqual({ payload: request, report: NOTHING });
    expect(encoded(Messages.fromJSON(read(`${name}.model.json`))).payload).toEqual(request);
  });

  it.each(casesIn(''))('is read just so from the spelling of the package, and goes back into it: %s', (name) => {
    const request = read(`${name}.wire.json`);
    const sdk = toSdk(request, { model: 'm' });
    expect(mistral.decode({ messages: sdk.messages }).messages.toJSON()).toEqual(read(`${name}.model.json`));
    const sent = SdkRequest.parse(sdk).messages as any[];
    expect(sent).toMatchObject(request.messages);
  });
});

describe('a recorded response', () => {
  it.each(casesIn('responses/'))('is read with why it ended and what it cost, and goes out again: %s', (name) => {
    const response = read(`responses/${name}.wire.json`);
    const { messages, ...told } = mistral.decode(response);
    const model = { messages: messages.toJSON(), ...told };
    const path = `responses/${name}.model.json`;
    if (process.env['UPDATE']) writeFileSync(FIXTURES + path, `${JSON.stringify(model, null, 2)}\n`);
    expect(model).toEqual(read(path));
    const calls = messages.first()?.toolCalls.map(({ id }) => result(id as string, 'r')) ?? [];
    const { tool_calls, ...message } = response.choices[0].message;
    if (told.finish?.reason === 'length') return;
    expect(wire(chat(user('q'), ...messages, ...calls, user('next')), { userAfterTool: true })[1]).toEqual(
      tool_calls === null ? message : { ...message, ...(tool_calls && { tool_calls }) },
    );
  });

  it.each(casesIn('responses/'))('says the same where the package read it: %s', (name) => {
    const { messages, finish, usage } = mistral.decode(SdkResponse.parse(read(`responses/${name}.wire.json`)));
    const expected = mistral.decode(read(`responses/${name}.wire.json`));
    expect([finish, usage]).toEqual([expected.finish, expected.usage]);
    expect(messages.first()?.content.toJSON()).toEqual(expected.messages.first()?.content.toJSON());
    expect(messages.first()?.toolCalls.toJSON()).toEqual(expected.messages.first()?.toolCalls.toJSON());
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['error', 'error'],
    ['constructor', 'other'],
  ])('tells in neutral words why it ended: %s', (finish_reason, reason) => {
    const { finish } = mistral.decode({ choices: [{ message: { content: 'a' }, finish_reason }] });
    expect(finish).toEqual({ reason, raw: finish_reason });
  });

  it('with further choices tells that they are not read; calls that were cut are marked', () => {
    const message = { role: 'assistant', content: '', tool_calls: [{ id: 'abcDEF123', function: { name: 'f' } }] };
    const { messages, report } = mistral.decode({ choices: [{ message, finish_reason: 'length' }, {}] });
    expect(report.losses).toMatchObject([{ path: 'choices[1]', rule: 'further-choice', action: 'dropped' }]);
    expect(messages.first()?.incomplete).toEqual({ reason: 'length' });
  });

  it('keeps a chunk that the package does not know', () => {
    const message = { role: 'assistant', content: [{ type: 'video', url: 'x' }] };
    const parsed = SdkResponse.parse({
      ...read('responses/text.wire.json'),
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    });
    const { messages } = mistral.decode(parsed);
    expect(mistral.encode(chat(user('q'), ...messages, user('go'))).payload.messages[1]).toMatchObject(message);
  });
});

describe('roles', () => {
  it('of a developer are those of the system, in their order, and told', () => {
    const messages = chat(developer('D'), system('S'), user('hi'));
    expect(wire(messages)).toEqual([
      { role: 'system', content: 'D' },
      { role: 'system', content: 'S' },
      { role: 'user', content: 'hi' },
    ]);
    expect(losses(messages)).toEqual([['messages[0].role', 'developer-role', 'degraded']]);
  });

  it('system stays behind the user and behind such, and goes first behind others and from the end', () => {
    const messages = chat(user('a'), system('S1'), system('S2'), assistant('b'), system('S3'), user('c'), system('S4'));
    expect(wire(messages).map(({ role, content }) => `${role} ${content}`)).toEqual([
      'system S3',
      'system S4',
      'user a',
      'system S1',
      'system S2',
      'assistant b',
      'user c',
    ]);
    expect(losses(messages)).toEqual([
      ['messages[4]', 'system-place', 'moved'],
      ['messages[6]', 'system-place', 'moved'],
    ]);
  });

  it('assistant at the end is to be continued', () => {
    const messages = chat(user('a'), assistant('Once'));
    expect(wire(messages)[1]).toEqual({ role: 'assistant', content: 'Once', prefix: true });
    expect(repairs(messages)).toEqual([['messages[1]', 'prefix', 'added']]);
    const came = mistral.decode(encoded(messages).payload).messages;
    expect(encoded(came).report).toEqual(NOTHING);
    expect(wire(came.appendMessages(user('go')))[1]).toEqual({ role: 'assistant', content: 'Once' });
  });

  it('assistant does not begin, user does not follow a tool: words stand between, unless it came so', () => {
    const greeting = chat(assistant('hello'), user('hi'));
    expect(roles(greeting)).toEqual(['user', 'assistant', 'user']);
    expect(repairs(greeting)).toEqual([['messages[0]', 'stand-in', 'added']]);
    const steered = chat(user('q'), asking, answer, user('stop'));
    expect(roles(steered)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(repairs(steered)).toEqual([['messages[3]', 'stand-in', 'added']]);
    expect(roles(steered, { userAfterTool: true })).toEqual(['user', 'assistant', 'tool', 'user']);
    const came = mistral.decode(encoded(steered, { userAfterTool: true }).payload).messages;
    expect(roles(came)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(roles(chat(asking, answer))).toEqual(['user', 'assistant', 'tool']);
    expect(refusal(() => encoded(greeting, { invalid: 'throw' }))).toEqual(['starts_with_assistant', 'messages[0]']);
    expect(refusal(() => encoded(steered, { invalid: 'throw' }))).toEqual(['invalid_role', 'messages[3]']);
  });

  it('without the user get words of one, save where a single system message is all there is', () => {
    expect(roles(chat(system('a')))).toEqual(['system']);
    expect(roles(chat(system('a'), system('b')))).toEqual(['system', 'system', 'user']);
    expect(roles(Messages.empty())).toEqual(['user']);
    expect(refusal(() => encoded(Messages.empty(), { invalid: 'throw' }))[0]).toBe('no_user_message');
  });

  it('of a store come in section order', () => {
    const prompt = store({ system: [system('S')], chat: [user('a'), user('')] });
    expect(mistral.encode(prompt).payload.messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'a' },
    ]);
  });

  it('are left out with their message where nothing of it is left', () => {
    const messages = chat(user('a'), assistant(ContentPart.reasoning('hm')), assistant(''), user('b'));
    expect(roles(messages)).toEqual(['user', 'user']);
    expect(losses(messages)).toEqual([
      ['messages[1].content[0]', 'reasoning', 'dropped'],
      ['messages[1]', 'emptied-message', 'dropped'],
      ['messages[2]', 'emptied-message', 'dropped'],
    ]);
  });
});

describe('parts', () => {
  it('are chunks of the wire', () => {
    expect(
      said(
        ContentPart.text('See:'),
        ContentPart.imageUrl(PNG),
        ContentPart.of('image_url', { image_url: { url: 'https://a.test/i.png', detail: 'high' } }),
        ContentPart.file(FileSource.fromDataUri('data:application/pdf;base64,JVBERi0=', { fileName: 'a.pdf' })),
        ContentPart.file(FileSource.fromUrl('https://a.test/a.pdf')),
        ContentPart.file(FileSource.fromId('3f1c')),
        ContentPart.audio(AudioSource.of({ format: 'wav', data: 'UklGRg==' })),
      ),
    ).toEqual([
      { type: 'text', text: 'See:' },
      { type: 'image_url', image_url: PNG },
      { type: 'image_url', image_url: { url: 'https://a.test/i.png', detail: 'high' } },
      { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0=', document_name: 'a.pdf' },
      { type: 'document_url', document_url: 'https://a.test/a.pdf' },
      { type: 'file', file_id: '3f1c' },
      { type: 'input_audio', input_audio: 'UklGRg==' },
    ]);
  });

  it.each<[string, ContentPart, string, string]>([
    [
      'another detail',
      ContentPart.of('image_url', { image_url: { url: PNG, detail: 'original' } }),
      'part-key',
      'dropped',
    ],
    ['a cache mark', ContentPart.text('a').withField('cache_control', { type: 'ephemeral' }), 'part-key', 'dropped'],
    [
      'the name of a file by its id',
      ContentPart.of('file', { file: { file_id: 'a', file_name: 'b' } }),
      'part-key',
      'dropped',
    ],
    ['a refusal', ContentPart.refusal('No.'), 'refusal', 'degraded'],
    ['reasoning from elsewhere', ContentPart.reasoning('hm', { provider: 'anthropic' }), 'reasoning', 'dropped'],
    [
      'a file id from elsewhere',
      ContentPart.of('file', { file: { file_id: 'a' }, _origin: { provider: 'openai-chat' } }),
      'file-id',
      'dropped',
    ],
    ['an unknown type', ContentPart.of('video', { url: 'x' }), 'part-type', 'dropped'],
    ['a chunk from nowhere', ContentPart.of('reference', { reference_ids: [1] }), 'part-type', 'dropped'],
    ['text without text', ContentPart.of('text'), 'part-shape', 'dropped'],
    ['an image without an address', ContentPart.of('image_url'), 'address', 'dropped'],
    ['an image in a bucket', ContentPart.imageUrl('gs://b/i.png'), 'address', 'dropped'],
  ])('tell what is lost of them: %s', (_, part, rule, action) => {
    const messages = chat(user(['x', part]));
    expect(losses(messages)).toEqual([['messages[0].content[1]', rule, action]]);
    expect(wire(messages)[0].content).toHaveLength(rule === 'part-key' || action === 'degraded' ? 2 : 1);
  });

  it('stand where their role has them', () => {
    const image = ContentPart.imageUrl(PNG);
    expect(losses(chat(system(['S', image]), user('q'), assistant(['a', image]), user('b')))).toEqual([
      ['messages[0].content[1]', 'part-role', 'dropped'],
      ['messages[2].content[1]', 'part-role', 'dropped'],
    ]);
    const shot = chat(user('q'), asking, result('abcDEF123', ['see', image]));
    expect(wire(shot)[2].content).toHaveLength(2);
    expect(wire(shot, { toolMedia: false })[2].content).toEqual([{ type: 'text', text: 'see' }]);
    expect(losses(shot, { toolMedia: false })).toEqual([['messages[2].content[1]', 'part-role', 'dropped']]);
  });

  it('of thought go back to where they came from, whole, and as text only where that is asked for', () => {
    const thinking = [
      { type: 'text', text: 'a' },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'b' },
    ];
    const chunk = { type: 'thinking', thinking, signature: 'c2ln', closed: false };
    const came = mistral.decode([
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [chunk, { type: 'text', text: 'x' }] },
      { role: 'user', content: 'r' },
    ]).messages;
    expect(came.at(1)?.contentParts().first()).toMatchObject({ type: 'reasoning', fields: { text: 'ab' } });
    expect(wire(came)[1].content[0]).toEqual(chunk);
    expect(wire(came, { thinking: false })[1].content).toEqual([{ type: 'text', text: 'x' }]);
    expect(losses(came, { thinking: false })).toEqual([['messages[1].content[0]', 'reasoning', 'dropped']]);
    const foreign = chat(user('q'), assistant([ContentPart.reasoning('hm'), ContentPart.text('x')]), user('r'));
    expect(wire(foreign, { foreignReasoning: 'text' })[1].content[0]).toEqual({ type: 'text', text: 'hm' });
    expect(losses(foreign, { foreignReasoning: 'text' })).toEqual([
      ['messages[1].content[0]', 'reasoning', 'degraded'],
    ]);
  });

  it('that were edited take the new words along', () => {
    const came = mistral.decode([{ role: 'assistant', content: [{ type: 'thinking', thinking: [], signature: 's' }] }]);
    const edited = came.messages
      .first()!
      .withContent([came.messages.first()!.contentParts().first()!.withField('text', 'new')]);
    expect(wire(chat(user('q'), edited, user('r')))[1].content).toEqual([
      { type: 'thinking', thinking: [{ type: 'text', text: 'new' }], signature: 's' },
    ]);
  });
});

describe('calls and answers', () => {
  it('have ids of nine letters and digits, the same each time, and legal names', () => {
    const turn = chat(
      user('q'),
      assistant(
        '',
        call('a', {}, 'call_2512345678901'),
        call('browser.tabs.open', {}, 'call_2512345678902'),
        call('c', {}, 'abcDEF123'),
      ),
      result('call_2512345678901', 'A'),
      result('call_2512345678902', 'B', { toolName: 'browser.tabs.open' }),
      result('abcDEF123', 'C'),
    );
    const [, asked, ...answers] = wire(turn);
    const ids = asked.tool_calls.map((one: any) => one.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('abcDEF123');
    expect(answers.map((one) => one.tool_call_id)).toEqual(ids);
    expect(answers[1].name).toBe(asked.tool_calls[1].function.name);
    expect(answers[1].name).toMatch(/^browser_tabs_open_\w{10}$/);
    expect(wire(turn)).toEqual([...wire(turn)]);
    expect(repairs(turn)).toEqual([
      ['messages[1].toolCalls[0]', 'call-id', 'rewritten'],
      ['messages[1].toolCalls[1]', 'call-id', 'rewritten'],
      ['messages[1].toolCalls[1]', 'call-name', 'rewritten'],
      ['messages[3].name', 'call-name', 'rewritten'],
    ]);
  });

  it('have arguments as JSON text, byte for byte; free text as an object, and {} for what is none', () => {
    const args = (given: ToolCall) =>
      wire(chat(user('q'), assistant('', given), answer))[1].tool_calls[0].function.arguments;
    const odd = '{ "n": 12345678901234567890 }';
    expect(args(ToolCall.of({ id: 'abcDEF123', name: 'f', args: odd }))).toBe(odd);
    expect(args(ToolCall.of({ id: 'abcDEF123', name: 'f', args: 'ls', kind: 'custom' }))).toBe('{"input":"ls"}');
    const broken = chat(user('q'), assistant('', ToolCall.of({ id: 'abcDEF123', name: 'f', args: '{"a' })), answer);
    expect(wire(broken)[1].tool_calls[0].function.arguments).toBe('{}');
    expect(repairs(broken)).toEqual([['messages[1].toolCalls[0]', 'malformed-arguments', 'rewritten']]);
    expect(refusal(() => encoded(broken, { invalid: 'throw' }))[0]).toBe('malformed_arguments');
  });

  it('tell a status, a name and keys that have no place', () => {
    const failed = result('abcDEF123', 'no', { status: 'error' });
    const odd = Message.from({ role: 'user', name: 'ann', content: 'a', vendor: 1, _note: 'n' });
    expect(losses(chat(odd, asking, failed))).toEqual([
      ['messages[0].name', 'name', 'dropped'],
      ['messages[0].vendor', 'message-key', 'dropped'],
      ['messages[2].toolResult.status', 'error-flag', 'dropped'],
    ]);
    const extra = ToolCall.from({ id: 'abcDEF123', name: 'f', vendor: 1 });
    expect(losses(chat(user('q'), assistant('', extra), answer))).toEqual([
      ['messages[1].toolCalls[0].vendor', 'tool-call-key', 'dropped'],
    ]);
  });

  it('stand behind all content', () => {
    const mark = ContentPart.of('tool_call', { id: 'abcDEF123' });
    const turn = chat(user('q'), assistant(['a', mark, 'b'], call('f', {}, 'abcDEF123')), answer);
    expect(wire(turn)[1].content).toHaveLength(2);
    expect(losses(turn)).toEqual([['messages[1].content', 'interleaving', 'moved']]);
  });

  it('that wait at the very end are refused, or answered as cancelled', () => {
    expect(refusal(() => encoded(chat(user('q'), asking)))[0]).toBe('tool_turn_open');
    expect(roles(chat(user('q'), asking), { openTurn: 'cancel' })).toEqual(['user', 'assistant', 'tool']);
  });
});

describe('reading', () => {
  it('refuses what it cannot read, naming the place', () => {
    const at = (...messages: unknown[]) => refusal(() => mistral.decode({ messages }))[1];
    expect(refusal(() => mistral.decode(5))[1]).toBe('messages');
    expect(refusal(() => mistral.decode({ choices: [] }))[1]).toBe('choices[0]');
    expect(at('x')).toBe('messages[0]');
    expect(at({ role: 'robot', content: 'x' })).toBe('messages[0].role');
    expect(at({ role: 'user', content: 5 })).toBe('messages[0].content');
    expect(at({ role: 'user', content: [{ text: 'x' }] })).toBe('messages[0].content[0]');
    expect(at({ role: 'assistant', tool_calls: {} })).toBe('messages[0].tool_calls');
    expect(at({ role: 'assistant', tool_calls: [{ id: 'a' }] })).toBe('messages[0].tool_calls[0]');
    expect(at({ role: 'user', content: [{ type: 'text', text: () => 1 }] })).toBe('messages[0].content[0].text');
    expect(() => mistral.decode({ messages: [5] })).toThrow(InvalidInputError);
  });

  it('replaces half of a character, and keeps keys like __proto__ as data', () => {
    const { messages, report } = mistral.decode([{ role: 'user', content: 'a\ud83d' }]);
    expect([messages.first()?.toString(), report.repairs[0]?.path]).toEqual(['a\ufffd', 'messages[0].content']);
    const hostile = JSON.parse('[{"role":"user","content":"a","__proto__":{"polluted":1}}]');
    const read_ = mistral.decode(hostile).messages;
    expect(Object.keys(read_.first()!.extra)).toEqual(['__proto__']);
    expect(JSON.stringify(encoded(read_).payload.messages)).toBe('[{"role":"user","content":"a"}]');
  });

  it('tells keys that mean something else here, and takes null as text for no id', () => {
    const { report } = mistral.decode([{ role: 'user', content: 'a', id: 'm1' }]);
    expect(report.losses).toMatchObject([{ path: 'messages[0].id', rule: 'message-key', action: 'dropped' }]);
    const [turn] = mistral.decode([
      { role: 'assistant', tool_calls: [{ id: 'null', function: { name: 'f' } }] },
    ]).messages;
    expect(turn?.toolCalls.first()?.id).toBeUndefined();
  });

  const good = {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'abcDEF123', function: { name: 'f', arguments: '{}' } }],
  };
  it.each<[string, string, readonly unknown[]]>([
    ['invalid_role', 'messages[1].role', [good, { role: 'system', content: 'x' }]],
    [
      'invalid_role',
      'messages[1].role',
      [
        { role: 'user', content: 'q' },
        { role: 'tool', content: 'x', tool_call_id: 'a' },
      ],
    ],
    ['missing_content', 'messages[0].content', [{ role: 'assistant', content: '' }]],
    ['missing_content', 'messages[0].content', [{ role: 'assistant', content: null }]],
    ['missing_tool_answer', 'messages[0]', [good, { role: 'user', content: 'x' }]],
    [
      'orphan_tool_answer',
      'messages[1]',
      [
        { ...good, tool_calls: [], content: 'x' },
        { role: 'tool', content: 'x', tool_call_id: 'a' },
      ],
    ],
  ])('strictly refuses: %s at %s', (code, path, messages) => {
    expect(refusal(() => mistral.decode({ messages }, { strict: true }))).toEqual([code, path]);
    expect(mistral.decode({ messages }).messages.size).toBe(messages.length);
  });
});
