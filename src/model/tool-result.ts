import { joinPath } from '../internal/path.ts';
import { reject } from '../errors.ts';
import { readCallId } from '../input/ids.ts';
import { readOptionalString } from '../input/string.ts';
import { readToolResult } from '../input/tool-result.ts';
import { explain, oneOf } from '../schema/explain.ts';
import { copyJson, equalJson, isRecord, type JsonObject, NO_FIELDS } from '../schema/json.ts';
import {
  isToolResultJSON,
  STATUSES,
  isToolResultKey,
  type ToolResultJSON,
  type ToolResultStatus,
  toolResultSchema,
} from '../schema/tool-result.ts';
import { Content, type ContentInput } from './content.ts';
import { ownExtra } from './extra.ts';
import type { ToolCallId } from './ids.ts';

/** What can stand for a tool result: a result, or an object in our form or OpenAI's. */
export type ToolResultInput = ToolResult | ToolResultJSON | Readonly<Record<string, unknown>>;

/** The fields of a tool result. */
export interface ToolResultFields {
  /** Text or parts. */
  readonly content: ContentInput;
  readonly callId?: string | null | undefined;
  readonly toolName?: string | null | undefined;
  /** Default `ok`. */
  readonly status?: ToolResultStatus | undefined;
  /** Another way to say `status: 'error'`. */
  readonly isError?: boolean | undefined;
  /** Whether the result was made up because the real one never came. */
  readonly synthetic?: boolean | undefined;
}

interface State {
  readonly content: Content;
  readonly callId: string | undefined;
  readonly toolName: string | undefined;
  readonly status: ToolResultStatus;
  readonly synthetic: boolean;
  readonly extra: JsonObject;
}

/** What came back from a tool, bound to its call by the call's id. */
export class ToolResult {
  readonly content: Content;
  readonly callId: ToolCallId | undefined;
  readonly toolName: string | undefined;
  readonly status: ToolResultStatus;
  /** Whether the result was made up because the real one never came. */
  readonly synthetic: boolean;
  /** Fields of the stored result that have no meaning here. */
  readonly extra: JsonObject;

  private constructor(state: State) {
    this.content = state.content;
    this.callId = state.callId as ToolCallId | undefined;
    this.toolName = state.toolName;
    this.status = state.status;
    this.synthetic = state.synthetic;
    this.extra = state.extra;
    Object.freeze(this);
  }

  /**
   * A result with these fields.
   *
   * @throws InvalidInputError
   */
  static of(fields: ToolResultFields): ToolResult {
    const { content, callId, toolName, status = fields.isError === true ? 'error' : 'ok', synthetic = false } = fields;
    if (!STATUSES.includes(status)) reject('status', oneOf(STATUSES), status);
    return new ToolResult({
      content: Content.from(content ?? '', 'content'),
      callId: readCallId(callId, 'callId'),
      toolName: readOptionalString(toolName, 'toolName') || undefined,
      status,
      synthetic,
      extra: NO_FIELDS,
    });
  }

  /** The result of a call that went well. */
  static success(content: ContentInput, callId?: string | null, toolName?: string | null): ToolResult {
    return ToolResult.of({ content, callId, toolName });
  }

  /** The result of a call that failed; the content tells the model why. */
  static error(content: ContentInput, callId?: string | null, toolName?: string | null): ToolResult {
    return ToolResult.of({ content, callId, toolName, status: 'error' });
  }

  /**
   * A result from an object in our form or OpenAI's; a result itself is returned unchanged.
   *
   * @throws InvalidInputError naming the path
   */
  static from(input: ToolResultInput, path = ''): ToolResult {
    if (input instanceof ToolResult) return input;
    if (!isRecord(input)) return reject(path, 'a tool result', input);
    const record = readToolResult(input, path);
    return new ToolResult({
      ...record,
      content: Content.from(record.content as ContentInput, joinPath(path, 'content')),
    });
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): ToolResult {
    const copied = copyJson(json);
    return isToolResultJSON(copied) ? ToolResult.owning(copied) : explain(toolResultSchema(), copied);
  }

  /** @internal Over JSON that nobody else holds. */
  static owning(json: ToolResultJSON): ToolResult {
    return new ToolResult({
      content: Content.owning(json.content),
      callId: json.call_id ?? undefined,
      toolName: json.tool_name ?? undefined,
      status: json.status ?? (json.is_error ? 'error' : 'ok'),
      synthetic: json.synthetic === true,
      extra: ownExtra(json, isToolResultKey),
    });
  }

  /** Whether the call did not end well: its status is not `ok`. */
  isError(): boolean {
    return this.status !== 'ok';
  }

  /** The call's id as text; `''` where there is none. */
  callIdString(): string {
    return this.callId ?? '';
  }

  /** With other content. */
  withContent(content: ContentInput): ToolResult {
    const next = Content.from(content, 'content');
    return next.equals(this.content) ? this : new ToolResult({ ...this, content: next });
  }

  /** The text of the content. */
  toString(): string {
    return this.content.toString();
  }

  /** What `fromJSON` reads back without loss. */
  toJSON(): ToolResultJSON {
    const { status } = this;
    return {
      ...this.extra,
      content: this.content.toJSON(),
      call_id: this.callId ?? null,
      tool_name: this.toolName ?? null,
      is_error: this.isError(),
      ...(status !== 'ok' && status !== 'error' && { status }),
      ...(this.synthetic && { synthetic: true }),
    };
  }

  /** Whether both answer the same call with the same content and status. */
  equals(other: ToolResult): boolean {
    return (
      this === other ||
      (this.callId === other.callId &&
        this.toolName === other.toolName &&
        this.status === other.status &&
        this.synthetic === other.synthetic &&
        this.content.equals(other.content) &&
        equalJson(this.extra, other.extra))
    );
  }
}
