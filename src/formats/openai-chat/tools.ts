import { type ToolChoice, toolDefinitions, type ToolList } from '../../turns/tool-definitions.ts';
import type { ChatTool, ChatToolChoice } from './wire.ts';

/** What the API takes (openai package, FunctionDefinition). */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * The `tools` of a request.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 * @example
 * encodeTools([{ name: 'now', description: 'The time' }]) // => [{ type: 'function', function: { name: 'now', description: 'The time', parameters: { type: 'object', properties: {} } } }]
 */
export function encodeTools(tools: ToolList): ChatTool[] {
  return toolDefinitions(tools, NAME).map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters: schema },
  }));
}

/** The `tool_choice` of a request. */
export function encodeToolChoice(choice: ToolChoice): ChatToolChoice {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
