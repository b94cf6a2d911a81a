import { openaiChat } from 'message-store/formats/openai-chat';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { joinSources } from '../../../src/cli/input/join-sources.ts';
import { type Conversation, openSource } from '../../../src/cli/input/open-source.ts';
import { MessageStore } from '../../../src/index.ts';
import { file } from '../run.ts';

const all = async (conversations: AsyncIterable<Conversation>): Promise<Conversation[]> => {
  const found: Conversation[] = [];
  for await (const conversation of conversations) found.push(conversation);
  return found;
};
const open = (name: string, content: string | Uint8Array) => openSource(file(name, content));
const readAll = async (name: string, content: string | Uint8Array) => all((await open(name, content)).conversations);
const readOne = async (name: string, content: string) => (await readAll(name, content))[0]!;
const says = (name: string, content: string, message: string) =>
  expect(readAll(name, content)).rejects.toThrow(message);

const sizes = ({ store }: Conversation) => Object.fromEntries(store.sections.map(({ name, size }) => [name, size]));
const SYSTEM = { role: 'system', content: 's' };
const USER = { role: 'user', content: 'u' };
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('a store document', () => {
  const store = MessageStore.fromMessages(['a', 'b'], 'chat').parameters().setParameter('n', 1);

  it.each([
    ['JSON', 'store.json', JSON.stringify(store)],
    ['indented JSON', 'indented', JSON.stringify(store, null, 2)],
    ['YAML, of which JSON is a part', 'store.yaml', JSON.stringify(store, null, 2)],
  ])('is read as it was written: %s', async (_, name, text) => {
    expect((await readOne(name, text)).store.equals(store)).toBe(true);
  });

  it('need not know ids, times and a version', async () => {
    const { store: read } = await readOne('loose.json', '{"sections":[{"name":"a","messages":["x"]}]}');
    expect(read.toMessages().map(String)).toEqual(['x']);
  });

  it.each([
    ['{"version":99,"sections":[]}', 'version: expected a document of version 1 or older, got 99'],
    ['{"version":"3.8","services":{}}', 'version: expected a whole number, got "3.8"'],
    [
      '{"sections":[{"name":"a","messages":[{"role":"robot","content":""}]}]}',
      'sections.a.messages[0].role: expected one of',
    ],
  ])('is refused with the path: %s', (text, message) => says('bad-store.json', text, `bad-store.json: ${message}`));
});

describe('an OpenAI conversation', () => {
  it('is split into the instructions at its start and the rest', async () => {
    const developer = { role: 'developer', content: 'd' };
    expect(sizes(await readOne('a.json', JSON.stringify([SYSTEM, developer, USER, SYSTEM])))).toEqual({
      system: 2,
      messages: 2,
    });
    expect(sizes(await readOne('a.json', JSON.stringify({ messages: [USER] })))).toEqual({ messages: 1 });
    expect(sizes(await readOne('a.json', '[]'))).toEqual({ messages: 0 });
    expect(sizes(await readOne('a.json', JSON.stringify(USER)))).toEqual({ messages: 1 });
  });

  it('goes out as it came in', async () => {
    const messages = [
      SYSTEM,
      USER,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{ }' } }],
      },
      { role: 'tool', content: 'r', tool_call_id: 'c' },
    ];
    const { store } = await readOne('b.json', JSON.stringify({ messages }));
    expect(openaiChat.encode(store).payload).toEqual({ messages });
  });

  it('keeps what else a request says as parameters', async () => {
    const { store } = await readOne(
      'c.json',
      JSON.stringify({ model: 'm', messages: [USER], tools: [{ type: 'function' }] }),
    );
    expect(store.parameters().get().toJSON()).toEqual({ model: 'm', tools: [{ type: 'function' }] });
  });

  it('may be a response', async () => {
    const response = {
      id: 'r',
      choices: [{ message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }, {}],
    };
    const { store, notes } = await readOne('d.json', JSON.stringify(response));
    expect(store.toMessages().map(String)).toEqual(['hi']);
    expect(notes).toEqual([expect.stringMatching(/d\.json: choices\[1\]: dropped: only the first choice is read$/)]);
  });

  it('may be YAML', async () => {
    expect(sizes(await readOne('e.yaml', 'messages:\n  - role: user\n    content: hi\n'))).toEqual({ messages: 1 });
  });

  it('tells what was changed to read it', async () => {
    const { store, notes } = await readOne('f.json', '[{"role":"user","content":"a\\ud800b"}]');
    expect(store.toMessages().map(String)).toEqual(['a\ufffdb']);
    expect(notes).toEqual([expect.stringMatching(/f\.json: .*content: rewritten: half of a character/)]);
  });

  it('is refused with the path', () =>
    says(
      'g.json',
      JSON.stringify({ messages: [USER, { role: 'robot', content: '' }] }),
      'g.json: messages[1].role: expected one of',
    ));
});

