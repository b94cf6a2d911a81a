import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anthropic, type AnthropicOptions, encodeToolChoice, encodeTools } from '../../src/formats/anthropic/index.ts';
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
import { assistant, call, chat, developer, fixIdentity, result, store, system, user } from '../../src/testing/index.ts';
import { checkAnthropic } from 'message-store/testing';

const FIXTURES = fileURLToPath(new URL('../fixtures/formats/anthropic/', import.meta.url));
const read = (file: string): any => JSON.parse(readFileSync(FIXTURES + file, 'utf8'));
const named = (pattern: string) =>
  globSync(pattern, { cwd: FIXTURES })
    .map((file) => basename(file, '.wire.json'))
    .toSorted();
const conversationOf = ({ system: instructions, messages }: any) => ({
  ...(instructions !== undefined && { system: instructions }),
  messages,
});
const NOTHING = { losses: [], repairs: [] };

let restore: () => void;
beforeEach(() => {
  restore = fixIdentity();
});
afterEach(() => restore());

const encoded = (messages: Messages, options?: AnthropicOptions) => {
  const before = JSON.stringify(messages);
  const { payload, report } = anthropic.encode(messages, options);
  expect(JSON.stringify(messages)).toBe(before);
  expect(JSON.stringify(anthropic.encode(messages, options).payload)).toBe(JSON.stringify(payload));
  return { payload, report };
};
const wire = (...messages: readonly Message[]): any[] => encoded(chat(...messages)).payload.messages;
const text = (words: string) => ({ type: 'text', text: words });
const told = (messages: Messages, options?: AnthropicOptions) => {
  const { losses, repairs } = encoded(messages, options).report;
  return [losses, repairs].map((entries) => entries.map(({ path, rule, action }) => [path, rule, action]));
};
const losses = (...messages: readonly Message[]) => told(chat(...messages))[0];
/** How parts of the user go out. */
const blocks = (...parts: readonly ContentPartInput[]): any[] => wire(user(['!', ...parts]))[0].content.slice(1);
/** A turn with an answer to each of its calls, after a word of the user. */
const asked = (turn: Message): Message[] => [
  user('q'),
  turn,
  ...turn.toolCalls.map(({ id }) => result(id as string, 'r')),
];
const codeAt = (run: () => unknown): unknown[] => {
  try {
    run();
  } catch (error) {
    const { code, path, value } = error as MessageStoreError;
    return [code, path, value];
  }
  return [];
};
const from = (provider: string, data?: unknown, model?: string) => ({
  provider,
  ...(model !== undefined && { model }),
  ...(data !== undefined && { data: data as never }),
});

describe('a recorded request', () => {
  it.each(named('*.wire.json'))('is read into the same messages, and goes out again as it came: %s', (name) => {
    const request = read(`${name}.wire.json`);
    const { messages, report } = anthropic.decode(request, { strict: name !== 'documents' });
    if (process.env['UPDATE']) writeFileSync(`${FIXTURES}${name}.model.json`, `${JSON.stringify(messages, null, 2)}\n`);
    expect(messages.toJSON()).toEqual(read(`${name}.model.json`));
    expect(report).toEqual(NOTHING);
    const payload = conversationOf(request);
    expect(anthropic.encode(messages)).toEqual({ payload, report: NOTHING });
    expect(anthropic.encode(Messages.fromJSON(read(`${name}.model.json`))).payload).toEqual(payload);
  });
});

describe('a recorded response', () => {
  it.each(named('responses/*.wire.json'))(
    'is read with why it ended and what it cost, and goes out again: %s',
    (name) => {
      const response = read(`responses/${name}.wire.json`);
      const { messages, report, ...said } = anthropic.decode(response);
      const model = { messages: messages.toJSON(), ...said };
      const path = `responses/${name}.model.json`;
      if (process.env['UPDATE']) writeFileSync(FIXTURES + path, `${JSON.stringify(model, null, 2)}\n`);
      expect(model).toEqual(read(path));
      expect(report).toEqual(NOTHING);
      const [message] = messages;
      const [, turn] = wire(...asked(message!));
      expect(turn?.content ?? []).toEqual(response.content);
    },
  );
});

