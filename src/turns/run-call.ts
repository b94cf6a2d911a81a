import type { PlatformAbortSignal } from '../internal/platform.ts';
import { platform } from '../internal/platform.ts';
import { Content } from '../model/content.ts';
import type { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { JsonObject } from '../schema/json.ts';
import type { ToolResultStatus } from '../schema/tool-result.ts';
import { type AnswerSaid, mendAnswer } from './answer-content.ts';
import { capContent } from './cap-text.ts';
import type { SchemaIssue, Tool, ToolContext, Tools } from './tool.ts';

/** What became of one call: also of one that was denied or cancelled. */
export interface ToolTrace {
  readonly id: string;
  readonly name: string;
  /** The text of the arguments. */
  readonly arguments: string;
  /** What the model gets to read. */
  readonly result: string;
  readonly status: ToolResultStatus;
  /** What the tool, or the check of its input, threw; the model does not get to read it. */
  readonly error?: unknown;
  /** How long the tool ran, in milliseconds; 0 where it did not run to its end. */
  readonly duration: number;
}

/** How calls are run. */
export interface CallOptions {
  readonly tools: Tools;
  /** The names that may be called. Default: those of all tools. */
  readonly allowed?: readonly string[] | undefined;
  readonly signal?: PlatformAbortSignal | undefined;
  /** The most UTF-8 bytes of a result's text, the mark of the cut included. Default 50 000. */
  readonly maxResultBytes?: number | undefined;
  /** What the model gets to read where a tool throws. Default: only that it failed. */
  readonly describeError?: ((error: unknown, call: ToolCall) => string) | undefined;
}

const MAX_RESULT_BYTES = 50_000;

/** The answer to one call, and what it did. */
export interface Ran extends AnswerSaid {
  readonly trace: ToolTrace;
}

/** A call that can be run: its tool, and its input as the tool's schema gives it. */
export interface ReadyCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly context: ToolContext;
  readonly needsApproval: boolean;
}

/** A call that is answered without running anything, and what its answer says. */
export interface RefusedCall {
  readonly call: ToolCall;
  readonly refusal: string;
  /** What was thrown, where that is the reason. */
  readonly thrown?: { readonly error: unknown };
}

/** Finds a call's tool and checks its input. A check that throws refuses the call: this never rejects. */
export async function prepareCall(
  call: ToolCall,
  message: Message,
  options: CallOptions & Pick<ToolContext, 'signal'>,
): Promise<ReadyCall | RefusedCall> {
  const named = JSON.stringify(call.name);
  const { tools, allowed } = options;
  const found = Object.hasOwn(tools, call.name) ? (tools[call.name] as unknown as Tool) : undefined;
  if (found === undefined) return { call, refusal: `Error: unknown tool ${named}` };
  if (allowed !== undefined && !allowed.includes(call.name))
    return { call, refusal: `Error: tool ${named} not permitted` };
  if (call.isMalformed()) return { call, refusal: `Error: the arguments of tool ${named} are no JSON object.` };
  try {
    return await readyCall(call, found, { call, message, signal: options.signal });
  } catch (error) {
    return { call, refusal: failureText(error, call, options), thrown: { error } };
  }
}

async function readyCall(call: ToolCall, found: Tool, context: ToolContext): Promise<ReadyCall | RefusedCall> {
  const checked = await checkInput(found, call);
  if ('issues' in checked)
    return { call, refusal: `Error: invalid arguments for tool ${JSON.stringify(call.name)}: ${checked.issues}` };
  const { input } = checked;
  return { call, tool: found, input, context, needsApproval: await asksFirst(found, input, context) };
}

function asksFirst(
  { needsApproval = false }: Tool,
  input: JsonObject,
  context: ToolContext,
): boolean | Promise<boolean> {
  return typeof needsApproval === 'function' ? needsApproval(input, context) : needsApproval;
}

async function checkInput(
  { input }: Tool,
  call: ToolCall,
): Promise<{ readonly input: JsonObject } | { readonly issues: string }> {
  // A copy, since a tool or a schema may fill in what is missing.
  const given = call.kind === 'custom' ? { input: call.argsText } : platform.structuredClone(call.args);
  if (input === undefined) return { input: given };
  const result = await input['~standard'].validate(given);
  return result.issues === undefined ? { input: result.value } : { issues: result.issues.map(issueText).join('; ') };
}

function issueText({ path = [], message }: SchemaIssue): string {
  const keys = path.map((key) => String(typeof key === 'object' ? key.key : key));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}

/** What the model gets to read of an error. */
function failureText(error: unknown, call: ToolCall, { describeError }: CallOptions): string {
  const usual = `Error: tool ${JSON.stringify(call.name)} failed.`;
  try {
    const text: unknown = describeError?.(error, call);
    return typeof text === 'string' ? text : usual;
  } catch {
    return usual;
  }
}

/** Runs a call that is ready. A tool that throws gives an error answer: this never rejects. */
export async function runCall(ready: ReadyCall, options: CallOptions): Promise<Ran> {
  const { call, tool, input, context } = ready;
  const start = platform.performance.now();
  const elapsed = (): number => platform.performance.now() - start;
  try {
    return outcome(call, mendAnswer(await tool.run(input, context)), options, elapsed());
  } catch (error) {
    return refuseCall({ call, refusal: failureText(error, call, options), thrown: { error } }, options, elapsed());
  }
}

/** The answer to a call that is not run. */
export function refuseCall({ call, refusal, thrown }: RefusedCall, options: CallOptions, duration = 0): Ran {
  const ran = outcome(call, textAnswer(refusal, 'error'), options, duration);
  return { ...ran, trace: { ...ran.trace, ...thrown } };
}

/** An answer of text, whatever its characters. */
export function textAnswer(text: string, status: ToolResultStatus): AnswerSaid {
  return { content: Content.text(text.toWellFormed()), status };
}

/** An answer to a call, capped, and what the call did. */
export function outcome(
  call: ToolCall,
  { content: whole, status }: AnswerSaid,
  { maxResultBytes = MAX_RESULT_BYTES }: Pick<CallOptions, 'maxResultBytes'>,
  duration: number,
): Ran {
  const content = capContent(whole, maxResultBytes);
  const trace = {
    id: call.idString(),
    name: call.name,
    arguments: call.argsText,
    result: content.toString(),
    status,
    duration,
  };
  return { content, status, trace };
}
