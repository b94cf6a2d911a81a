/**
 * Measures the built library beside its peers: every file of `lines/` in a process of its own, then one table of all
 * lines of the contract. `--check` fails where one falls short. Names choose files: `run.ts append load`. With
 * `--storage` the files are those of `storage-lines/`.
 */
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machine } from './harness/compare.ts';
import { type Line, printLines, verdict } from './harness/lines.ts';

const isStorage = process.argv.includes('--storage');
const folder = fileURLToPath(new URL(isStorage ? 'storage-lines/' : 'lines/', import.meta.url));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const mustHold = process.argv.includes('--check');

function run(file: string): Promise<Line[]> {
  const lines: Line[] = [];
  const child = fork(folder + file, { execArgv: ['--expose-gc', '--max-old-space-size=4096'] });
  child.on('message', (message) => lines.push(...(message as Line[])));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve(lines) : reject(new Error(`${file} ended with ${code}`))));
  });
}

const files = readdirSync(folder).filter((file) => wanted.length === 0 || wanted.includes(file.replace('.ts', '')));
const all: Line[] = [];
console.log(machine());
for (const file of files) all.push(...(await run(file)));
printLines(all);
const short = all.filter((line) => verdict(line) === 'FAIL');
console.log(`\n${all.length - short.length} lines reached, ${short.length} fall short`);
if (mustHold && short.length > 0) process.exitCode = 1;
