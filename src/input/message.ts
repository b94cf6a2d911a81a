import { reject, unreadable } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import { copyJsonObject, isRecord, type JsonObject } from '../schema/json.ts';
import { type Incomplete, isIncomplete, isMessageKey } from '../schema/message.ts';
import type { Origin } from '../schema/origin.ts';
import type { MessageRole } from '../schema/role.ts';
import { readExtra, readOrigin } from './extra.ts';
import { readOptionalId } from './ids.ts';
import { readOptionalString } from './string.ts';
import { readRole } from './role.ts';
import { readTime } from './time.ts';

/** A message read from the outside; content, calls and result are not read yet. */
export interface MessageRecord {
  readonly id: string | undefined;
  readonly createdAt: string | undefined;
  readonly parentId: string | undefined;
  readonly role: MessageRole | undefined;
  readonly name: string;
  readonly content: unknown;
  readonly toolCalls: Nested | undefined;
  readonly toolResult: Nested | undefined;
  readonly metadata: unknown;
  /** Where the metadata stands: under its own key or the legacy one. */
  readonly metadataPath: string;
  readonly origin: Origin | undefined;
  readonly incomplete: Incomplete | undefined;
  readonly extra: JsonObject;
}

/** A value inside a record, and where it stands. */
export interface Nested {
  readonly value: unknown;
  readonly path: string;
}

type Fields = Record<string, unknown>;

/** What makes an object a message, beside its role. */
const BODY_KEYS = ['content', '_metadata', 'metadata', 'tool_calls', 'tool_result', 'tool_call_id'] as const;

/** Whether a value has the shape of a message: a role, and something for it to say. */
export function isMessageShape(value: unknown): value is Fields {
  return isRecord(value) && (peek(value, 'role') ?? null) !== null && hasBody(value);
}

/** Whether an object can be read as a message, its role left to the default. */
export function canBeMessage(value: unknown): value is Fields {
  return isRecord(value) && ('role' in value || hasBody(value));
}

function hasBody(value: Fields): boolean {
  return BODY_KEYS.some((key) => peek(value, key) !== undefined);
}

/** A field, only to know whether it is there: one that throws is, and says so when it is read. */
function peek(value: Fields, key: string): unknown {
  try {
    return value[key];
  } catch {
    return true;
  }
}

/** Reads one message object: our JSON, OpenAI's shape, or the seed's legacy one with tool data in the metadata. */
export function readMessage(input: Fields, path: string): MessageRecord {
  try {
    return readRecord(input, path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function readRecord(input: Fields, path: string): MessageRecord {
  const at = (key: string): string => joinPath(path, key);
  const role = readRole(input['role'], at('role'));
  const metadata = readMetadata(input, at);
  const toolCalls = readToolCalls(input, metadata, at);
  const toolResult = readToolResultOf(input, role, metadata, path);
  return {
    id: readOptionalId(input['id'], at('id')),
    createdAt: readTime(input['createdAt'], at('createdAt')),
    parentId: readOptionalId(input['parentId'], at('parentId')),
    role,
    name: toolResult?.named === true ? '' : readOptionalString(input['name'], at('name')),
    content: input['content'],
    toolCalls,
    toolResult,
    metadata: metadata.rest,
    metadataPath: metadata.path,
    origin: readOrigin(input, path),
    incomplete: readIncomplete(input['incomplete'], at('incomplete')),
    extra: readExtra(input, (key) => isUsed(key, metadata, role), path),
  };
}

interface ReadMetadata {
  readonly path: string;
  readonly key: '_metadata' | 'metadata';
  /** Without the tool data that stood in it. */
  readonly rest: Fields | undefined;
  readonly legacy: { readonly tool_calls?: unknown; readonly tool_result?: unknown };
}

/** `_metadata` wins outright over `metadata`. Legacy tool data leaves the metadata only where it can be understood. */
function readMetadata(input: Fields, at: (key: string) => string): ReadMetadata {
  const key = input['_metadata'] === undefined || input['_metadata'] === null ? 'metadata' : '_metadata';
  const value = input[key];
  if (isEmptyValue(value)) return { path: at(key), key, rest: undefined, legacy: {} };
  if (!isRecord(value)) reject(at(key), 'an object', value);
  const { tool_calls, tool_result, ...others } = value;
  const hasCalls = typeof tool_calls === 'object' && tool_calls !== null;
  const hasResult = isRecord(tool_result);
  if (!hasCalls && !hasResult) return { path: at(key), key, rest: value, legacy: {} };
  const rest = {
    ...others,
    ...(hasCalls ? {} : present('tool_calls', tool_calls)),
    ...(hasResult ? {} : present('tool_result', tool_result)),
  };
  return {
    path: at(key),
    key,
    rest,
    legacy: { ...(hasCalls && { tool_calls }), ...(hasResult && { tool_result }) },
  };
}

function readToolCalls(input: Fields, metadata: ReadMetadata, at: (key: string) => string): Nested | undefined {
  const value = input['tool_calls'];
  if (!isEmptyValue(value)) return { value, path: at('tool_calls') };
  const legacy = metadata.legacy.tool_calls;
  return legacy === undefined ? undefined : { value: legacy, path: `${metadata.path}.tool_calls` };
}

/** Nothing, or an empty list, which is also how PHP writes an empty map. */
function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** `tool_result`, the legacy one in the metadata, or OpenAI's form: role `tool` with `tool_call_id`, and the tool's name as `name`. */
function readToolResultOf(
  input: Fields,
  role: MessageRole | undefined,
  metadata: ReadMetadata,
  path: string,
): (Nested & { readonly named?: true }) | undefined {
  const { tool_result, tool_call_id, content, name } = input;
  if (tool_result !== undefined && tool_result !== null) {
    const at = joinPath(path, 'tool_result');
    if (!isRecord(tool_result)) reject(at, 'an object', tool_result);
    return { value: { ...present('tool_call_id', tool_call_id), ...tool_result }, path: at };
  }
  if (metadata.legacy.tool_result !== undefined)
    return { value: metadata.legacy.tool_result, path: `${metadata.path}.tool_result` };
  if (role !== 'tool' || tool_call_id === undefined || tool_call_id === null) return undefined;
  if (typeof tool_call_id !== 'string') reject(joinPath(path, 'tool_call_id'), 'a string', tool_call_id);
  const tool_name = readOptionalString(name, joinPath(path, 'name'));
  return { value: { content, tool_call_id, tool_name }, path, named: true };
}

function present(key: string, value: unknown): Fields {
  return value === undefined || value === null ? {} : { [key]: value };
}

/** The mark of a cut stream, with all that it says; undefined where there is none. */
export function readIncomplete(value: unknown, path: string): Incomplete | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isIncomplete(value)) return reject(path, 'an object with a reason', value);
  return copyJsonObject(value, path) as unknown as Incomplete;
}

/** Whether a key was read; one that is known but said nothing here is kept like an unknown one. */
function isUsed(key: string, metadata: ReadMetadata, role: MessageRole | undefined): boolean {
  if (key === 'metadata') return metadata.key === 'metadata';
  if (key === 'tool_call_id') return role === 'tool';
  return isMessageKey(key);
}