describe('JSON Lines', () => {
  it('hold a conversation a line, of any kind', async () => {
    const prompt = { sections: { b: 'x', 1: 'y' } };
    const store = MessageStore.fromMessages('z', 'chat');
    const found = await readAll(
      'a.jsonl',
      `\n${lines([USER], { messages: [SYSTEM, USER] }, prompt)}  \r\n${lines(store)}`,
    );
    expect(found.map(sizes)).toEqual([{ messages: 1 }, { system: 1, messages: 1 }, { b: 1, 1: 1 }, { chat: 1 }]);
    expect(found.map(({ place }) => place.replace(/.*\//, ''))).toEqual([
      'a.jsonl:2',
      'a.jsonl:3',
      'a.jsonl:4',
      'a.jsonl:6',
    ]);
  });

  it('are a list also where it is of one; JSON alone is none', async () => {
    expect((await open('one.jsonl', lines({ messages: [USER] }))).isList).toBe(true);
    expect((await open('one.json', lines({ messages: [USER] }))).isList).toBe(false);
    expect((await open('two.json', lines([USER], [USER]))).isList).toBe(true);
  });

  it('hold one conversation where they are its messages', async () => {
    const source = await open('m.jsonl', lines(SYSTEM, USER, { role: 'assistant', content: null, refusal: 'no' }));
    const [conversation, ...others] = await all(source.conversations);
    expect([source.isList, others]).toEqual([false, []]);
    expect(sizes(conversation!)).toEqual({ system: 1, messages: 2 });
  });

  it('may hold more messages than a function takes arguments', async () => {
    expect(sizes(await readOne('long.jsonl', lines(USER).repeat(200_000)))).toEqual({ messages: 200_000 });
  });

  it('are read as they are asked for', async () => {
    const { conversations } = await open('late.jsonl', `${lines([USER], [USER])}{broken\n`);
    const reader = conversations[Symbol.asyncIterator]();
    expect([(await reader.next()).done, (await reader.next()).done]).toEqual([false, false]);
    await expect(reader.next()).rejects.toThrow('late.jsonl:3: expected JSON: expected property name');
  });

  it.each([
    [lines([], { messages: [USER, { role: 'robot', content: '' }] }), 'bad.jsonl:2: messages[1].role: expected one of'],
    [lines(USER, { role: 'robot', content: '' }), 'bad.jsonl:2: role: expected one of'],
    [`${lines(USER)}\n\n${lines({ content: 'x' })}`, 'bad.jsonl:4: expected a message with a role, got an object'],
    [lines([USER], 'text'), 'bad.jsonl:2: expected a prompt file'],
    [lines([USER], { sections: { a: 5 } }), 'bad.jsonl:2: line 1: sections.a: expected a message'],
    [`{"messages": [\n]}`, 'bad.jsonl:1: expected JSON: unexpected end'],
  ])('are refused with the line: %j', (text, message) => says('bad.jsonl', text, message));
});

describe('a file', () => {
  it('is read the same when it is zipped, marked, or has returns', async () => {
    const prompt = 'sections:\n  system: |\n    a\n    b\n  prompt: c\n';
    const texts = async (name: string, content: string | Uint8Array) =>
      (await readAll(name, content))[0]!.store.toMessages().map(String);
    expect(await texts('p.yaml', prompt)).toEqual(['a\nb\n', 'c']);
    expect(await texts('p.yaml.gz', gzipSync(prompt))).toEqual(['a\nb\n', 'c']);
    expect(await texts('p', `\ufeff${prompt.replaceAll('\n', '\r\n')}`)).toEqual(['a\nb\n', 'c']);
  });

  it.each([
    ['empty.json', '', 'empty.json: is empty'],
    ['blank.yaml', '\ufeff\r\n \n', 'blank.yaml: is empty'],
    ['comment.yaml', '# nothing\n', 'comment.yaml: expected a prompt file'],
    ['notes.txt', 'Dear diary,\nto do: rest\n', 'notes.txt: line 1: expected YAML: '],
    [
      'other.json',
      '{"name":"x"}',
      'other.json: expected a prompt file (sections by name), a store document, or messages of openai-chat, ',
    ],
    ['deep.json', `${'['.repeat(1e5)}${']'.repeat(1e5)}`, 'deep.json: '],
    ['deep-content.json', `[{"role":"user","content":${'['.repeat(1e5)}${']'.repeat(1e5)}}]`, 'deep-content.json: '],
    [
      'deep-prompt.json',
      `{"sections":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
      'deep-prompt.json: line 1: is nested too deeply',
    ],
    [
      'deep-store.json',
      `{"sections":[],"parameters":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
      'deep-store.json: parameters.a[0]',
    ],
    ['deep-line.jsonl', `[]\n{"messages":[],"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}\n`, 'deep-line.jsonl:2: '],
  ])('is refused: %s', (name, content, message) => says(name, content, message));

  it('cannot reach prototypes', async () => {
    const request =
      '{"messages":[{"role":"user","content":"x","__proto__":{"evil":1}}],"__proto__":{"evil":1},"constructor":1}';
    const { store } = await readOne('proto.json', request);
    expect(JSON.stringify(store.parameters().get())).toBe('{"__proto__":{"evil":1},"constructor":1}');
    expect(({} as any).evil).toBeUndefined();
  });
});

describe('several files', () => {
  const joined = async (...sources: Promise<Conversation | Awaited<ReturnType<typeof open>>>[]) =>
    joinSources((await Promise.all(sources)) as Awaited<ReturnType<typeof open>>[]);
  const texts = async (source: Awaited<ReturnType<typeof open>>) =>
    (await all(source.conversations)).map(({ store }) => store.toMessages().map(String));

  it('are merged in order', async () => {
    const source = await joined(
      open('1.json', '["a"]'.replace('"a"', JSON.stringify(USER))),
      open('2.yaml', 'sections: { messages: b, x: c }'),
    );
    expect([source.isList, await texts(source)]).toEqual([false, [['u', 'b', 'c']]]);
  });

  it('are merged around each conversation of a list', async () => {
    const source = await joined(
      open('before.yaml', 'sections: { system: s, messages: before }'),
      open('list.jsonl', lines([USER], [{ role: 'user', content: 'v' }])),
      open('after.yaml', 'sections: { messages: after }'),
    );
    expect([source.isList, await texts(source)]).toEqual([
      true,
      [
        ['s', 'before', 'u', 'after'],
        ['s', 'before', 'v', 'after'],
      ],
    ]);
  });

  it('tell once what was changed to read them', async () => {
    const source = await joined(
      open('n.json', '[{"role":"user","content":"\\ud800"}]'),
      open('l.jsonl', lines([USER], [USER])),
    );
    expect((await all(source.conversations)).map(({ notes }) => notes.length)).toEqual([1, 0]);
  });

  it('may not be two lists', async () => {
    await expect(joined(open('l1.jsonl', lines([])), open('l2.jsonl', lines([])))).rejects.toThrow(
      /l2\.jsonl: is a list of conversations, and so is .*l1\.jsonl: only one file may be one/,
    );
  });
});
