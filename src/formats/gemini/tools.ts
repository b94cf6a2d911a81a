import { type ToolChoice, toolDefinitions, type ToolList } from '../../turns/tool-definitions.ts';
import { TOOL_NAME } from './encode.ts';
import type { Fields } from './origin.ts';
import type { GeminiCallingMode, GeminiTool, GeminiToolConfig } from './wire.ts';

/**
 * The `tools` of a request; none where there are no tools. A tool that takes nothing goes out without a schema.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 * @example
 * encodeTools([{ name: 'now', description: 'The time' }]) // => [{ functionDeclarations: [{ name: 'now', description: 'The time' }] }]
 */
export function encodeTools(tools: ToolList): GeminiTool[] {
  const functionDeclarations = toolDefinitions(tools, TOOL_NAME).map(({ name, description, schema }) => ({
    name,
    ...(description !== undefined && { description }),
    ...(takesAnything(schema) && { parametersJsonSchema: schema }),
  }));
  return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
}

/** A schema of an object that has no properties is refused by some models. */
function takesAnything({ type: _type, properties = {}, additionalProperties, ...others }: Fields): boolean {
  return Object.keys({ ...(properties as Fields), ...others }).length > 0 || Boolean(additionalProperties);
}

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/**
 * The `toolConfig` of a request. One tool that must be called is the only one that may be. The mode has the type that is
 * asked for, such as the enum of `@google/genai`.
 *
 * @example
 * encodeToolChoice({ name: 'now' }) // => { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['now'] } }
 */
export function encodeToolChoice<Mode extends string = GeminiCallingMode>(choice: ToolChoice): GeminiToolConfig<Mode> {
  const functionCallingConfig =
    typeof choice === 'string' ? { mode: MODES[choice] } : { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { functionCallingConfig } as GeminiToolConfig<Mode>;
}
