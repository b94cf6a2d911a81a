import { reject } from '../../errors.ts';
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
    reject(`${path}.role`, 'system, user, assistant or tool', item['role'], 'invalid_role');
  for (const [key, code] of TEXTS)
    if (!isMissing(item[key]) && typeof item[key] !== 'string') reject(`${path}.${key}`, 'text', item[key], code);
  const { images, tool_calls: calls } = item;
  if (!isMissing(images)) checkImages(images, `${path}.images`);
  if (!isMissing(calls)) checkCalls(item, `${path}.tool_calls`);
}

function checkImages(images: unknown, path: string): void {
  if (!Array.isArray(images)) return reject(path, 'a list of images', images);
  images.forEach((image: unknown, at) => {
    if (typeof image !== 'string' || !isBase64(image)) reject(`${path}[${at}]`, 'base64 without a prefix', image);
  });
}

function checkCalls(item: Fields, path: string): void {
  const { tool_calls: calls } = item;
  if (!Array.isArray(calls)) return reject(path, 'a list of tool calls', calls, 'invalid_tool_calls');
  if (calls.length > 0 && roleIn(item) !== 'assistant')
    reject(path, 'tool calls on assistant messages only', calls, 'tool_calls_on_role');
  calls.forEach((call: unknown, at) => checkCall(call, `${path}[${at}]`));
}

function checkCall(call: unknown, path: string): void {
  const inner = isRecord(call) ? call['function'] : undefined;
  if (!isRecord(inner)) return reject(path, 'a tool call with a function', call, 'invalid_tool_calls');
  const { name, arguments: args } = inner;
  if (typeof name !== 'string' || name === '') reject(`${path}.function.name`, 'a name', name, 'empty_tool_name');
  if (!isMissing(args) && !isRecord(args))
    reject(`${path}.function.arguments`, 'an object', args, 'malformed_arguments');
}
