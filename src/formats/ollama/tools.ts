import { reject } from '../../errors.ts';
import { type ToolChoice, toolDefinitions, type ToolList } from '../../turns/tool-definitions.ts';
import type { OllamaTool } from './wire.ts';

/** The server takes any name. */
const NAME = /\S/;

/**
 * The `tools` of a request.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 * @example
 * encodeTools([{ name: 'now', description: 'The time' }]) // => [{ type: 'function', function: { name: 'now', description: 'The time', parameters: { type: 'object', properties: {} } } }]
 */
export function encodeTools(tools: ToolList): OllamaTool[] {
  return toolDefinitions(tools, NAME).map(({ name, description, schema }) => ({
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: schema as unknown as OllamaTool['function']['parameters'],
    },
  }));
}

/**
 * Nothing: a request of this wire has no choice of tools, the model calls as it likes.
 *
 * @throws InvalidInputError for any choice but `'auto'`. Instead of `'none'`, send no tools; instead of one of them, send
 * only that one.
 */
export function encodeToolChoice(choice: ToolChoice): undefined {
  if (choice !== 'auto')
    reject('choice', `"auto", the only choice on this wire: leave out the tools that are not to be called`, choice);
}