describe('encode', () => {
  it('puts instructions at the top, and all answers of a turn into one message', () => {
    const { payload, report } = encoded(
      chat(
        system('sys'),
        user('q'),
        assistant('', call('f', {}, 'c1'), call('g', '{"x":{}}', 'c2')),
        result('c1', '[1,2]', { toolName: 'f' }),
        result('c2', 'nope', { toolName: 'g', status: 'error' }),
      ),
    );
    expect(payload).toEqual({
      system: 'sys',
      messages: [
        { role: 'user', content: [text('q')] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'c1', name: 'f', input: {} },
            { type: 'tool_use', id: 'c2', name: 'g', input: { x: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '[1,2]' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'nope', is_error: true },
          ],
        },
      ],
    });
    expect(report).toEqual(NOTHING);
  });

  it('takes a store in section order, without blank messages', () => {
    const prompt = store({ system: [system('S')], chat: [user('a'), user('')] });
    expect(anthropic.encode(prompt).payload).toEqual({
      system: 'S',
      messages: [{ role: 'user', content: [text('a')] }],
    });
  });

  it('keeps the developer’s words among the instructions, in their order', () => {
    const messages = chat(developer('D'), system('S'), user('hi'));
    expect(encoded(messages).payload).toEqual({
      system: [text('D'), text('S')],
      messages: [{ role: 'user', content: [text('hi')] }],
    });
    expect(told(messages)).toEqual([[['messages[0].role', 'developer-role', 'degraded']], []]);
  });

  it('joins what the user says in several messages, also behind answers', () => {
    expect(wire(user('context'), user('question'))).toEqual([
      { role: 'user', content: [text('context'), text('question')] },
    ]);
    const [, , last] = wire(...asked(assistant('', call('f'))), user('go on'));
    expect(last).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'f', content: 'r' }, text('go on')],
    });
  });

  it('puts all answers first where words stand between them', () => {
    const messages = chat(
      user('go'),
      assistant('', call('a', {}, 'c1'), call('b', {}, 'c2')),
      result('c1', 'A'),
      user('reminder'),
      result('c2', 'B'),
      user('and?'),
    );
    expect(encoded(messages).payload.messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', content: 'A' },
      { type: 'tool_result', tool_use_id: 'c2', content: 'B' },
      text('reminder'),
      text('and?'),
    ]);
  });

  it('sends images in answers where they are', () => {
    const image = ImageSource.fromUrl('data:image/png;base64,iVBORw0KGgo=');
    const [, , last] = wire(
      user('look'),
      assistant('', call('shot', {}, 'c1'), call('read', {}, 'c2')),
      result('c1', ['see image', image]),
      result('c2', 'txt'),
    );
    expect(last.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        content: [
          text('see image'),
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
      { type: 'tool_result', tool_use_id: 'c2', content: 'txt' },
    ]);
  });

  it('sends no blank text, and no message that is empty', () => {
    const messages = chat(
      user('q'),
      assistant(['', ''], call('x', {}, 'c1')),
      result('c1', 'r'),
      assistant('\n'),
      user('more'),
    );
    expect(encoded(messages).payload.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'x', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'r' }, text('more')] },
    ]);
    expect(told(messages)[0]).toEqual([
      ['messages[3].content[0]', 'blank-text', 'dropped'],
      ['messages[3]', 'emptied-message', 'dropped'],
    ]);
    expect(wire(user('a'), assistant(ContentPart.reasoning('hmm')), user('b'))).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
    ]);
  });

  it('keeps the order of what is said and called', () => {
    const marked = Message.of({
      role: 'assistant',
      content: ['first', ContentPart.of('tool_call', { id: 'a' }), 'between'],
      toolCalls: [call('a'), call('b')],
    });
    const [, { content }] = wire(...asked(marked));
    expect(content.map((block: any) => block.id ?? block.text)).toEqual(['first', 'a', 'between', 'b']);
  });

  it('sends nothing internal', () => {
    const noted = Message.of({
      role: 'user',
      content: [ContentPart.of('text', { text: 'hi', _origin: from('x'), _note: 'n' })],
      metadata: { secret: 't-1' },
      parentId: 'p',
    });
    expect(wire(noted)).toEqual([{ role: 'user', content: [text('hi')] }]);
    expect(losses(noted)).toEqual([]);
  });

  it('gives an input that may be changed, with keys of any name', () => {
    const turn = chat(...asked(assistant('', call('f', '{"__proto__":{"a":1},"list":[1]}'))));
    const first = encoded(turn).payload.messages[1]?.content[0] as any;
    expect(Object.keys(first.input)).toEqual(['__proto__', 'list']);
    first.input.list.push(2);
    expect((encoded(turn).payload.messages[1]?.content[0] as any).input.list).toEqual([1]);
  });
});

