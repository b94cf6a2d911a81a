/** The CPU time of a process that imports the core: against bare node, and against its packages alone. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../harness/bundle.ts';
import { median, rounds, times } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { built, ROOT } from '../harness/product.ts';

const PEERS = fileURLToPath(new URL('../', import.meta.url));
const BARE = 'bare node';
const PACKAGES = 'immer, zod/mini and uuid';
const CORE = 'message-store';
const BUNDLED = 'message-store, bundled';
const ROUNDS = rounds(15);

const importOf = (...modules: readonly string[]): string =>
  modules.map((module) => `import ${JSON.stringify(module)};`).join('');

const folder = mkdtempSync(join(tmpdir(), 'message-store-bench-'));
const file = join(folder, 'core.mjs');
writeFileSync(file, await bundle(`export { MessageStore } from ${JSON.stringify(built('index.js').pathname)};`, ROOT));

/** What is imported, and from which folder its packages are found. */
const programs: Readonly<Record<string, readonly [program: string, folder: string]>> = {
  [BARE]: ['', ROOT],
  [CORE]: [importOf(built('index.js').href), ROOT],
  [BUNDLED]: [importOf(file), ROOT],
  [PACKAGES]: [importOf('immer', 'zod/mini', 'uuid'), ROOT],
  immer: [importOf('immer'), ROOT],
  'zod/mini': [importOf('zod/mini'), ROOT],
  uuid: [importOf('uuid'), ROOT],
  'AI SDK 7': [importOf('ai-v7'), PEERS],
  'LangChain messages': [importOf('@langchain/core/messages'), PEERS],
};

/** The whole process from its start, in milliseconds. */
function cpuOf([program, cwd]: readonly [string, string]): number {
  const code = `${program} const { user, system } = process.cpuUsage(); process.stdout.write(String(user + system));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout) / 1000;
}

const used: Record<string, number[]> = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
try {
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, program] of Object.entries(programs)) {
      const cpu = cpuOf(program);
      if (round >= 0) used[name]?.push(cpu);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

const ratio = (name: string, baseline: string): number =>
  median((used[name] ?? []).map((cpu, round) => cpu / (used[baseline]?.[round] ?? NaN)));
console.log('\n### the process of an import\n\n| import | CPU | ratio to bare node |\n|---|---|---|');
for (const [name, all] of Object.entries(used))
  console.log(`| ${name} | ${median(all).toFixed(0)} ms | ${times(ratio(name, BARE))} |`);
line('CPU of a process that imports the core, bundled, to bare node', ratio(BUNDLED, BARE), 1.3);
line('the same, not bundled, to immer, zod/mini and uuid alone', ratio(CORE, PACKAGES), 1.1);
done();
