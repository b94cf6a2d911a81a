import type { AbortSignalLike } from '../internal/platform.ts';
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
  readonly signal: AbortSignalLike;
}

/** A tool that a model may call. */
export interface Tool<Input = JsonObject> {
  /** Checks the arguments, which it is given as a copy, before the tool runs. Default: any JSON object. */
  readonly input?: StandardSchema<Input> | undefined;
  /** Whether a person must agree before the tool runs; may take its time. */
  readonly needsApproval?: boolean | ((input: Input, context: ToolContext) => boolean | Promise<boolean>) | undefined;
  /** Does the work. What it gives, or promises, is the answer: text, content, any JSON value, or nothing. */
  run(input: Input, context: ToolContext): AnswerValue;
}

/** Tools by their names, each with an input of its own. */
export type Tools = Readonly<
  Record<string, Omit<Tool<never>, 'input'> & { readonly input?: StandardSchema | undefined }>
>;

/**
 * A tool whose handler gets the type that its schema gives.
 *
 * @example
 * import * as z from 'zod';
 * import { tool } from 'message-store';
 * const weather = tool({ input: z.object({ city: z.string() }), run: ({ city }) => `12 °C in ${city}` });
 * weather.run({ city: 'Oslo' }, {} as never) // => '12 °C in Oslo'
 */
export function tool<Input = JsonObject>(definition: Tool<Input>): Tool<Input> {
  return definition;
}
