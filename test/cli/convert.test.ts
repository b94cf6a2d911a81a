import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convertDocument, type Conversion } from '../../src/cli/convert-document.ts';
import { FORMAT_NAMES, formatNamed } from '../../src/cli/formats.ts';
import { type Messages, MessageStore } from '../../src/index.ts';
import { read } from '../support/source.ts';
import { CHATS, file, folder, json, jsonLines, REAL_CHATS, REAL_DATA, run, SUPPORT } from './run.ts';

const user = (content: unknown) => ({ role: 'user', content });
const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
});
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: '12 °C' });
const HISTORY = [user('Weather in Oslo?'), call('c1'), answer('c1')];
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
/** One conversation, as a request of each provider. */
const request = (format: string): unknown => JSON.parse(read(`test/fixtures/cli/payloads/${format}.json`)).full;

/** What a value becomes. */
const converted = (value: unknown, conversion: Omit<Conversion, 'from'> & { from?: string }) =>
  convertDocument(
    {
      file: 'x.json',
      place: 'x.json',
      parse: () => ({ value, readPrompt: () => MessageStore.empty() }),
      locate: (path) => ({ place: 'x.json', path }),
    },
    { from: 'auto', ...conversion },
  );

describe('from one format to another', () => {
  const pairs = FORMAT_NAMES.flatMap((from) => FORMAT_NAMES.map((to) => ({ from, to })));

  /** What the conversation of these requests says, whatever its form. */
  const told = (messages: Messages) => ({
    calls: messages
      .map(({ toolCalls }) => [...toolCalls].map(({ name, args }) => [name, args]))
      .filter((calls) => calls.length > 0),
    answers: messages.filter((message) => message.hasToolResult()).map(String),
    said: messages.map(String).filter((text) => /noon|once more/.test(text)),
  });

  it.each(pairs)('$from to $to keeps what was said, called and answered', ({ from, to }) => {
    const { payload } = converted(request(from), { to });
    const { messages } = formatNamed(to)!.decode(payload, { strict: true });
    expect(told(messages)).toEqual({
      calls: [
        [
          ['get_weather', { city: 'Lisbon' }],
          ['get_time', {}],
        ],
      ],
      answers: [expect.stringContaining('upstream timeout'), expect.stringContaining('2026-11-30T12:00:00Z')],
      said: ['It is noon in Lisbon. The weather service timed out.', 'Thanks. Try the weather once more.'],
    });
  });

  it.each(FORMAT_NAMES)('%s to itself is the same', (name) => {
    const given = request(name);
    const { payload, entries } = converted(given, { from: name, to: name });
    expect(given).toMatchObject(payload as object);
    // Its API takes calls beside definitions only, which are not part of a conversation.
    expect(entries.map(({ rule }) => rule)).toEqual(name === 'bedrock' ? ['tool-definitions'] : []);
  });

  it.each(FORMAT_NAMES)('%s to a store and back is the same', (name) => {
    const given = request(name);
    const store: unknown = JSON.parse(JSON.stringify(converted(given, { to: 'store' }).payload));
    expect(given).toMatchObject(converted(store, { to: name }).payload as object);
  });
});

