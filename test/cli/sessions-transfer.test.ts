import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { Message, type Sessions } from '../../src/index.ts';
import { CHATS, file, folder, jsonLines, MAIN, run, SUPPORT } from './run.ts';
import { allOf, jsonl, type Kind, kinds, makeColours, message, sessions, sqlite, using } from './sessions.ts';

const at = '2026-01-01T00:00:00.000Z';

/** Ids that a shell, a path, a URL or SQL could stumble over. */
const ODD = ['../../etc/passwd', "o'clock; -- %_", 'Ünïcødé 🎨', 'con', 'A', 'a'];

/** Sessions with everything that a session can have. */
async function makeAll(all: Sessions): Promise<void> {
  await makeColours(all);
  await all.write('colours', [
    { op: 'place', id: 'question', section: 'system' },
    { op: 'node', node: { id: 'note', parentId: 'red', section: 'notes', type: 'note', at, data: { n: [1.5, null] } } },
    { op: 'place', id: 'note', section: 'notes' },
    { op: 'leaf', to: 'question' },
  ]);
  const growing = { id: 'growing', parentId: 'blue', section: 'chat', type: 'message', at: 'whenever', data: 'One, ' };
  await all.write('colours', [{ op: 'draft', id: 'growing', node: growing }]);
  await all.fork('colours', 'red', { newId: 'warm' });
  await all.createSession('empty', { meta: JSON.parse('{"__proto__":"x"}') });
  for (const id of ODD) {
    await all.createSession(id, { meta: { title: id } });
    await all.append(id, 'chat', Message.of({ id: 'm', role: 'user', content: id, createdAt: at }));
  }
}

const ids = ['colours', 'warm', 'empty', ...ODD];

const everything = async (kind: Kind, store: string) =>
  using(kind, store, async (all) => {
    const found = new Map<string, unknown>();
    for (const id of ids) found.set(id, await allOf(all, id));
    return found;
  });

