import { InvalidInputError, reject } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import { copyJsonObject, isRecord, type JsonObject } from '../schema/json.ts';
import type { StandardSchema, Tools } from './tool.ts';

/** A JSON Schema, as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as a model is told of it. */
export interface ToolDeclaration {
  readonly name: string;
  /** What it does, and when to use it. */
  readonly description?: string | undefined;
  /**
   * What it takes: a JSON Schema of type `object`, or a schema of a library that gives its JSON Schema by the Standard
   * Schema, such as zod from 4.2. Default: no arguments.
   */
  readonly inputSchema?: JsonSchema | StandardSchema | undefined;
}

/** Tools that a model is told of: a list of declarations, or the tools that `runTools` takes, by their names. */
export type ToolList = readonly ToolDeclaration[] | Tools;

/** Which tools a model may or must call: as it likes, none, at least one, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** A tool with everything in the form of wires. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: JsonObject;
}

/**
 * Tools in the form of wires, whose names the grammar of the wire takes.
 *
 * @throws InvalidInputError naming the tool and what is wrong with its name or schema
 */
export function toolDefinitions(tools: ToolList, grammar: RegExp): ToolDefinition[] {
  const taken = new Set<string>();
  return declarationsOf(tools).map(([path, { name, description, inputSchema }]) => {
    if (typeof name !== 'string' || !grammar.test(name)) reject(`${path}.name`, `a name like ${grammar.source}`, name);
    if (taken.has(name)) reject(`${path}.name`, 'another name for each tool', name);
    taken.add(name);
    return { name, description, schema: schemaOf(inputSchema, joinPath(path, 'inputSchema')) };
  });
}

function declarationsOf(tools: ToolList): [path: string, ToolDeclaration][] {
  if (isList(tools)) return tools.map((tool, at) => [`tools[${at}]`, tool]);
  return Object.entries(tools).map(([name, { description, input }]) => [
    joinPath('tools', name),
    { name, description, inputSchema: input },
  ]);
}

function isList(tools: ToolList): tools is readonly ToolDeclaration[] {
  return Array.isArray(tools);
}

function schemaOf(given: ToolDeclaration['inputSchema'], path: string): JsonObject {
  const { $schema: _, ...schema } = copyJsonObject(jsonSchemaOf(given, path), path);
  return schema['type'] === 'object' ? schema : reject(path, 'a schema whose type is "object"', given);
}

function jsonSchemaOf(given: ToolDeclaration['inputSchema'], path: string): JsonSchema {
  if (given === undefined) return { type: 'object', properties: {} };
  if (!isRecord(given) && typeof given !== 'object' && typeof given !== 'function')
    return reject(path, 'a schema', given);
  return isStandard(given) ? fromStandard(given, path) : given;
}

function isStandard(given: JsonSchema | StandardSchema): given is StandardSchema {
  return '~standard' in given;
}

/** By the Standard JSON Schema (standardschema.dev/json-schema). */
function fromStandard(schema: StandardSchema, path: string): JsonSchema {
  const { vendor, jsonSchema } = schema['~standard'] as StandardJsonSchema;
  if (jsonSchema === undefined)
    return reject(
      path,
      `a schema that tells its JSON Schema, which this one of ${vendor} does not: pass that itself`,
      schema,
    );
  try {
    return jsonSchema.input({ target: 'draft-2020-12' });
  } catch (cause) {
    const expected = `a schema that JSON Schema can tell (${(cause as Error).message})`;
    throw new InvalidInputError({ path, expected, value: schema, cause });
  }
}

interface StandardJsonSchema {
  readonly vendor: string;
  readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => JsonSchema };
}