describe('convert', () => {
  it('prints a payload, and tells what was lost', () => {
    const { status, stdout, stderr } = run(
      ['convert', '-', '--to', 'anthropic'],
      JSON.stringify([{ role: 'developer', content: 'Be brief.' }, ...HISTORY]),
    );
    expect(status).toBe(0);
    expect(stdout).toBe(
      `${JSON.stringify(
        {
          system: 'Be brief.',
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'Weather in Oslo?' }] },
            {
              role: 'assistant',
              content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } }],
            },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: 'c1', content: '12 °C' }],
            },
          ],
        },
        null,
        2,
      )}\n`,
    );
    expect(stderr).toMatch(/^standard input: messages\[0\]\.role: degraded: [^\n]+\n$/);
  });

  it.each([
    ['gemini', { candidates: [{ content: { role: 'model', parts: [{ text: 'Oslo.' }] }, finishReason: 'STOP' }] }],
    ['openai-chat', { object: 'chat.completion', choices: [{ message: { role: 'assistant', content: 'Oslo.' } }] }],
    [
      'anthropic',
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Oslo.' }], stop_reason: null },
    ],
    ['ollama', { message: { role: 'assistant', content: 'Oslo.' }, done: true }],
  ])('reads a response of %s', (_, response) => {
    expect(converted(response, { to: 'openai-chat' }).payload).toEqual({
      messages: [{ role: 'assistant', content: 'Oslo.' }],
    });
  });

  it('reads a prompt, a store, and messages of the library', () => {
    const store = json(['convert', SUPPORT, '--to', 'store']);
    const messages = json(['assemble', SUPPORT]);
    const payload = json(['convert', SUPPORT, '--from', 'store', '--to', 'openai-chat']);
    expect(payload.messages).toHaveLength(10);
    expect(converted(store, { to: 'openai-chat' }).payload).toEqual(payload);
    for (const from of ['auto', 'store'])
      expect(converted(messages, { from, to: 'openai-chat' }).payload).toEqual(payload);
  });

  it('keeps the settings of a request in a store', () => {
    const body = { model: 'claude', max_tokens: 9, system: 'Be brief.', messages: [user('Hi')] };
    const { payload } = converted(body, { to: 'store' });
    expect(JSON.parse(JSON.stringify(payload))).toMatchObject({
      parameters: { model: 'claude', max_tokens: 9 },
      sections: [{ name: 'system' }, { name: 'messages' }],
    });
  });

  it('reads what it is told to read', () => {
    const message = {
      role: 'user',
      content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
    };
    const url = (from: string) => JSON.stringify(converted([message], { from, to: 'gemini' }).payload);
    expect(url('anthropic')).toContain('fileUri');
    expect(url('openai-chat')).not.toContain('fileUri');
  });

  it.each([
    ['an object', { name: 'x', size: 1 }, 'an object with "name", "size"'],
    ['a list', [[1]], 'a list that begins with a list'],
    ['nothing', {}, 'an object with nothing in it'],
    ['text', 'x', '"x"'],
  ])('says what it saw where nothing fits, and how to choose: %s', (_, value, seen) => {
    const formats = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(FORMAT_NAMES);
    expect(() => converted(value, { to: 'store' })).toThrow(
      `x.json: expected a prompt file (sections by name), a store document, or messages of ${formats}, got ${seen}; convert --from FORMAT says which`,
    );
  });

  it.each(['bedrock', 'mistral', 'openai-responses'].filter((name) => formatNamed(name) === undefined))(
    'names a format that it cannot read: %s',
    (name) => {
      const { full } = JSON.parse(read(`test/fixtures/cli/payloads/${name}.json`));
      expect(() => converted(full, { to: 'store' })).toThrow(`, got ${name};`);
    },
  );

  it('refuses calls at the end that wait for their answers, unless they are to be cancelled', () => {
    const waiting = JSON.stringify(HISTORY.slice(0, 2));
    const refused = run(['convert', '-', '--to', 'anthropic'], waiting);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^standard input: messages\[1\]: the tool calls "c1" have no answer yet/);
    const { status, stdout, stderr } = run(['convert', '-', '--to', 'anthropic', '--open-turn', 'cancel'], waiting);
    expect([status, JSON.parse(stdout).messages.length]).toEqual([0, 3]);
    expect(stderr).toMatch(/^standard input: messages\[1\]: added: [^\n]+$/m);
    expect(json(['convert', '-', '--to', 'store'], waiting).sections[0].messages).toHaveLength(2);
  });

  it.each([
    ['no format to write', ['convert', CHATS]],
    ['an unknown format', ['convert', CHATS, '--to', 'xml']],
    ['an unknown format to read', ['convert', CHATS, '--from', 'xml', '--to', 'store']],
    ['a report in the place of the result', ['convert', CHATS, '--to', 'store', '--out', 'a', '--report', 'a']],
    ['a report among the result', ['convert', CHATS, '--to', 'store', '--report', '-']],
    ['a report in the place of the file', ['convert', CHATS, '--to', 'store', '--report', CHATS]],
  ])('exits with 2 and one sentence for %s', (_, args) => {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });
});

