import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import type { OpenReport } from '../open-report.ts';
import { callIds, toolNames } from './call-ids.ts';
import type { OpenAIResponsesOptions } from './encode.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeCall } from './encode-call.ts';
import { MessageEncoder } from './encode-message.ts';
import { keptOf } from './origin.ts';
import type { Request, Source } from './source.ts';
import type { OpenAIResponsesPayload, ResponsesItem, ResponsesMessage } from './wire.ts';

/** A request while it is made. */
export class RequestBuilder {
  readonly #request: Request;
  readonly #items: ResponsesItem[] = [];
  readonly #callIds = callIds();
  #instructions: ResponsesMessage | undefined;
  /** The text that was all of the input when it was read. */
  #onlyText: string | undefined;
  /** The calls of the last turn, their ids on the wire, and how many are answered. */
  #asked = ToolCalls.empty();
  #askedIds: readonly string[] = [];
  #answered = 0;

  constructor(report: OpenReport, options: OpenAIResponsesOptions) {
    this.#request = { report, options, toolNames: toolNames(), itemIds: new Set() };
  }

  /** Adds a message, which stands at a place of what was given: all have to come, in order. Answers stand behind their calls. */
  add(message: Message, index: number, place: number): void {
    const { role, content, toolCalls } = message;
    const text = isPlain(message) ? content.plainText : undefined;
    const source = (): Source => ({ ...this.#request, message, place });
    if (toolCalls.size > 0) [this.#asked, this.#askedIds, this.#answered] = [toolCalls, this.#callIds(toolCalls), 0];
    if (role === 'tool') {
      const at = this.#answered++;
      this.#items.push(encodeAnswer(this.#asked.at(at) as ToolCall, this.#askedIds[at] as string, source()));
    } else if (text === undefined) {
      for (const item of new MessageEncoder(source(), role).encode(this.#askedIds)) this.#items.push(item);
      if (keptOf(message.origin)?.content === 'input') this.#onlyText = content.plainText;
    } else {
      if (text !== '' || toolCalls.size === 0) this.#addText(role, text, index);
      toolCalls.forEach((call, at) => this.#items.push(encodeCall(call, at, this.#askedIds[at] as string, source())));
    }
  }

  #addText(role: ResponsesMessage['role'], content: string, index: number): void {
    const item = { role, content };
    this.#request.report.made(item, index);
    if (index === 0 && role === 'system' && this.#request.options.instructions !== 'input') this.#instructions = item;
    else this.#items.push(item);
  }

  /** The request. Instructions alone go into the input, which may not be empty. */
  close(): OpenAIResponsesPayload {
    const items = this.#items;
    const instructions = this.#instructions;
    if (items.length === 0 && instructions !== undefined) return { input: [instructions] };
    // Only an object can be traced: the texts stay what they stand for where an explanation is asked for.
    const { isTracing } = this.#request.report;
    const input = items.length === 1 && !isTracing ? (this.#onlyText ?? items) : items;
    const top = isTracing ? instructions : instructions?.content;
    return { ...(top !== undefined && { instructions: top as string }), input };
  }
}

/** Whether a message has nothing beside text and calls that it could bring along or lose. */
function isPlain({ name, extra, origin }: Message): boolean {
  return extra === NO_FIELDS && name === '' && keptOf(origin)?.item === undefined;
}
