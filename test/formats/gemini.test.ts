import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gemini, type GeminiOptions, type GeminiPart, toSdk } from '../../src/formats/gemini/index.ts';
import {
  AudioSource,
  ContentPart,
  FileSource,
  ImageSource,
  Message,
  Messages,
  type MessageStoreError,
  ToolCall,
} from '../../src/index.ts';
import { assistant, call, chat, developer, fixIdentity, result, store, system, user } from '../../src/testing/index.ts';
import { checkGemini } from 'message-store/testing';

const FIXTURES = fileURLToPath(new URL('../fixtures/formats/gemini/', import.meta.url));
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

const encoded = (messages: Messages, options?: GeminiOptions) => gemini.encode(messages, options);
const contents = (messages: Messages, options?: GeminiOptions) => encoded(messages, options).payload.contents;
/** How the parts of one message of the user go out, and what is lost of them. */
const parts = (...given: ContentPart[]): GeminiPart[] => contents(chat(user(given)))[0]!.parts;
const losses = (messages: Messages, options?: GeminiOptions) =>
  encoded(messages, options).report.losses.map(({ path, rule, action }) => [path, rule, action]);
const repairs = (messages: Messages, options?: GeminiOptions) =>
  encoded(messages, options).report.repairs.map(({ path, rule, action }) => [path, rule, action]);
const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as MessageStoreError).code;
  }
  return undefined;
};
const wires = (list: readonly unknown[]) => contents(gemini.decode(list).messages);
const PNG = 'data:image/png;base64,iVBORw0KGgo=';

describe('a recorded request', () => {
  it.each(casesIn(''))('is read into the same messages, and is one that Gemini takes: %s', (name) => {
    const wire = read(`${name}.wire.json`);
    expect(checkGemini(wire).filter((rule) => !rule.endsWith('$ref'))).toEqual([]);
    const { messages, report } = gemini.decode(wire, { strict: true });
    if (process.env['UPDATE']) writeFileSync(`${FIXTURES}${name}.model.json`, `${JSON.stringify(messages, null, 2)}\n`);
    expect(messages.toJSON()).toEqual(read(`${name}.model.json`));
    expect(report).toEqual(NOTHING);
  });

  it.each(casesIn(''))('goes out again as it came: %s', (name) => {
    const request = read(`${name}.wire.json`);
    expect(gemini.encode(gemini.decode(request).messages)).toEqual({ payload: request, report: NOTHING });
    expect(gemini.encode(Messages.fromJSON(read(`${name}.model.json`))).payload).toEqual(request);
  });
});

describe('a recorded response', () => {
  it.each(casesIn('responses/'))('is read with why it ended and what it cost, and goes out again: %s', (name) => {
    const wire = read(`responses/${name}.wire.json`);
    const { messages, ...said } = gemini.decode(wire);
    const turn = [...messages];
    const answers = turn.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => result(id as string, 'r')));
    const sent = contents(chat(user('q'), ...turn, ...answers));
    const model = { messages: messages.toJSON(), ...said };
    const path = `responses/${name}.model.json`;
    if (process.env['UPDATE']) writeFileSync(FIXTURES + path, `${JSON.stringify(model, null, 2)}\n`);
    expect(model).toEqual(read(path));
    expect(sent[1]).toEqual(wire.candidates?.[0].content);
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['RECITATION', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['CONTINUATION', 'other'],
  ])('tells in neutral words why it ended: %s', (finishReason, reason) => {
    const { messages, finish } = gemini.decode({ candidates: [{ finishReason }] });
    expect([messages.size, finish]).toEqual([0, { reason, raw: finishReason }]);
  });

  it('marks calls that the limit of tokens may have cut', () => {
    const content = { role: 'model', parts: [{ functionCall: { name: 'write', args: { text: 'Once' } } }] };
    const incomplete = (finishReason: string) =>
      gemini.decode({ candidates: [{ content, finishReason }] }).messages.last()?.incomplete;
    expect([incomplete('MAX_TOKENS'), incomplete('STOP')]).toEqual([{ reason: 'length' }, undefined]);
    expect(gemini.decode(read('responses/cut.wire.json')).messages.last()?.incomplete).toBeUndefined();
  });

  it('has both in the metadata of its last message where that is wanted', () => {
    const wire = read('responses/calls.wire.json');
    const { messages, finish, usage } = gemini.decode(wire, { record: true });
    expect([finish, usage]).not.toContain(undefined);
    expect(messages.last()?.metadata.toJSON()).toEqual({ finish, usage });
    expect(gemini.decode(wire).messages.last()?.metadata.isEmpty()).toBe(true);
  });

  it('tells nothing that it was not told', () => {
    expect(gemini.decode({ candidates: [] })).toEqual({ messages: Messages.empty(), report: NOTHING });
  });
});

