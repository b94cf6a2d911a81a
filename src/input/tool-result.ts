import { joinPath } from '../internal/path.ts';
import { unreadable } from '../errors.ts';
import { type JsonObject, wellFormed } from '../schema/json.ts';
import { STATUSES, isToolResultKey, type ToolResultStatus } from '../schema/tool-result.ts';
import { readExtra } from './extra.ts';
import { readCallId } from './ids.ts';

/** A tool result read from the outside; its content is not read yet. */
export interface ToolResultRecord {
  readonly content: unknown;
  readonly callId: string | undefined;
  readonly toolName: string | undefined;
  readonly status: ToolResultStatus;
  readonly synthetic: boolean;
  readonly extra: JsonObject;
}

type Fields = Record<string, unknown>;

/** Reads `{ content, call_id | tool_call_id, tool_name, is_error, status }`. */
export function readToolResult(input: Fields, path: string): ToolResultRecord {
  try {
    return readRecord(input, path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function readRecord(input: Fields, path: string): ToolResultRecord {
  const { content, call_id, tool_call_id, tool_name, is_error, status, synthetic } = input;
  return {
    content: content ?? '',
    callId: isMissing(call_id)
      ? readCallId(tool_call_id, joinPath(path, 'tool_call_id'))
      : readCallId(call_id, joinPath(path, 'call_id')),
    toolName: readToolName(tool_name, joinPath(path, 'tool_name')),
    status: readStatus(status, is_error),
    synthetic: synthetic === true,
    extra: readExtra(input, (key) => isToolResultKey(key) || key === 'tool_call_id', path),
  };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A tool's name; undefined for `''` and what is no text. */
function readToolName(name: unknown, path: string): string | undefined {
  return typeof name === 'string' && name !== '' ? wellFormed(name, path) : undefined;
}

function readStatus(status: unknown, isError: unknown): ToolResultStatus {
  return STATUSES.find((known) => known === status) ?? (isError ? 'error' : 'ok');
}
