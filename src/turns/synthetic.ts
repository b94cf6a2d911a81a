import { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { ToolResult } from '../model/tool-result.ts';
import type { ToolResultStatus } from '../schema/tool-result.ts';

/** As much of a message's id is taken over as leaves room for what is added; what is cut off goes into a hash. */
const ID_LENGTH = 60;

/** A made-up answer to a call, the same each time it is made: its id and time follow from the message with the call. */
export function syntheticAnswer(asking: Message, call: ToolCall, place: number, text: string): Message {
  return Message.of({
    role: 'tool',
    id: `${shortened(asking.id)}#${place}`,
    createdAt: asking.timestamp,
    toolResult: syntheticResult(call, text, 'cancelled'),
  });
}

function shortened(id: string): string {
  return id.length <= ID_LENGTH ? id : `${id.slice(-ID_LENGTH).toWellFormed()}~${hashOf(id)}`;
}

/** FNV-1a over the code units. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The result of a call that never came. */
export function syntheticResult(call: ToolCall, content: string, status: ToolResultStatus): ToolResult {
  return ToolResult.of({ content, callId: call.id, toolName: call.name, status, synthetic: true });
}