describe('instructions', () => {
  it('go before all else, those of a developer among them, and are told where they stood elsewhere', () => {
    const messages = chat(developer('D'), system('S'), user('hi'), system(['T', 'U']));
    const { payload, report } = encoded(messages);
    expect(payload).toEqual({
      systemInstruction: { parts: [{ text: 'D' }, { text: 'S' }, { text: 'T' }, { text: 'U' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    });
    expect(report.losses.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[0]', 'developer', 'degraded'],
      ['messages[3]', 'instruction-place', 'moved'],
    ]);
  });

  it('are text only', () => {
    const messages = chat(system(['S', ContentPart.imageUrl(PNG)]), system(ContentPart.imageUrl(PNG)), user('hi'));
    expect(encoded(messages).payload.systemInstruction).toEqual({ parts: [{ text: 'S' }] });
    expect(losses(messages)).toEqual([
      ['messages[0].content[1]', 'part-role', 'dropped'],
      ['messages[1].content[0]', 'part-role', 'dropped'],
      ['messages[1]', 'emptied-message', 'dropped'],
    ]);
  });

  it('alone are no request: words stand for those of the user', () => {
    expect(encoded(chat(system('s'))).payload.contents).toEqual([{ role: 'user', parts: [{ text: '(no message)' }] }]);
    expect(repairs(chat(system('s')))).toEqual([['messages[0]', 'stand-in', 'added']]);
    expect(codeOf(() => encoded(chat(system('s')), { invalid: 'throw' }))).toBe('no_user_message');
    expect(encoded(Messages.empty()).payload.contents).toHaveLength(1);
  });
});

describe('turns', () => {
  const roles = (messages: Messages) => contents(messages).map(({ role }) => role);

  it('begin with the user', () => {
    const messages = chat(assistant('hello'), user('hi'));
    expect(contents(messages)).toEqual([
      { role: 'user', parts: [{ text: '(no message)' }] },
      { role: 'model', parts: [{ text: 'hello' }] },
      { role: 'user', parts: [{ text: 'hi' }] },
    ]);
    expect(repairs(messages)).toEqual([['messages[0]', 'stand-in', 'added']]);
    expect(codeOf(() => encoded(messages, { invalid: 'throw' }))).toBe('starts_with_assistant');
  });

  it('begin with the model, or stand in a row, where they came so', () => {
    const wire = [
      { role: 'model', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ text: 'b' }] },
      { role: 'user', parts: [{ text: 'c' }] },
      { parts: [{ text: 'd' }] },
    ];
    expect(wires(wire)).toEqual(wire);
  });

  it('that call never begin a request, even behind words of the model that did', () => {
    const came = gemini.decode([{ role: 'model', parts: [{ text: 'a' }] }]).messages;
    const messages = came.appendMessages([assistant('', call('f')), result('f', 'r')]);
    expect(roles(messages)).toEqual(['user', 'model', 'user']);
  });

  it('of the model are one, so that calls stand right behind the user', () => {
    const messages = chat(user('q'), assistant('a'), assistant('b'), assistant('', call('f')), result('f', 'r'));
    expect(roles(messages)).toEqual(['user', 'model', 'user']);
    expect(repairs(messages)).toEqual([
      ['messages[2]', 'merged', 'moved'],
      ['messages[3]', 'merged', 'moved'],
    ]);
  });

  it('of the user may stand in a row', () => {
    expect(roles(chat(user('context'), user('question')))).toEqual(['user', 'user']);
  });

  it('of which nothing is left are left out, and told', () => {
    const messages = chat(user('a'), assistant(ContentPart.reasoning('hmm')), user('b'), user(''));
    expect(roles(messages)).toEqual(['user', 'user']);
    expect(losses(messages)).toEqual([
      ['messages[1].content[0]', 'reasoning', 'dropped'],
      ['messages[1]', 'emptied-message', 'dropped'],
      ['messages[3]', 'emptied-message', 'dropped'],
    ]);
  });

  it('of a store come in section order', () => {
    const prompt = store({ system: [system('S')], chat: [user('a'), user('')] });
    expect(gemini.encode(prompt)).toEqual({
      payload: { systemInstruction: { parts: [{ text: 'S' }] }, contents: [{ role: 'user', parts: [{ text: 'a' }] }] },
      report: NOTHING,
    });
  });
});