describe('media', () => {
  it.each<[string, ContentPartInput, unknown]>([
    [
      'an image by URL',
      ImageSource.fromUrl('https://a.test/i'),
      { type: 'image', source: { type: 'url', url: 'https://a.test/i' } },
    ],
    [
      'an image by its id',
      { type: 'image_url', image_url: { file_id: 'file_1' } },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    ],
    [
      'a PDF',
      FileSource.of({ fileData: 'data:application/pdf;base64,JVBERi0=', fileName: 'a.pdf' }),
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        title: 'a.pdf',
      },
    ],
    [
      'a text',
      FileSource.fromBytes(new TextEncoder().encode('# Ä'), 'text/markdown'),
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Ä' } },
    ],
    [
      'a document by URL',
      FileSource.fromUrl('https://a.test/a.pdf'),
      { type: 'document', source: { type: 'url', url: 'https://a.test/a.pdf' } },
    ],
    [
      'a document by its id',
      FileSource.fromId('file_2'),
      { type: 'document', source: { type: 'file', file_id: 'file_2' } },
    ],
    [
      'a file that is an image',
      FileSource.fromDataUri('data:image/gif;base64,R0lGODlh'),
      { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'R0lGODlh' } },
    ],
  ])('go out as the wire has them: %s', (_, part, block) => {
    expect(blocks(part)).toEqual([block]);
    expect(losses(user(['!', part as never]))).toEqual([]);
  });

  it('go out with the type that their bytes have', () => {
    const data = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA==';
    const types = ['image/png', 'image/jpg', 'IMAGE/JPEG'].map(
      (type) => blocks(ContentPart.imageUrl(`data:${type};base64,${data}`))[0].source.media_type,
    );
    expect(types).toEqual(['image/jpeg', 'image/jpeg', 'image/jpeg']);
    expect(blocks(ContentPart.imageUrl('data:image/gif;base64,AAAA'))[0].source.media_type).toBe('image/gif');
    expect(blocks(ContentPart.imageUrl('data:image/png;base64,UklGRiQAAABXRUJQVlA4'))[0].source.media_type).toBe(
      'image/webp',
    );
  });

  it('that the wire does not take leave a note, or are refused', () => {
    const image = ContentPart.imageUrl('data:image/svg+xml;base64,PHN2Zy8+');
    const sheet = FileSource.fromDataUri('data:application/vnd.ms-excel;base64,AAAA');
    const broken = FileSource.fromDataUri('data:text/plain;base64,/w==');
    expect(blocks(image, sheet, broken)).toEqual([
      text('[image/svg+xml media, not sent]'),
      text('[application/vnd.ms-excel media, not sent]'),
      text('[text/plain media, not sent]'),
    ]);
    expect(losses(user(image))).toEqual([['messages[0].content[0]', 'media-type', 'degraded']]);
    expect(codeAt(() => anthropic.encode(chat(user('a'), user(image)), { losses: 'throw' })).slice(0, 2)).toEqual([
      'losses',
      'messages[1].content[0]',
    ]);
  });
});

describe('thinking', () => {
  const signed = (words: string, model: string) =>
    ContentPart.reasoning(words, from('anthropic', { signature: 'S' }, model));

  it('goes back to the model that signed it, and no other', () => {
    const messages = chat(
      user('q'),
      assistant([ContentPart.reasoning('secret plan', from('openai', 'x')), 'answer']),
      assistant([signed('p', 'claude-a'), 'more']),
      user('next'),
    );
    const thoughts = (options: AnthropicOptions) =>
      encoded(messages, options)
        .payload.messages.slice(1, 3)
        .map(({ content }) => content);
    expect(thoughts({ model: 'claude-b' })).toEqual([[text('answer')], [text('more')]]);
    const kept = [[text('answer')], [{ type: 'thinking', thinking: 'p', signature: 'S' }, text('more')]];
    expect([thoughts({ model: 'claude-a' }), thoughts({})]).toEqual([kept, kept]);
    expect(told(messages, { model: 'claude-b' })[0]).toEqual([
      ['messages[1].content[0]', 'reasoning', 'dropped'],
      ['messages[2].content[0]', 'reasoning', 'dropped'],
    ]);
  });

  it('goes back without its text where the model showed none, and as text where that is asked for', () => {
    const messages = chat(
      user('q'),
      assistant([signed('', 'm'), ContentPart.reasoning('hm'), ContentPart.reasoning(' '), 'a']),
    );
    expect(encoded(messages, { foreignReasoning: 'text' }).payload.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: '', signature: 'S' },
      text('hm'),
      text('a'),
    ]);
    expect(told(messages, { foreignReasoning: 'text' })[0]).toEqual([
      ['messages[1].content[1]', 'reasoning', 'degraded'],
      ['messages[1].content[2]', 'reasoning', 'dropped'],
    ]);
  });
});

describe('ids and names', () => {
  it('that the wire does not take are made anew, call and answer alike', () => {
    const messages = chat(
      user('q'),
      assistant('', call('search', { q: 'x' }, 'functions.search:0'), call('search', { q: 'y' }, 'functions_search_0')),
      result('functions.search:0', 'X'),
      result('functions_search_0', 'Y'),
    );
    const [, { content: calls }, { content: answers }] = encoded(messages).payload.messages as any[];
    expect(calls[0].id).toMatch(/^toolu_[a-z0-9]{10}$/);
    expect([calls[1].id, answers.map((answer: any) => [answer.tool_use_id, answer.content])]).toEqual([
      'functions_search_0',
      [
        [calls[0].id, 'X'],
        ['functions_search_0', 'Y'],
      ],
    ]);
    expect(told(messages)).toEqual([[], [['messages[1].toolCalls[0]', 'call-id', 'rewritten']]]);
  });

  it('that a later turn uses again are made anew', () => {
    const messages = chat(...asked(assistant('', call('f'))), ...asked(assistant('', call('f'))));
    const { messages: sent } = encoded(messages).payload as any;
    const ids = sent.flatMap(({ content }: any) => content.map((block: any) => block.id ?? block.tool_use_id));
    const [first, second] = ids
      .filter((id: unknown) => id !== undefined)
      .filter((_: unknown, at: number) => at % 2 === 0);
    expect([first, second === first, new Set(ids).size]).toEqual(['f', false, 3]);
    expect(told(messages)[1]).toEqual([['messages[4].toolCalls[0]', 'call-id', 'rewritten']]);
  });

  it('of tools are made of what the wire takes of them', () => {
    const messages = chat(
      user('q'),
      call('browser.tabs.open', {}, 'c1'),
      result('c1', 'unknown tool', { status: 'error' }),
    );
    expect((encoded(messages).payload.messages[1]?.content[0] as any).name).toMatch(/^browser_tabs_open_[a-z0-9]{10}$/);
    expect(told(messages)[1]).toEqual([['messages[1].toolCalls[0]', 'call-name', 'rewritten']]);
    expect(messages.at(1)?.toolCalls.first()?.name).toBe('browser.tabs.open');
    const nameless = chat(
      user('q'),
      Message.from({ role: 'assistant', tool_calls: [{ id: 'c2' }] }),
      result('c2', 'r'),
    );
    expect(encoded(nameless).payload.messages[1]?.content).toMatchObject([{ name: 'unnamed_tool' }]);
  });
});

