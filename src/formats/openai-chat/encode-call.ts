import type { ToolCall } from '../../model/tool-call.ts';
import type { ChatToolCall } from './wire.ts';

/** A tool call as the wire has it, under this id and name, without its unknown keys. */
export function encodeCall(call: ToolCall, id: string, name: string): ChatToolCall {
  return call.kind === 'custom'
    ? { id, type: 'custom', custom: { name, input: call.argsText } }
    : { id, type: 'function', function: { name, arguments: call.argsText } };
}
