import type { PlatformAbortSignal } from '../internal/platform.ts';
import type { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { JsonObject } from '../schema/json.ts';
import type { AnswerValue } from './answer-content.ts';

/** What every validation library that follows the Standard Schema gives its schemas (standardschema.dev). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Checks a value, and gives it as the schema understands it. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a schema finds. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that a schema finds wrong. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a tool is told beside its input. */
export interface ToolContext {
  readonly call: ToolCall;
  /** The message that asks for it. */
  readonly message: Message;
  /** Aborts when the run is cancelled, and when it ends before the tool does. */
  readonly signal: PlatformAbortSignal;
}

/** A tool that a model may call. */
export interface Tool<Input = JsonObject> {
  /** What it does, for the model. Not read here: it is for the tool definitions that you send. */
  readonly description?: string | undefined;
  /** Checks the arguments, which it is given as a copy, before the tool runs. Default: any JSON object. */
  readonly input?: StandardSchema<Input> | undefined;
  /** Whether a person must agree before the tool runs; may take its time. */
  readonly needsApproval?: boolean | ((input: Input, context: ToolContext) => boolean | Promise<boolean>) | undefined;
  /** Does the work. What it gives, or promises, is the answer: text, content, a tool result, any JSON value, or nothing. */
  readonly run: (input: Input, context: ToolContext) => AnswerValue;
}

/** What a tool is made of. Its handlers get what its schema gives, or a JSON object where it has none. */
export interface ToolDefinition<Input> extends Omit<Tool<ToolInput<Input>>, 'input'> {
  readonly input?: StandardSchema<Input> | undefined;
}

/** What the handlers of a tool get: only its schema says so. */
export type ToolInput<Input> = unknown extends Input ? JsonObject : NoInfer<Input>;

/** Tools by their names, each with handlers that fit its schema. */
export type ToolDefinitions<Inputs> = { readonly [Name in keyof Inputs]: ToolDefinition<Inputs[Name]> };

/** Tools by their names, whatever their inputs: a type for keeping them. Make each with {@link tool}, which checks its handlers. */
export type Tools = Readonly<Record<string, AnyTool>>;

/** A tool of any input. */
export interface AnyTool {
  /** See {@link Tool.description}. */
  readonly description?: string | undefined;
  /** See {@link Tool.input}. */
  readonly input?: StandardSchema | undefined;
  /** See {@link Tool.needsApproval}. */
  readonly needsApproval?: boolean | AnyCheck['needsApproval'] | undefined;
  /** See {@link Tool.run}. */
  run(input: unknown, context: ToolContext): AnswerValue;
}

/** As a method, which takes any {@link Tool}'s. */
interface AnyCheck {
  needsApproval(input: unknown, context: ToolContext): boolean | Promise<boolean>;
}

/**
 * A tool whose handlers get the type that its schema gives.
 *
 * @example
 * import * as z from 'zod';
 * import { tool } from 'message-store';
 * const weather = tool({ input: z.object({ city: z.string() }), run: ({ city }) => `12 °C in ${city}` });
 * weather.run({ city: 'Oslo' }, {} as never) // => '12 °C in Oslo'
 */
export function tool<Input>(definition: ToolDefinition<Input>): Tool<ToolInput<Input>> {
  return definition as Tool<ToolInput<Input>>;
}
