import { type ToolChoice, toolDefinitions, type ToolList } from '../../turns/tool-definitions.ts';
import { TOOL_NAME } from './call-names.ts';
import type { AnthropicTool, AnthropicToolChoice } from './wire.ts';

/**
 * The `tools` of a request.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 * @example
 * encodeTools([{ name: 'now', description: 'The time' }]) // => [{ name: 'now', description: 'The time', input_schema: { type: 'object', properties: {} } }]
 */
export function encodeTools(tools: ToolList): AnthropicTool[] {
  return toolDefinitions(tools, TOOL_NAME).map(({ name, description, schema }) => ({
    name,
    ...(description !== undefined && { description }),
    input_schema: { ...schema, type: 'object' },
  }));
}

/** The `tool_choice` of a request, which takes one only beside `tools`. At least one tool is `any` on this wire. */
export function encodeToolChoice(choice: ToolChoice): AnthropicToolChoice {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}
