import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Message, type Sessions } from '../../src/index.ts';
import { run } from './run.ts';
import { jsonl, kinds, makeColours, sessions, sqlite, using } from './sessions.ts';

/** Two answers to one question, one of which asks for a tool, and goes on without its answer. */
async function makeBroken(all: Sessions): Promise<void> {
  await makeColours(all);
  await all.createSession('tools');
  await all.append('tools', 'chat', Message.of({ id: 'question', content: 'How cold is it?' }));
  const call = Message.assistantToolCalls([{ id: 'c1', name: 'weather\u001b[2J', args: {} }]);
  await all.append('tools', 'chat', Message.of({ ...call, id: 'call' }));
  await all.append('tools', 'chat', Message.toolResult('c1', '-3'));
  await all.navigateTo('tools', 'call');
  await all.append('tools', 'chat', 'And now?');
  await all.append('tools', 'chat', 'And then?');
}

describe.each(kinds)('verify of $name', (kind) => {
  it('finds nothing where nothing is wrong, also where branches part in the midst of a turn', async () => {
    const store = await kind.fresh();
    await using(kind, store, makeBroken);
    expect(sessions('verify', store, 'colours')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(sessions('verify', store, 'none').status).toBe(1);
  });

  it('tells broken turns and messages that are none, a line for each', async () => {
    const store = await kind.fresh();
    await using(kind, store, makeBroken);
    const at = '2026-01-01T00:00:00.000Z';
    const node = { id: 'odd', section: 'chat', type: 'message', at, data: { role: 'robot\n' } };
    await using(kind, store, (all) => all.write('colours', [{ op: 'node', node }]));
    const { status, stdout, stderr } = sessions('verify', store);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual([
      'session "colours": message "odd": damaged: expected a message, got something else',
      expect.stringMatching(
        /^session "tools": message "call": missing_tool_answer: the call of weather.* has no answer/,
      ),
    ]);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('verify of files', () => {
  const fileOf = (store: string, id: string) => join(store, `${id}.jsonl`);

  it('tells damaged lines, and reads what is whole', async () => {
    const store = await jsonl.fresh();
    await using(jsonl, store, (all) => makeColours(all));
    appendFileSync(fileOf(store, 'colours'), '{"v":\u001b\nnothing\n');
    const before = readFileSync(fileOf(store, 'colours'));
    const { status, stdout } = sessions('verify', store, 'colours');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^session "colours": .*colours\.jsonl:\d+ \(bytes \d+ to \d+\): syntax: [^\n]+\n/);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(sessions('log', store, 'colours').status).toBe(0);
    expect(readFileSync(fileOf(store, 'colours'))).toEqual(before);
  });

  it('tells files that hold no session', async () => {
    const store = await jsonl.fresh();
    await using(jsonl, store, (all) => makeColours(all));
    writeFileSync(fileOf(store, 'lost'), 'x\n');
    const { status, stdout } = sessions('verify', store);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^[^\n]*lost\.jsonl: damaged: [^\n]+\n$/);
  });

  it('can be followed by a repair that keeps what was there', async () => {
    const store = await jsonl.fresh();
    await using(jsonl, store, (all) => makeColours(all));
    appendFileSync(fileOf(store, 'colours'), 'nothing\n');
    const { status, stdout } = sessions('repair', store, 'colours');
    expect(status).toBe(0);
    if (!('repair' in jsonl.open(store))) return;
    const [, copy = ''] = /^session "colours": 1 line left out, 0 lines changed; as it was: (.+)\n$/.exec(stdout) ?? [];
    expect(readFileSync(copy, 'utf8')).toMatch(/nothing\n$/);
    expect(sessions('verify', store).stdout).toBe('');
    expect(sessions('repair', store, 'colours').stdout).toBe('session "colours": nothing is to be repaired\n');
    expect(readdirSync(store)).toHaveLength(2);
  });
});

describe('repair', () => {
  it('says where there is nothing to repair by hand', async () => {
    const store = await sqlite.fresh();
    await using(sqlite, store, (all) => makeColours(all));
    expect(run(['sessions', 'repair', store, 'colours'])).toEqual({
      status: 0,
      stdout: 'session "colours": there is nothing to repair by hand in a store of this kind\n',
      stderr: '',
    });
    expect(sessions('repair', store, 'none').status).toBe(1);
  });
});