describe('convert --strict', () => {
  it('prints what can be carried whole', () => {
    expect(run(['convert', '-', '--to', 'anthropic', '--strict'], JSON.stringify(HISTORY))).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it.each([
    ['a loss in writing', [{ role: 'user', name: 'ann', content: 'x' }], 'anthropic', /^x\.json: messages\[0\]\S*: /],
    [
      'a loss in reading',
      { choices: [{ message: { role: 'assistant', content: 'x' } }, {}] },
      'store',
      /^x\.json: choices\[1\]: only the first choice is read$/,
    ],
    ['an answer without its call', [answer('c1')], 'anthropic', /^x\.json: messages\[0\]: .*"c1"/],
    ['the same, into a store', { sections: [{ name: 'a', messages: [answer('c1')] }] }, 'store', /^x\.json: .*"c1"/],
    [
      'what a strict server refuses',
      [{ ...call('c1'), tool_calls: [] }],
      'store',
      /^x\.json: messages\[0\]\.tool_calls: /,
    ],
  ])('refuses %s', (_, value, to, message) => {
    expect(() => converted(value, { to })).not.toThrow();
    expect(() => converted(value, { to, strict: true })).toThrow(message);
  });

  it('names the line and the path', () => {
    const chats = file('strict.jsonl', lines(HISTORY, [answer('c9')]));
    const { status, stdout, stderr } = run(['convert', chats, '--to', 'ollama', '--strict']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^\S*strict\.jsonl:1: messages\[1\]\S*: [^\n]+\n\S*strict\.jsonl:2: messages\[0\]: [^\n]+\n/,
    );
  });
});

describe('convert of JSON Lines', () => {
  it('prints each conversation on a line, whatever its form', () => {
    const gemini = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const mixed = lines(HISTORY, gemini, { system: 'Be brief.', messages: [user('Hello')] });
    const { status, stdout, stderr } = run(['convert', '-', '--to', 'openai-chat'], mixed);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(jsonLines(stdout)).toEqual([
      { messages: HISTORY },
      { messages: [user('Hi')] },
      { messages: [{ role: 'system', content: 'Be brief.' }, user('Hello')] },
    ]);
  });

  it('reads and writes gzipped and plain files', () => {
    const chats = file('zipped.jsonl.gz', gzipSync(readFileSync(CHATS)));
    const plain = run(['convert', CHATS, '--to', 'gemini']);
    expect(plain.status).toBe(0);
    expect(jsonLines(plain.stdout)).toHaveLength(2);
    expect(run(['convert', chats, '--to', 'gemini']).stdout).toBe(plain.stdout);
    expect(run(['convert', '-', '--to', 'gemini'], readFileSync(chats)).stdout).toBe(plain.stdout);
    expect(gunzipSync(readFileSync(chats))).toEqual(readFileSync(CHATS));
  });

  it('tells lines that cannot be converted, and converts the others', () => {
    const chats = file(
      'bad.jsonl',
      `{broken\n${lines(HISTORY, [{ role: 'robot', content: '' }], { name: 'x' }, HISTORY.slice(0, 2), [user('Hi')])}"cut`,
    );
    const { status, stdout, stderr } = run(['convert', chats, '--to', 'openai-chat']);
    expect([status, jsonLines(stdout)]).toEqual([1, [{ messages: HISTORY }, { messages: [user('Hi')] }]]);
    expect(stderr.replaceAll(chats, 'bad.jsonl').trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^bad\.jsonl:1: expected JSON: /),
      expect.stringMatching(/^bad\.jsonl:3: messages\[0\]\.role: expected one of .*, got "robot"$/),
      expect.stringMatching(/^bad\.jsonl:4: expected .*, got an object with "name"; /),
      expect.stringMatching(/^bad\.jsonl:5: messages\[1\]: the tool calls "c1" have no answer yet/),
      expect.stringMatching(/^bad\.jsonl:7: expected JSON: /),
      'bad.jsonl: 5 of 7 conversations were not written',
    ]);
  });

  it('is one conversation where each line is a message', () => {
    const chat = file('messages.jsonl', lines(...HISTORY));
    expect(json(['convert', chat, '--to', 'openai-chat'])).toEqual({ messages: HISTORY });
    const gemini = lines({ role: 'user', parts: [{ text: 'Hi' }] }, { role: 'model', parts: [{ text: 'Hello' }] });
    expect(json(['convert', '-', '--to', 'ollama'], gemini).messages).toEqual([
      user('Hi'),
      { role: 'assistant', content: 'Hello' },
    ]);
  });

  it('is a list where each line is a response', () => {
    const response = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
    };
    expect(jsonLines(run(['convert', '-', '--to', 'openai-chat'], lines(response, response)).stdout)).toHaveLength(2);
  });

  it('names the line of a message where each line is one', () => {
    const { status, stderr } = run(
      ['convert', '-', '--to', 'store'],
      lines(user('Hi'), { role: 'robot', content: '' }),
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^standard input:2: role: expected one of/);
  });

  it.skipIf(REAL_DATA === undefined)('there and back is the same for real conversations (needs REAL_DATA)', () => {
    const payloads = jsonLines(run(['convert', REAL_CHATS, '--to', 'openai-chat']).stdout);
    const claude = file('claude.jsonl', run(['convert', REAL_CHATS, '--to', 'anthropic']).stdout);
    const back = jsonLines(run(['convert', claude, '--to', 'openai-chat']).stdout);
    const calls = (payload: any) => payload.messages.flatMap((message: any) => message.tool_calls ?? []);
    expect(payloads).toHaveLength(200);
    expect(back.map((payload) => calls(payload).length)).toEqual(payloads.map((payload) => calls(payload).length));
  });
});

