import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repairStore } from '../../src/cli/repair.ts';
import { MessageStore } from '../../src/index.ts';
import { CHATS, file, folder, json, jsonLines, run, SUPPORT } from './run.ts';

const call = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } })),
});
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: '12 °C' });
const user = (content: string) => ({ role: 'user', content });
const lines = (...conversations: unknown[]) => conversations.map((one) => `${JSON.stringify(one)}\n`).join('');
const roles = (store: any): string =>
  store.sections
    .at(-1)
    .messages.map(({ role }: any) => role)
    .join(' ');

const BROKEN = [user('?'), call('c1', 'c2'), answer('c2'), user('Well?'), answer('c1'), answer('c9')];

describe('repair', () => {
  it('prints the repaired store, and tells what was changed', () => {
    const { status, stdout, stderr } = run(['repair', '-'], JSON.stringify(BROKEN));
    expect(status).toBe(0);
    expect(roles(JSON.parse(stdout))).toBe('user assistant tool tool user');
    expect(stderr).toBe(
      [
        'standard input: sections.messages.messages[4]: hoisted: the answer to "c1" goes right behind its call',
        'standard input: sections.messages.messages[5]: dropped: there is no call "c9" that this could answer',
        '',
      ].join('\n'),
    );
  });

  it('prints what validate finds nothing wrong in, and leaves that as it is', () => {
    const out = join(folder, 'repaired.json');
    expect(run(['repair', '-', '--out', out], JSON.stringify(BROKEN))).toMatchObject({ status: 0, stdout: '' });
    expect(run(['validate', out, '--complete'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(run(['repair', out])).toEqual({ status: 0, stdout: readFileSync(out, 'utf8'), stderr: '' });
  });

  it('keeps parameters, policies and sections in which nothing is wrong', () => {
    const prompt = join(folder, 'prompt.json');
    run(['assemble', SUPPORT, '--to', 'store', '--out', prompt]);
    expect(run(['repair', prompt])).toEqual({ status: 0, stdout: readFileSync(prompt, 'utf8'), stderr: '' });
  });

  it('leaves calls at the end that wait for their answers, and settles them with --complete', () => {
    const history = JSON.stringify([user('?'), call('c1')]);
    expect(roles(json(['repair', '-'], history))).toBe('user assistant');
    const { stdout, stderr } = run(['repair', '-', '--complete'], history);
    expect(JSON.parse(stdout).sections[0].messages[2].tool_result).toMatchObject({ call_id: 'c1', synthetic: true });
    expect(stderr).toBe(
      'standard input: sections.messages.messages[1]: synthesised: the call "c1" gets a made-up answer\n',
    );
  });

  it('prints each conversation of a list on a line, and names the line of a change', () => {
    const chats = file('broken.jsonl', readFileSync(CHATS, 'utf8') + lines([answer('c1')]));
    const { status, stdout, stderr } = run(['repair', chats]);
    expect([status, jsonLines(stdout).map(({ sections }) => sections.at(-1).messages.length)]).toEqual([0, [2, 4, 0]]);
    expect(stderr).toMatch(/^\S*broken\.jsonl:3: sections\.messages\.messages\[0\]: dropped: [^\n]*\n$/);
  });

  it('may write to the file that it reads, and leaves it where something goes wrong', () => {
    const chats = file('same.jsonl', lines(BROKEN));
    expect(run(['repair', chats, '--out', chats]).status).toBe(0);
    expect(roles(JSON.parse(readFileSync(chats, 'utf8')))).toBe('user assistant tool tool user');
    const late = file('late.jsonl', '[]\n{"mess\n');
    expect(run(['repair', late, '--out', late])).toMatchObject({ status: 1, stdout: '' });
    expect(readFileSync(late, 'utf8')).toBe('[]\n{"mess\n');
  });

  it('exits with 2 for two files', () => {
    expect(run(['repair', SUPPORT, SUPPORT]).status).toBe(2);
  });
});

describe('repairStore', () => {
  const told = (...messages: object[]) => {
    const { changes } = repairStore(MessageStore.fromMessages(messages, 'a b'), true);
    return changes.map((change) => change.replace('sections["a b"].messages', ''));
  };

  it.each([
    ['a made-up answer', [call('c1')], ['[0]: synthesised: the call "c1" gets a made-up answer']],
    [
      'an answer too many',
      [call('c1'), answer('c1'), answer('c1')],
      ['[2]: dropped: the call "c1" is answered already'],
    ],
    [
      'answers out of order',
      [call('c1', 'c2'), answer('c2'), answer('c1')],
      ['[1]: reordered: the answer to "c2" goes into the order of the calls'],
    ],
    [
      'an id that two calls have',
      [call('c1', 'c1'), answer('c1'), answer('c1')],
      ['[0]: renamed: the id "c1" becomes "c1#2"'],
    ],
    [
      'a call without a name',
      [{ ...call(), tool_calls: [{ id: 'c1', name: '', args: {} }] }, answer('c1')],
      ['[0]: named: the call "c1" has no name and is called "unnamed_tool"'],
    ],
    [
      'tool calls of a user',
      [{ ...call('c1'), role: 'user' }],
      ['[0]: stripped: the tool calls are left out: only an assistant may carry them'],
    ],
    [
      'a tool result of a user',
      [{ role: 'user', content: 'x', tool_result: { content: 'x', call_id: 'c1' } }],
      ['[0]: stripped: the tool result is left out: only a tool message may carry one'],
    ],
    [
      'an answer in the role of a user',
      [call('c1'), { role: 'user', content: 'x', tool_result: { content: 'x', call_id: 'c1' } }],
      ['[1]: recast: the user message answers "c1" and becomes a tool message'],
    ],
  ])('tells of %s', (_, messages, changes) => {
    expect(told(...messages)).toEqual(changes);
  });

  it('gives the same store where nothing is wrong', () => {
    const store = MessageStore.fromMessages([user('?'), call('c1')], 'chat');
    expect(repairStore(store).store).toBe(store);
  });
});
