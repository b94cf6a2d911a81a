import { reject } from '../../errors.ts';
import { isRecord } from '../../schema/json.ts';
import { isBase64 } from './images.ts';

type Fields = Record<string, unknown>;

const ROLES: ReadonlySet<unknown> = /* @__PURE__ */ new Set(['system', 'user', 'assistant', 'tool']);

/**
 * Checks one message of a request's history as the server does: it refuses values of another type (api/types.go), and
 * nothing else. A role that no template knows, calls without a name and calls outside an assistant's turn are refused,
 * too.
 *
 * @throws InvalidInputError naming the path, with a code for each rule
 */
export function checkStrictly(item: unknown, path: string): void {
  if (!isRecord(item)) return;
  const { role, content, images, tool_calls: calls } = item;
  if (!ROLES.has(typeof role === 'string' ? role.toLowerCase() : role))
    reject(`${path}.role`, 'system, user, assistant or tool', role, 'invalid_role');
  if (!isMissing(content) && typeof content !== 'string')
    reject(`${path}.content`, 'content, which is one text', content, 'missing_content');
  if (!isMissing(images)) checkImages(images, `${path}.images`);
  if (!isMissing(calls)) checkCalls(item, `${path}.tool_calls`);
  checkText(item, 'thinking', path);
  checkText(item, 'tool_name', path);
  if (!isMissing(item['tool_call_id']) && typeof item['tool_call_id'] !== 'string')
    reject(`${path}.tool_call_id`, 'a tool call id, which is text', item['tool_call_id'], 'invalid_tool_call_id');
}

function checkText(item: Fields, key: string, path: string): void {
  if (!isMissing(item[key]) && typeof item[key] !== 'string') reject(`${path}.${key}`, 'text', item[key]);
}

function checkImages(images: unknown, path: string): void {
  if (!Array.isArray(images)) return reject(path, 'a list of images', images);
  images.forEach((image: unknown, at) => {
    if (typeof image !== 'string' || !isBase64(image)) reject(`${path}[${at}]`, 'base64 without a prefix', image);
  });
}

function checkCalls({ role, tool_calls: calls }: Fields, path: string): void {
  if (!Array.isArray(calls)) return reject(path, 'a list of tool calls', calls, 'invalid_tool_calls');
  if (calls.length > 0 && String(role).toLowerCase() !== 'assistant')
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

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