describe('instructions in the middle', () => {
  const messages = chat(user('a'), system('S'), assistant('b'), user('c'), system('T'), user('d'), system('U'));

  it('go to the top, and are told', () => {
    expect(encoded(messages).payload).toEqual({
      system: [text('S'), text('T'), text('U')],
      messages: [
        { role: 'user', content: [text('a')] },
        { role: 'assistant', content: [text('b')] },
        { role: 'user', content: [text('c')] },
        { role: 'user', content: [text('d')] },
      ],
    });
    expect(told(messages)[0]).toEqual([1, 4, 6].map((at) => [`messages[${at}]`, 'system-place', 'moved']));
  });

  it('stay where a model takes them, at the places where it does', () => {
    const { payload } = encoded(messages, { systemInMessages: true });
    expect(payload.system).toBe('T');
    expect(payload.messages.map(({ role, content }) => (role === 'system' ? content : role))).toEqual([
      'user',
      'S',
      'assistant',
      'user',
      'user',
      'U',
    ]);
    const behind = chat(user('a'), assistant('b'), system('S'));
    expect(encoded(behind, { systemInMessages: true }).payload.messages).toHaveLength(2);
  });

  it('that were read from there go to the top where that is asked for', () => {
    const read = anthropic.decode([
      { role: 'user', content: 'a' },
      { role: 'system', content: 'S' },
    ]).messages;
    expect(anthropic.encode(read, { systemInMessages: false }).payload).toEqual({
      system: 'S',
      messages: [{ role: 'user', content: 'a' }],
    });
  });
});

