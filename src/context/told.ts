import type { Content } from '../model/content.ts';
import type { ContentPart } from '../model/content-part.ts';
import type { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { isRecord } from '../schema/json.ts';
import type { ToolResultStatus } from '../schema/tool-result.ts';
import { answeredId, callId } from '../turns/call-id.ts';
import { spokenName } from '../turns/call-name.ts';

const ANSWERS: Readonly<Record<ToolResultStatus, string>> = /* @__PURE__ */ Object.freeze({
  ok: 'answered',
  error: 'failed',
  denied: 'was denied',
  cancelled: 'was cancelled',
});

/** A tool call in words: `[called weather({"city":"Oslo"})]`. */
export function toldCall(call: ToolCall): string {
  return `[called ${spokenName(call)}(${call.argsText})]`;
}

/** A tool's answer in words: `[weather answered: 12 °C]`. */
export function toldAnswer({ toolResult }: Message, call: ToolCall | undefined, text: string): string {
  const name = call === undefined ? (toolResult?.toolName ?? 'a tool') : spokenName(call);
  return `[${name} ${ANSWERS[toolResult?.status ?? 'ok']}${text === '' ? '' : `: ${text}`}]`;
}

/** What content says, in lines: its text, and a mark for each other part. Reasoning is left out. */
export function toldContent(content: Content): string {
  return content.plainText ?? linesOf(content.parts.map(toldPart));
}

/** What the text parts of content say, in lines. */
export function toldText(content: Content): string {
  return content.plainText ?? linesOf([...content.parts].filter((part) => !isMedia(part)).map(toldPart));
}

/** Lines without those that say nothing. */
export function linesOf(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n');
}

/** What a part says: its text, `[image]`, `[file: report.pdf]` … `''` for reasoning, and for a mark of a call. */
export function toldPart(part: ContentPart): string {
  switch (part.type) {
    case 'reasoning':
    case 'tool_call':
      return '';
    case 'text':
      return part.toString();
    case 'refusal':
      return refusalText(part);
    case 'image_url':
      return '[image]';
    case 'input_audio':
      return '[audio]';
    case 'file':
      return fileMark(part);
    default:
      return part.toString() || `[${part.type}]`;
  }
}

/** What a refusal says. */
export function refusalText(part: ContentPart): string {
  const text = part.get('refusal');
  return typeof text === 'string' ? text : part.toString();
}

/** Whether a part is no text. */
export function isMedia({ type }: ContentPart): boolean {
  return type !== 'text' && type !== 'refusal' && type !== 'reasoning' && type !== 'tool_call';
}

function fileMark(part: ContentPart): string {
  const file = part.get('file');
  const name = isRecord(file) ? file['file_name'] : undefined;
  return typeof name === 'string' && name !== '' ? `[file: ${name}]` : '[file]';
}

/** An answer, and the call of the same exchange that it answers. */
export interface AnsweredCall {
  readonly answer: Message;
  readonly call: ToolCall | undefined;
  /** The place of the call among those of its message; that of the last one and more where there is none. */
  readonly place: number;
}

/** Which call each answer of an exchange answers: the first one with its id that has none yet. In the order of the answers. */
export function answeredCalls([asking, ...answers]: readonly [Message, ...Message[]]): AnsweredCall[] {
  if (answers.length === 0) return [];
  const calls = [...asking.toolCalls];
  const waiting = new Map<string, number[]>();
  for (let at = calls.length - 1; at >= 0; at--) {
    const id = callId(calls[at] as ToolCall);
    const same = waiting.get(id);
    if (same === undefined) waiting.set(id, [at]);
    else same.push(at);
  }
  return answers.map((answer) => {
    const place = waiting.get(answeredId(answer))?.pop() ?? calls.length;
    return { answer, call: calls[place], place };
  });
}
