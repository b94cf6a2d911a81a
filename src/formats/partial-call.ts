import { ToolCall } from '../model/tool-call.ts';

/** A tool call as far as it came; without an id where that is blank. Constant time, however long the arguments are. */
export function partialCall(id: string, name: string, args: string, kind: ToolCall['kind'] = 'function'): ToolCall {
  return ToolCall.owning({ id: id.trim() || null, name, arguments: args, ...(kind === 'custom' && { kind }) });
}
