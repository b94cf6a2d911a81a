/** The source files and doors of the library, and what each file imports. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file of the project. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The paths of the project that a pattern finds, sorted, with forward slashes. */
export const find = (pattern: string | readonly string[]): string[] =>
  globSync(pattern, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();

/** The files of the library: `src/model/section.ts`. */
export const sourceFiles = (): string[] => find('src/**/*.ts');

/** One import: a file of the library, or the name of a package; `isType` where nothing is left of it at run time. */
export interface Import {
  readonly target: string;
  readonly isOwn: boolean;
  readonly isType: boolean;
}

const STATEMENT =
  /^(?:import|export)\s+(type\s+)?(?:(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)\s+from\s+)?'([^']+)'|(?<!typeof )\bimport\('([^']+)'\)/gm;

/** What a file imports or exports from elsewhere. `import { type A }` counts as run time: it leaves an import behind. */
export function importsOf(file: string): Import[] {
  return [...read(file).matchAll(STATEMENT)].map(([, type, fixed, dynamic = '']) => {
    const target = fixed ?? dynamic;
    const isOwn = target.startsWith('.');
    return { target: isOwn ? join(dirname(file), target) : target, isOwn, isType: type !== undefined };
  });
}

/** The entry points of package.json: `./formats/openai-chat` and the file that it is built from. */
export interface Door {
  readonly name: string;
  readonly file: string;
  readonly conditions: Readonly<Record<string, string>>;
}

/** All entry points but package.json itself. */
export function doors(): Door[] {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, Record<string, string>> };
  return Object.entries(exports)
    .filter(([name]) => name !== './package.json')
    .map(([name, conditions]) => ({ name, conditions, file: `src${name.slice(1)}/index.ts` }));
}

/** The nearest door above a file, if it is not the core's. */
export function doorOf(file: string): Door | undefined {
  const folder = dirname(file);
  if (folder === 'src' || !folder.startsWith('src')) return undefined;
  return existsSync(join(ROOT, folder, 'index.ts'))
    ? doors().find((door) => door.file === `${folder}/index.ts`)
    : doorOf(folder);
}
