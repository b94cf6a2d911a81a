/** Runs the command line as a person does, on files that a test makes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
export const SUPPORT = join(EXAMPLES, 'support.prompt.yaml');
export const HOLIDAY = join(EXAMPLES, 'holiday.prompt.json');
export const CHATS = join(EXAMPLES, 'chats.jsonl');

export const { REAL_DATA } = process.env;
/** 200 conversations of a tool-using agent. */
export const REAL_CHATS = join(REAL_DATA ?? '', 'tau-bench-airline-gpt4o.jsonl.gz');

/** Where the program's modules are kept as they were compiled, so that each run starts in half the time. */
const CACHE = join(tmpdir(), 'message-store-compiled');

/** What the program says to these arguments. */
export const run = (args: readonly string[], input?: string | Buffer) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: CACHE },
    input: input ?? '',
    maxBuffer: 2 ** 28,
  });
  return { status, stdout, stderr };
};

/** What the program prints, as data. */
export const json = (args: readonly string[], input?: string | Buffer): any => JSON.parse(run(args, input).stdout);

/** Each line of JSON that a text holds. */
export const jsonLines = (text: string): any[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A folder for the files of one test file. */
export const folder = mkdtempSync(join(tmpdir(), 'message-store-cli-'));

/** The path of a new file. */
export const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
