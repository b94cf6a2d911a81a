import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHATS, file, folder, HOLIDAY, json, jsonLines, REAL_CHATS, REAL_DATA, run, SUPPORT } from './run.ts';

const roles = (messages: any[]): string => messages.map(({ role }) => role).join(' ');

describe('assemble', () => {
  it('prints the flat messages of all sections in order', () => {
    const messages = json(['assemble', SUPPORT]);
    expect(roles(messages)).toBe('system system user assistant user assistant tool assistant user user');
    expect(messages[0]).toMatchObject({ id: expect.any(String), content: expect.stringContaining('Lumen & Loom') });
  });

  it('selects sections in the order asked, and tells which are missing', () => {
    const { status, stdout, stderr } = run(['assemble', SUPPORT, '--sections', 'prompt, nope', '--sections', 'system']);
    expect(roles(JSON.parse(stdout))).toBe('user user system system');
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: '--sections: there is no section "nope"; there are "system", "examples", "history", "prompt"\n',
    });
  });

  it('refuses when none of the sections exists', () => {
    expect(run(['assemble', SUPPORT, '--sections', 'nope,neither'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        '--sections: there is no section "nope", "neither"; there are "system", "examples", "history", "prompt"\n',
    });
  });

  it('sets parameters, as JSON where they are JSON', () => {
    const given = ['n=3', 'who=Ann', 'eq=a=b', 'list=[1,{"a":null}]', 'none=', 'temperature=1', '__proto__={"x":1}'];
    const { stdout } = run(['assemble', SUPPORT, '--to', 'store', ...given.flatMap((text) => ['--param', text])]);
    expect(JSON.stringify(JSON.parse(stdout).parameters)).toBe(
      '{"model":"gpt-5.6","temperature":1,"locale":"en","n":3,"who":"Ann","eq":"a=b","list":[1,{"a":null}],"none":"","__proto__":{"x":1}}',
    );
  });

  it('refuses a parameter that JSON cannot hold', () => {
    const { status, stderr } = run(['assemble', SUPPORT, '--param', 'a=1e999']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '--param: a: expected a finite number, got Infinity\n' });
  });

  it.each([
    ['--merge', [SUPPORT, '--merge', HOLIDAY]],
    ['further files', [SUPPORT, HOLIDAY]],
  ])('merges by %s: sections of one name are joined, later parameters win', (_, files) => {
    const merged = json(['assemble', ...files, '--to', 'store', '--param', 'locale=pl']);
    expect(merged.parameters).toEqual({ model: 'gpt-5.6', temperature: 0.2, locale: 'pl', campaign: 'winter' });
    expect(merged.sections.map((section: any) => [section.name, section.messages.length])).toEqual([
      ['system', 3],
      ['examples', 2],
      ['history', 4],
      ['prompt', 3],
    ]);
  });

  it('prints an OpenAI Chat payload, neighbours folded, tool results kept apart', () => {
    const { messages } = json(['assemble', SUPPORT, '--to', 'openai-chat', '--merged-per-role']);
    expect(roles(messages)).toBe('system user assistant user assistant tool assistant user');
    expect(messages[0].content).toHaveLength(2);
    expect(messages[5]).toEqual({
      role: 'tool',
      content: expect.stringContaining('delayed'),
      tool_call_id: 'call_7d1',
    });
  });

  it('prints a payload of any format', () => {
    const { system, messages } = json(['assemble', SUPPORT, '--to', 'anthropic', '--sections', 'system,examples']);
    expect(system).toHaveLength(2);
    expect(roles(messages)).toBe('user assistant');
  });

  it('folds inside sections where it prints a store, across them elsewhere', () => {
    const prompt = file('fold.yaml', 'sections: { a: [x, y], b: z }');
    const { sections } = json(['assemble', prompt, '--to', 'store', '--merged-per-role']);
    expect(sections.map(({ messages }: any) => messages.length)).toEqual([1, 1]);
    expect(json(['assemble', prompt, '--merged-per-role'])).toHaveLength(1);
  });

  it('tells losses on standard error and prints the payload all the same', () => {
    const history = JSON.stringify([{ role: 'user', content: [{ type: 'text', text: 'x', 'f\u001b[31m': 1 }] }]);
    const { status, stdout, stderr } = run(['assemble', '-', '--to', 'openai-chat'], history);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] });
    expect(stderr).toMatch(/^messages\[0\]\.content\[0\]: dropped: .*left out\n$/);
    expect(stderr).not.toContain('\u001b');
  });

  it('prints each conversation of a list on a line, merged with the other files', () => {
    const { status, stdout } = run(['assemble', CHATS, '--merge', HOLIDAY, '--to', 'openai-chat']);
    const payloads = jsonLines(stdout);
    expect(status).toBe(0);
    expect(payloads.map(({ messages }) => roles(messages))).toEqual([
      'system system user assistant user',
      'system system user assistant tool assistant user',
    ]);
  });

  it('says in which conversation of a list something was lost', () => {
    const chats = file('lost.jsonl', '[]\n[{"role":"user","content":[{"type":"video"},{"type":"text","text":"x"}]}]\n');
    const { stdout, stderr } = run(['assemble', chats, '--to', 'openai-chat']);
    expect(jsonLines(stdout).map(({ messages }) => messages.length)).toEqual([0, 1]);
    expect(stderr).toMatch(/^\S*lost\.jsonl:2: messages\[0\]\.content\[0\]: dropped: [^\n]*\n$/);
  });

  it('repairs what no provider takes, and tells it', () => {
    const history = JSON.stringify([{ role: 'tool', tool_call_id: 'c', content: 'x' }]);
    const { status, stdout, stderr } = run(['assemble', '-', '--to', 'openai-chat'], history);
    expect({ status, messages: JSON.parse(stdout).messages }).toEqual({ status: 0, messages: [] });
    expect(stderr).toBe('messages[0]: dropped: there is no call "c" that this could answer\n');
  });

  it('fails where calls wait for their answers, unless they are to be cancelled', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const history = JSON.stringify([{ role: 'assistant', content: '', tool_calls: [call] }]);
    const refused = run(['assemble', '-', '--to', 'openai-chat'], history);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^--to openai-chat: messages\[0\]: the tool calls "c" have no answer yet/);
    const cancelled = run(['assemble', '-', '--to', 'openai-chat', '--open-turn', 'cancel'], history);
    expect(JSON.parse(cancelled.stdout).messages.map(({ role }: { role: string }) => role)).toEqual([
      'assistant',
      'tool',
    ]);
    expect(cancelled.stderr).toContain('messages[0]: added: ');
  });

  it('prints the conversations before the one that is broken', () => {
    const { status, stdout, stderr } = run(['assemble', file('late.jsonl', '[]\n[{"role":"robot","content":""}]\n')]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '[]\n' });
    expect(stderr).toMatch(/^\S*late\.jsonl:2: messages\[0\]\.role: expected one of [^\n]*\n$/);
  });

  it.skipIf(REAL_DATA === undefined)(
    'prints the real conversations as they came, save tool names (needs REAL_DATA)',
    () => {
      const { status, stdout, stderr } = run(['assemble', REAL_CHATS, '--to', 'openai-chat']);
      const payloads = jsonLines(stdout);
      expect([status, payloads.length, payloads.flatMap(({ messages }) => messages).length]).toEqual([0, 200, 5308]);
      expect(
        stderr
          .trimEnd()
          .split('\n')
          .filter((line) => !line.includes('has no place in tool messages on this wire')),
      ).toEqual([]);
    },
  );
});

