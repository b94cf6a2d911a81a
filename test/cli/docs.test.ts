import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { read, ROOT } from '../support/source.ts';
import { MAIN } from './run.ts';

/** What the page shows of a terminal: a command on files that are there, and what it says. */
const shown = [
  ...read('docs/command-line.md').matchAll(/^```\n\$ message-store (.*docs\/examples\/.*)\n([^]*?)^```/gm),
].map(([, command = '', said = '']) => ({ command, said }));

describe('the page of the command line', () => {
  it('shows commands', () => expect(shown.length).toBeGreaterThan(1));

  it.each(shown)('shows what is said: $command', ({ command, said }) => {
    const args = [MAIN, ...command.split(' ')];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: ROOT });
    expect(stdout + stderr).toBe(said);
  });
});
