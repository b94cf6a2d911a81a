import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declarations, errorsElsewhere, exportedNames } from './support/exports.ts';
import { type Door, doors, find, importsOf, read, ROOT, sourceFiles } from './support/source.ts';

const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Everything that a file loads in the end: files of the library and packages. */
function closureOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith('src/')) return seen;
  for (const { target, isType } of importsOf(file)) if (!isType) closureOf(target, seen);
  return seen;
}

/** Whether its types are made of those of packages that are not installed with this one. */
const needsPackage = ({ name }: Door) => name === './testing' || name.startsWith('./storage');
const needsNode = (door: Door) => [...closureOf(door.file)].some((target) => target.startsWith('node:'));

describe('the entry points', () => {
  it.each(doors())('$name lead to a file, under the conditions of where it runs', (door) => {
    const built = `./dist${door.name.slice(1)}/index`;
    const runtime = needsNode(door) ? 'node' : 'default';
    expect(existsSync(ROOT + door.file), door.file).toBe(true);
    expect(Object.entries(door.conditions)).toEqual([
      ['types', `${built}.d.ts`],
      [runtime, `${built}.js`],
    ]);
  });

  it('are all the doors that the source has', () => {
    expect(
      doors()
        .map((door) => door.file)
        .toSorted(),
    ).toEqual(find('src/**/index.ts'));
  });

  it('export the names that are agreed on (UPDATE=1 rewrites them)', () => {
    const path = 'test/fixtures/exports.json';
    if (process.env['UPDATE']) writeFileSync(ROOT + path, `${JSON.stringify(exportedNames(), null, 2)}\n`);
    expect(exportedNames()).toEqual(JSON.parse(read(path)));
  });

  it('have types that need no others, and no library of TypeScript but the default one', () => {
    const plain = doors().filter((door) => !needsNode(door) && !needsPackage(door));
    expect(errorsElsewhere(plain)).toEqual([]);
  }, 60_000);

  it('are published without an any', () => {
    const loose = [...declarations()].filter(([, text]) => /\bany\b/.test(text.replaceAll(/'[^']*'/g, "''")));
    expect(loose.map(([path]) => path)).toEqual([]);
  });
});

describe('a format', () => {
  const formats = find('src/formats/*/').map((folder) => folder.split('/')[2] ?? '');

  it.each(formats)('%s has an entry point', (name) => {
    expect(doors().map((door) => door.name)).toContain(`./formats/${name}`);
  });

  it.each(formats)('%s has fixtures, in pairs of model and wire', (name) => {
    const casesOf = (side: string) =>
      find(`test/fixtures/formats/${name}/*.${side}.json`).map((path) => path.replace(`.${side}.json`, ''));
    expect(casesOf('model')).not.toEqual([]);
    expect(casesOf('model')).toEqual(casesOf('wire'));
  });
});

describe('the dependencies', () => {
  it('name every package that the source imports', () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const listed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const imported = sourceFiles().flatMap((file) => importsOf(file).filter(({ isOwn }) => !isOwn));
    const packages = imported.map(({ target }) => target.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? target);
    expect(packages.filter((name) => !name.startsWith('node:') && !listed.includes(name))).toEqual([]);
  });
});