describe('assemble --out', () => {
  const drafts = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

  it('writes a store document that reads back as it was, and prints nothing', () => {
    const out = join(folder, 'out.json');
    expect(run(['assemble', SUPPORT, '--to', 'store', '--out', out])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(json(['assemble', out, '--to', 'store'])).toEqual(JSON.parse(readFileSync(out, 'utf8')));
  });

  it('may write to the file that it reads, also through a link', () => {
    const chats = file('same.jsonl', readFileSync(CHATS));
    symlinkSync(chats, join(folder, 'link.jsonl'));
    expect(run(['assemble', chats, '--out', join(folder, 'link.jsonl')]).status).toBe(0);
    expect(jsonLines(readFileSync(chats, 'utf8')).map((messages) => messages.length)).toEqual([3, 5]);
  });

  it('leaves what is there where something goes wrong', () => {
    const out = file('kept.json', 'kept');
    const { status } = run(['assemble', file('broken.jsonl', '[]\n{"mess\n'), '--out', out]);
    expect([status, readFileSync(out, 'utf8'), drafts()]).toEqual([1, 'kept', []]);
  });

  it('names a file that cannot be written', () => {
    const out = join(folder, 'no', 'such', 'out.json');
    expect(run(['assemble', SUPPORT, '--out', out])).toEqual({
      status: 1,
      stdout: '',
      stderr: `${out}: cannot be written: no such file or directory\n`,
    });
    mkdirSync(join(folder, 'taken'));
    const { status, stderr } = run(['assemble', SUPPORT, '--out', join(folder, 'taken')]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('taken: cannot be written: ')]);
  });

  it.skipIf(!existsSync('/dev/null'))('writes into what is no file (needs /dev/null)', () => {
    expect(run(['assemble', SUPPORT, '--out', '/dev/null'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });
});
