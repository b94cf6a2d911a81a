import { type ToolChoice, toolDefinitions, type ToolList } from '../../turns/tool-definitions.ts';
import { TOOL_NAME } from './names.ts';
import type { BedrockObject, BedrockTool, BedrockToolChoice } from './wire.ts';

/**
 * The `toolConfig.tools` of a request.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 * @example
 * encodeTools([{ name: 'now', description: 'The time' }]) // => [{ toolSpec: { name: 'now', description: 'The time', inputSchema: { json: { type: 'object', properties: {} } } } }]
 */
export function encodeTools(tools: ToolList): BedrockTool[] {
  return toolDefinitions(tools, TOOL_NAME).map(({ name, description, schema }) => ({
    // An empty description is refused.
    toolSpec: { name, ...(description && { description }), inputSchema: { json: schema as BedrockObject } },
  }));
}

/**
 * The `toolConfig.toolChoice` of a request. At least one tool is `any` on this wire. There is no word for none: undefined,
 * and the model may call as it likes, unless it is told not to.
 */
export function encodeToolChoice(choice: ToolChoice): BedrockToolChoice | undefined {
  if (typeof choice === 'object') return { tool: { name: choice.name } };
  return choice === 'none' ? undefined : choice === 'required' ? { any: {} } : { auto: {} };
}