describe('convert --report', () => {
  const NAMED = { role: 'user', name: 'ann', content: 'x' };
  const loss = {
    step: 'write',
    kind: 'loss',
    path: expect.stringMatching(/^messages\[0\]/),
    rule: expect.any(String),
    action: 'dropped',
    message: expect.any(String),
  };

  it('writes what was lost or repaired as JSON, instead of telling it', () => {
    const report = join(folder, 'report.json');
    const chat = file('named.json', JSON.stringify([NAMED, answer('c9')]));
    expect(run(['convert', chat, '--to', 'anthropic', '--report', report])).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({
      file: chat,
      entries: expect.arrayContaining([
        loss,
        expect.objectContaining({ step: 'write', kind: 'repair', action: 'dropped' }),
      ]),
    });
  });

  it('writes an empty report where nothing was lost', () => {
    const report = join(folder, 'nothing.json');
    run(['convert', '-', '--to', 'anthropic', '--report', report], JSON.stringify(HISTORY));
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({ file: 'standard input', entries: [] });
  });

  it('has a line for each line of which there is something to tell, bad ones too', () => {
    const report = join(folder, 'report.jsonl');
    const chats = file('told.jsonl', `${lines(HISTORY, [NAMED])}{broken\n`);
    const { status, stderr } = run(['convert', chats, '--to', 'anthropic', '--report', report]);
    expect(jsonLines(readFileSync(report, 'utf8'))).toEqual([
      { file: chats, line: 2, entries: [loss] },
      { file: chats, line: 3, error: expect.stringContaining('told.jsonl:3: expected JSON: ') },
    ]);
    expect(status).toBe(1);
    expect(stderr.replaceAll(chats, 'told.jsonl').trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^told\.jsonl:3: expected JSON: /),
      'told.jsonl: 1 of 3 conversations were not written',
    ]);
  });

  it('tells what was changed in reading', () => {
    const report = join(folder, 'read.json');
    run(['convert', '-', '--to', 'store', '--report', report], '[{"role":"user","content":"a\\ud800b"}]');
    expect(JSON.parse(readFileSync(report, 'utf8')).entries).toMatchObject([{ step: 'read', kind: 'repair' }]);
  });
});

describe('convert --out', () => {
  it('may write to the file that it reads, where all of it can be converted', () => {
    const chats = file('same.jsonl', readFileSync(CHATS));
    expect(run(['convert', chats, '--to', 'gemini', '--out', chats])).toMatchObject({ status: 0, stdout: '' });
    expect(jsonLines(readFileSync(chats, 'utf8'))[0]).toHaveProperty('contents');
  });

  it('does not lose what cannot be converted', () => {
    const chats = file('kept.jsonl', `${lines(HISTORY)}{broken\n`);
    const before = readFileSync(chats, 'utf8');
    const { status, stderr } = run(['convert', chats, '--to', 'gemini', '--out', chats]);
    expect([status, readFileSync(chats, 'utf8')]).toEqual([1, before]);
    expect(stderr).toMatch(/kept\.jsonl: stays as it was: [^\n]+\n$/);
  });

  it('is not written where the one conversation cannot be converted', () => {
    const [out, report] = [join(folder, 'no.json'), join(folder, 'no-report.json')];
    const args = ['convert', '-', '--to', 'gemini', '--out', out, '--report', report];
    expect(run(args, '[{"role":"robot"}]').status).toBe(1);
    expect([existsSync(out), existsSync(report)]).toEqual([false, false]);
  });
});
