import { joinPath } from '../internal/path.ts';
import { reject, unreadable } from '../errors.ts';
import { copyJson, copyJsonObject, isRecord, type JsonObject, NO_FIELDS, wellFormed } from '../schema/json.ts';
import type { Origin } from '../schema/origin.ts';
import { isToolCallKey, type ToolCallKind } from '../schema/tool-call.ts';
import { readExtra, readOrigin } from './extra.ts';
import { readString } from './string.ts';
import { readCallId } from './ids.ts';

/** A tool call read from the outside. */
export interface ToolCallRecord {
  readonly kind: ToolCallKind;
  readonly id: string | undefined;
  readonly name: string;
  /** The object, or text as given. */
  readonly args: JsonObject | string;
  readonly origin: Origin | undefined;
  readonly extra: JsonObject;
}

type Fields = Record<string, unknown>;

/** The name of a call whose name is missing. */
export const UNNAMED_TOOL = '(unnamed-tool)';

const OTHER_KEYS: ReadonlySet<string> = /* @__PURE__ */ new Set(['args', 'type', 'function', 'custom']);

/** Reads one call, in our form or OpenAI's (`function: { name, arguments }`, `custom: { name, input }`). */
export function readToolCall(input: Fields, path: string): ToolCallRecord {
  try {
    return readRecord(input, path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function readRecord(input: Fields, path: string): ToolCallRecord {
  const inner = isRecord(input['function']) ? 'function' : 'custom';
  const own = { fields: input, path };
  const nested = { fields: isRecord(input[inner]) ? input[inner] : {}, path: joinPath(path, inner) };
  const name = firstGiven([own, 'name'], [nested, 'name']);
  const args = firstGiven([own, 'arguments'], [own, 'args'], [nested, 'arguments'], [nested, 'input']);
  return {
    kind: input['kind'] === 'custom' || isRecord(input['custom']) ? 'custom' : 'function',
    id: readCallId(input['id'], joinPath(path, 'id')),
    name: readString(name.value ?? UNNAMED_TOOL, name.path),
    args: readArgs(args.value, args.path),
    origin: readOrigin(input, path),
    extra: readUnknown(input, inner, nested.fields, path),
  };
}

/** The keys that have no meaning here, those of the nested record under its name. */
function readUnknown(input: Fields, inner: string, nested: Fields, path: string): JsonObject {
  const { name: _name, arguments: _arguments, input: _input, ...unread } = nested;
  const isRead = Object.keys(unread).length === 0;
  return readExtra(
    isRead ? input : { ...input, [inner]: unread },
    (key) => isToolCallKey(key) || (OTHER_KEYS.has(key) && (isRead || key !== inner)),
    path,
  );
}

/** A record's field: the record, where it stands, and the key. */
type Field = readonly [{ readonly fields: Fields; readonly path: string }, key: string];

/** The first of these fields that says something, and where it stands. */
function firstGiven(...fields: readonly [Field, ...Field[]]): { readonly value: unknown; readonly path: string } {
  const isGiven = ([record, key]: Field): boolean => record.fields[key] !== undefined && record.fields[key] !== null;
  const [record, key] = fields.find(isGiven) ?? fields[0];
  return { value: record.fields[key], path: joinPath(record.path, key) };
}

/** Arguments as given: text stays text; an empty list, PHP's empty map, is `{}`. */
export function readArgs(args: unknown, path: string): JsonObject | string {
  if (args === undefined || args === null) return NO_FIELDS;
  if (typeof args === 'string') return wellFormed(args, path);
  if (Array.isArray(args)) return args.length === 0 ? NO_FIELDS : JSON.stringify(copyJson(args, path));
  return isRecord(args) ? copyJsonObject(args, path) : reject(path, 'an object or JSON text', args);
}

function isOneCall({ name, type, function: inner, custom }: Fields): boolean {
  return typeof name === 'string' || isRecord(inner) || (type === 'custom' && isRecord(custom));
}

/** What stands for a call, not read yet, and where. */
interface PlacedCall {
  readonly item: unknown;
  readonly path: string;
}

/**
 * The calls in any of the forms in which lists of them come: a list, one call, or a map from tool names
 * to arguments.
 */
export function listToolCalls(input: unknown, path: string): PlacedCall[] {
  try {
    return placedCalls(input, path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function placedCalls(input: unknown, path: string): PlacedCall[] {
  if (Array.isArray(input)) return Array.from(input, (item: unknown, at) => requireCall(item, `${path}[${at}]`));
  if (!isRecord(input)) return reject(path, 'a list of tool calls', input);
  if (isOneCall(input)) return [{ item: input, path }];
  return Object.entries(input).map(([name, args]) => namedCall(name, args, joinPath(path, name)));
}

function namedCall(name: string, args: unknown, path: string): PlacedCall {
  return { item: { name, arguments: readArgs(args, path) }, path };
}

function requireCall(item: unknown, path: string): PlacedCall {
  if (typeof item !== 'object' || item === null) reject(path, 'a tool call with a name and arguments', item);
  return { item, path };
}