describe('the ends of a history', () => {
  it('are closed by words of the user where there are none', () => {
    const ends = [chat(system('s')), chat(), chat(assistant('hello'), user('hi'))];
    expect(ends.map((messages) => encoded(messages).payload.messages.map(({ role }) => role))).toEqual([
      ['user'],
      ['user'],
      ['user', 'assistant', 'user'],
    ]);
    expect(ends.map((messages) => told(messages)[1])).toEqual([
      [['messages', 'no-user-message', 'added']],
      [['messages', 'no-user-message', 'added']],
      [['messages[0]', 'starts-with-assistant', 'added']],
    ]);
    expect(ends.map((messages) => codeAt(() => anthropic.encode(messages, { invalid: 'throw' }))[0])).toEqual([
      'no_user_message',
      'no_user_message',
      'starts_with_assistant',
    ]);
    expect(encoded(chat(assistant('hello')), { assistantFirst: true }).payload.messages).toHaveLength(1);
  });

  it('may be the assistant’s, unless the model takes no such end', () => {
    const messages = chat(user('hi'), assistant('partial answer'));
    expect(encoded(messages).payload.messages.at(-1)).toEqual({ role: 'assistant', content: [text('partial answer')] });
    const { payload } = encoded(messages, { prefill: false });
    expect(payload.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(told(messages, { prefill: false })[1]).toEqual([['messages[1]', 'ends-with-assistant', 'added']]);
    expect(codeAt(() => anthropic.encode(messages, { prefill: false, invalid: 'throw' }))).toEqual([
      'ends_with_assistant',
      'messages[1]',
      undefined,
    ]);
  });

  it('have no whitespace behind the assistant’s last text, which stays everywhere else', () => {
    const messages = chat(user('table  \n'), assistant('row 1  \n'), user('go'), assistant('Answer:  \n'));
    expect(encoded(messages).payload.messages.map(({ content }) => content)).toEqual(
      ['table  \n', 'row 1  \n', 'go', 'Answer:'].map((words) => [text(words)]),
    );
    expect(told(messages)[1]).toEqual([['messages[3]', 'prefill-whitespace', 'rewritten']]);
  });
});

describe('what cannot stand alone', () => {
  const thinking = { type: 'reasoning', text: 'hm', _origin: { provider: 'anthropic', data: { signature: 'c2ln' } } };
  const hidden = { type: 'reasoning', text: '', _origin: { provider: 'anthropic', data: { data: 'RU5D' } } };
  const own = (type: string, fields: object) => ({ type, ...fields, _origin: { provider: 'anthropic' } });
  const use = own('server_tool_use', { id: 'srvtoolu_1', name: 'web_search', input: {} });
  const found = own('web_search_tool_result', { tool_use_id: 'srvtoolu_1', content: [] });
  const typesOf = (...messages: readonly Message[]) =>
    wire(user('q'), ...messages).map(({ content }) => content.map(({ type }: any) => type));
  const alone = [[], [['messages[1]', 'alone', 'dropped']]];

  it('leaves out thinking at the end of what the assistant says', () => {
    expect(typesOf(assistant(['So', hidden]), user('go on'))).toEqual([['text'], ['text'], ['text']]);
    expect(typesOf(assistant([thinking]), user('go on'))).toEqual([['text'], ['text']]);
    expect(typesOf(assistant([thinking]))).toEqual([['text']]);
    expect(told(chat(user('q'), assistant([thinking]), user('go on')))).toEqual(alone);
  });

  it('leaves thinking in front of what the assistant goes on with', () => {
    const turns = [assistant([thinking]), assistant('So')];
    expect(typesOf(...turns, user('go on'))).toEqual([['text'], ['thinking'], ['text'], ['text']]);
    expect(typesOf(...asked(assistant([thinking], call('f'))).slice(1))[1]).toEqual(['thinking', 'tool_use']);
  });

  it('leaves out a tool of the provider without its answer where the user speaks next', () => {
    expect(typesOf(assistant(['So', use]), user('go on'))).toEqual([['text'], ['text'], ['text']]);
    expect(typesOf(assistant([thinking, use]), user('go on'))).toEqual([['text'], ['text']]);
    expect(told(chat(user('q'), assistant(['So', use]), user('go on')))).toEqual(alone);
  });

  it('leaves a tool of the provider that has its answer, or may get it', () => {
    expect(typesOf(assistant([use, found, 'So']), user('go on'))[1]).toEqual([use.type, found.type, 'text']);
    expect(typesOf(assistant([use]))[1]).toEqual([use.type]);
    expect(typesOf(assistant([use]), assistant([found]), user('go on'))[1]).toEqual([use.type]);
    expect(typesOf(...asked(assistant([use], call('f'))).slice(1))[1]).toEqual([use.type, 'tool_use']);
  });
});

describe('a history that no provider takes', () => {
  it('is repaired on the way out: a call without an answer', () => {
    const killed = chat(user('run it'), assistant('', call('run', { cmd: 'ls' }, 'c1')), user('continue'));
    expect(encoded(killed).payload.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(encoded(killed).payload.messages[2]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        content: 'Tool call was interrupted before it produced a result.',
        is_error: true,
      },
      text('continue'),
    ]);
    expect(codeAt(() => anthropic.encode(killed, { invalid: 'throw' }))).toEqual([
      'missing_tool_answer',
      'messages[1]',
      'c1',
    ]);
  });

  it('goes out with the first of two answers', () => {
    const twice = chat(...asked(assistant('', call('web', {}, 'c1'))), result('c1', 'second'));
    expect(encoded(twice).payload.messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', content: 'r' },
    ]);
    expect(told(twice)[1]).toEqual([['messages[3]', 'dropped', 'dropped']]);
  });

  it('sends {} for arguments that are no JSON object, and words where a tool failed without any', () => {
    const messages = chat(user('q'), assistant('', call('f', '{"city":"Os')), result('f', ' ', { status: 'error' }));
    const [, { content: calls }, { content: answers }] = encoded(messages).payload.messages as any[];
    expect([calls[0].input, answers[0]]).toEqual([
      {},
      { type: 'tool_result', tool_use_id: 'f', content: 'The tool failed.', is_error: true },
    ]);
    expect(told(messages)[1]).toEqual([
      ['messages[1].toolCalls[0]', 'malformed-arguments', 'rewritten'],
      ['messages[2]', 'empty-error', 'added'],
    ]);
    expect(wire(user('q'), call('f') && assistant('', call('f')), result('f', ''))[2].content).toEqual([
      { type: 'tool_result', tool_use_id: 'f' },
    ]);
  });

  it('is refused where calls wait for their answers', () => {
    const open = chat(user('q'), assistant('', call('a')));
    expect(codeAt(() => anthropic.encode(open))).toEqual(['tool_turn_open', 'messages[1]', ['a']]);
    expect(checkAnthropic(anthropic.encode(open, { openTurn: 'cancel' }).payload)).toEqual([]);
  });
});

