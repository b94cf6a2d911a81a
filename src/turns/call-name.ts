import { UNNAMED_TOOL } from '../input/tool-call.ts';
import type { ToolCall } from '../model/tool-call.ts';

/** What repair names a call that has no name: providers take letters, digits, `_` and `-` only. */
export const REPAIRED_NAME = 'unnamed_tool';

/** Whether a call says which tool it calls. */
export function isNamed({ name }: ToolCall): boolean {
  return name.trim() !== '' && name !== UNNAMED_TOOL;
}

/** The name of a call for people: a stand-in where it has none. */
export function spokenName(call: ToolCall): string {
  return isNamed(call) ? call.name : UNNAMED_TOOL;
}
