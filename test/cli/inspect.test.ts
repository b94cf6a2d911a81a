import { describe, expect, it } from 'vitest';
import { CHATS, file, json, REAL_CHATS, REAL_DATA, run, SUPPORT } from './run.ts';

describe('inspect', () => {
  it('shows a row for each section, their total, and the parameters', () => {
    const { status, stdout, stderr } = run(['inspect', SUPPORT]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^system +2 +system 2 +text 2 +0 +0 +164 +\d+$/m);
    expect(stdout).toMatch(/^total +10 +system 2, user 4, assistant 3, tool 1 +text 10, image_url 1 +1 +1 +560 +\d+$/m);
    expect(stdout).toMatch(/^model +"gpt-5\.6"\ntemperature +0\.2\n/m);
    expect(stdout).not.toContain('conversation');
  });

  it('gives the same as data', () => {
    const { conversations, sections, total, parameters } = json(['inspect', SUPPORT, '--json']);
    expect(conversations).toBe(1);
    expect(sections.map(({ section, messages }: any) => [section, messages])).toEqual([
      ['system', 2],
      ['examples', 2],
      ['history', 4],
      ['prompt', 2],
    ]);
    expect(sections[2]).toMatchObject({ roles: { user: 1, assistant: 2, tool: 1 }, toolCalls: 1, toolResults: 1 });
    expect(total).toMatchObject({ messages: 10, parts: { text: 10, image_url: 1 }, characters: 560 });
    expect(parameters).toEqual({ model: 'gpt-5.6', temperature: 0.2, locale: 'en' });
  });

  it('counts characters and the bytes of the JSON', () => {
    const store =
      '{"sections":[{"name":"a","messages":[{"role":"user","content":"1😀é","id":"x","createdAt":"2026-01-01T00:00:00.000Z"}]}]}';
    const { total } = json(['inspect', '-', '--json'], store);
    const section =
      '{"name":"a","messages":[{"id":"x","createdAt":"2026-01-01T00:00:00.000Z","role":"user","content":"1😀é"}]}';
    expect([total.characters, total.bytes]).toEqual([3, Buffer.byteLength(section)]);
  });

  it('sums up the sections of several conversations, and counts those that have a parameter', () => {
    const more = file(
      'more.jsonl',
      '{"messages":[{"role":"user","content":"x"}],"model":"m"}\n{"messages":[],"model":"n","n":1}\n[]\n',
    );
    expect(json(['inspect', CHATS, '--json'])).toMatchObject({
      conversations: 2,
      sections: [
        { section: 'system', messages: 2, roles: { system: 2 } },
        { section: 'messages', messages: 6, toolCalls: 1, toolResults: 1 },
      ],
      total: { messages: 8 },
    });
    const found = json(['inspect', more, '--json']);
    expect(found).toMatchObject({ conversations: 3, parameterCounts: { model: 2, n: 1 }, total: { messages: 1 } });
    expect(found).not.toHaveProperty('parameters');
    expect(run(['inspect', more]).stdout).toMatch(/^3 conversations\n[^]*^model +2\nn +1$/m);
  });

  it('tells lines that cannot be read, and sums up the others', () => {
    const { status, stdout, stderr } = run(['inspect', '-'], '{"messages":[]}\n{"mess\n[{"role":"robot"}]\n[]\n');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^2 conversations\n/);
    expect(stderr).toMatch(/^standard input:2: [^\n]+\nstandard input:3: [^\n]+\n$/);
  });

  it('escapes what could steer a terminal', () => {
    const { stdout } = run(['inspect', '-'], 'sections: { "a\\e[2J\\nb": x }\nparameters: { "p\\e[2J": "\\r\\x9b" }');
    expect(stdout).toContain('a\\u001b[2J b ');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it.skipIf(REAL_DATA === undefined)('counts the real conversations (needs REAL_DATA)', () => {
    const { conversations, sections, total } = json(['inspect', REAL_CHATS, '--json']);
    expect([conversations, total.messages]).toEqual([200, 5308]);
    expect(sections.map(({ section, messages }: any) => [section, messages])).toEqual([
      ['system', 200],
      ['messages', 5108],
    ]);
  });
});