describe('parts', () => {
  it('are data where they are data, and addresses where they are that', () => {
    expect(
      parts(
        ContentPart.text('See:'),
        ContentPart.image(ImageSource.fromUrl(PNG)),
        ContentPart.imageUrl('https://a.test/i.JPG?x=1'),
        ContentPart.file(FileSource.fromDataUri('data:application/pdf;base64,JVBERi0=', { fileName: 'a.pdf' })),
        ContentPart.file(FileSource.fromUrl('https://www.youtube.com/watch?v=1')),
        ContentPart.from({ type: 'file', file: { file_id: 'gs://b/a.csv', mime_type: 'text/csv' } }),
        ContentPart.audio(AudioSource.of({ format: 'wav', data: 'UklGRg==' })),
      ),
    ).toEqual([
      { text: 'See:' },
      { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
      { fileData: { mimeType: 'image/jpeg', fileUri: 'https://a.test/i.JPG?x=1' } },
      { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=', displayName: 'a.pdf' } },
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://www.youtube.com/watch?v=1' } },
      { fileData: { mimeType: 'text/csv', fileUri: 'gs://b/a.csv' } },
      { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
    ]);
  });

  it.each<[string, ContentPart, string, string]>([
    ['an image whose type is not known', ContentPart.imageUrl('https://a.test/i'), 'mime-type', 'degraded'],
    ['a detail', ContentPart.of('image_url', { image_url: { url: PNG, detail: 'low' } }), 'key', 'dropped'],
    ['a cache mark', ContentPart.text('a').withField('cache_control', { type: 'ephemeral' }), 'key', 'dropped'],
    ['a refusal', ContentPart.refusal('No.'), 'refusal', 'degraded'],
    ['reasoning from elsewhere', ContentPart.reasoning('hm', { provider: 'anthropic' }), 'reasoning', 'dropped'],
    ['a file by an id from elsewhere', ContentPart.file(FileSource.fromId('file-1')), 'file-id', 'dropped'],
    ['a part of an unknown type', ContentPart.of('video', { url: 'x' }), 'part-type', 'dropped'],
    ['a call that came as a part', ContentPart.of('functionCall', { functionCall: {} }), 'part-type', 'dropped'],
    ['a text part without text', ContentPart.of('text'), 'part-shape', 'dropped'],
    ['an image without an address', ContentPart.of('image_url'), 'part-shape', 'dropped'],
  ])('tell what is lost of them: %s', (_, part, rule, action) => {
    const { payload, report } = encoded(chat(user(['x', part])));
    expect(report.losses.map((loss) => [loss.path, loss.rule, loss.action])).toEqual([
      ['messages[0].content[1]', rule, action],
    ]);
    expect(payload.contents[0]?.parts).toHaveLength(rule === 'key' || action === 'degraded' ? 2 : 1);
  });

  it('at addresses are left out for models that fetch none, save those that all read', () => {
    const pictures = chat(
      user(['x', ContentPart.imageUrl('https://a.test/i.png'), ContentPart.imageUrl('gs://b/i.png')]),
    );
    expect(contents(pictures, { urls: 'drop' })[0]?.parts).toHaveLength(2);
    expect(losses(pictures, { urls: 'drop' })).toEqual([['messages[0].content[1]', 'media-url', 'dropped']]);
  });

  it('that are empty text are left out, unless they are signed', () => {
    const signed = { text: '', thoughtSignature: 'c2ln' };
    const wire = [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [{ text: 'a' }, { text: '' }, signed] },
    ];
    expect(wires(wire)[1]?.parts).toEqual([{ text: 'a' }, signed]);
  });

  it('tell names and keys that have no place', () => {
    const odd = Message.from({ role: 'user', name: 'ann', content: 'a', vendor: 1, _note: 'n' });
    expect(losses(chat(odd))).toEqual([
      ['messages[0].name', 'name', 'dropped'],
      ['messages[0]', 'key', 'dropped'],
    ]);
  });
});

describe('calls and answers', () => {
  it('keep what came under any key, also one that objects have from their prototype', () => {
    const origin = { provider: 'gemini', data: JSON.parse('{"__proto__":{"text":"x"}}') as never };
    const asked = Message.of({
      role: 'assistant',
      toolCalls: [{ id: 'c1', name: 'f', arguments: '{}', _origin: origin }],
    });
    const [part] = contents(Messages.of(Message.asUser('q'), asked), { openTurn: 'cancel' })[1]!.parts;
    expect('text' in part!).toBe(false);
    expect(JSON.stringify(part)).toContain('"__proto__":{"text":"x"}');
  });

  const asking = assistant(
    '',
    call('list', {}, 'c1'),
    call('say', {}, 'c2'),
    call('none', {}, 'c3'),
    call('obj', {}, 'c4'),
  );
  const answersOf = (messages: Messages, options?: GeminiOptions): any[] =>
    contents(messages, options).flatMap((content) => content.parts.flatMap((part: any) => part.functionResponse ?? []));
  const answerTo = (text: string, options: object = {}) => {
    const [only] = answersOf(chat(user('q'), call('f'), result('f', text, options)));
    return only.response;
  };

  it('are objects with the name of the call, all answers in one content', () => {
    const messages = chat(
      user('q'),
      asking,
      ...[result('c1', '[1,2]'), result('c2', 'ok'), result('c3', 'null'), result('c4', '{"a": 1}')],
      user('next'),
    );
    expect(contents(messages).map(({ role, parts: own }) => [role, own.length])).toEqual([
      ['user', 1],
      ['model', 4],
      ['user', 4],
      ['user', 1],
    ]);
    expect(answersOf(messages)).toEqual([
      { name: 'list', response: { output: '[1,2]' } },
      { name: 'say', response: { output: 'ok' } },
      { name: 'none', response: { output: 'null' } },
      { name: 'obj', response: { a: 1 } },
    ]);
  });

  it('of a turn are matched: as many answers as calls, each an object', () => {
    const turn = chat(
      system('sys'),
      user('q'),
      assistant('', call('f', '{}', 'c1'), call('g', '{"x":{}}', 'c2')),
      result('c1', '[1,2]', { toolName: 'f' }),
      result('c2', 'nope', { toolName: 'g', status: 'error' }),
    );
    expect(encoded(turn)).toEqual({
      payload: {
        systemInstruction: { parts: [{ text: 'sys' }] },
        contents: [
          { role: 'user', parts: [{ text: 'q' }] },
          {
            role: 'model',
            parts: [{ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'g', args: { x: {} } } }],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'f', response: { output: '[1,2]' } } },
              { functionResponse: { name: 'g', response: { error: 'nope' } } },
            ],
          },
        ],
      },
      report: NOTHING,
    });
  });

  it.each([
    ['{"output":1}', { output: '{"output":1}' }],
    ['{"error":"x"}', { output: '{"error":"x"}' }],
    ['{"a":{"$ref":"#/b"}}', { output: '{"a":{"$ref":"#/b"}}' }],
    ['{"id":12345678901234567890}', { output: '{"id":12345678901234567890}' }],
    ['{"a":1,"a":2}', { output: '{"a":1,"a":2}' }],
    ['{"a":"\\ud83d"}', { output: '{"a":"\\ud83d"}' }],
    ['{\n  "a b": [1, " x "]\n}', { 'a b': [1, ' x '] }],
    ['', { output: '' }],
  ])('say exactly what the tool said: %s', (text, expected) => {
    expect(answerTo(text)).toEqual(expected);
  });

  it('tell the model of errors, and the caller of what is less than that', () => {
    expect(answerTo('{"a":1}', { status: 'error' })).toEqual({ error: '{"a":1}' });
    const denied = chat(user('q'), call('f'), result('f', 'no', { status: 'denied' }));
    expect([answersOf(denied)[0].response, losses(denied)]).toEqual([
      { error: 'no' },
      [['messages[2].toolResult', 'status', 'degraded']],
    ]);
    expect(gemini.decode({ contents: contents(denied) }).messages.at(2)?.toolResult?.status).toBe('error');
  });

  it('of another provider go out without its ids, unless they are asked for', () => {
    const foreign = chat(user('q'), call('f', {}, 'toolu_1'), result('toolu_1', 'r'));
    expect(answersOf(foreign)[0]).not.toHaveProperty('id');
    expect(answersOf(foreign, { callIds: 'all' })[0].id).toBe('toolu_1');
  });

  it('without ids get some, the same after a reload, and go out without them', () => {
    const calls = ['A', 'B'].map((c) => ({ functionCall: { name: 'w', args: { c } } }));
    const { messages } = gemini.decode({
      candidates: [{ content: { role: 'model', parts: calls } }],
      responseId: 'r1',
    });
    const again = gemini.decode({ candidates: [{ content: { role: 'model', parts: calls } }], responseId: 'r1' });
    const ids = messages.first()!.toolCalls.map(({ id }) => id as string);
    expect(new Set(ids).size).toBe(2);
    expect(again.messages.first()!.toolCalls.map(({ id }) => id)).toEqual(ids);
    const answered = Messages.fromJSON(messages.toJSON()).appendMessages(ids.map((id, at) => result(id, `${at}`)));
    expect(contents(chat(user('q'), ...answered)).slice(1)).toEqual([
      { role: 'model', parts: calls },
      {
        role: 'user',
        parts: ['0', '1'].map((output) => ({ functionResponse: { name: 'w', response: { output } } })),
      },
    ]);
  });

  it('keep their signatures where they came with them', () => {
    const turn = [
      { functionCall: { name: 'a', args: {} }, thoughtSignature: 'S' },
      { functionCall: { name: 'b', args: {} } },
    ];
    const { messages } = gemini.decode([{ role: 'model', parts: turn }]);
    const answers = messages.first()!.toolCalls.map(({ id }) => result(id as string, 'r'));
    const sent = contents(chat(user('q'), ...Messages.fromJSON(messages.toJSON()), ...answers), {
      signatures: 'required',
    });
    expect(sent[1]?.parts).toEqual(turn);
  });

  it('of another provider are signed with what Google documents for them, where the model asks for that', () => {
    const foreign = chat(user('q'), assistant('', call('a'), call('b')), result('a', 'r'), result('b', 'r'));
    expect(contents(foreign)[1]?.parts.map((part) => part.thoughtSignature)).toEqual([undefined, undefined]);
    expect(contents(foreign, { signatures: 'required' })[1]?.parts.map((part) => part.thoughtSignature)).toEqual([
      'skip_thought_signature_validator',
      undefined,
    ]);
    expect(repairs(foreign, { signatures: 'required' })).toEqual([['messages[1]', 'signature', 'added']]);
    expect(codeOf(() => encoded(foreign, { signatures: 'required', invalid: 'throw' }))).toBe(
      'missing_thought_signature',
    );
  });

  it('have objects for arguments, and names that the wire takes', () => {
    const odd = [
      ToolCall.of({ id: '1', name: 'get weather!', args: '{"city":"Os' }),
      ToolCall.of({ id: '2', name: 'sql', kind: 'custom', args: 'select 1' }),
      ToolCall.from({ id: '3', name: 'browser.tabs.open', arguments: '', vendor: 1 }),
    ];
    const messages = chat(user('q'), assistant('', ...odd), ...odd.map(({ id }) => result(id as string, 'r')));
    const calls = contents(messages)[1]!.parts.map((part: any) => part.functionCall);
    expect(calls).toEqual([
      { name: expect.stringMatching(/^_get_weather_[0-9a-z]{10}$/), args: {} },
      { name: 'sql', args: { input: 'select 1' } },
      { name: 'browser.tabs.open', args: {} },
    ]);
    expect(answersOf(messages).map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
    expect(repairs(messages)).toEqual([
      ['messages[1].toolCalls[0]', 'call-name', 'rewritten'],
      ['messages[1].toolCalls[0]', 'malformed-arguments', 'rewritten'],
    ]);
    expect(losses(messages)).toEqual([
      ['messages[1].toolCalls[1]', 'custom-call', 'degraded'],
      ['messages[1].toolCalls[2]', 'key', 'dropped'],
    ]);
  });

  it('stand where the model made them', () => {
    const parted = [
      { functionCall: { name: 'a', args: {} } },
      { text: 'then' },
      { functionCall: { name: 'b', args: {} } },
    ];
    const { messages } = gemini.decode([{ role: 'model', parts: parted }]);
    const answers = messages.first()!.toolCalls.map(({ id }) => result(id as string, 'r'));
    expect(contents(chat(user('q'), ...messages, ...answers))[1]?.parts).toEqual(parted);
  });

  describe('with media', () => {
    const shot = chat(user('look'), call('shot'), call('read'));
    const turn = chat(
      user('look'),
      assistant('', call('shot'), call('read')),
      result('shot', ['a', 'b', ContentPart.imageUrl(PNG), ContentPart.refusal('No.'), ContentPart.of('video')]),
      result('read', 'txt'),
    );
    const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };

    it('hold them', () => {
      expect(shot.size).toBe(3);
      expect(contents(turn)[2]?.parts).toEqual([
        { functionResponse: { name: 'shot', response: { output: 'a\nb\nNo.' }, parts: [image] } },
        { functionResponse: { name: 'read', response: { output: 'txt' } } },
      ]);
      expect(losses(turn)).toEqual([
        ['messages[2].content[3]', 'refusal', 'degraded'],
        ['messages[2].content[4]', 'part-type', 'dropped'],
        ['messages[2].toolResult', 'answer-texts', 'degraded'],
      ]);
    });

    it('have them behind all answers for older models, or not at all', () => {
      const kinds = (toolMedia: 'siblings' | 'none') =>
        contents(turn, { toolMedia })[2]?.parts.map((part) => Object.keys(part)[0]);
      expect([kinds('siblings'), kinds('none')]).toEqual([
        ['functionResponse', 'functionResponse', 'inlineData'],
        ['functionResponse', 'functionResponse'],
      ]);
      expect(losses(turn, { toolMedia: 'siblings' }).at(-1)).toEqual([
        'messages[2].toolResult',
        'answer-media',
        'moved',
      ]);
      expect(losses(turn, { toolMedia: 'none' }).at(-1)).toEqual(['messages[2].toolResult', 'answer-media', 'dropped']);
    });
  });

  it('that were changed since they came go out as they are now', () => {
    const wire = read('calls-without-ids.wire.json');
    const changed = gemini.decode(wire).messages.map((message) => {
      if (message.toolResult?.toolName === 'now') return message.withContent('noon');
      const calls = message.toolCalls.map((one) => (one.name === 'now' ? one.withArgs({ zone: 'utc' }) : one));
      return message.withToolCalls(calls);
    });
    const sent = contents(Messages.of(...changed));
    expect(sent[1]?.parts.at(-1)).toEqual({ functionCall: { name: 'now', args: { zone: 'utc' } } });
    expect(sent[2]?.parts[2]).toEqual({ functionResponse: { name: 'now', response: { output: 'noon' } } });
  });
});

