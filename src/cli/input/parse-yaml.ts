import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { Failure } from '../failure.ts';

/** Keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** A parsed document that knows where its values stand. */
export interface YamlDocument {
  readonly value: unknown;
  /** The keys of the mapping at a path, in the order of the text; an object would put those that look like numbers first. */
  readonly keys: (path: Path) => string[];
  /** The line of the value at a path, or of what is nearest around it. */
  readonly lineOf: (path: Path) => number;
}

/**
 * The one document of YAML text, which JSON is too: the core schema and merge keys, no other tags, no duplicate keys,
 * few aliases.
 *
 * @throws Failure naming the file and line
 */
export function parseYaml(text: string, file: string): YamlDocument {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    schema: 'core',
    merge: true,
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: 'error',
  });
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  const problem = firstProblem(document);
  if (problem !== undefined) throw new Failure(`${file}: line ${lineAt(problem.offset)}`, problem.message);
  return {
    value: valueOf(document, file),
    keys: (path) => keysOf(walk(document, path).node),
    lineOf: (path) => lineAt(walk(document, path).offset),
  };
}

interface Problem {
  readonly offset: number;
  readonly message: string;
}

function firstProblem(document: Document.Parsed): Problem | undefined {
  const [error] = [...document.errors, ...document.warnings];
  if (error === undefined) return unknownAlias(document);
  const [offset] = error.pos;
  if (error.code === 'DUPLICATE_KEY') return { offset, message: 'the same key stands twice' };
  if (error.code === 'MULTIPLE_DOCS') return { offset, message: 'expected one YAML document' };
  if (error.code === 'RESOURCE_EXHAUSTION') return { offset, message: 'is nested too deeply' };
  return { offset, message: `expected YAML: ${error.message}` };
}

function unknownAlias(document: Document.Parsed): Problem | undefined {
  let found: Problem | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      found = { offset: alias.range?.[0] ?? 0, message: `expected YAML: there is no anchor &${alias.source} before` };
      return visit.BREAK;
    },
  });
  return found;
}

function valueOf(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    if (!(cause instanceof ReferenceError)) throw cause;
    throw new Failure(file, 'the aliases stand for too much', cause);
  }
}

/** The node at a path, undefined where there is none, and where it or what is nearest around it begins. */
function walk(document: Document.Parsed, path: Path): { readonly node: unknown; readonly offset: number } {
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of path) {
    const next = isMap(node) ? memberOf(node, key) : isSeq(node) ? itemOf(node, key) : undefined;
    if (next === undefined) return { node: undefined, offset };
    ({ node, offset } = next);
  }
  return { node: isAlias(node) ? node.resolve(document) : node, offset };
}

type Found = ReturnType<typeof walk> | undefined;

function memberOf({ items }: { readonly items: readonly { key: unknown; value: unknown }[] }, name: unknown): Found {
  const pair = items.find(({ key }) => isScalar(key) && key.value === name);
  return pair && { node: pair.value, offset: offsetOf(pair.key) };
}

function itemOf({ items }: { readonly items: readonly unknown[] }, index: string | number): Found {
  const item = items[Number(index)];
  return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
}

function offsetOf(node: unknown): number {
  return (node as { readonly range?: readonly number[] | null }).range?.[0] ?? 0;
}

function keysOf(node: unknown): string[] {
  return isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? String(key.value) : '')) : [];
}