describe('what the wire cannot carry', () => {
  it.each<[string, ContentPart, unknown[]]>([
    [
      'audio',
      ContentPart.of('input_audio', { input_audio: { data: 'QQ==', format: 'wav' } }),
      ['part-type', 'dropped'],
    ],
    ['an unknown type', ContentPart.of('video', { url: 'v' }), ['part-type', 'dropped']],
    [
      'a block of another provider',
      ContentPart.of('code', { x: 1, _origin: from('gemini') }),
      ['part-type', 'dropped'],
    ],
    ['a text part without text', ContentPart.of('text', { note: 'x' }), ['blank-text', 'dropped']],
    ['a blank text with a field', ContentPart.of('text', { text: '', note: 'x' }), ['blank-text', 'dropped']],
    ['a field of a text', ContentPart.of('text', { text: 'x', note: 'y' }), ['part-key', 'dropped']],
    ['a refusal of the user', ContentPart.refusal('No.'), ['part-role', 'dropped']],
    [
      'thinking of the user',
      ContentPart.reasoning('x', from('anthropic', { signature: 'S' })),
      ['part-role', 'dropped'],
    ],
    [
      'how closely to look',
      ContentPart.of('image_url', { image_url: { url: 'https://a.test', detail: 'low' } }),
      ['part-key', 'dropped'],
    ],
    ['an image that cannot be fetched', ContentPart.imageUrl('gs://a/b'), ['address', 'dropped']],
    ['an image without an address', ContentPart.of('image_url', {}), ['address', 'dropped']],
    ['a file without data', ContentPart.of('file', { file: { file_name: 'a' } }), ['address', 'dropped']],
    [
      'a file whose data is no data: URI',
      ContentPart.of('file', { file: { file_data: 'QQ==' } }),
      ['address', 'dropped'],
    ],
    [
      'a file at another provider',
      ContentPart.of('file', { file: { file_id: 'file-1' }, _origin: from('openai-chat') }),
      ['file-id', 'dropped'],
    ],
    [
      'the name of an image',
      ContentPart.of('file', { file: { file_data: 'data:image/png;base64,iVBORw0KGgo=', file_name: 'a' } }),
      ['part-key', 'dropped'],
    ],
  ])('is reported: %s', (_, part, entry) => {
    expect(losses(user(['!', part]))).toEqual([['messages[0].content[1]', ...entry]]);
  });

  it('is reported: names, statuses, unknown keys, the free text of a custom tool', () => {
    const custom = ToolCall.of({ id: 'a', name: 'sql', kind: 'custom', args: 'select 1' });
    const messages = chat(
      user('q', 'ann'),
      Message.of({
        role: 'assistant',
        content: [ContentPart.refusal('No.')],
        toolCalls: [custom],
        extra: { vendor: 1, refusal: null },
      }),
      result('a', 'r', { status: 'denied' }),
    );
    expect(encoded(messages).payload.messages[1]?.content).toEqual([
      text('No.'),
      { type: 'tool_use', id: 'a', name: 'sql', input: { input: 'select 1' } },
    ]);
    expect(told(messages)[0]).toEqual([
      ['messages[0].name', 'name', 'dropped'],
      ['messages[1].vendor', 'message-key', 'dropped'],
      ['messages[1].content[0]', 'refusal', 'degraded'],
      ['messages[1].toolCalls[0]', 'custom-tool', 'degraded'],
      ['messages[2].toolResult.status', 'status', 'degraded'],
    ]);
  });

  it('is reported: media of the assistant, and all but text in instructions', () => {
    const image = ContentPart.imageUrl('https://a.test/i');
    expect(losses(system(['s', image]), user('q'), assistant(['a', image]), user('q'))).toEqual([
      ['messages[0].content[1]', 'part-role', 'dropped'],
      ['messages[2].content[1]', 'part-role', 'dropped'],
    ]);
  });

  it('is reported: all cache marks but the last four', () => {
    const part = (words: string) => ContentPart.of('text', { text: words, cache_control: { type: 'ephemeral' } });
    const messages = chat(system(part('s')), user([part('a'), part('b')]), assistant(part('c')), user(part('d')));
    const { payload, report } = encoded(messages);
    expect([payload.system, report.losses.map(({ path, rule }) => [path, rule])]).toEqual([
      's',
      [['messages[0].content[0]', 'cache-marks']],
    ]);
    expect(told(messages, { cacheMarks: 1 })[0]).toHaveLength(4);
    expect(losses(user(ContentPart.of('text', { text: 'x', cache_control: 'yes' })))).toEqual([
      ['messages[0].content[0]', 'part-key', 'dropped'],
    ]);
  });
});

