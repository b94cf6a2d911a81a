import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bedrock, type BedrockOptions, toSdk } from '../../src/formats/bedrock/index.ts';
import {
  AudioSource,
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
import { checkBedrock } from 'message-store/testing';
import { conversationPart } from '../support/bedrock.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/formats/bedrock/', import.meta.url));
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
/** Of what is looked at without its definitions. */
const NO_TOOLS = { toolConfig: false };

let restore: () => void;
beforeEach(() => {
  restore = fixIdentity();
});
afterEach(() => restore());

const encoded = (messages: Messages, options?: BedrockOptions): { payload: any; report: any } => {
  const before = JSON.stringify(messages);
  const given = bedrock.encode(messages, options);
  const { payload, report } = conversationPart(given);
  expect(JSON.stringify(messages)).toBe(before);
  expect(JSON.stringify(bedrock.encode(messages, options).payload)).toBe(JSON.stringify(given.payload));
  return { payload, report };
};
const wire = (...messages: readonly Message[]): any[] => encoded(chat(...messages)).payload.messages;
const text = (words: string) => ({ text: words });
const told = (messages: Messages, options?: BedrockOptions) => {
  const { losses, repairs } = encoded(messages, options).report;
  return [losses, repairs].map((entries: any[]) => entries.map(({ path, rule, action }) => [path, rule, action]));
};
const losses = (...messages: readonly Message[]) => told(chat(...messages))[0];
const repairs = (...messages: readonly Message[]) => told(chat(...messages))[1];
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
const marked = (words: string, ttl?: string) =>
  ContentPart.of('text', { text: words, cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });
const cachePoint = { cachePoint: { type: 'default' } };
const pdf = (fileName?: string) => FileSource.of({ fileData: 'data:application/pdf;base64,JVBERi0=', fileName });

describe('a recorded request', () => {
  it.each(named('*.wire.json'))('is read into the same messages, and goes out again as it came: %s', (name) => {
    const request = read(`${name}.wire.json`);
    const { messages, report } = bedrock.decode(request, { strict: true });
    if (process.env['UPDATE']) writeFileSync(`${FIXTURES}${name}.model.json`, `${JSON.stringify(messages, null, 2)}\n`);
    expect(messages.toJSON()).toEqual(read(`${name}.model.json`));
    expect(report).toEqual(NOTHING);
    const payload = conversationOf(request);
    const given = bedrock.encode(messages);
    expect(conversationPart(given)).toEqual({ payload, report: NOTHING });
    const stored = Messages.fromJSON(read(`${name}.model.json`));
    expect(conversationPart(bedrock.encode(stored)).payload).toEqual(payload);
    expect(checkBedrock(given.payload)).toEqual([]);
  });
});

