import type { Message } from '../model/message.ts';
import { ToolResult } from '../model/tool-result.ts';
import type { ToolResultJSON } from '../schema/tool-result.ts';

/** A tool message whose result says something else of its call; all else that the result holds stays. */
export function withResultKeys(
  message: Message,
  keys: Partial<Pick<ToolResultJSON, 'call_id' | 'tool_name'>>,
): Message {
  const result = message.toolResult ?? ToolResult.of({ content: message.content });
  return message.withToolResult(ToolResult.fromJSON({ ...result.toJSON(), ...keys }));
}