describe('decode', () => {
  it('keeps blocks that it does not know, in their order, and a server tool apart from the calls', () => {
    const content = [
      { type: 'redacted_thinking', data: 'ENC' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      { type: 'future_block', x: 1 },
      text('done'),
    ];
    const request = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content },
      { role: 'user', content: 'more' },
    ];
    const { messages } = anthropic.decode(request, { strict: true });
    const reloaded = Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    expect(anthropic.encode(reloaded)).toEqual({ payload: { messages: request }, report: NOTHING });
    expect([messages.at(1)?.toolCalls.size, String(messages.at(1))]).toEqual([0, 'done']);
  });

  it('keeps answers and words of one message apart, the answers first', () => {
    const asking = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
    const answer = { type: 'tool_result', tool_use_id: 'a', content: 'r' };
    const { messages, report } = anthropic.decode([
      { role: 'user', content: 'q' },
      asking,
      { role: 'user', content: [text('wait'), answer] },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([['messages[2].content[1]', 'answers-first']]);
    expect(anthropic.encode(messages).payload.messages[2]?.content).toEqual([answer, text('wait')]);
  });

  it('reads input that is no object as arguments that are malformed', () => {
    const turn = (input: unknown) =>
      anthropic
        .decode([{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input }] }])
        .messages.at(0)
        ?.toolCalls.first();
    expect([turn('{"a"'), turn([1])].map((one) => [one?.argsText, one?.isMalformed()])).toEqual([
      ['{"a"', true],
      ['[1]', true],
    ]);
    expect([turn(null), turn(undefined)].map((one) => one?.argsText)).toEqual(['{}', '{}']);
  });

  it('refuses input that can be none, with its place', () => {
    const wireTurn = [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: 7 }] }];
    expect(codeAt(() => anthropic.decode(wireTurn))).toEqual(['invalid_input', 'messages[0].content[0].arguments', 7]);
  });

  it('mends halves of characters, and tells it', () => {
    const { messages, report } = anthropic.decode({
      system: 'a\ud83d',
      messages: [
        { role: 'user', content: 'ok \ud83d' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { '\ude00x': '😀' } }] },
      ],
    });
    expect(messages.map((message) => message.toString())).toEqual(['a\ufffd', 'ok \ufffd', '']);
    expect(messages.at(2)?.toolCalls.first()?.args).toEqual({ '\ufffdx': '😀' });
    expect(report.repairs.map(({ path }) => path)).toEqual([
      'system',
      'messages[0].content',
      'messages[1].content[0].input',
    ]);
  });

  it('leaves out keys that no message has, and tells it', () => {
    const { messages, report } = anthropic.decode([{ role: 'user', content: 'q', name: 'ann' }]);
    expect(messages.at(0)?.name).toBe('');
    expect(report.losses.map(({ path, rule }) => [path, rule])).toEqual([['messages[0].name', 'message-key']]);
  });

  it('reads why a response ended, and all tokens that went in', () => {
    const response = (stop_reason: string | null) =>
      anthropic.decode({ type: 'message', role: 'assistant', content: [], stop_reason });
    const reasons = [
      'end_turn',
      'stop_sequence',
      'max_tokens',
      'model_context_window_exceeded',
      'tool_use',
      'refusal',
      'pause_turn',
      'toString',
    ];
    expect(reasons.map((raw) => response(raw).finish?.reason)).toEqual([
      'stop',
      'stop',
      'length',
      'length',
      'tool_calls',
      'content_filter',
      'other',
      'other',
    ]);
    expect(Object.keys(response(null))).toEqual(['messages', 'report']);
    const usage = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 4 };
    expect(anthropic.decode({ type: 'message', role: 'assistant', content: [], usage }).usage).toEqual({
      inputTokens: 321,
      outputTokens: 4,
      cachedInputTokens: 300,
    });
  });

  it('refuses what cannot be read, with its place', () => {
    expect(codeAt(() => anthropic.decode('x')).slice(0, 2)).toEqual(['invalid_input', 'messages']);
    expect(codeAt(() => anthropic.decode([7])).slice(0, 2)).toEqual(['invalid_input', 'messages[0]']);
    expect(codeAt(() => anthropic.decode([{ role: 'robot', content: 'x' }])).slice(0, 2)).toEqual([
      'invalid_role',
      'messages[0].role',
    ]);
    expect(codeAt(() => anthropic.decode([{ role: 'user' }])).slice(0, 2)).toEqual([
      'missing_content',
      'messages[0].content',
    ]);
    expect(codeAt(() => anthropic.decode([{ role: 'user', content: [7] }])).slice(0, 2)).toEqual([
      'invalid_input',
      'messages[0].content[0]',
    ]);
  });

  const use = (more: object = {}) => ({ type: 'tool_use', id: 'a', name: 'f', input: {}, ...more });
  const answer = (more: object = {}) => ({ type: 'tool_result', tool_use_id: 'a', content: 'r', ...more });
  it.each<[string, string, unknown[]]>([
    ['tool_calls_on_role', 'messages[0]', [{ role: 'user', content: [use()] }]],
    ['orphan_tool_answer', 'messages[0]', [{ role: 'assistant', content: [answer()] }]],
    ['missing_tool_call_id', 'messages[0]', [{ role: 'assistant', content: [use({ id: null })] }]],
    ['missing_tool_call_id', 'messages[0]', [{ role: 'user', content: [answer({ tool_use_id: 7 })] }]],
    ['empty_tool_name', 'messages[0]', [{ role: 'assistant', content: [use({ name: '' })] }]],
    ['orphan_tool_answer', 'messages[0]', [{ role: 'user', content: [answer()] }]],
  ])('refuses strictly what the API refuses: %s', (code, path, messages) => {
    expect(codeAt(() => anthropic.decode(messages, { strict: true })).slice(0, 2)).toEqual([code, path]);
  });

  it('puts answers in the order of their calls where it reads strictly', () => {
    const wireTurn = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [use(), use({ id: 'b' })] },
      { role: 'user', content: [answer({ tool_use_id: 'b' }), answer()] },
    ];
    const { messages, report } = anthropic.decode(wireTurn, { strict: true });
    expect(messages.map(({ toolResult }) => toolResult?.callId)).toEqual([undefined, undefined, 'a', 'b']);
    expect(report.repairs.map(({ rule }) => rule)).toEqual(['reordered']);
  });
});

