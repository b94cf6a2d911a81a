import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CHATS, file, json, REAL_CHATS, REAL_DATA, run, SUPPORT } from './run.ts';

const call = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } })),
});
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: '12 °C' });
const user = (content: string) => ({ role: 'user', content });
const lines = (...conversations: unknown[]) => conversations.map((one) => `${JSON.stringify(one)}\n`).join('');

describe('validate', () => {
  it.each([
    ['a prompt file', SUPPORT],
    ['a list of conversations', CHATS],
    ['calls at the end that wait for their answers', file('open.json', JSON.stringify([user('?'), call('c1')]))],
  ])('says nothing of %s in which nothing is wrong', (_, path) => {
    expect(run(['validate', path])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('names file, line, section and message of what is wrong, and exits with 1', () => {
    const chats = file(
      'chats.jsonl',
      lines([user('?')], [user('?'), call('c1'), user('Well?'), answer('c1')], [answer('c2')]),
    );
    const place = (line: number, at: number) => `${chats}:${line}: sections.messages.messages[${at}]`;
    expect(run(['validate', chats])).toEqual({
      status: 1,
      stdout: [
        `${place(2, 1)}: missing_tool_answer: the call of weather has its answer in message 3, not right behind it`,
        `${place(2, 3)}: interleaved_message: the answer to "c1" does not stand right behind its call in message 1`,
        `${place(3, 0)}: orphan_tool_answer: there is no call "c2" that this could answer`,
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('refuses calls at the end that wait for their answers with --complete', () => {
    const { status, stdout } = run(['validate', '-', '--complete'], JSON.stringify([user('?'), call('c1')]));
    expect([status, stdout]).toEqual([
      1,
      'standard input: sections.messages.messages[1]: missing_tool_answer: the call of weather has no answer behind it\n',
    ]);
  });

  it('checks each section by itself, and quotes odd names of sections', () => {
    const store = { sections: { 'a b': [call('c1')], c: [answer('c1')] } };
    const { stdout } = run(['validate', '-', '--complete'], JSON.stringify(store));
    expect(stdout).toMatch(/: sections\["a b"\]\.messages\[0\]: missing_tool_answer: /);
    expect(stdout).toMatch(/: sections\.c\.messages\[0\]: orphan_tool_answer: /);
  });

  it('checks several files, gzipped ones too', () => {
    const good = file('good.json.gz', gzipSync(JSON.stringify([user('?')])));
    const bad = file('bad.json.gz', gzipSync(JSON.stringify([user('?'), answer('c1')])));
    const { status, stdout } = run(['validate', good, bad, SUPPORT]);
    expect([status, stdout.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(/bad\.json\.gz: .*orphan/)]]);
  });

  it('gives the same as data', () => {
    const chats = lines([user('?')], [user('?'), answer('c1')]);
    expect(json(['validate', '-', '--json'], chats)).toEqual([
      {
        place: 'standard input:2',
        section: 'messages',
        code: 'orphan_tool_answer',
        at: 1,
        id: 'c1',
        message: 'there is no call "c1" that this could answer',
      },
    ]);
    expect(run(['validate', '-', '--json'], '[]')).toEqual({ status: 0, stdout: '[]\n', stderr: '' });
  });

  it('keeps to one line and escapes what could steer a terminal', () => {
    const asking = { ...call('c1'), tool_calls: [{ id: 'c1', function: { name: 'a\u001b[2J\nb', arguments: '{}' } }] };
    const { stdout } = run(['validate', '-'], JSON.stringify([asking, user('?')]));
    expect(stdout).toMatch(/: the call of a\\u001b\[2J b has no answer behind it\n$/);
  });

  it('tells lines that cannot be read, and checks the others', () => {
    const { status, stdout, stderr } = run(
      ['validate', '-'],
      `${lines([answer('c1')])}{"mess\n${lines([answer('c2')])}`,
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^standard input:1: [^\n]*\nstandard input:3: [^\n]*\n$/);
    expect(stderr).toMatch(/^standard input:2: expected JSON: [^\n]*\n$/);
    expect(run(['validate', '-'], `${lines([user('?')])}{"mess\n`)).toMatchObject({ status: 1, stdout: '' });
  });

  it('exits with 2 where standard input is named twice, or no file', () => {
    expect(run(['validate', '-', '-']).status).toBe(2);
    expect(run(['validate']).status).toBe(2);
  });

  it.skipIf(REAL_DATA === undefined)('finds nothing wrong in the real conversations (needs REAL_DATA)', () => {
    expect(run(['validate', REAL_CHATS])).toMatchObject({ status: 0, stdout: '' });
  });
});