describe.each(kinds)('an export of $name', (kind) => {
  let store: string;
  let exported: string;
  beforeAll(async () => {
    store = await kind.fresh();
    exported = join(folder, `${kind.name}.jsonl`);
    await using(kind, store, makeAll);
    expect(sessions('export', store, '--out', exported)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each(kinds)('is imported into $name without loss, and again without a change', async (other) => {
    const copy = await other.fresh();
    const { status, stdout, stderr } = sessions('import', copy, exported);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual(ids.toSorted());
    const before = await everything(kind, store);
    expect(await everything(other, copy)).toEqual(before);

    const versions = () =>
      using(other, copy, async (all) => (await all.listSessions()).items.map((head) => head.version));
    const versionsBefore = await versions();
    const again = sessions('import', copy, exported);
    expect(again.stdout).toBe(stdout);
    expect(again.stderr.match(/: was imported already$/gm)).toHaveLength(ids.length);
    expect(await versions()).toEqual(versionsBefore);
  });

  it('is of the sessions that are named, and gives the ids that are asked for', async () => {
    const one = sessions('export', store, 'colours').stdout;
    expect(jsonLines(one)[0]).toMatchObject({ format: 'message-store/session', version: 1, id: 'colours' });
    expect(jsonLines(one).at(-1)).toEqual({ op: 'leaf', to: 'question' });
    const copy = await kind.fresh();
    expect(run(['sessions', 'import', copy, '-', '--id', 'other'], one)).toMatchObject({
      status: 0,
      stdout: 'other\n',
    });
    const [from, to] = [
      await using(kind, store, (all) => allOf(all, 'colours')),
      await using(kind, copy, (all) => allOf(all, 'other')),
    ];
    expect(to).toEqual(from);
    expect(sessions('export', store, 'colours', 'none').status).toBe(1);
  });

  it('can be of store documents', () => {
    const documents = (...args: string[]) =>
      jsonLines(sessions('export', store, 'colours', '--to', 'store', ...args).stdout);
    const texts = ({ sections }: any) => sections.map(({ name, messages }: any) => [name, messages.length]);
    expect(documents().map(texts)).toEqual([
      [
        ['empty', 0],
        ['system', 2],
        ['chat', 3],
        ['notes', 0],
      ],
    ]);
    expect(
      documents('--path-only')[0]
        .sections.flatMap((section: any) => section.messages)
        .map(({ id }: any) => id),
    ).toEqual(['rules', 'question', 'question']);
  });
});

describe.each(kinds)('import into $name', (kind) => {
  it('makes a session of each conversation that the other commands read', async () => {
    const store = await kind.fresh();
    const { status, stdout } = sessions('import', store, CHATS, SUPPORT);
    expect(status).toBe(0);
    const [first, second, third, ...others] = stdout.trimEnd().split('\n') as [string, string, string];
    expect([first, second, third, others]).toEqual([
      expect.stringMatching(/^chats-1-[0-9a-f]{12}$/),
      expect.stringMatching(/^chats-2-[0-9a-f]{12}$/),
      expect.stringMatching(/^support\.prompt-[0-9a-f]{12}$/),
      [],
    ]);
    await using(kind, store, async (all) => {
      expect((await all.getPath(first)).map(String)).toEqual(['Be brief.', 'What is the capital of Norway?', 'Oslo.']);
      const support = await all.load(third);
      expect(support.sections.names()).toEqual(['system', 'examples', 'history', 'prompt']);
      expect(support.parameters().get().toJSON()).toMatchObject({ temperature: 0.2 });
      expect((await all.getHead(third))?.meta).toEqual({});
    });
    const again = sessions('import', store, CHATS, SUPPORT);
    expect([again.status, again.stdout]).toEqual([0, stdout]);
    expect(again.stderr).toMatch(/was imported already\n$/);
  });

  it('refuses an id that is in use, or leaves it alone', async () => {
    const store = await kind.fresh();
    await using(kind, store, (all) => makeColours(all));
    const before = await using(kind, store, (all) => allOf(all, 'colours'));
    const { status, stdout, stderr } = sessions('import', store, SUPPORT, '--id', 'colours');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `${SUPPORT}: there is a session "colours" already; --skip-existing leaves it alone, --id gives another id\n`,
    );
    const skipped = sessions('import', store, SUPPORT, '--id', 'colours', '--skip-existing');
    expect([skipped.status, skipped.stdout]).toEqual([0, '']);
    expect(skipped.stderr).toMatch(/: there is one of this id already: left alone\n$/);
    expect(await using(kind, store, (all) => allOf(all, 'colours'))).toEqual(before);
  });

  it('is finished by doing it again', async () => {
    const [store, whole] = [await kind.fresh(), await kind.fresh()];
    await using(kind, whole, async (all) => {
      await all.createSession('long');
      const list = Array.from({ length: 2500 }, (_, index) => message(`m${index}`, 'user', `text ${index}`));
      await all.appendMany('long', 'chat', list);
    });
    const exported = sessions('export', whole).stdout;
    const lines = exported.split('\n');
    const cut = run(['sessions', 'import', store, '-'], `${lines.slice(0, 2200).join('\n')}\n`);
    expect([cut.status, cut.stdout]).toEqual([1, '']);
    expect(cut.stderr).toBe('standard input:1: the file ends in the midst of this session: export it again\n');
    await using(kind, store, async (all) => expect((await all.getHead('long'))?.nodeCount).toBe(1999));

    expect(run(['sessions', 'import', store, '-'], '[{"role":"user","content":"x"}]').status).toBe(0);
    expect(run(['sessions', 'import', store, '-', '--id', 'long'], '[]').stderr).toMatch(
      /by an import of something else/,
    );
    expect(run(['sessions', 'import', store, '-'], exported)).toMatchObject({
      status: 0,
      stdout: 'long\n',
      stderr: '',
    });
    expect(await using(kind, store, (all) => allOf(all, 'long'))).toEqual(
      await using(kind, whole, (all) => allOf(all, 'long')),
    );
  });
});

describe('import', () => {
  it('tells what cannot be read of a list, and imports the others', async () => {
    const store = await jsonl.fresh();
    const { status, stdout, stderr } = run(
      ['sessions', 'import', store, '-'],
      '{"messages":[]}\n{"mess\n[{"role":"robot"}]\n[]\n',
    );
    expect(status).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^standard input:2: [^\n]+\nstandard input:3: [^\n]+\n$/);
  });

  it('keeps the branches of a store document', async () => {
    const [store, copy] = [await jsonl.fresh(), await jsonl.fresh()];
    await using(jsonl, store, (all) => makeColours(all));
    const document = sessions('export', store, '--to', 'store').stdout;
    expect(run(['sessions', 'import', copy, '-', '--id', 'c'], document).status).toBe(0);
    await using(jsonl, copy, async (all) => {
      expect((await all.listBranches('c')).map(({ leaf }) => leaf)).toEqual(['red', 'blue']);
    });
  });

  it.each([
    [
      'an unknown version',
      { format: 'message-store/session', version: 9, id: 's' },
      /:1: expected an exported session of version 1, got 9\n$/,
    ],
    ['no id', { format: 'message-store/session', version: 1 }, /:1: expected an exported session with id/],
  ])('tells a header with %s', async (_, header, told) => {
    const text = `${JSON.stringify(header)}\n{"op":"leaf","to":null}\n`;
    const { status, stderr } = run(['sessions', 'import', await jsonl.fresh(), '-'], text);
    expect(status).toBe(1);
    expect(stderr).toMatch(told);
  });

  it.each([
    ['no change', '{"op":"reset"}', /:2: expected a line of an exported session/],
    [
      'a change that cannot be made',
      '{"op":"label","target":"x","label":"y"}',
      /^standard input:1: a label is for "x"/,
    ],
    ['no JSON', '{"op', /:2: expected JSON/],
  ])('tells a line that is %s, and where', async (_, line, told) => {
    const header = JSON.stringify({ format: 'message-store/session', version: 1, id: 's', meta: {} });
    const text = `${header}\n${line}\n{"op":"leaf","to":null}\n`;
    const { status, stdout, stderr } = run(['sessions', 'import', await jsonl.fresh(), '-'], text);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(told);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it('gives one id to one session only', async () => {
    const { status, stderr } = sessions('import', await jsonl.fresh(), CHATS, '--id', 'x');
    expect(status).toBe(1);
    expect(stderr).toMatch(/chats\.jsonl:2: is another session: --id "x" is for one\n$/);
  });

  it('reads what is gzipped, and tells a file that is not there', async () => {
    const store = await jsonl.fresh();
    expect(sessions('import', store, file('chats.jsonl.gz', gzipSync(readFileSync(CHATS)))).status).toBe(0);
    expect(sessions('import', store, join(folder, 'none.jsonl')).stderr).toMatch(/none\.jsonl: cannot be read: /);
  });
});

/** Preloaded: tells at the end the most that was alive at a time, in bytes. */
const METER = `data:text/javascript,${encodeURIComponent(`
  let most = 0;
  const measure = () => { gc(); most = Math.max(most, process.memoryUsage().heapUsed); };
  setInterval(measure, 200).unref();
  process.on('exit', () => { measure(); process.stderr.write(String(most)); });
`)}`;

/** The most memory that was alive while so many messages, spread over sessions of a thousand, were moved into a SQLite file. */
async function mostAlive(count: number): Promise<number> {
  const path = join(folder, `${count}-messages.jsonl`);
  const header = (id: string) => ({ format: 'message-store/session', version: 1, id, meta: {}, forkedFrom: null });
  const node = (id: string, data: object) => ({ op: 'node', node: { id, section: 'chat', type: 'message', at, data } });
  const lines: object[] = [];
  for (let session = 0; session < count / 1000; session++) {
    lines.push(header(`s${session}`));
    for (let index = 0; index < 1000; index++)
      lines.push(node(`m${index}`, { id: `m${index}`, createdAt: at, role: 'user', content: 'x'.repeat(300) }));
    lines.push({ op: 'leaf', to: 'm999' });
  }
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const args = ['--expose-gc', '--import', METER, MAIN, 'sessions', 'import', await sqlite.fresh(), path];
  const child = spawn(process.execPath, args, { timeout: 55_000, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (text) => (told += String(text)));
  expect(await once(child, 'close')).toEqual([0, null]);
  return Number(/\d+$/.exec(told)?.[0]);
}

describe('import of 20 000 messages', () => {
  it('takes no more memory than of few', async () => {
    const [few, many] = [await mostAlive(2000), await mostAlive(20_000)];
    expect(few).toBeGreaterThan(1e6);
    expect(many / few).toBeLessThan(1.5);
  });
});
