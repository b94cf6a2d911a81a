import { reject } from '../../errors.ts';
import { isRecord } from '../../schema/json.ts';
import { isRole } from '../../schema/role.ts';

type Fields = Record<string, unknown>;

/** What an assistant may say beside content, so that it needs none. */
const SPEECH_KEYS = ['tool_calls', 'refusal', 'audio', 'function_call'] as const;

/**
 * Checks one message of a request's history, or of a response, as a strict server would.
 *
 * @throws InvalidInputError with a code of its own for each rule, naming the path
 */
export function checkStrictly(item: unknown, path: string): void {
  if (!isRecord(item)) return;
  const { role, tool_calls: calls, tool_call_id: id } = item;
  if (!isRole(role)) reject(`${path}.role`, 'a role', role, 'invalid_role');
  checkContent(item, `${path}.content`);
  if (!isMissing(calls)) checkCalls(role, calls, `${path}.tool_calls`);
  if (role === 'tool') checkId(id, `${path}.tool_call_id`);
  else if (!isMissing(id))
    reject(`${path}.tool_call_id`, 'no id in other than tool messages', id, 'tool_call_id_on_role');
}

function checkContent(item: Fields, path: string): void {
  const { role, content } = item;
  if (typeof content === 'string' || (Array.isArray(content) && content.length > 0)) return;
  const needsNone = isMissing(content) && role === 'assistant' && SPEECH_KEYS.some((key) => !isMissing(item[key]));
  if (!needsNone)
    reject(path, 'text or parts, which only an assistant with calls may leave out', content, 'missing_content');
}

function checkCalls(role: unknown, calls: unknown, path: string): void {
  if (role !== 'assistant') reject(path, 'no calls in other than assistant messages', calls, 'tool_calls_on_role');
  if (!Array.isArray(calls)) return reject(path, 'a list of tool calls', calls, 'invalid_tool_calls');
  if (calls.length === 0) reject(path, 'a tool call, or no list', calls, 'empty_tool_calls');
  calls.forEach((call: unknown, at) => checkCall(call, `${path}[${at}]`));
}

function checkCall(call: unknown, path: string): void {
  if (!isRecord(call)) return reject(path, 'a tool call', call, 'invalid_tool_calls');
  const { id, type, function: called, custom } = call;
  checkId(id, `${path}.id`);
  if (!isMissing(type) && isBlank(type)) reject(`${path}.type`, 'the type of a call', type, 'invalid_tool_calls');
  const { name } = [called, custom, call].find(isRecord) as Fields;
  if (isBlank(name)) reject(`${path}.function.name`, 'a name', name, 'empty_tool_name');
}

function checkId(id: unknown, path: string): void {
  if (!isBlank(id)) return;
  const problem = isMissing(id) ? 'missing' : typeof id === 'string' ? 'empty' : 'invalid';
  reject(path, 'the id of a tool call', id, `${problem}_tool_call_id`);
}

/** Whether this is no text, or text that says nothing. */
function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