describe('explain', () => {
  const messages = chat(
    system('Be brief.'),
    user('Look at this.', 'ann'),
    user([ContentPart.text('And'), ContentPart.of('video', { url: 'x' }), ContentPart.text('this?')]),
    developer('Use metric units.'),
    assistant([ContentPart.reasoning('Hm.'), 'I will.', 'Now.'], call('look', '{"at":', 'c1'), call('see', {}, 'c2')),
    result('c1', ['A cat.', ContentPart.imageUrl('https://a.test/i')]),
    result('c2', 'denied', { status: 'denied' }),
    user('Thanks.'),
  );
  const { payload, report } = anthropic.encode(messages);
  const found = (path: string) =>
    report.explain(path).map(({ path: at, rules }) => [at, rules.map(({ rule }) => rule)]);

  it('leads from a message of the payload to the stored one, and to what was told of it', () => {
    expect(payload.messages[1]?.role).toBe('assistant');
    expect(report.explain('messages.1')[0]?.message).toBe(messages.at(4));
    expect(found('messages.1')).toEqual([['messages[4]', ['reasoning', 'malformed-arguments']]]);
  });

  it('leads from a message of several to each of them', () => {
    expect(found('messages[0]')).toEqual([
      ['messages[1]', ['name']],
      ['messages[2].content[0]', []],
      ['messages[2].content[2]', []],
    ]);
    expect(found('messages.2.content')).toEqual([
      ['messages[5]', []],
      ['messages[6]', ['status']],
      ['messages[7]', []],
    ]);
  });

  it('leads to a part, a call, an answer and what is in it', () => {
    expect(report.explain('messages.1.content.1.text')).toEqual([
      { path: 'messages[4].content[2]', message: messages.at(4), part: messages.at(4)?.content.parts.at(2), rules: [] },
    ]);
    expect(report.explain('messages.1.content.2.input')).toMatchObject([
      {
        path: 'messages[4].toolCalls[0]',
        part: messages.at(4)?.toolCalls.first(),
        rules: [{ rule: 'malformed-arguments' }],
      },
    ]);
    expect(report.explain('messages.2.content.0.content.1.source')).toMatchObject([
      { path: 'messages[5].content[1]', message: messages.at(5), part: messages.at(5)?.content.parts.at(1) },
    ]);
    expect(found('messages.2.content.1.is_error')).toEqual([['messages[6]', ['status']]]);
  });

  it('leads from instructions at the top to where they stand', () => {
    expect(found('system')).toEqual([
      ['messages[0]', []],
      ['messages[3]', ['developer-role', 'system-place']],
    ]);
    expect(found('system.1.text')).toEqual([['messages[3]', ['developer-role', 'system-place']]]);
    const { report: single } = anthropic.encode(chat(system('Be brief.'), user('Hi')));
    expect(single.explain('system').map(({ path }) => path)).toEqual(['messages[0]']);
  });

  it('leads from made-up words of the user to the message that they stand by, if any', () => {
    const { report: by } = anthropic.encode(chat(assistant('Hello')), { prefill: false });
    const rules = [{ rule: 'starts-with-assistant' }, { rule: 'ends-with-assistant' }];
    for (const path of ['messages.0', 'messages.0.content.0', 'messages.2'])
      expect(by.explain(path)).toMatchObject([{ path: 'messages[0]', rules }]);
    expect(anthropic.encode(chat()).report.explain('messages.0')).toEqual([]);
  });

  it.each(['messages.99', 'model', '', 'messages[1].content[9]'])('leads nowhere from %j', (path) => {
    expect(report.explain(path)).toEqual([]);
  });
});

describe('tools', () => {
  it('are said in the words of the wire', () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    expect(encodeTools([{ name: 'weather', description: 'Current weather', inputSchema }, { name: 'now' }])).toEqual([
      { name: 'weather', description: 'Current weather', input_schema: inputSchema },
      { name: 'now', input_schema: { type: 'object', properties: {} } },
    ]);
    expect(encodeTools([{ name: 'a'.repeat(128) }])).toHaveLength(1);
    expect(codeAt(() => encodeTools([{ name: 'a'.repeat(129) }])).slice(0, 2)).toEqual([
      'invalid_input',
      'tools[0].name',
    ]);
  });

  it('are chosen in the words of the wire', () => {
    expect(['auto', 'none', 'required'].map((choice) => encodeToolChoice(choice as 'auto'))).toEqual([
      { type: 'auto' },
      { type: 'none' },
      { type: 'any' },
    ]);
    expect(encodeToolChoice({ name: 'now' })).toEqual({ type: 'tool', name: 'now' });
  });
});

describe('record', () => {
  it('writes the reason and the usage into the message', () => {
    const { messages } = anthropic.decode(read('responses/tool-calls.wire.json'), { record: true });
    expect(messages.last()?.metadata.toJSON()).toEqual({
      finish: { reason: 'tool_calls', raw: 'tool_use' },
      usage: { inputTokens: 90, outputTokens: 60, cachedInputTokens: 0, reasoningTokens: 20 },
    });
  });
});
