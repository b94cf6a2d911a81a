import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CHATS, file, folder, json, MAIN, run, SUPPORT } from './run.ts';

const start = (args: readonly string[]) => spawn(process.execPath, [MAIN, ...args]);

describe('the program', () => {
  it.each([
    ['standard input', Buffer.from(readFileSync(SUPPORT))],
    ['zipped standard input', gzipSync(readFileSync(SUPPORT))],
  ])('reads %s', (_, input) => {
    expect(json(['inspect', '-', '--json'], input).total.messages).toBe(10);
  });

  it.each([
    ['an unknown command', ['fly']],
    ['no file', ['assemble']],
    ['two files to inspect', ['inspect', SUPPORT, SUPPORT]],
    ['an unknown option', ['assemble', SUPPORT, '--mrge', SUPPORT]],
    ['an unknown target', ['assemble', SUPPORT, '--to', 'xml']],
    ['a parameter without a value', ['assemble', SUPPORT, '--param', 'novalue']],
    ['a parameter without a name', ['assemble', SUPPORT, '--param', '=1']],
    ['a section without a name', ['assemble', SUPPORT, '--sections', 'a,']],
    ['standard input twice', ['assemble', '-', '--merge', '-']],
  ])('exits with 2 and one sentence for %s', (_, args) => {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });

  it('exits with 2 and shows its help where no command is given', () => {
    const { status, stdout, stderr } = run([]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: message-store /);
  });

  it.each([
    ['a file that is not there', 'nope.yaml', undefined, 'cannot be read: no such file or directory'],
    [
      'a wrong role in a prompt',
      'a.yaml',
      'sections:\n  a:\n    - role: robot\n      content: x\n',
      'line 3: sections.a[0].role: expected one of',
    ],
    ['broken YAML', 'b.yaml', 'sections:\n  a: [1\n', 'line 2: expected YAML: '],
    ['broken JSON', 'c.json', '{\n"messages": [}', 'line 2: expected JSON: unexpected token'],
    ['an empty file', 'd.yaml', '', 'is empty'],
    ['binary data', 'e.bin', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0xff]), 'expected text'],
    ['too deep nesting', 'f.json', `[{"role":"user","content":${'['.repeat(1e5)}${']'.repeat(1e5)}}]`, ''],
  ])('exits with 1 and one sentence for %s', (_, name, content, message) => {
    const path = content === undefined ? join(folder, name) : file(name, content);
    const { status, stdout, stderr } = run(['assemble', path]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.startsWith(`${path}: ${message}`), stderr).toBe(true);
    expect(stderr.trimEnd()).not.toMatch(/\n|^ +at /m);
  });

  it.each([
    ['--help', 'Examples:'],
    ['assemble --help', 'A prompt file:'],
    ['convert --help', '--report <file>'],
    ['inspect --help', '--json'],
    ['validate --help', '--complete'],
    ['repair --help', '--out <file>'],
    ['--version', JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version],
  ])('answers %s', (args, text) => {
    const { status, stdout } = run(args.split(' '));
    expect(status).toBe(0);
    expect(stdout).toContain(text);
  });

  it('ends quietly when nobody reads on', async () => {
    const long = file('long.jsonl', readFileSync(CHATS, 'utf8').repeat(5000));
    const child = start(['assemble', long]);
    let told = '';
    child.stderr.on('data', (text) => (told += String(text)));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([...(await once(child, 'close')), told]).toEqual([0, null, '']);
  });

  it('does not wait for the end of input that is broken already', async () => {
    const child = start(['assemble', '-']);
    let told = '';
    child.stderr.on('data', (text) => (told += String(text)));
    child.stdin.write('[]\n{broken\n');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(told).toMatch(/^standard input:2: expected JSON: [^\n]+\n$/);
  });

  it('says what to install where its packages are missing', async () => {
    const alone = join(folder, 'alone');
    for (const path of ['package.json', 'src'])
      cpSync(new URL(`../../${path}`, import.meta.url), join(alone, path), { recursive: true });
    for (const name of ['immer', 'uuid', 'zod']) {
      cpSync(new URL(`../../node_modules/${name}`, import.meta.url), join(alone, 'node_modules', name), {
        recursive: true,
      });
    }
    const child = spawn(process.execPath, [join(alone, 'src/cli/main.ts'), 'inspect', SUPPORT]);
    let told = '';
    child.stderr.on('data', (text) => (told += String(text)));
    expect([...(await once(child, 'close')), told]).toEqual([
      1,
      null,
      'message-store: the command line needs three packages more: npm install cli-progress commander yaml\n',
    ]);
  });
});
