import { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { ToolResult } from '../model/tool-result.ts';
import type { ToolResultStatus } from '../schema/tool-result.ts';

/** As much of a message's id is taken over as leaves room for what is added. */
const ID_LENGTH = 60;

/** A made-up answer to a call, the same each time it is made: its id and time follow from the message with the call. */
export function syntheticAnswer(asking: Message, call: ToolCall, place: number, text: string): Message {
  return Message.of({
    role: 'tool',
    id: `${asking.id.slice(-ID_LENGTH).toWellFormed()}#${place}`,
    createdAt: asking.timestamp,
    toolResult: syntheticResult(call, text, 'cancelled'),
  });
}

/** The result of a call that never came. */
export function syntheticResult(call: ToolCall, content: string, status: ToolResultStatus): ToolResult {
  return ToolResult.of({ content, callId: call.id, toolName: call.name, status, synthetic: true });
}
