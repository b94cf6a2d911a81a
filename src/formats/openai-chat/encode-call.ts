import type { ToolCall } from '../../model/tool-call.ts';
import type { ChatToolCall } from './wire.ts';

/** A tool call as the wire has it, without its unknown keys. */
export function encodeCall(call: ToolCall): ChatToolCall {
  const id = call.idString();
  return call.kind === 'custom'
    ? { id, type: 'custom', custom: { name: call.name, input: call.argsText } }
    : { id, type: 'function', function: { name: call.name, arguments: call.argsText } };
}
