import type * as z from 'zod/mini';
import { reject } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import { copyJson, isRecord, MAX_DEPTH } from './json.ts';

type Issue = z.core.$ZodIssue;

/**
 * Throws what a schema finds wrong with a value: the exact path, what was expected there, what came.
 * Guards decide fast and this explains: it runs only after a guard said no.
 *
 * @throws InvalidInputError always
 */
export function explain(schema: z.ZodMiniType, value: unknown, root = ''): never {
  const result = schema.safeParse(value);
  const issue = deepest(result.error?.issues ?? []);
  if (issue === undefined) {
    // Schemas do not look for lone surrogates and for depth without end: the copy finds them, with their path.
    copyJson(value, root);
    return reject(root, `nesting of at most ${MAX_DEPTH} levels`, value);
  }
  return reject(pathIn(value, issue.path, root), expectation(issue), issue.path.reduce(childOf, value));
}

/** The issue that says most: inside a union, the branch that came furthest. */
function deepest(issues: readonly Issue[]): Issue | undefined {
  const [first] = issues;
  if (first?.code !== 'invalid_union') return first;
  const inner = first.errors.map(deepest).filter((issue) => issue !== undefined && issue.path.length > 0);
  const [furthest] = inner.toSorted((a, b) => (b as Issue).path.length - (a as Issue).path.length);
  return furthest === undefined ? first : { ...furthest, path: [...first.path, ...furthest.path] };
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation)))].join(' or ');
    default:
      return issue.message;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

/** `one of "a", "b"`; a single value stands alone. */
export function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  return texts.length === 1 ? (texts[0] as string) : `one of ${texts.join(', ')}`;
}

/** The path, with sections named instead of counted: `sections.main.messages[3].role`. */
function pathIn(value: unknown, keys: readonly PropertyKey[], root: string): string {
  let path = root;
  let at = value;
  keys.forEach((key, index) => {
    const child = childOf(at, key);
    const name = keys[index - 1] === 'sections' && isRecord(child) ? child['name'] : undefined;
    path = joinPath(path, typeof name === 'string' ? name : (key as string | number));
    at = child;
  });
  return path;
}

function childOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined;
}
