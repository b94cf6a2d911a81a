import { reject } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import { Content, type ContentInput } from '../model/content.ts';
import { ContentPart } from '../model/content-part.ts';
import { ContentParts } from '../model/content-parts.ts';
import { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { ToolResult } from '../model/tool-result.ts';
import { oneOf } from '../schema/explain.ts';
import { copyJson, isRecord } from '../schema/json.ts';
import { STATUSES, type ToolResultStatus } from '../schema/tool-result.ts';

/**
 * What a tool may answer: text, content, parts, a source of media, or a {@link ToolResult} (its content and status count) as they are,
 * nothing as `''`, any other value as compact JSON. What can become JSON has no type in TypeScript, so this says nothing.
 */
export type AnswerValue = unknown;

/** What an answer says, and how the call ended. */
export interface AnswerSaid {
  readonly content: Content;
  readonly status: ToolResultStatus;
}

/**
 * An answer that someone gives, its status where they name one.
 *
 * @throws InvalidInputError naming the path of what JSON would lose or change, or of an unknown status
 */
export function readAnswer(value: AnswerValue, status: ToolResultStatus | undefined, path: string): AnswerSaid {
  if (status !== undefined && !STATUSES.includes(status)) reject(joinPath(path, 'status'), oneOf(STATUSES), status);
  const said = asSaid(value, path) ?? { content: Content.text(JSON.stringify(copyJson(value, path))), status: 'ok' };
  return status === undefined ? said : { ...said, status };
}

/**
 * An answer that a tool gave. It has run, so half a character is mended, and what else JSON would change is what
 * `JSON.stringify` makes of it; only what it cannot show at all is refused.
 */
export function mendAnswer(value: AnswerValue): AnswerSaid {
  const said = asSaid(typeof value === 'string' ? value.toWellFormed() : value, 'answer');
  return said ?? { content: Content.text(jsonText(value)), status: 'ok' };
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'string') return item.toWellFormed();
    const isOpaque = typeof item === 'object' && item !== null && !Array.isArray(item) && !isRecord(item);
    return isOpaque ? reject('answer', 'a JSON value', item) : item;
  }) as string | undefined;
  return text ?? reject('answer', 'a JSON value', value);
}

/** The message that answers a call. */
export function answerMessage(call: ToolCall, { content, status }: AnswerSaid): Message {
  const toolResult = ToolResult.of({ content, callId: call.id, toolName: call.name, status });
  return Message.of({ role: 'tool', toolResult });
}

/** What is content already; undefined for what has to become JSON. */
function asSaid(value: AnswerValue, path: string): AnswerSaid | undefined {
  if (value instanceof ToolResult) return { content: value.content, status: value.status };
  if (value === undefined) return { content: Content.text(''), status: 'ok' };
  return isContent(value) ? { content: Content.from(value, path), status: 'ok' } : undefined;
}

/** Whether a value is text, content, parts, or a source of media. */
function isContent(value: unknown): value is ContentInput {
  const isOurs = value instanceof Content || value instanceof ContentPart || value instanceof ContentParts;
  return isOurs || typeof value === 'string' || (isRecord(value) && typeof value['toContentPart'] === 'function');
}
