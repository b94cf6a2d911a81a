import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { Message, type Op } from '../../src/index.ts';
import { file, folder, jsonLines, run } from './run.ts';
import { jsonl, kinds, makeColours, message, sessions, sqlite, using } from './sessions.ts';

describe.each(kinds)('sessions in $name', (kind) => {
  let store: string;
  beforeAll(async () => {
    store = await kind.fresh();
    await using(kind, store, async (all) => {
      await makeColours(all);
      await all.createSession('támogatás / 17', { meta: { title: 'a\u001b[2J\nb' } });
      await all.append('támogatás / 17', 'chat', 'Hello!');
    });
  });

  it('are listed, newest first', () => {
    const { status, stdout, stderr } = sessions('ls', store);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [headings, , first, second, ...more] = stdout.trimEnd().split('\n');
    expect(headings).toMatch(/^id +messages +branches +labels +size +updated +title$/);
    expect(first).toMatch(/^támogatás \/ 17 +1 +1 +0 +\d+ +20\S+Z {2}a\\u001b\[2J b$/);
    expect(second).toMatch(/^colours +4 +2 +2 +\d+ +20\S+Z {2}Colours$/);
    expect(more).toEqual([]);
  });

  it('are listed as JSON, by a prefix, and up to a limit', () => {
    const [{ id, branches, labels, meta, nodeCount }, ...others] = jsonLines(
      sessions('ls', store, '--json', '--prefix', 'col').stdout,
    );
    expect([id, branches, labels, meta.title, nodeCount, others]).toEqual(['colours', 2, 2, 'Colours', 4, []]);
    expect(jsonLines(sessions('ls', store, '--json', '--limit', '1').stdout).map((head) => head.id)).toEqual([
      'támogatás / 17',
    ]);
  });

  it('are shown', () => {
    const { stdout } = sessions('show', store, 'colours');
    expect(stdout).toMatch(/^session +colours\n/);
    expect(stdout).toMatch(/^leaf +blue$/m);
    expect(stdout).toMatch(/^meta title +"Colours"$/m);
    expect(stdout).toMatch(/^empty +0 {2}\{"pin":true\}\nsystem +1 {2}\{"pin":true\}\nchat +3$/m);
    expect(stdout).toMatch(/^model +"m"\nn +1.5$/m);
    expect(stdout).toMatch(
      /^red +3 +2026-01-01T00:00:00.000Z +warm\nblue +3 +2026-01-01T00:00:00.000Z +cold +← leaf$/m,
    );
    const shown = JSON.parse(sessions('show', store, 'colours', '--json').stdout);
    expect(shown.sections.map(({ name, messages }: any) => [name, messages])).toEqual([
      ['empty', 0],
      ['system', 1],
      ['chat', 3],
    ]);
    expect(shown).toMatchObject({ id: 'colours', leaf: 'blue', parameters: { model: 'm' }, labels: { red: 'warm' } });
  });

  it('are drawn', () => {
    expect(sessions('tree', store, 'colours').stdout).toBe(
      [
        'rules  system: Be brief.',
        'question  user: Name a colour.',
        '├─ red  assistant: Red.  [warm]',
        '└─ blue  assistant: Blue.  [cold]  ← leaf',
        '',
      ].join('\n'),
    );
  });

  it('are printed, the active branch or another one', () => {
    expect(sessions('log', store, 'colours', '--limit', '2').stdout).toBe(
      [
        'user  chat  2026-01-01T00:00:00.000Z  question',
        '  Name a colour.',
        'assistant  chat  2026-01-01T00:00:00.000Z  blue  [cold]',
        '  Blue.',
        '',
      ].join('\n'),
    );
    const ids = (...args: string[]) => jsonLines(sessions('log', store, 'colours', '--json', ...args).stdout);
    expect(ids('--to', 'warm').map(({ id }) => id)).toEqual(['rules', 'question', 'red']);
    expect(ids('--to', 'question', '--section', 'chat').map(({ id }) => id)).toEqual(['question']);
    expect(ids('--all').map(({ id }) => id)).toEqual(['rules', 'question', 'red', 'blue']);
    expect(ids('--all', '--limit', '2').map(({ id }) => id)).toEqual(['red', 'blue']);
  });

  it('are forked and labelled', async () => {
    expect(sessions('fork', store, 'colours', '--at', 'warm', '--id', 'copy').stdout).toBe('copy\n');
    const whole = sessions('fork', store, 'colours', '--whole').stdout.trim();
    expect(sessions('label', store, 'copy', 'warm', 'hot').status).toBe(0);
    expect(sessions('label', store, 'copy', 'question', 'start').status).toBe(0);
    expect(sessions('label', store, 'copy', 'start', '--remove').status).toBe(0);
    await using(kind, store, async (all) => {
      expect((await all.getPath('copy')).map(({ id }) => id)).toEqual(['rules', 'question', 'red']);
      expect(await all.getLabels('copy')).toEqual({ red: 'hot' });
      expect((await all.listBranches(whole)).map(({ leaf }) => leaf)).toEqual(['red', 'blue']);
    });
  });

  it('are told where they are not', () => {
    expect(sessions('log', store, 'none')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'session "none": there is none of this id. Create it first.\n',
    });
    expect(sessions('log', store, 'colours', '--to', 'green').stderr).toBe(
      'session "colours": there is no message or label "green"\n',
    );
    expect(sessions('label', store, 'colours', 'question', '--remove').stderr).toBe(
      'session "colours": the message "question" has no label\n',
    );
  });
});

