import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Report, type Totals } from './report.ts';
import type { Kind } from './result.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const OWN = join(ROOT, 'test/fixtures/conformance');

/** What to run, and where to say what came of it. */
export interface Options {
  /** Names of kinds; none means all that the folder has. */
  readonly kinds?: readonly string[];
  /** The folder with one sub-folder a kind, absolute or from the package's root; default: the project's own cases. */
  readonly folder?: string | undefined;
  readonly print: (line: string) => void;
}

/** Runs the cases of each kind, prints what came of them, and gives the totals. */
export async function conformance({ kinds = [], folder = '', print }: Options): Promise<Totals> {
  const home = folder === '' ? OWN : resolve(ROOT, folder);
  const found = foldersIn(home);
  const known = knownKinds();
  const report = new Report(print);
  for (const kind of kinds.length > 0 ? kinds : found) {
    if (!known.includes(kind)) report.problem(`unknown kind "${kind}": known kinds are ${known.join(', ')}`);
    else if (!found.includes(kind)) report.problem(`no folder "${kind}" in ${home}`);
    else await runKind(kind, filesIn(join(home, kind)), home === OWN, report);
  }
  if (kinds.length + found.length === 0) report.problem(`no cases in ${home}: known kinds are ${known.join(', ')}`);
  return report.close();
}

async function runKind(kind: string, files: readonly string[], isOwn: boolean, report: Report): Promise<void> {
  const module = (await import(`./kinds/${kind}.ts`)) as Kind;
  for await (const result of module.run(files, { isOwn })) report.add(result);
}

function knownKinds(): readonly string[] {
  return readdirSync(join(import.meta.dirname, 'kinds'))
    .map((file) => file.replace(/\.ts$/, ''))
    .toSorted();
}

function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

function filesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name))
    .toSorted();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
