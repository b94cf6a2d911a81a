import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const SUPPORT = join(EXAMPLES, 'support.prompt.yaml');
const HOLIDAY = join(EXAMPLES, 'holiday.prompt.json');
const CHATS = join(EXAMPLES, 'chats.jsonl');
const { REAL_DATA } = process.env;

const run = (args: readonly string[], input?: string | Buffer) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', input });
  return { status, stdout, stderr };
};
const json = (args: readonly string[], input?: string | Buffer): any => JSON.parse(run(args, input).stdout);
const folder = mkdtempSync(join(tmpdir(), 'message-store-cli-'));
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('assemble', () => {
  it('prints the flat messages of all sections in order', () => {
    const messages = json(['assemble', SUPPORT]);
    expect(messages).toHaveLength(10);
    expect(messages.map((message: any) => message.role).slice(0, 4)).toEqual(['system', 'system', 'user', 'assistant']);
  });

  it('selects sections in the order asked', () => {
    const messages = json(['assemble', SUPPORT, '--sections', 'prompt,system']);
    expect(messages.map((message: any) => message.role)).toEqual(['user', 'user', 'system', 'system']);
  });

  it('names the sections that there are when none of those asked exists', () => {
    const { status, stderr } = run(['assemble', SUPPORT, '--sections', 'nope']);
    expect(status).toBe(1);
    expect(stderr).toBe('--sections: there is no section nope; there are system, examples, history, prompt\n');
  });

  it('sets parameters, as JSON where they are JSON', () => {
    const store = json([
      'assemble',
      SUPPORT,
      '--to',
      'store',
      '--param',
      'n=3',
      '--param',
      'who=Ann',
      '--param',
      'eq=a=b',
    ]);
    expect(store.parameters).toEqual({ model: 'gpt-5.6', temperature: 0.2, locale: 'en', n: 3, who: 'Ann', eq: 'a=b' });
  });

  it('merges files: sections of one name are joined, later parameters win', () => {
    const merged = json(['assemble', SUPPORT, '--merge', HOLIDAY, '--to', 'store']);
    expect(merged).toEqual(
      expect.objectContaining({ parameters: expect.objectContaining({ campaign: 'winter', model: 'gpt-5.6' }) }),
    );
    expect(merged.sections.map((section: any) => [section.name, section.messages.length])).toEqual([
      ['system', 3],
      ['examples', 2],
      ['history', 4],
      ['prompt', 3],
    ]);
    const both = json(['assemble', SUPPORT, HOLIDAY, '--to', 'store']);
    expect(both.sections.map((section: any) => section.messages.length)).toEqual([3, 2, 4, 3]);
  });

  it('prints an OpenAI Chat payload, neighbours folded, tool results kept apart', () => {
    const { messages } = json(['assemble', SUPPORT, '--to', 'openai-chat', '--merged-per-role']);
    expect(messages.map((message: any) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(messages[5]).toEqual({
      role: 'tool',
      content: expect.stringContaining('delayed'),
      tool_call_id: 'call_7d1',
    });
  });

  it('tells losses on standard error and prints the payload all the same', () => {
    const history = JSON.stringify([{ role: 'tool', tool_call_id: 'c', name: 'f', content: 'x' }]);
    const { status, stdout, stderr } = run(['assemble', '-', '--to', 'openai-chat'], history);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ messages: [{ role: 'tool', content: 'x', tool_call_id: 'c' }] });
    expect(stderr).toBe('messages[0].name: dropped: tool messages carry no name on this wire: "f" left out\n');
  });

  it('writes a store document that reads back as it was', () => {
    const out = join(folder, 'out.json');
    expect(run(['assemble', SUPPORT, '--to', 'store', '--out', out])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(json(['assemble', out, '--to', 'store'])).toEqual(JSON.parse(readFileSync(out, 'utf8')));
  });

  it('takes one conversation a file', () => {
    const { status, stderr } = run(['assemble', CHATS]);
    expect(status).toBe(1);
    expect(stderr).toContain('chats.jsonl:2 holds another conversation');
  });
});

describe('inspect', () => {
  it('shows a row for each section and their total', () => {
    const { stdout } = run(['inspect', SUPPORT]);
    expect(stdout).toMatch(/^system +2 +system 2 +text 2 +0 +0 +164 +\d+$/m);
    expect(stdout).toMatch(/^total +10 +system 2, user 4, assistant 3, tool 1 +text 10, image_url 1 +1 +1 +560 +\d+$/m);
    expect(stdout).toContain('parameters: {"model":"gpt-5.6"');
  });

  it('sums the sections of several conversations', () => {
    expect(json(['inspect', CHATS, '--json'])).toMatchObject({
      conversations: 2,
      sections: [
        { section: 'system', messages: 2, roles: { system: 2 } },
        { section: 'messages', messages: 6, toolCalls: 1, toolResults: 1 },
      ],
    });
  });

  it.skipIf(REAL_DATA === undefined)('counts the real conversations (needs REAL_DATA)', () => {
    const { conversations, sections } = json([
      'inspect',
      join(String(REAL_DATA), 'tau-bench-airline-gpt4o.jsonl.gz'),
      '--json',
    ]);
    expect([conversations, sections[0].messages + sections[1].messages]).toEqual([200, 5308]);
  });
});

describe('input', () => {
  it.each([
    ['standard input', ['-'], readFileSync(SUPPORT)],
    ['gzip', [file('s.yaml.gz', gzipSync(readFileSync(SUPPORT)))], undefined],
    [
      'a byte order mark and CRLF',
      [file('crlf.yaml', `\ufeff${readFileSync(SUPPORT, 'utf8').replaceAll('\n', '\r\n')}`)],
      undefined,
    ],
  ])('is read from %s', (_, files, input) => {
    expect(json(['inspect', ...files, '--json'], input).sections).toHaveLength(4);
  });

  it('may be one message a line', () => {
    const lines = '{"role":"user","content":"a"}\n\n{"role":"assistant","content":"b"}\n';
    expect(json(['inspect', '-', '--json'], lines)).toMatchObject({ conversations: 1, sections: [{ messages: 2 }] });
  });

  it('treats __proto__ as a key like any other', () => {
    const prompt = '{"sections":{"__proto__":["hi"]},"parameters":{"__proto__":{"polluted":1}}}';
    const store = run(['assemble', '-', '--to', 'store'], prompt).stdout;
    expect(store).toContain('"name": "__proto__"');
    expect(store).toContain('"polluted": 1');
  });

  it.each([
    [
      'an unknown role',
      'x.jsonl',
      '[]\n{"messages":[{"role":"robot","content":"x"}]}\n',
      'x.jsonl:2: messages[0].role: expected one of',
    ],
    ['broken YAML', 'b.yaml', 'sections:\n  a: [1\n', 'b.yaml:'],
    ['a duplicate key', 'd.yaml', 'sections:\n  a: x\n  a: y\n', 'd.yaml:3: '],
    ['an unknown key', 'u.yaml', 'sections: {}\nsectoins: {}\n', 'u.yaml: sectoins: expected only the keys'],
    ['a wrong message', 'm.yaml', 'sections:\n  a:\n    - 5\n', 'm.yaml: sections.a[0]: expected a message'],
    ['a wrong pair', 'p.yaml', 'sections:\n  a:\n    - robot: hi\n', 'p.yaml: sections.a[0]: expected text, one pair'],
    ['half a line', 'h.jsonl', '{"messages":[]}\n{"mess\n', 'h.jsonl:2: expected one JSON value on the line'],
    ['an empty file', 'e.yaml', '', 'e.yaml: is empty'],
    ['bytes that are no text', 'n.bin', Buffer.from([0xff, 0xfe, 0x00]), 'n.bin: expected UTF-8 text'],
    ['a torn gzip', 't.gz', gzipSync('x'.repeat(1000)).subarray(0, 20), 't.gz: cannot be unzipped'],
    ['too deep nesting', 'deep.json', `{"sections":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`, 'deep.json: '],
    [
      'a document from the future',
      'v.json',
      '{"version":99,"sections":[]}',
      'v.json: version: expected a document of version 1',
    ],
  ])('is refused with one sentence and its place: %s', (_, name, content, message) => {
    const { status, stdout, stderr } = run(['assemble', file(name, content)]);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it('names a file that is not there', () => {
    const { status, stderr } = run(['inspect', join(folder, 'nope.yaml')]);
    expect(status).toBe(1);
    expect(stderr).toContain('nope.yaml: cannot be read');
  });
});

describe('usage', () => {
  it.each([
    [['assemble']],
    [['assemble', SUPPORT, '--to', 'xml']],
    [['assemble', SUPPORT, '--param', 'novalue']],
    [['fly']],
  ])('exits with 2 for %j', (args) => {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
  });

  it.each([[['--help']], [['assemble', '--help']], [['--version']]])('exits with 0 for %j', (args) => {
    const { status, stdout } = run(args);
    expect(status).toBe(0);
    expect(stdout).not.toBe('');
  });
});
