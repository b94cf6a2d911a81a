import { type ErrorCode, reject } from '../../errors.ts';
import { isRecord } from '../../schema/json.ts';
import { isRole } from '../../schema/role.ts';
import { type Fields, isMissing, roleIn } from './fields.ts';
import { isBase64 } from './images.ts';

/** The fields that are text, each with the code of an error. */
const TEXTS = [
  ['content', 'missing_content'],
  ['thinking', 'invalid_input'],
  ['tool_name', 'invalid_input'],
  ['tool_call_id', 'invalid_tool_call_id'],
] as const;

/**
 * Checks one message of a request's history as the server does: it refuses values of another type (api/types.go), and
 * nothing else. A role that no template knows, calls without a name and calls outside an assistant's turn are refused,
 * too.
 *
 * @throws InvalidInputError naming the path, with a code for each rule
 */
export function checkStrictly(item: unknown, path: string): void {
  if (!isRecord(item)) return;
  const role = roleIn(item);
  if (!isRole(role) || role === 'developer')
    reject(`${path}.role`, 'a role of this wire', item['role'], 'invalid_role');
  for (const [key, code] of TEXTS)
    if (!isMissing(item[key]) && typeof item[key] !== 'string') reject(`${path}.${key}`, 'text', item[key], code);
  listAt(item, 'images', path, 'invalid_input').forEach((image, at) => {
    if (typeof image !== 'string' || !isBase64(image)) reject(`${path}.images[${at}]`, 'bare base64', image);
  });
  const calls = listAt(item, 'tool_calls', path, 'invalid_tool_calls');
  if (calls.length > 0 && role !== 'assistant')
    reject(`${path}.tool_calls`, 'no tool calls on this role', calls, 'tool_calls_on_role');
  calls.forEach((call, at) => checkCall(call, `${path}.tool_calls[${at}]`));
}

function listAt(item: Fields, key: string, path: string, code: ErrorCode): readonly unknown[] {
  const list = item[key] ?? [];
  return Array.isArray(list) ? list : reject(`${path}.${key}`, 'a list', list, code);
}

function checkCall(call: unknown, path: string): void {
  const inner = isRecord(call) ? call['function'] : undefined;
  if (!isRecord(inner)) return reject(path, 'a tool call with a function', call, 'invalid_tool_calls');
  const { name, arguments: args } = inner;
  if (typeof name !== 'string' || name === '') reject(`${path}.function.name`, 'a name', name, 'empty_tool_name');
  if (!isMissing(args) && !isRecord(args))
    reject(`${path}.function.arguments`, 'an object', args, 'malformed_arguments');
}
