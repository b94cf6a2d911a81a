import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doors, find, importsOf, read, sourceFiles } from './support/source.ts';

/**
 * Who may import whom. A name is a folder of src, or a file in it; `formats/*` is any one folder of formats, and what
 * lies directly in formats is `formats`. After a slash come the packages. `type x` allows `import type` only.
 */
const core = 'internal errors schema input model';
const mayImport: Readonly<Record<string, string>> = {
  internal: '/ uuid',
  errors: 'internal',
  schema: 'internal errors / zod',
  input: 'internal errors schema',
  model: 'internal errors schema input / immer',
  edit: core,
  turns: core,
  context: `${core} turns`,
  'render/*': `${core} context / liquidjs`,
  'counters/*': `${core} context / gpt-tokenizer`,
  formats: `${core} turns type context`,
  'formats/*': `${core} turns formats type context`,
  storage: core,
  'storage/*': 'internal errors schema storage / node: kysely pg mysql2 better-sqlite3 @electric-sql/pglite',
  node: `${core} / node: mime`,
  streams: `${core} / eventsource-parser`,
  testing: `${core} edit turns context formats storage type formats/* testing/* / fast-check`,
  'testing/*': 'internal errors schema storage storage/* / fast-check',
  index: `${core} edit turns context storage storage/*`,
  cli: `${core} edit turns context counters/* render/* formats formats/* storage storage/* node testing index / node: cli-progress commander yaml`,
};

/** `src/formats/openai-chat/encode.ts` → `formats/openai-chat`; `src/errors.ts` → `errors`; below cli all is `cli`. */
const unitOf = (file: string) =>
  file
    .replace(/^src\//, '')
    .replace(/(\/[^/]+)?\.ts$/, '')
    .replace(/^cli\/.*/, 'cli');
const layerOf = (unit: string) => unit.replace(/\/.+/, '/*');

function isAllowed(from: string, target: string, isOwn: boolean, isType: boolean): boolean {
  const [folders = '', packages = ''] = (mayImport[layerOf(from)] ?? '').split('/ ');
  if (!isOwn) return packages.split(' ').some((name) => name !== '' && `${target}/`.startsWith(name));
  const unit = unitOf(target);
  if (unit === from) return true;
  if (isType && ` ${folders} `.includes(` type ${layerOf(unit)} `)) return true;
  return ` ${folders.replaceAll(/type \S+/g, '')} `.includes(` ${layerOf(unit)} `) && layerOf(unit) !== layerOf(from);
}

/** The cycles of run-time imports that a walk from this file meets; what is done is not walked again. */
function cyclesFrom(file: string, path: readonly string[], done: Set<string>): string[] {
  if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')];
  if (done.has(file)) return [];
  done.add(file);
  const next = importsOf(file).filter(({ isOwn, isType }) => isOwn && !isType);
  return next.flatMap(({ target }) => cyclesFrom(target, [...path, file], done));
}

const codeLines = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => !/^\s*(\/?\*|\/\/|$)/.test(line)).length;

describe('the source', () => {
  it('imports only what its layer may see', () => {
    const wrong = sourceFiles().flatMap((file) =>
      importsOf(file)
        .filter(({ target, isOwn, isType }) => !isAllowed(unitOf(file), target, isOwn, isType))
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no cycle of run-time imports', () => {
    const done = new Set<string>();
    expect(sourceFiles().flatMap((file) => cyclesFrom(file, [], done))).toEqual([]);
  });

  it('has barrels only at the doors', () => {
    const known = new Set(doors().map((door) => door.file));
    expect(find('src/**/index.ts').filter((file) => !known.has(file))).toEqual([]);
  });

  it('says in one sentence what lives in each folder', () => {
    const folders = [...new Set(find('src/*/**/*.ts').map(dirname))];
    const silent = folders.filter(
      (folder) => !find(`${folder}/README.md`).some((file) => /^[A-Z].*\.\n(?:\n|$)/.test(read(file))),
    );
    expect(silent).toEqual([]);
  });

  it('keeps its files to 400 lines of code, comments not counted, wire types excepted', () => {
    const long = sourceFiles().filter((file) => !file.endsWith('/wire.ts') && codeLines(file) > 400);
    expect(long).toEqual([]);
  });
});
