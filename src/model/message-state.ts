import { readMessage } from '../input/message.ts';
import { newId, timeText } from '../internal/ids.ts';
import { joinPath } from '../internal/path.ts';
import { normalizeId } from '../schema/ids.ts';
import { equalJson, freezeJson, type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../schema/json.ts';
import type { Incomplete, MessageJSON } from '../schema/message.ts';
import { isOrigin, type Origin } from '../schema/origin.ts';
import type { MessageRole } from '../schema/role.ts';
import { MessageStoreError } from '../errors.ts';
import { Content, type ContentInput } from './content.ts';
import { foldBlocks } from './message-blocks.ts';
import { Metadata, type MetadataInput } from './metadata.ts';
import { ToolCalls, type ToolCallsInput } from './tool-calls.ts';
import { ToolResult, type ToolResultInput } from './tool-result.ts';

/** A message's own values, complete and checked. */
export interface MessageState {
  readonly id: string;
  readonly timestamp: string;
  readonly role: MessageRole;
  readonly name: string;
  readonly content: Content;
  readonly toolCalls: ToolCalls;
  readonly toolResult: ToolResult | undefined;
  readonly metadata: Metadata;
  readonly parentId: string | undefined;
  readonly origin: Origin | undefined;
  readonly incomplete: Incomplete | undefined;
  readonly extra: JsonObject;
}

/** One result per message, one text: the message's own content if it says something, else the result's. */
export function unified(state: MessageState): MessageState {
  const { content, toolResult } = state;
  if (toolResult === undefined) return state;
  if (content.isEmpty()) return { ...state, content: toolResult.content };
  const answer = toolResult.withContent(content);
  return answer === toolResult ? state : { ...state, toolResult: answer };
}

/** Nothing is one blank text part; null beside tool calls, as OpenAI sends it, is no part. */
export function contentOf(input: unknown, toolCalls: ToolCalls, path: string): Content {
  if (input === undefined || (input === null && toolCalls.isEmpty())) return Content.text('');
  return Content.from(input as ContentInput, path);
}

/** What a new message says: values that are known to be good. */
export interface Said {
  readonly role: MessageRole;
  readonly content: Content;
  readonly toolCalls?: ToolCalls;
  readonly toolResult?: ToolResult;
}

/** A new message, made at `time` (milliseconds since 1970 UTC). */
export function stateOfSaid({ role, content, toolCalls, toolResult }: Said, time: number): MessageState {
  return {
    id: newId(time),
    timestamp: timeText(time),
    role,
    name: '',
    content,
    toolCalls: toolCalls ?? ToolCalls.empty(),
    toolResult,
    metadata: Metadata.empty(),
    parentId: undefined,
    origin: undefined,
    incomplete: undefined,
    extra: NO_FIELDS,
  };
}

/** Reads a message object from the outside. */
export function stateOfRecord(input: Record<string, unknown>, path: string): MessageState {
  const record = readMessage(input, path);
  const { toolCalls: calls, toolResult: result } = record;
  const toolCalls = calls ? ToolCalls.from(calls.value as ToolCallsInput, calls.path) : ToolCalls.empty();
  return unified({
    id: record.id ?? newId(),
    timestamp: record.createdAt ?? timeText(),
    role: record.role ?? 'user',
    name: record.name,
    content: contentOf(record.content, toolCalls, joinPath(path, 'content')),
    toolCalls,
    toolResult: result && ToolResult.from(result.value as ToolResultInput, result.path),
    metadata: Metadata.from(record.metadata as MetadataInput | undefined, record.metadataPath),
    parentId: record.parentId,
    origin: record.origin,
    incomplete: record.incomplete,
    extra: record.extra,
  });
}

/**
 * Takes over a stored message that nobody else holds. It goes from key to key, like the guard before it: stored messages
 * have many shapes.
 */
export function stateOfJSON(json: MessageJSON): MessageState {
  const state = blankState();
  for (const key in json) takeField(state, key, json[key as never]);
  if (state.extra !== NO_FIELDS) Object.freeze(state.extra);
  return unified(state);
}

type OpenState = { -readonly [Key in keyof MessageState]: MessageState[Key] };

function blankState(): OpenState {
  return {
    id: '',
    timestamp: '',
    role: 'user',
    name: '',
    content: Content.text(''),
    toolCalls: ToolCalls.empty(),
    toolResult: undefined,
    metadata: Metadata.empty(),
    parentId: undefined,
    origin: undefined,
    incomplete: undefined,
    extra: NO_FIELDS,
  };
}

function takeField(state: OpenState, key: string, value: never): void {
  if (key === 'id') state.id = normalizeId(value);
  else if (key === 'createdAt') state.timestamp = value;
  else if (key === 'role') state.role = value;
  else if (key === 'content') state.content = Content.owning(value);
  else if (key === 'name') state.name = value;
  else if (key === 'parentId') state.parentId = normalizeId(value);
  else if (key === 'tool_calls') state.toolCalls = ToolCalls.owningJSON(value);
  else if (key === 'tool_result') state.toolResult = ToolResult.owning(value);
  else if (key === '_metadata') state.metadata = Metadata.owning(value);
  else if (key === 'incomplete') state.incomplete = freezeJson(value);
  else takeOther(state, key, value);
}

function takeOther(state: OpenState, key: string, value: JsonValue): void {
  if (key === '_origin' && isOrigin(value)) {
    state.origin = freezeJson(value as unknown as JsonObject) as unknown as Origin;
  } else {
    if (state.extra === NO_FIELDS) state.extra = {};
    setOwn(state.extra, key, freezeJson(value));
  }
}

/** The message as stored: what is empty is left out. Beside a stray `metadata` the own one stands, so that it is read back. */
export function stateToJSON(state: MessageState): MessageJSON {
  const { parentId, name, toolCalls, toolResult, metadata, origin, incomplete } = state;
  return {
    ...state.extra,
    id: state.id,
    createdAt: state.timestamp,
    ...(parentId !== undefined && { parentId }),
    role: state.role,
    ...(name !== '' && { name }),
    content: state.content.toJSON(),
    ...(toolCalls.size > 0 && { tool_calls: toolCalls.toJSON() }),
    ...(toolResult && { tool_result: toolResult.toJSON() }),
    ...((!metadata.isEmpty() || 'metadata' in state.extra) && { _metadata: metadata.toJSON() }),
    ...(origin && { _origin: origin }),
    ...(incomplete && { incomplete }),
  };
}

/** Whether both say the same in all they hold. */
export function sameState(a: MessageState, b: MessageState): boolean {
  return (
    a.id === b.id &&
    a.timestamp === b.timestamp &&
    a.role === b.role &&
    a.name === b.name &&
    a.parentId === b.parentId &&
    a.content.equals(b.content) &&
    a.toolCalls.equals(b.toolCalls) &&
    sameResult(a.toolResult, b.toolResult) &&
    a.metadata.equals(b.metadata) &&
    equalJson([a.origin, a.incomplete, a.extra], [b.origin, b.incomplete, b.extra])
  );
}

function sameResult(a: ToolResult | undefined, b: ToolResult | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}

/**
 * The first message of a run with the others folded into it. Linear.
 *
 * @throws MessageStoreError `tool_result_merge` when one carries a tool result
 */
export function foldStates(run: readonly MessageState[]): MessageState {
  const [first] = run as readonly [MessageState];
  const { content, toolCalls } = foldBlocks(run);
  let { metadata, origin, incomplete } = first;
  const extras: JsonObject[] = [];
  for (const message of run) {
    if (message.toolResult !== undefined) throw mergeError(message.toolResult);
    if (message.metadata !== metadata) metadata = metadata.withMergedData(message.metadata);
    if (!equalJson(message.origin, origin)) origin = undefined;
    incomplete ??= message.incomplete;
    if (message.extra !== NO_FIELDS) extras.push(message.extra);
  }
  const { id, timestamp, role, name, toolResult, parentId } = first;
  const extra = extras.length === 0 ? NO_FIELDS : Object.freeze(Object.fromEntries(extras.flatMap(Object.entries)));
  return { id, timestamp, role, name, content, toolCalls, toolResult, metadata, parentId, origin, incomplete, extra };
}

function mergeError(toolResult: ToolResult): MessageStoreError {
  return new MessageStoreError(
    'tool_result_merge',
    `cannot merge a message with a tool result (call ${toolResult.callIdString() || 'without an id'}), which answers one call. Keep it on its own.`,
    { value: toolResult.callId },
  );
}