describe('a history that no provider takes', () => {
  const killed = chat(user('run it'), assistant('', call('run', {}, 'c1')), user('continue'));

  it('is repaired on the way out, and told', () => {
    const { payload, report } = encoded(killed);
    expect(payload.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'user']);
    expect(payload.contents[2]?.parts).toEqual([
      {
        functionResponse: {
          name: 'run',
          response: { error: 'Tool call was interrupted before it produced a result.' },
        },
      },
    ]);
    expect(report).toMatchObject({ losses: [], repairs: [{ path: 'messages[1]', rule: 'synthesised' }] });
    expect(codeOf(() => encoded(killed, { invalid: 'throw' }))).toBe('missing_tool_answer');
  });

  it('is refused where its last calls wait', () => {
    expect(codeOf(() => encoded(killed.slice(0, 2)))).toBe('tool_turn_open');
    expect(contents(killed.slice(0, 2), { openTurn: 'cancel' })).toHaveLength(3);
  });

  it('has one answer to each call', () => {
    const twice = chat(user('q'), call('web'), result('web', 'first'), result('web', 'second'));
    expect(contents(twice)[2]?.parts).toEqual([{ functionResponse: { name: 'web', response: { output: 'first' } } }]);
  });
});

describe('decode', () => {
  it('matches answers to calls without ids by their name and order', () => {
    const fr = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
    const history = [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: ['a', 'b', 'a'].map((name) => ({ functionCall: { name, args: {} } })) },
      { role: 'function', parts: [fr('b', '1'), fr('a', '2'), fr('a', '3')] },
    ];
    const { messages, report } = gemini.decode(history, { strict: true });
    expect(messages.slice(2).map(String)).toEqual(['2', '1', '3']);
    expect(report.repairs.map(({ rule }) => rule)).toContain('reordered');
  });

  it('keeps what it does not know for Gemini alone', () => {
    const wire = [
      {
        role: 'user',
        parts: [
          { newKind: { a: 1 }, partMetadata: {} },
          { text: 'x', newSide: 1 },
          { inlineData: { mimeType: 'a;b,c', data: 'QQ==' } },
        ],
      },
    ];
    expect(wires(wire)).toEqual(wire);
    const [first] = gemini.decode(wire).messages.first()!.contentParts();
    expect([first?.type, first?.origin?.provider]).toEqual(['newKind', 'gemini']);
  });

  it('takes instructions also as the REST API spells them', () => {
    const { messages } = gemini.decode({ system_instruction: { parts: [{ text: 'S' }] }, contents: [] });
    expect(messages.map(({ role, content }) => [role, String(content)])).toEqual([['system', 'S']]);
  });

  it('mends half characters, and tells it', () => {
    const { messages, report } = gemini.decode({
      systemInstruction: { parts: [{ text: 'S\ud83d' }] },
      contents: [
        { parts: [{ text: 'ok\ud83d' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { k: '\ude00x' } } }] },
      ],
    });
    expect(messages.map(String)).toEqual(['S\ufffd', 'ok\ufffd', '']);
    expect(messages.at(2)?.toolCalls.first()?.args).toEqual({ k: '\ufffdx' });
    expect(report.repairs.map(({ path, rule }) => [path, rule])).toEqual([
      ['contents[0].parts[0].text', 'lone-surrogate'],
      ['contents[1].parts[0].functionCall.args.k', 'lone-surrogate'],
      ['systemInstruction.parts[0].text', 'lone-surrogate'],
    ]);
  });

  it.each([
    ['no contents', { hello: 1 }, 'contents: expected messages or a response'],
    ['no content', [5], 'contents[0]: expected an object with parts'],
    ['no parts', [{ role: 'user' }], 'contents[0]: expected an object with parts'],
    ['an unknown role', [{ role: 'robot', parts: [] }], 'contents[0].role: expected "user" or "model"'],
    [
      'arguments that are no JSON',
      [{ role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1n } } }] }],
      'args.a: expected a JSON value',
    ],
    ['a bad candidate', { candidates: [{ content: { parts: [5] } }] }, 'candidates[0].content: expected an object'],
  ])('names the place of what it cannot read: %s', (_, wire, message) => {
    expect(() => gemini.decode(wire)).toThrow(message);
  });

  const asked = {
    role: 'model',
    parts: [{ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'g', args: {} } }],
  };
  const fr = (name: string) => ({ functionResponse: { name, response: {} } });
  it.each<[string, unknown, string]>([
    ['nothing', [], 'no_user_message'],
    ['nothing in a content', [{ parts: [] }, { parts: [{ text: 'a' }] }], 'invalid_input'],
    ['calls first', [asked, { parts: [fr('f'), fr('g')] }], 'starts_with_assistant'],
    ['an answer to nothing', [{ parts: [fr('f')] }], 'orphan_tool_answer'],
    [
      'a call without its answer',
      [{ parts: [{ text: 'q' }] }, asked, { parts: [{ text: 'a' }] }],
      'missing_tool_answer',
    ],
    ['answers apart', [{ parts: [{ text: 'q' }] }, asked, { parts: [fr('f')] }, { parts: [fr('g')] }], 'invalid_input'],
  ])('refuses strictly what Gemini refuses: %s', (_, wire, code) => {
    expect(() => gemini.decode(wire)).not.toThrow();
    expect(codeOf(() => gemini.decode(wire, { strict: true }))).toBe(code);
  });
});

it('reads the settings of the JavaScript package together with a payload', () => {
  const { payload } = gemini.encode(chat(system('S'), user('hi')));
  expect(toSdk(payload, { model: 'gemini-3', config: { temperature: 0, systemInstruction: 'old' } })).toEqual({
    model: 'gemini-3',
    contents: payload.contents,
    config: { temperature: 0, systemInstruction: { parts: [{ text: 'S' }] } },
  });
  expect(toSdk({ contents: [] }, { model: 'm' })).toEqual({ model: 'm', contents: [], config: {} });
});

it('is a value that describes itself', () => {
  expect([gemini.name, gemini.capabilities.parts.system, Object.isFrozen(gemini)]).toEqual(['gemini', ['text'], true]);
});