describe('a store', () => {
  it('that is not there is never made by a look', () => {
    for (const name of ['nowhere', 'nowhere.db', 'sqlite:nowhere', 'pglite:nowhere']) {
      const { status, stderr } = sessions('ls', name);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: `${name}: there is no store of sessions; import makes one\n`,
      });
    }
    expect(sessions('fork', join(folder, 'none.db'), 'x').status).toBe(1);
    expect(readdirSync(folder)).not.toContain('none.db');
  });

  it('is told by what is there', async () => {
    const odd = join(folder, 'a-folder.db');
    mkdirSync(odd);
    expect(sessions('ls', odd)).toMatchObject({ status: 0, stderr: '' });
    expect(sessions('ls', file('text.txt', 'x')).stderr).toMatch(/: is neither a folder nor a SQLite file\n$/);
    expect(sessions('ls', `sqlite:${file('text.db', 'x')}`).stderr).toMatch(/: is no SQLite file\n$/);
    const other = join(folder, 'other.db');
    new DatabaseSync(other).exec('CREATE TABLE t (a)');
    expect(sessions('ls', other).stderr).toBe(`${other}: has no tables for sessions; import makes them\n`);
    const store = `${await sqlite.fresh()}.kept`;
    await using(sqlite, store, (all) => makeColours(all));
    expect(sessions('ls', store).stdout).toMatch(/^colours /m);
  });

  it('is not named with its password', () => {
    const { status, stderr } = sessions('ls', 'postgres://app:secret@localhost:1/app');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^postgres:\/\/app@localhost:1\/app: /);
    expect(stderr).not.toContain('secret');
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});

describe('the usage', () => {
  it.each([
    ['ls', 'x', '--limit', '0'],
    ['label', 'x', 's', 'm'],
    ['label', 'x', 's', 'm', 'name', '--remove'],
    ['export', 'x', '--path-only'],
    ['import', 'x', 'a', 'b', '--id', 'y'],
    ['import', 'x', '-', '-'],
    ['log', 'x', 's', '--all', '--to', 'm'],
    ['repair', 'x'],
  ])('is told where it is wrong: %s %s %s %s', (...args) => {
    const { status, stdout, stderr } = sessions(...args.filter((arg) => typeof arg === 'string'));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });

  it('has examples for each command', () => {
    expect(run(['--help']).stdout).toContain('message-store sessions ls');
    expect(sessions('--help').stdout).toContain('sessions verify postgres://');
    expect(sessions('import', '--help').stdout).toMatch(/Examples:\n {2}message-store sessions import/);
  });
});

