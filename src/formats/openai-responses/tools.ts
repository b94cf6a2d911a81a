import { type ToolChoice, toolDefinitions, type ToolList } from '../../turns/tool-definitions.ts';
import { NAME } from './call-ids.ts';
import type { ResponsesTool, ResponsesToolChoice } from './wire.ts';

/**
 * The `tools` of a request. Strict schemas are off, which are on where nothing is said: they refuse optional fields.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 * @example
 * encodeTools([{ name: 'now', description: 'The time' }]) // => [{ type: 'function', name: 'now', description: 'The time', parameters: { type: 'object', properties: {} }, strict: false }]
 */
export function encodeTools(tools: ToolList): ResponsesTool[] {
  return toolDefinitions(tools, NAME).map(({ name, description, schema }) => ({
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: schema,
    strict: false,
  }));
}

/** The `tool_choice` of a request. */
export function encodeToolChoice(choice: ToolChoice): ResponsesToolChoice {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name };
}
