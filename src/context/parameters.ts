import { MessageStoreError, unreadable } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import { preview } from '../internal/preview.ts';

/** The values that templates are filled with, by name. */
export type Parameters = Readonly<Record<string, unknown>>;

const SHOWN_NAMES = 10;

/** Where a variable's value stands: `user.name` → `parameters.user.name`. */
export function parameterPath(name: string): string {
  return name.split('.').reduce<string>(joinPath, 'parameters');
}

/**
 * The value of a variable, a dotted path of names; undefined where there is none. Only what JSON would write of an
 * object is there: its own fields, no inherited ones and no `length`.
 */
export function valueOf(parameters: Parameters, name: string): unknown {
  try {
    return name.split('.').reduce(fieldOf, parameters);
  } catch (cause) {
    throw unreadable(parameterPath(name), cause);
  }
}

function fieldOf(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return Object.prototype.propertyIsEnumerable.call(holder, key) ? holder[key as never] : undefined;
}

/** A variable without a value, and where it stands. */
export interface MissingVariable {
  readonly name: string;
  /** The path of the text. */
  readonly path: string;
  /** The line in the text, in words. */
  readonly line?: string;
  readonly parameters: Parameters;
  /** What can be done, as a sentence. */
  readonly advice: string;
  readonly cause?: unknown;
}

/** The error for a variable without a value: where it stands, which names there are, and what can be done. */
export function missingVariable({
  name,
  path,
  line = '',
  parameters,
  advice,
  cause,
}: MissingVariable): MessageStoreError {
  const known = whatIsThere(parameters, name);
  const sentence = `${path}: ${line}there is no value for the variable ${preview(name)}; ${known}. ${advice}`;
  return new MessageStoreError('missing_variable', sentence, {
    path,
    value: name,
    ...(cause !== undefined && { cause }),
  });
}

/** What there is where the walk along the names of a variable ends. */
function whatIsThere(parameters: Parameters, name: string): string {
  const keys = name.split('.');
  const depth = keys.findIndex((_, at) => valueOf(parameters, keys.slice(0, at + 1).join('.')) === undefined);
  if (depth <= 0) return `the parameters have ${otherNames(parameters, keys[0])}`;
  const holderName = keys.slice(0, depth).join('.');
  const holder = valueOf(parameters, holderName);
  const isHolder = typeof holder === 'object' && holder !== null;
  return `${preview(holderName)} ${isHolder ? `has ${otherNames(holder, keys[depth])}` : `is ${preview(holder)}`}`;
}

function otherNames(holder: object, key = ''): string {
  const names = Object.keys(holder).filter((name) => name !== key);
  return listed(names) + suggestion(names, key);
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'no other names';
  const shown = names.slice(0, SHOWN_NAMES).map(preview).join(', ');
  return names.length > SHOWN_NAMES ? `${shown} and ${names.length - SHOWN_NAMES} more` : shown;
}

/** The name that differs in nothing but case, `_` and `-`. */
function suggestion(names: readonly string[], key: string): string {
  const meant = names.find((name) => plain(name) === plain(key));
  return meant === undefined ? '' : ` (did you mean ${preview(meant)}?)`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
