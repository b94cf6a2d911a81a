import { ToolCall } from '../model/tool-call.ts';
import { NO_FIELDS } from '../schema/json.ts';

/** A tool call as far as it came; without an id where that is blank. Constant time, however long the arguments are. */
export function partialCall(id: string, name: string, args: string, kind: ToolCall['kind'] = 'function'): ToolCall {
  return ToolCall.arriving({ kind, id: id.trim() || undefined, name, origin: undefined, extra: NO_FIELDS }, args);
}
