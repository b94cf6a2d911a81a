/**
 * The examples of README.md, docs and doc comments.
 *
 * A comment behind or below a statement says what comes of it: `expr // => value`, or `expr // throws part of the
 * message`; a value that does not fit goes on in comment lines below. A block marked `no-run` is only compiled. A doc
 * comment that imports nothing has at hand what the nearest door and the core export.
 */
import { runInThisContext, Script } from 'node:vm';
import ts from 'typescript';
import { doorOf, find, read, ROOT, sourceFiles } from './source.ts';

/** One example, named by where it stands. */
export interface Example {
  readonly name: string;
  readonly code: string;
  readonly isRun: boolean;
}

/** What a running example needs of the test: modules, and the two checks. */
export interface Host {
  load(specifier: string): Promise<unknown>;
  equal(actual: unknown, expected: unknown, source: string): void;
  throws(run: () => Promise<unknown>, message: string, source: string): Promise<void>;
}

/** The examples of the pages: every ts block. */
export const pageExamples = (): Example[] =>
  find(['README.md', 'docs/**/*.md'])
    .filter((file) => !file.startsWith('docs/api/'))
    .flatMap((file) => blocksOf(read(file), file, 0));

/** The examples of the doc comments: every `@example`. */
export const commentExamples = (): Example[] => sourceFiles().flatMap(exampleTagsOf);

const linesUpTo = (text: string, index: number): number => text.slice(0, index).split('\n').length;

function blocksOf(text: string, file: string, linesAbove: number): Example[] {
  return [...text.matchAll(/^```ts\b(.*)\n([^]*?)^```/gm)].map((match) => ({
    name: `${file}:${linesAbove + linesUpTo(text, match.index)}`,
    code: match[2] ?? '',
    isRun: !match[1]?.includes('no-run'),
  }));
}

function exampleTagsOf(file: string): Example[] {
  const text = read(file);
  return [...text.matchAll(/^ *\* @example\b.*\n((?: *\*(?!\/| @\w).*\n)+)/gm)].flatMap((match) => {
    const line = linesUpTo(text, match.index);
    const body = (match[1] ?? '').replaceAll(/^ *\* ?/gm, '');
    const plain = { name: `${file}:${line}`, code: body, isRun: true };
    const examples = body.includes('```') ? blocksOf(body, file, line) : [plain];
    return examples.map((example) => ({ ...example, code: importsFor(example.code, file) + example.code }));
  });
}

/** On one line, imports of the exported names that the code uses: of the nearest door's, else of the core's. */
function importsFor(code: string, file: string): string {
  if (/^import\b/m.test(code)) return '';
  const exported = JSON.parse(read('test/fixtures/exports.json')) as Readonly<Record<string, readonly string[]>>;
  const isUsed = (name: string) =>
    new RegExp(`(?<![.\\w])${name}\\b`).test(code) &&
    !new RegExp(`\\b(const|let|class|function) ${name}\\b`).test(code);
  const known = new Map<string, string>();
  for (const door of ['.', doorOf(file)?.name ?? '.'])
    for (const entry of exported[door] ?? [])
      known.set(entry.replace('type ', ''), `{ ${entry} } from 'message-store${door.slice(1)}'`);
  return [...known].map(([name, from]) => (isUsed(name) ? `import ${from}; ` : '')).join('');
}

/** Runs an example; the first check that fails throws. */
export async function runExample({ code }: Example, host: Host): Promise<void> {
  const specifiers = [...code.matchAll(/\bfrom '([^']+)'/g)].map(([, specifier = '']) => specifier);
  const modules = new Map(await Promise.all(specifiers.map(async (name) => [name, await host.load(name)] as const)));
  const { outputText } = ts.transpileModule(withChecks(code), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true },
  });
  const run: unknown = runInThisContext(`(async (require, exports, host) => {${outputText}\n})`);
  await (run as (...given: unknown[]) => Promise<void>)((name: string) => modules.get(name), {}, host);
}

const PROMISE = /^[ \t]*(?:\n[ \t]*)?\/\/ (?:=> )?(=>|throws) ?(.*(?:\n[ \t]*\/\/ .*)*)/;

/** The code with each promise turned into a check of the statement that it belongs to. */
function withChecks(code: string): string {
  const file = ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2023);
  let checked = 0;
  const checks = file.statements.map((statement) => {
    const own = statement.getText(file);
    const [, kind, promise = ''] = PROMISE.exec(code.slice(statement.end)) ?? [];
    if (kind === undefined) return own;
    checked += 1;
    return kind === 'throws' ? throwingCheck(own, promise) : equalCheck(own, statement, promise);
  });
  const promised = code.match(/\/\/ (=>|throws)/g)?.length ?? 0;
  if (promised !== checked)
    throw new Error(`${promised - checked} of ${promised} promises follow no statement of the top level`);
  return checks.join('\n');
}

function throwingCheck(own: string, promise: string): string {
  const [message = ''] = promise.split('\n');
  return `await host.throws(async () => { ${own} }, ${JSON.stringify(message.trim())}, ${JSON.stringify(own)});`;
}

function equalCheck(own: string, statement: ts.Statement, promise: string): string {
  const rest = `(${valueIn(promise)}), ${JSON.stringify(own)})`;
  if (ts.isExpressionStatement(statement)) return `host.equal(await (${own.replace(/;$/, '')}), ${rest};`;
  const name = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0]?.name : undefined;
  if (name === undefined || !ts.isIdentifier(name))
    throw new Error(`a value is promised of a statement that has none: ${own}`);
  return `${own}\nhost.equal(await ${name.text}, ${rest};`;
}

/** The shortest beginning of the comment, in whole lines, that is an expression. */
function valueIn(promise: string): string {
  const lines = promise.split('\n').map((line) => line.replace(/^\s*\/\//, ''));
  const texts = lines.map((_, at) => lines.slice(0, at + 1).join('\n'));
  const value = texts.find((text) => isExpression(text));
  if (value === undefined) throw new Error(`not a value: ${promise}`);
  return value;
}

function isExpression(text: string): boolean {
  try {
    return text.trim() !== '' && new Script(`(${text}\n)`) instanceof Script;
  } catch {
    return false;
  }
}

/** What the compiler says of the examples: one line each, save on lines that promise an error. */
export function typeErrorsOf(examples: readonly Example[]): string[] {
  const files = new Map(examples.map((example, at) => [`${ROOT}test/example-${at}.ts`, example]));
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, noUnusedLocals: false, moduleDetection: 'force' },
    ROOT,
  );
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path)?.code ?? host.readFile(path),
    getSourceFile: (path, ...rest) => {
      const example = files.get(path);
      return example ? ts.createSourceFile(path, example.code, rest[0]) : host.getSourceFile(path, ...rest);
    },
  });
  return [...files].flatMap(([path, { name, code }]) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.flatMap(({ start = 0, messageText }) => {
      const line = code.split('\n')[linesUpTo(code, start) - 1] ?? '';
      const isPromised = line.includes('// throws');
      return isPromised ? [] : [`${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')} in ${line.trim()}`];
    });
  });
}