describe('a tree', () => {
  it('shows the ends of long runs, and what has a label; all with --full', async () => {
    const store = await jsonl.fresh();
    await using(jsonl, store, async (all) => {
      await all.createSession('s');
      await all.appendMany(
        's',
        'chat',
        Array.from({ length: 20 }, (_, at) => message(`m${at}`, 'user', `text ${at}`)),
      );
      await all.addLabel('s', 'm9', 'nine');
    });
    expect(sessions('tree', store, 's').stdout.split('\n')).toEqual([
      'm0  user: text 0',
      'm1  user: text 1',
      'm2  user: text 2',
      '… 6 more',
      'm9  user: text 9  [nine]',
      '… 7 more',
      'm17  user: text 17',
      'm18  user: text 18',
      'm19  user: text 19  ← leaf',
      '',
    ]);
    expect(sessions('tree', store, 's', '--full').stdout.trimEnd().split('\n')).toHaveLength(20);
  });

  it('draws several roots, tool calls, other nodes and what cannot be read, and nothing that steers a terminal', async () => {
    const store = await jsonl.fresh();
    const at = '2026-01-01T00:00:00.000Z';
    const node = (id: string, type: string, data: string, parentId: string | null): Op => ({
      op: 'node',
      node: { id, type, section: 'chat', at, data, parentId },
    });
    await using(jsonl, store, async (all) => {
      await all.createSession('s');
      const call = Message.assistantToolCalls([{ id: 'c1', name: 'weather\u001b[2J', args: {} }], 'Let me\u009b see.');
      await all.append('s', 'chat', Message.of({ ...call, id: 'a' }));
      await all.write('s', [node('b', 'note', 'x\u001b[2J\ny', 'a'), node('c', 'message', 'no', null)]);
      await all.navigateTo('s', null);
    });
    const { stdout } = sessions('tree', store, 's');
    expect(stdout.split('\n')).toEqual([
      '├─ a  assistant: Let me\\u009b see. → weather\\u001b[2J(…)',
      '│  b  (note) "x\\u001b[2J\\ny"',
      '└─ c  (a message that cannot be read)',
      '← leaf: before the first message',
      '',
    ]);
    const { status, stdout: said, stderr } = sessions('log', store, 's', '--all');
    expect(status).toBe(1);
    expect((stdout + said).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(stderr).toBe('message "c": cannot be read\n');
  });

  it('of any depth is drawn: 100 000 messages, with a branch at every tenth', async () => {
    const store = await jsonl.fresh();
    await using(jsonl, store, async (all) => {
      await all.createSession('s');
      for (let from = 0; from < 100_000; from += 5000) {
        const list = Array.from({ length: 5000 }, (_, at) => message(`m${from + at}`, 'user', 'x'));
        await all.appendMany('s', 'chat', list);
      }
      const beside = Array.from({ length: 10_000 }, (_, at) => message(`b${at}`, 'user', 'y'));
      const ops = beside.map(({ id, timestamp, ...rest }, at): Op => ({
        op: 'node',
        node: {
          id,
          at: timestamp,
          section: 'chat',
          type: 'message',
          parentId: `m${at * 10}`,
          data: { id, createdAt: timestamp, role: rest.role, content: 'y' },
        },
      }));
      for (let from = 0; from < ops.length; from += 5000) await all.write('s', ops.slice(from, from + 5000), {});
      await all.navigateTo('s', 'm99999');
    });
    const { status, stdout } = sessions('tree', store, 's', '--full');
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(110_000);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(130);
    expect(lines.filter((line) => line.endsWith('m99999  user: x  ← leaf'))).toHaveLength(1);
  });
});
