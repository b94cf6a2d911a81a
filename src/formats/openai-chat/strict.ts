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
  if (!isRole(item['role'])) reject(`${path}.role`, 'a role', item['role'], 'invalid_role');
  checkContent(item, `${path}.content`);
  if (!isMissing(item['tool_calls'])) checkCalls(item, `${path}.tool_calls`);
  checkAnswer(item, `${path}.tool_call_id`);
}

function checkContent(item: Fields, path: string): void {
  const { role, content } = item;
  if (typeof content === 'string' || (Array.isArray(content) && content.length > 0)) return;
  if (!isMissing(content)) reject(path, 'text, or a list of parts', content, 'missing_content');
  if (role !== 'assistant' || SPEECH_KEYS.every((key) => isMissing(item[key])))
    reject(path, 'content, which only an assistant with calls may leave out', content, 'missing_content');
}

function checkCalls({ role, tool_calls: calls }: Fields, path: string): void {
  if (role !== 'assistant') reject(path, 'tool calls on assistant messages only', calls, 'tool_calls_on_role');
  if (!Array.isArray(calls)) return reject(path, 'a list of tool calls', calls, 'invalid_tool_calls');
  if (calls.length === 0) reject(path, 'at least one tool call, or no list', calls, 'empty_tool_calls');
  calls.forEach((call: unknown, at) => checkCall(call, `${path}[${at}]`));
}

function checkCall(call: unknown, path: string): void {
  if (!isRecord(call)) return reject(path, 'a tool call', call, 'invalid_tool_calls');
  checkId(call['id'], `${path}.id`);
  const { type } = call;
  if (!isMissing(type) && isBlank(type)) reject(`${path}.type`, 'the type of a call', type, 'invalid_tool_calls');
  const { name } = [call['function'], call['custom'], call].find(isRecord) as Fields;
  if (isBlank(name)) reject(`${path}.function.name`, 'a name', name, 'empty_tool_name');
}

function checkAnswer({ role, tool_call_id: id }: Fields, path: string): void {
  if (role === 'tool') checkId(id, path);
  else if (!isMissing(id)) reject(path, 'a tool call id on tool messages only', id, 'tool_call_id_on_role');
}

function checkId(id: unknown, path: string): void {
  if (isMissing(id)) reject(path, 'the id of a tool call', id, 'missing_tool_call_id');
  if (typeof id !== 'string') return reject(path, 'a tool call id, which is text', id, 'invalid_tool_call_id');
  if (isBlank(id)) reject(path, 'a tool call id that is not blank', id, 'empty_tool_call_id');
}

/** Whether this is no text, or text that says nothing. */
function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
