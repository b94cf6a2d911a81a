import { type ToolChoice, toolDefinitions, type ToolList } from '../../turns/tool-definitions.ts';
import { TOOL_NAME } from './request.ts';
import type { MistralTool, MistralToolChoice } from './wire.ts';

/**
 * The `tools` of a request.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 * @example
 * encodeTools([{ name: 'now', description: 'The time' }]) // => [{ type: 'function', function: { name: 'now', description: 'The time', parameters: { type: 'object', properties: {} } } }]
 */
export function encodeTools(tools: ToolList): MistralTool[] {
  return toolDefinitions(tools, TOOL_NAME).map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters: schema },
  }));
}

/**
 * The `tool_choice` of a request; `toolChoice` in the JavaScript package.
 *
 * @example
 * encodeToolChoice({ name: 'now' }) // => { type: 'function', function: { name: 'now' } }
 */
export function encodeToolChoice(choice: ToolChoice): MistralToolChoice {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
