/** What the entry points export, and the declarations that they are published with. */
import ts from 'typescript';
import { type Door, doors, ROOT } from './source.ts';

const { config } = ts.readConfigFile(`${ROOT}tsconfig.build.json`, ts.sys.readFile) as { config: object };
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const program = ts.createProgram(
  doors().map((door) => ROOT + door.file),
  { ...options, emitDeclarationOnly: true },
);

/** The names of each entry point, sorted; `type X` for what exists at compile time only. */
export function exportedNames(): Record<string, string[]> {
  const checker = program.getTypeChecker();
  const namesOf = (path: string) => {
    const file = program.getSourceFile(path);
    const module = file && checker.getSymbolAtLocation(file);
    return (module ? checker.getExportsOfModule(module) : []).map((symbol) => {
      const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return origin.flags & ts.SymbolFlags.Value ? symbol.name : `type ${symbol.name}`;
    });
  };
  const byName = (a: string, b: string) => (a.replace('type ', '') < b.replace('type ', '') ? -1 : 1);
  return Object.fromEntries(doors().map((door) => [door.name, namesOf(ROOT + door.file).toSorted(byName)]));
}

/** The declaration files by path, without their comments. */
export function declarations(): Map<string, string> {
  const texts = new Map<string, string>();
  program.emit(undefined, (path, text) => texts.set(path.slice(ROOT.length), text.replaceAll(/\/\*[^]*?\*\//g, '')));
  return texts;
}

/** What the compiler says of the declarations of entry points in a program of others, which has no types of Node. */
export function errorsElsewhere(entries: readonly Door[]): string[] {
  const texts = declarations();
  const alone: ts.CompilerOptions = {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    noEmit: true,
  };
  const host = ts.createCompilerHost(alone);
  const { fileExists, readFile } = host;
  const textOf = (path: string) => texts.get(path.slice(ROOT.length));
  host.fileExists = (path) => textOf(path) !== undefined || fileExists(path);
  host.readFile = (path) => textOf(path) ?? readFile(path);
  const files = entries.map(({ conditions }) => `${ROOT}${conditions['types']?.slice(2)}`);
  return ts
    .getPreEmitDiagnostics(ts.createProgram(files, alone, host))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}