describe('a recorded response', () => {
  it.each(named('responses/*.wire.json'))(
    'is read with why it ended and what it cost, and goes out again: %s',
    (name) => {
      const response = read(`responses/${name}.wire.json`);
      const { messages, report, ...said } = bedrock.decode(response);
      const model = { messages: messages.toJSON(), ...said };
      const path = `responses/${name}.model.json`;
      if (process.env['UPDATE']) writeFileSync(FIXTURES + path, `${JSON.stringify(model, null, 2)}\n`);
      expect(model).toEqual(read(path));
      expect(report).toEqual(NOTHING);
      const [message] = messages;
      expect(wire(...asked(message!))[1]).toEqual(response.output.message);
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
      system: [text('sys')],
      messages: [
        { role: 'user', content: [text('q')] },
        {
          role: 'assistant',
          content: [
            { toolUse: { toolUseId: 'c1', name: 'f', input: {} } },
            { toolUse: { toolUseId: 'c2', name: 'g', input: { x: {} } } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c1', content: [text('[1,2]')] } },
            { toolResult: { toolUseId: 'c2', content: [text('nope')], status: 'error' } },
          ],
        },
      ],
    });
    expect(report).toEqual(NOTHING);
  });

  it('takes a store in section order, without blank messages', () => {
    const prompt = store({ system: [system('S')], chat: [user('a'), user('')] });
    expect(bedrock.encode(prompt).payload).toEqual({
      system: [text('S')],
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

  it('joins neighbours of one role, which the wire refuses, and tells it of the assistant', () => {
    expect(wire(system('sys'), user('context'), user('question'))).toEqual([
      { role: 'user', content: [text('context'), text('question')] },
    ]);
    expect(repairs(user('context'), user('question'))).toEqual([]);
    const twice = [user('q'), assistant('a'), assistant('b')];
    expect(wire(...twice)[1]).toEqual({ role: 'assistant', content: [text('a'), text('b')] });
    expect(repairs(...twice)).toEqual([['messages[2]', 'merged', 'moved']]);
  });

  it('puts what the user says behind the answers, without a word about it', () => {
    const turn = [...asked(assistant('', call('f'))), user('go on')];
    expect(wire(...turn)[2]).toEqual({
      role: 'user',
      content: [{ toolResult: { toolUseId: 'f', content: [text('r')] } }, text('go on')],
    });
    expect(repairs(...turn)).toEqual([]);
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
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'x', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [text('r')] } }, text('more')] },
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
    const inside = Message.of({
      role: 'assistant',
      content: ['first', ContentPart.of('tool_call', { id: 'a' }), 'between'],
      toolCalls: [call('a'), call('b')],
    });
    const [, { content }] = wire(...asked(inside));
    expect(content.map((block: any) => block.toolUse?.toolUseId ?? block.text)).toEqual(['first', 'a', 'between', 'b']);
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

  it('takes parts that say they come from here for what they are', () => {
    const _origin = from('bedrock');
    const given = [
      ContentPart.of('text', { text: 'a', _origin }),
      ContentPart.of('image_url', { image_url: { url: 'data:image/png;base64,AAAA' }, _origin }),
      ContentPart.of('text', { text: '', _origin: from('bedrock', { text: '' }) }),
      ContentPart.of('text', {
        text: 'mine',
        _origin: from('bedrock', { guardContent: { text: { text: 'theirs' } } }),
      }),
      ContentPart.of('hologram', { _origin: from('bedrock', []) }),
    ];
    expect(blocks(...given)).toEqual([
      text('a'),
      { image: { format: 'png', source: { bytes: 'AAAA' } } },
      text('mine'),
    ]);
    expect(losses(user(['!', ...given]))).toEqual([['messages[0].content[5]', 'part-type', 'dropped']]);
  });

  it('gives an input that may be changed, with keys of any name', () => {
    const turn = chat(...asked(assistant('', call('f', '{"__proto__":{"a":1},"list":[1]}'))));
    const inputOf = (): any => encoded(turn).payload.messages[1].content[0].toolUse.input;
    const first = inputOf();
    expect(Object.keys(first)).toEqual(['__proto__', 'list']);
    first.list.push(2);
    expect(inputOf().list).toEqual([1]);
  });
});

describe('media', () => {
  it.each<[string, ContentPartInput, unknown]>([
    [
      'an image',
      ImageSource.fromUrl('data:image/webp;base64,AAAA'),
      { image: { format: 'webp', source: { bytes: 'AAAA' } } },
    ],
    [
      'an image in S3',
      ContentPart.imageUrl('s3://b/a.JPG'),
      { image: { format: 'jpeg', source: { s3Location: { uri: 's3://b/a.JPG' } } } },
    ],
    ['a PDF', pdf('a.pdf'), { document: { format: 'pdf', name: 'a', source: { bytes: 'JVBERi0=' } } }],
    [
      'a document without a name',
      pdf(),
      { document: { format: 'pdf', name: 'document', source: { bytes: 'JVBERi0=' } } },
    ],
    [
      'a text of any kind',
      FileSource.fromBytes(new TextEncoder().encode('print(1)'), 'text/x-python'),
      { document: { format: 'txt', name: 'document', source: { bytes: 'cHJpbnQoMSk=' } } },
    ],
    [
      'a file that tells its kind by its name only',
      FileSource.of({ fileData: 'data:application/octet-stream;base64,AAAA', fileName: 'b.docx' }),
      { document: { format: 'docx', name: 'b', source: { bytes: 'AAAA' } } },
    ],
    [
      'a video',
      FileSource.fromDataUri('data:video/quicktime;base64,AAAA'),
      { video: { format: 'mov', source: { bytes: 'AAAA' } } },
    ],
    ['audio', AudioSource.of({ format: 'wav', data: 'AAAA' }), { audio: { format: 'wav', source: { bytes: 'AAAA' } } }],
    [
      'audio in a file',
      FileSource.fromDataUri('data:audio/mpeg;base64,AAAA'),
      { audio: { format: 'mp3', source: { bytes: 'AAAA' } } },
    ],
  ])('go out as the wire has them: %s', (_, part, block) => {
    expect(blocks(part)).toEqual([block]);
    expect(told(chat(user(['!', part as never])))).toEqual([[], []]);
  });

  it('go out with the format that their bytes have', () => {
    const formats = ['image/png', 'image/jpg', 'IMAGE/JPEG'].map(
      (type) => blocks(ContentPart.imageUrl(`data:${type};base64,/9j/4AAQSkZJRgAB`))[0].image.format,
    );
    expect(formats).toEqual(['jpeg', 'jpeg', 'jpeg']);
    expect(blocks(ContentPart.imageUrl('data:image/gif;base64,AAAA'))[0].image.format).toBe('gif');
  });

  it('in answers go out in them', () => {
    const image = ImageSource.fromUrl('data:image/png;base64,iVBORw0KGgo=');
    const [, , last] = wire(user('look'), assistant('', call('shot')), result('shot', ['see', image, pdf('a')]));
    expect(last.content).toEqual([
      {
        toolResult: {
          toolUseId: 'shot',
          content: [
            text('see'),
            { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
            { document: { format: 'pdf', name: 'a', source: { bytes: 'JVBERi0=' } } },
          ],
        },
      },
    ]);
  });

  it('that the wire does not take leave a note, or are refused', () => {
    const image = ContentPart.imageUrl('data:image/svg+xml;base64,PHN2Zy8+');
    const zip = FileSource.fromDataUri('data:application/zip;base64,AAAA');
    const far = ContentPart.imageUrl('https://a.test/i.png');
    const speech = AudioSource.of({ format: 'amr', data: 'AAAA' });
    expect(blocks(image, zip, far, speech)).toEqual([
      text('[not sent: image/svg+xml]'),
      text('[not sent: application/zip]'),
      text('[not sent: https://a.test/i.png]'),
      text('[not sent: audio/amr]'),
    ]);
    expect(losses(user([image, zip, far, speech] as never))).toEqual([
      ['messages[0].content[0]', 'media-type', 'degraded'],
      ['messages[0].content[1]', 'media-type', 'degraded'],
      ['messages[0].content[2]', 'address', 'degraded'],
      ['messages[0].content[3]', 'media-type', 'degraded'],
    ]);
    expect(codeAt(() => bedrock.encode(chat(user('a'), user(image)), { losses: 'throw' })).slice(0, 2)).toEqual([
      'losses',
      'messages[1].content[0]',
    ]);
  });

  it('that are documents have names that the wire takes, each once, and a text beside them', () => {
    const messages = chat(
      user([pdf('Q1_report (final).v2.pdf'), pdf('report.pdf')]),
      assistant('Thanks.'),
      user(['again', pdf('Report.pdf'), pdf('報告.pdf'), pdf('a.docx')]),
    );
    const { payload } = encoded(messages);
    const names = payload.messages.flatMap(({ content }: any) =>
      content.flatMap((one: any) => one.document?.name ?? []),
    );
    expect(names.slice(0, 2)).toEqual(['Q1-report (final)-v2', 'report']);
    expect(names.slice(2)).toEqual(['Report 2', '-', 'a']);
    expect(payload.messages[0].content[2]).toEqual(text('(no message)'));
    expect(told(messages)).toEqual([
      [],
      [
        ['messages[0].content[0]', 'document-name', 'rewritten'],
        ['messages[2].content[1]', 'document-name', 'rewritten'],
        ['messages[2].content[2]', 'document-name', 'rewritten'],
        ['messages[2].content[3]', 'document-name', 'rewritten'],
        ['messages[0].content[0]', 'document-words', 'added'],
      ],
    ]);
    expect(checkBedrock(payload)).toEqual([]);
  });

  it('keep the name of a document that was read, where another has it by now', () => {
    const request = [{ role: 'user', content: [{ document: { name: 'a', source: { text: 'x' } } }, text('q')] }];
    const { messages } = bedrock.decode(request);
    const { payload } = encoded(chat(user(['!', pdf('a.pdf')]), assistant('ok'), ...messages));
    expect(payload.messages[2].content[0].document.name).toBe('a 2');
    expect(checkBedrock(payload)).toEqual([]);
  });
});

describe('reasoning', () => {
  const signed = (words: string) => ContentPart.reasoning(words, from('bedrock', { signature: 'S' }));
  const block = (words: string) => ({ reasoningContent: { reasoningText: { text: words, signature: 'S' } } });

  it('is followed by words where the user speaks next, since models refuse to end with it', () => {
    const messages = chat(user('q'), assistant(['So', signed('p')]), assistant([signed('')]), user('go on'));
    expect(wire(...messages)[1].content).toEqual([text('So'), block('p'), block(''), text('(no output)')]);
    expect(told(messages)[1]?.at(-1)).toEqual(['messages[2]', 'reasoning-words', 'added']);
    expect(wire(user('q'), assistant([signed('p')], call('f', {}, 'c1')), result('c1', 'r'))[1].content).toEqual([
      block('p'),
      { toolUse: { toolUseId: 'c1', name: 'f', input: {} } },
    ]);
  });

  it('goes back where it was signed here, and nowhere else', () => {
    const messages = chat(
      user('q'),
      assistant([ContentPart.reasoning('secret plan', from('anthropic', { signature: 'x' })), 'answer']),
      user('and?'),
      assistant([signed('p'), signed(''), 'more']),
      user('next'),
    );
    const list = encoded(messages).payload.messages;
    expect([list[1].content, list[3].content]).toEqual([[text('answer')], [block('p'), block(''), text('more')]]);
    expect(told(messages)[0]).toEqual([['messages[1].content[0]', 'reasoning', 'dropped']]);
  });

  it('without a signature goes nowhere, since those who give it refuse it, unless that is asked for', () => {
    const unsigned = { reasoningContent: { reasoningText: { text: 'hm' } } };
    const request = [
      { role: 'user', content: [text('q')] },
      { role: 'assistant', content: [unsigned, text('a')] },
      { role: 'user', content: [text('more')] },
    ];
    const { messages } = bedrock.decode(request);
    expect(encoded(messages).payload.messages[1].content).toEqual([text('a')]);
    expect(told(messages)[0]).toEqual([['messages[1].content[0]', 'reasoning', 'dropped']]);
    expect(encoded(messages, { unsignedReasoning: 'send' })).toEqual({
      payload: { messages: request },
      report: NOTHING,
    });
  });

  it('goes out as text where that is asked for', () => {
    const messages = chat(user('q'), assistant([ContentPart.reasoning('hm'), ContentPart.reasoning(' '), 'a']));
    expect(encoded(messages, { foreignReasoning: 'text' }).payload.messages[1].content).toEqual([
      text('hm'),
      text('a'),
    ]);
    expect(told(messages, { foreignReasoning: 'text' })[0]).toEqual([
      ['messages[1].content[0]', 'reasoning', 'degraded'],
      ['messages[1].content[1]', 'reasoning', 'dropped'],
    ]);
  });
});

describe('ids and names', () => {
  it('that the wire does not take are made anew, call and answer alike', () => {
    const messages = chat(
      user('q'),
      assistant('', call('browser.tabs.open', {}, 'a|b'), call('browser.tabs.open', {}, 'x'.repeat(65))),
      result('a|b', 'X'),
      result('x'.repeat(65), 'Y'),
    );
    const [, { content: calls }, { content: answers }] = encoded(messages).payload.messages;
    const ids = calls.map(({ toolUse }: any) => toolUse.toolUseId);
    for (const id of ids) expect(id).toMatch(/^tooluse_[0-9a-z]{10}$/);
    expect(new Set(ids).size).toBe(2);
    expect(answers.map(({ toolResult }: any) => toolResult.toolUseId)).toEqual(ids);
    const names = calls.map(({ toolUse }: any) => toolUse.name);
    expect(names[0]).toMatch(/^browser_tabs_open_[0-9a-z]{10}$/);
    expect(names[1]).toBe(names[0]);
    expect(told(messages)[1]).toEqual([
      ['messages[1].toolCalls[0]', 'call-id', 'rewritten'],
      ['messages[1].toolCalls[0]', 'call-name', 'rewritten'],
      ['messages[1].toolCalls[1]', 'call-id', 'rewritten'],
      ['messages[1].toolCalls[1]', 'call-name', 'rewritten'],
    ]);
  });

  it('stand for one call each: an id that a later turn uses again is made anew', () => {
    const turn = asked(assistant('', call('f', {}, 'c1')));
    const list = wire(...turn, ...turn.slice(1));
    const ids = list.flatMap(({ content }: any) => content.flatMap((one: any) => one.toolUse?.toolUseId ?? []));
    expect([ids[0], new Set(ids).size]).toEqual(['c1', 2]);
    expect(checkBedrock({ messages: list }, NO_TOOLS)).toEqual([]);
  });

  it.each([
    ['wide', 'functions.search:0', true],
    ['narrow', 'functions.search:0', false],
    ['narrow', 'call_1-x', true],
    ['nine', 'call_1-x', false],
    ['nine', 'aB3456789', true],
  ] as const)('follow the grammar of the model: %s, %s', (callIds, id, isKept) => {
    const callId = { wide: undefined, narrow: /^[\w-]{1,64}$/, nine: /^[a-zA-Z0-9]{9}$/ }[callIds];
    const { payload } = encoded(chat(...asked(assistant('', call('f', {}, id)))), { callIds });
    expect(payload.messages[1].content[0].toolUse.toolUseId === id).toBe(isKept);
    expect(checkBedrock(payload, { ...NO_TOOLS, ...(callId && { callId }) })).toEqual([]);
  });
});

describe('instructions in the middle', () => {
  it('go to the top, unless they may stay, and there is a place for them', () => {
    const messages = chat(user('a'), system('S'), assistant('b'), system('T'), user('c'), system('U'));
    expect(encoded(messages).payload.system).toEqual([text('S'), text('T'), text('U')]);
    expect(told(messages)[0]).toEqual([
      ['messages[1]', 'system-place', 'moved'],
      ['messages[3]', 'system-place', 'moved'],
      ['messages[5]', 'system-place', 'moved'],
    ]);
    const { payload } = encoded(messages, { systemInMessages: true });
    expect(payload.system).toEqual([text('T')]);
    expect(payload.messages.map(({ role }: any) => role)).toEqual(['user', 'system', 'assistant', 'user', 'system']);
    expect(checkBedrock(payload)).toEqual([]);
  });

  it('go to the top in their order where the user speaks next after all', () => {
    const messages = chat(system('R'), user('a'), system('S'), system('T'), user('b'));
    const { payload } = encoded(messages, { systemInMessages: true });
    expect(payload.system).toEqual([text('R'), text('S'), text('T')]);
    expect(payload.messages).toEqual([{ role: 'user', content: [text('a'), text('b')] }]);
  });

  it('that were read from there and have to move leave behind what the top does not take', () => {
    const request = read('steered.wire.json');
    const { messages } = bedrock.decode(request);
    const { payload } = encoded(messages, { systemInMessages: false });
    expect(payload.system).toEqual([text('Plan trips.'), text('Bookings are open.')]);
    expect(told(messages, { systemInMessages: false })[0]).toEqual([
      ['messages[2]', 'system-place', 'moved'],
      ['messages[2].content[0]', 'part-role', 'dropped'],
    ]);
  });
});

describe('the ends of a history', () => {
  it('are the user’s: where nothing was said, a placeholder stands', () => {
    const ends = [chat(system('s')), chat(), chat(assistant('hello'), user('hi'))];
    const codes = ['no_user_message', 'no_user_message', 'starts_with_assistant'];
    const first = { role: 'user', content: [text('(no message)')] };
    ends.forEach((messages, at) => {
      expect(encoded(messages).payload.messages[0]).toEqual(first);
      expect(told(messages)[1]).toEqual([
        [at === 2 ? 'messages[0]' : 'messages', (codes[at] as string).replaceAll('_', '-'), 'added'],
      ]);
      expect(codeAt(() => bedrock.encode(messages, { invalid: 'throw' }))[0]).toBe(codes[at]);
    });
  });

  it('may be the assistant’s, unless the model takes no such end', () => {
    const messages = chat(user('hi'), assistant('partial answer'));
    expect(encoded(messages).payload.messages.at(-1)).toEqual({ role: 'assistant', content: [text('partial answer')] });
    const { payload } = encoded(messages, { prefill: false });
    expect(payload.messages.map(({ role }: any) => role)).toEqual(['user', 'assistant', 'user']);
    expect(told(messages, { prefill: false })[1]).toEqual([['messages[1]', 'ends-with-assistant', 'added']]);
    expect(codeAt(() => bedrock.encode(messages, { prefill: false, invalid: 'throw' }))).toEqual([
      'ends_with_assistant',
      'messages[1]',
      undefined,
    ]);
  });

  it('have no whitespace behind the assistant’s last text, which stays everywhere else', () => {
    const messages = chat(
      user('table  \n'),
      assistant('row 1  \n'),
      user('go'),
      assistant(['x', marked('Answer:  \n')]),
    );
    expect(encoded(messages).payload.messages.map(({ content }: any) => content)).toEqual([
      [text('table  \n')],
      [text('row 1  \n')],
      [text('go')],
      [text('x'), text('Answer:'), cachePoint],
    ]);
    expect(told(messages)[1]).toEqual([['messages[3]', 'prefill-whitespace', 'rewritten']]);
  });
});

describe('cache points', () => {
  it('go out behind what is marked: parts, calls and answers', () => {
    const turn = Message.of({
      role: 'assistant',
      content: [marked('a', '5m')],
      toolCalls: [ToolCall.from({ id: 'c', name: 'f', arguments: {}, cache_control: { type: 'ephemeral' } })],
    });
    const list = wire(user('q'), turn, result('c', [marked('r', '1h')]));
    expect(list[1].content.map((block: object) => Object.keys(block)[0])).toEqual([
      'text',
      'cachePoint',
      'toolUse',
      'cachePoint',
    ]);
    expect(list[1].content[1]).toEqual({ cachePoint: { type: 'default', ttl: '5m' } });
    expect(list[2].content).toEqual([
      { toolResult: { toolUseId: 'c', content: [text('r')] } },
      { cachePoint: { type: 'default', ttl: '1h' } },
    ]);
  });

  it('are at most four, the last ones', () => {
    const messages = chat(
      system(marked('s')),
      user([marked('a'), marked('b')]),
      assistant(marked('c')),
      user(marked('d')),
    );
    expect(encoded(messages).payload.system).toEqual([text('s')]);
    expect(told(messages)[0]).toEqual([['messages[0].content[0]', 'cache-marks', 'dropped']]);
    expect(told(messages, { cachePoints: 0 })[0]).toHaveLength(5);
    expect(JSON.stringify(encoded(messages, { cachePoints: 0 }).payload)).not.toContain('cachePoint');
    expect(losses(user(ContentPart.of('text', { text: 'x', cache_control: 'yes' })))).toEqual([
      ['messages[0].content[0]', 'part-key', 'dropped'],
    ]);
  });

  it('are read as marks where they stand behind something, and kept where they do not', () => {
    const request = [{ role: 'user', content: [cachePoint, text('a'), cachePoint, cachePoint] }];
    const { messages } = bedrock.decode(request);
    expect(messages.at(0)?.content.parts.map(({ type, fields }) => [type, fields['cache_control']])).toEqual([
      ['cachePoint', undefined],
      ['text', { type: 'ephemeral' }],
      ['cachePoint', undefined],
    ]);
    expect(encoded(messages).payload.messages).toEqual(request);
  });
});

describe('a history that no provider takes', () => {
  it('is repaired on the way out: a call without an answer', () => {
    const killed = chat(user('run it'), assistant('', call('run', { cmd: 'ls' }, 'c1')), user('continue'));
    expect(encoded(killed).payload.messages[2].content).toEqual([
      {
        toolResult: {
          toolUseId: 'c1',
          content: [text('Tool call was interrupted before it produced a result.')],
          status: 'error',
        },
      },
      text('continue'),
    ]);
    expect(codeAt(() => bedrock.encode(killed, { invalid: 'throw' }))).toEqual([
      'missing_tool_answer',
      'messages[1]',
      'c1',
    ]);
  });

  it('sends {} for arguments that are no JSON object, and words where a tool said nothing', () => {
    const messages = chat(user('q'), assistant('', call('f', '{"city":"Os')), result('f', ''));
    const [, { content: calls }, { content: answers }] = encoded(messages).payload.messages;
    expect([calls[0].toolUse.input, answers[0].toolResult.content]).toEqual([{}, [text('(no output)')]]);
    expect(told(messages)[1]).toEqual([
      ['messages[1].toolCalls[0]', 'malformed-arguments', 'rewritten'],
      ['messages[2]', 'empty-answer', 'added'],
    ]);
    expect(codeAt(() => bedrock.encode(messages, { invalid: 'throw' })).slice(0, 2)).toEqual([
      'malformed_arguments',
      'messages[1].toolCalls[0].arguments',
    ]);
  });

  it('is refused where calls wait for their answers', () => {
    const open = chat(user('q'), assistant('', call('a')));
    expect(codeAt(() => bedrock.encode(open))).toEqual(['tool_turn_open', 'messages[1]', ['a']]);
    expect(checkBedrock(bedrock.encode(open, { openTurn: 'cancel' }).payload)).toEqual([]);
  });
});

describe('what the wire cannot carry', () => {
  it.each<[string, ContentPart, unknown[]]>([
    ['an unknown type', ContentPart.of('hologram', { url: 'v' }), ['part-type', 'dropped']],
    [
      'a block of another provider',
      ContentPart.of('code', { x: 1, _origin: from('gemini') }),
      ['part-type', 'dropped'],
    ],
    ['a text part without text', ContentPart.of('text', { note: 'x' }), ['blank-text', 'dropped']],
    ['a field of a text', ContentPart.of('text', { text: 'x', note: 'y' }), ['part-key', 'dropped']],
    ['a refusal of the user', ContentPart.refusal('No.'), ['part-role', 'dropped']],
    ['thinking of the user', ContentPart.reasoning('x', from('bedrock', { signature: 'S' })), ['part-role', 'dropped']],
    [
      'how closely to look',
      ContentPart.of('image_url', { image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } }),
      ['part-key', 'dropped'],
    ],
    ['an image that cannot be fetched', ContentPart.imageUrl('gs://a/b'), ['address', 'dropped']],
    ['something in S3 that tells no format', ContentPart.imageUrl('s3://a/b'), ['media-type', 'degraded']],
    ['data that are no base64', ContentPart.imageUrl('data:image/png;base64,A?=='), ['address', 'dropped']],
    ['an image without an address', ContentPart.of('image_url', {}), ['address', 'dropped']],
    ['audio without data', ContentPart.of('input_audio', { input_audio: { format: 'wav' } }), ['address', 'dropped']],
    ['the id of a file', ContentPart.of('file', { file: { file_id: 'file-1' } }), ['file-id', 'dropped']],
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
    expect(encoded(messages).payload.messages[1].content).toEqual([
      text('No.'),
      { toolUse: { toolUseId: 'a', name: 'sql', input: { input: 'select 1' } } },
    ]);
    expect(told(messages)[0]).toEqual([
      ['messages[0].name', 'name', 'dropped'],
      ['messages[1].vendor', 'message-key', 'dropped'],
      ['messages[1].content[0]', 'refusal', 'degraded'],
      ['messages[1].toolCalls[0]', 'custom-tool', 'degraded'],
      ['messages[2].toolResult.status', 'status', 'degraded'],
    ]);
  });

  it('is reported: media of the assistant, all but text in instructions, audio in answers', () => {
    const image = ContentPart.imageUrl('data:image/png;base64,AAAA');
    const audio = FileSource.fromDataUri('data:audio/mpeg;base64,AAAA');
    const turn = [system(['s', image]), user('q'), assistant(['a', image], call('f')), result('f', ['r', audio])];
    expect(losses(...turn)).toEqual([
      ['messages[0].content[1]', 'part-role', 'dropped'],
      ['messages[2].content[1]', 'part-role', 'dropped'],
      ['messages[3].content[1]', 'part-role', 'dropped'],
    ]);
  });
});

describe('the definitions of tools', () => {
  const history = chat(...asked(assistant('', call('f', {}, 'a'), call('b c', {}, 'b'), call('f', {}, 'c'))));
  const f = { toolSpec: { name: 'f', inputSchema: { json: { type: 'object', properties: {} } } } };

  it('are those that are given, also where nothing was called', () => {
    for (const messages of [history, chat(user('q'))]) {
      const { payload, report } = bedrock.encode(messages, { tools: [{ name: 'f' }] });
      expect(payload.toolConfig).toEqual({ tools: [f] });
      expect(report.repairs.map(({ rule }) => rule)).not.toContain('tool-definitions');
    }
  });

  it('are made up for the names that are called, which the API demands, and that is told', () => {
    for (const options of [{}, { tools: [] }]) {
      const { payload, report } = bedrock.encode(history, options);
      const [first, second, ...others] = payload.toolConfig?.tools ?? [];
      expect([first, others]).toEqual([f, []]);
      expect(second?.toolSpec.name).toMatch(/^b_c_[0-9a-z]{10}$/);
      expect(report.repairs.at(-1)).toMatchObject({
        path: 'messages[1].toolCalls[0]',
        rule: 'tool-definitions',
        action: 'added',
      });
      expect(report.repairs.at(-1)?.message).toContain(`f,${second?.toolSpec.name}`);
      expect(checkBedrock(payload)).toEqual([]);
    }
    expect(codeAt(() => bedrock.encode(history, { invalid: 'throw' })).slice(0, 2)).toEqual([
      'missing_tools',
      'messages[1].toolCalls[0]',
    ]);
    expect(bedrock.encode(chat(user('q')), { tools: [] }).payload).not.toHaveProperty('toolConfig');
  });
});

describe('toSdk', () => {
  it('takes the tools of the request before those that were made up, and keeps the choice', () => {
    const { payload } = bedrock.encode(chat(...asked(assistant('', call('f', {}, 'a')))));
    const tools = [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } }, strict: true } }];
    expect(toSdk(payload, { toolConfig: { tools } }).toolConfig).toEqual({ tools });
    expect(toSdk(payload, { toolConfig: { toolChoice: { any: {} } } }).toolConfig).toEqual({
      ...payload.toolConfig,
      toolChoice: { any: {} },
    });
    expect(toSdk(bedrock.encode(chat(user('q'))).payload, {})).not.toHaveProperty('toolConfig');
  });

  it('gives bytes where the wire has base64, and leaves the JSON of tools alone', () => {
    const request = read('redacted-reasoning.wire.json');
    request.messages[0].content.push({ image: { format: 'png', source: { bytes: 'AAEC' } } });
    request.messages[1].content[1].toolUse.input = { bytes: 'AAEC' };
    const { payload } = bedrock.encode(bedrock.decode(request).messages);
    const { modelId, messages } = toSdk(payload, { modelId: 'm' });
    expect(modelId).toBe('m');
    expect(messages[0]?.content[1]).toEqual({ image: { format: 'png', source: { bytes: new Uint8Array([0, 1, 2]) } } });
    expect(messages[1]?.content[0]).toEqual({
      reasoningContent: { redactedContent: new TextEncoder().encode('Encrypted') },
    });
    expect((messages[1]?.content[1] as any).toolUse.input).toEqual({ bytes: 'AAEC' });
    expect(bedrock.encode(bedrock.decode({ messages }).messages).payload).toEqual(payload);
  });
});

