import { ToolCall } from '../model/tool-call.ts';
import { isCallId } from '../schema/ids.ts';

/**
 * A tool call as far as it came: without an id where that is none or blank, without a name where that did not come;
 * undefined where there are no arguments either. Constant time, however long they are.
 */
export function partialCall(
  id: unknown,
  given: unknown,
  args: string,
  kind: ToolCall['kind'] = 'function',
): ToolCall | undefined {
  const name = typeof given === 'string' ? given.toWellFormed() : '';
  if (name === '' && args === '') return undefined;
  const own = isCallId(id) && id.trim() !== '' ? id : null;
  return ToolCall.owning({ id: own, name, arguments: args, ...(kind === 'custom' && { kind }) });
}