describe('decode', () => {
  const use = (more: object = {}) => ({ toolUse: { toolUseId: 'a', name: 'f', input: {}, ...more } });
  const answer = (more: object = {}) => ({ toolResult: { toolUseId: 'a', content: [text('r')], ...more } });
  const hi = { role: 'user', content: [text('hi')] };

  it('keeps answers and words of one message apart, the answers first', () => {
    const { messages, report } = bedrock.decode([
      hi,
      { role: 'assistant', content: [use()] },
      { role: 'user', content: [text('wait'), answer()] },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([['messages[2].content[1]', 'answers-first']]);
    expect(encoded(messages).payload.messages[2].content).toEqual([answer(), text('wait')]);
  });

  it('tells what a block says in words, and keeps the block while they stay the same', () => {
    const request = read('grounded.wire.json');
    const { messages } = bedrock.decode(request);
    expect(messages.map(String)).toEqual([
      'Never give legal advice.\nBe brief.',
      'When did it rain?',
      'It rained on Monday.',
      'And on Tuesday?',
    ]);
    const cited = messages.at(2)!;
    const edited = cited.withContent(cited.content.parts.map((part) => part.withField('text', 'It did.')));
    expect(wire(user('q'), edited)[1].content).toEqual([text('It did.')]);
  });

  it('keeps blocks that it does not know, also such as are called like something here', () => {
    const content = [
      { future: { x: 1 } },
      { tool_call: { id: 'a' } },
      { reasoning: {} },
      { file: 1 },
      { __proto__x: [] },
      text('a'),
    ];
    const { messages } = bedrock.decode([hi, { role: 'assistant', content }, hi]);
    expect(encoded(messages).payload.messages[1].content).toEqual(content);
    expect(String(messages.at(1))).toBe('a');
  });

  it('reads input that is no object as arguments that are malformed', () => {
    const turn = (input: unknown) =>
      bedrock
        .decode([{ role: 'assistant', content: [use({ input })] }])
        .messages.at(0)
        ?.toolCalls.first();
    expect([turn('{"a"'), turn([1])].map((one) => [one?.argsText, one?.isMalformed()])).toEqual([
      ['{"a"', true],
      ['[1]', true],
    ]);
    expect([turn(null), turn(undefined)].map((one) => one?.argsText)).toEqual(['{}', '{}']);
  });

  it('mends halves of characters, and tells it', () => {
    const { messages, report } = bedrock.decode({
      system: [text('a\ud83d')],
      messages: [
        { role: 'user', content: [text('ok \ud83d')] },
        { role: 'assistant', content: [use({ input: { '\ude00x': '😀' } })] },
        { role: 'user', content: [answer({ content: [text('\udc00')] })] },
      ],
    });
    expect(messages.map((message) => message.toString())).toEqual(['a\ufffd', 'ok \ufffd', '', '\ufffd']);
    expect(messages.at(2)?.toolCalls.first()?.args).toEqual({ '\ufffdx': '😀' });
    expect(report.repairs.map(({ path }) => path)).toEqual([
      'system[0].text',
      'messages[0].content[0].text',
      'messages[1].content[0].toolUse.input',
      'messages[2].content[0].toolResult.content[0].text',
    ]);
  });

  it('leaves out keys that no message has, and tells it', () => {
    const { messages, report } = bedrock.decode([{ ...hi, name: 'ann' }]);
    expect(messages.at(0)?.name).toBe('');
    expect(report.losses.map(({ path, rule }) => [path, rule])).toEqual([['messages[0].name', 'message-key']]);
  });

  it('reads why a response ended, and all tokens that went in', () => {
    const response = (stopReason?: string, more: object = {}) =>
      bedrock.decode({ output: { message: { role: 'assistant', content: [text('a'), use()] } }, stopReason, ...more });
    const reasons: [string, string, string | undefined][] = [
      ['end_turn', 'stop', undefined],
      ['stop_sequence', 'stop', undefined],
      ['max_tokens', 'length', 'length'],
      ['model_context_window_exceeded', 'length', 'length'],
      ['tool_use', 'tool_calls', undefined],
      ['guardrail_intervened', 'content_filter', undefined],
      ['content_filtered', 'content_filter', undefined],
      ['malformed_model_output', 'error', 'error'],
      ['malformed_tool_use', 'error', 'error'],
      ['toString', 'other', undefined],
    ];
    for (const [raw, reason, cut] of reasons) {
      const { finish, messages } = response(raw);
      expect([finish, messages.at(0)?.incomplete?.reason]).toEqual([{ reason, raw }, cut]);
    }
    expect(Object.keys(response())).toEqual(['messages', 'report']);
    const usage = {
      inputTokens: 1,
      cacheWriteInputTokens: 20,
      cacheReadInputTokens: 300,
      outputTokens: 4,
      totalTokens: 325,
    };
    expect(response('end_turn', { usage }).usage).toEqual({
      inputTokens: 321,
      outputTokens: 4,
      cachedInputTokens: 300,
    });
    expect(response('end_turn', { usage: { outputTokens: 4 } }).usage).toEqual({ inputTokens: 0, outputTokens: 4 });
  });

  it('does not touch what it reads, and does not keep it', () => {
    const input = { list: [1] };
    const bytes = new Uint8Array([1, 2, 3]);
    const image = { image: { format: 'png', source: { bytes } } };
    const { messages } = bedrock.decode([
      { role: 'user', content: [image, text('q')] },
      { role: 'assistant', content: [use({ input })] },
    ]);
    input.list.push(2);
    bytes[0] = 9;
    expect(Object.isFrozen(input)).toBe(false);
    expect(messages.at(1)?.toolCalls.first()?.args).toEqual({ list: [1] });
    expect(messages.at(0)?.content.parts.first()?.get('image_url')).toEqual({ url: 'data:image/png;base64,AQID' });
  });

  it.each<[string, string, unknown]>([
    ['invalid_input', 'messages', 'x'],
    ['invalid_input', 'messages', { messages: 'x' }],
    ['invalid_input', 'messages[0]', [7]],
    ['invalid_role', 'messages[0].role', [{ role: 'robot', content: [] }]],
    ['missing_content', 'messages[0].content', [{ role: 'user' }]],
    ['missing_content', 'messages[0].content', [{ role: 'user', content: 'text' }]],
    ['invalid_input', 'messages[0].content[0]', [{ role: 'user', content: [7] }]],
    ['invalid_input', 'messages[0].content[0]', [{ role: 'user', content: [{}] }]],
    ['invalid_input', 'messages[0].content[0].text', [{ role: 'user', content: [{ text: 7 }] }]],
    ['invalid_input', 'messages[0].content[0].toolUse', [{ role: 'assistant', content: [{ toolUse: 7 }] }]],
    ['invalid_input', 'messages[0].content[0].toolUse.input', [{ role: 'assistant', content: [use({ input: 7 })] }]],
    ['invalid_input', 'messages[0].content[0].toolUse.name', [{ role: 'assistant', content: [use({ name: 7 })] }]],
    [
      'invalid_input',
      'messages[0].content[0].toolUse.input.x',
      [{ role: 'assistant', content: [use({ input: { x: () => 1 } })] }],
    ],
    ['invalid_input', 'messages[0].content[0].toolResult', [{ role: 'user', content: [{ toolResult: null }] }]],
    [
      'missing_content',
      'messages[0].content[0].toolResult.content',
      [{ role: 'user', content: [answer({ content: 'x' })] }],
    ],
    [
      'invalid_input',
      'messages[0].content[0].toolResult.content[1]',
      [{ role: 'user', content: [answer({ content: [text('a'), 7] })] }],
    ],
    ['missing_content', 'system', { system: 'Be brief.', messages: [hi] }],
    ['invalid_input', 'output.message', { output: {} }],
  ])('refuses what cannot be read, with its place: %s at %s', (code, path, request) => {
    expect(codeAt(() => bedrock.decode(request)).slice(0, 2)).toEqual([code, path]);
  });

  it('refuses what cannot even be looked at, with its place', () => {
    const throws = (): never => {
      throw new Error('no');
    };
    const circle: Record<string, unknown> = {};
    circle['toolUse'] = { toolUseId: 'a', name: 'f', input: circle };
    const wires = [
      Object.defineProperty({ role: 'user' }, 'content', { enumerable: true, get: throws }),
      { role: 'user', content: [Object.defineProperty({}, 'text', { enumerable: true, get: throws })] },
      { role: 'assistant', content: [circle] },
      new Proxy({}, { ownKeys: throws }),
    ];
    for (const one of wires)
      expect(codeAt(() => bedrock.decode([hi, one])).slice(0, 2)).toEqual(['invalid_input', 'messages[1]']);
    expect(codeAt(() => bedrock.decode([Object.create(hi)]))[0]).toBe('invalid_role');
  });

  it('takes keys of any name for what they are', () => {
    const request = JSON.parse(
      '{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{"__proto__":{"x":1},"constructor":2}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"json":{"__proto__":1}}]}}]}]}',
    );
    const { messages } = bedrock.decode(request);
    expect(JSON.stringify(conversationPart(bedrock.encode(messages)).payload)).toBe(JSON.stringify(request));
  });

  it.each<[string, string, unknown[]]>([
    ['tool_calls_on_role', 'messages[0]', [{ role: 'user', content: [use()] }]],
    ['missing_tool_call_id', 'messages[1]', [hi, { role: 'assistant', content: [use({ toolUseId: null })] }]],
    ['empty_tool_name', 'messages[1]', [hi, { role: 'assistant', content: [use({ name: '' })] }]],
    ['orphan_tool_answer', 'messages[0]', [{ role: 'user', content: [answer()] }]],
    [
      'missing_tool_answer',
      'messages[1]',
      [hi, { role: 'assistant', content: [use()] }, hi, { role: 'assistant', content: [text('a')] }],
    ],
  ])('refuses strictly what the API refuses: %s', (code, path, request) => {
    expect(codeAt(() => bedrock.decode(request, { strict: true })).slice(0, 2)).toEqual([code, path]);
  });

  it('puts answers in the order of their calls where it reads strictly, and tells it', () => {
    const request = [
      hi,
      { role: 'assistant', content: [use(), use({ toolUseId: 'b' })] },
      { role: 'user', content: [answer({ toolUseId: 'b' }), answer()] },
    ];
    const { messages, report } = bedrock.decode({ system: [text('s')], messages: request }, { strict: true });
    expect(messages.map(({ toolResult }) => toolResult?.callId)).toEqual([undefined, undefined, undefined, 'a', 'b']);
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([['messages[3]', 'reordered']]);
  });
});
