import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import type { OpenReport } from '../open-report.ts';
import { CallIds, toolNames } from './call-ids.ts';
import type { OpenAIResponsesOptions } from './encode.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeCall } from './encode-call.ts';
import { encodeSaid } from './encode-said.ts';
import { TurnEncoder } from './encode-turn.ts';
import { ItemIds } from './item-ids.ts';
import { keptOf } from './origin.ts';
import type { Request, Source } from './source.ts';
import type { OpenAIResponsesPayload, ResponsesItem, ResponsesMessage } from './wire.ts';

/** A request while it is made. */
export class RequestBuilder {
  readonly #request: Request;
  readonly #placeOf: (index: number) => number;
  readonly #items: ResponsesItem[] = [];
  readonly #callIds = new CallIds();
  #instructions: string | undefined;
  /** The text that was all of the input when it was read. */
  #onlyText: string | undefined;
  /** The calls of the last turn, their ids on the wire, and how many are answered. */
  #asked = ToolCalls.empty();
  #askedIds: readonly string[] = [];
  #answered = 0;

  constructor(report: OpenReport, options: OpenAIResponsesOptions, placeOf: (index: number) => number) {
    this.#request = { report, options, toolNames: toolNames(), itemIds: new ItemIds() };
    this.#placeOf = placeOf;
  }

  /** Adds the message of an index: all of them have to come, in order. */
  add(message: Message, index: number): void {
    const { role, content, toolCalls } = message;
    if (toolCalls.size > 0) this.#ask(toolCalls);
    const text = isPlain(message) ? content.plainText : undefined;
    if (role === 'tool') this.#addAnswer(message, index);
    else if (text === undefined) this.#addOther(message, index);
    else if (index === 0 && role === 'system' && this.#request.options.instructions !== 'input')
      this.#instructions = text;
    else {
      if (text !== '' || toolCalls.size === 0) this.#items.push({ role: this.#roleOf(role), content: text });
      if (toolCalls.size > 0) this.#addCalls(toolCalls, this.#sourceOf(message, index));
    }
  }

  #sourceOf(message: Message, index: number): Source {
    return { message, place: this.#placeOf(index), request: this.#request };
  }

  #ask(calls: ToolCalls): void {
    this.#asked = calls;
    this.#askedIds = this.#callIds.of(calls);
    this.#answered = 0;
  }

  #addCalls(calls: ToolCalls, source: Source): void {
    for (let at = 0; at < calls.size; at++)
      this.#items.push(encodeCall(calls.at(at) as ToolCall, at, this.#askedIds[at] as string, source));
  }

  #addAnswer(message: Message, index: number): void {
    const at = this.#answered++;
    const call = this.#asked.at(at);
    const id = this.#askedIds[at];
    if (call !== undefined && id !== undefined)
      this.#items.push(encodeAnswer(call, id, this.#sourceOf(message, index)));
  }

  #addOther(message: Message, index: number): void {
    const source = this.#sourceOf(message, index);
    const items =
      message.role === 'assistant'
        ? new TurnEncoder(source).encode(this.#askedIds)
        : encodeSaid(source, this.#roleOf(message.role));
    for (const item of items) this.#items.push(item);
    if (keptOf(message.origin)?.content === 'input') this.#onlyText = message.content.plainText;
  }

  #roleOf(role: Message['role']): ResponsesMessage['role'] {
    const isInstruction = role === 'system' || role === 'developer';
    return isInstruction ? (this.#request.options.instructionRole ?? role) : (role as 'user');
  }

  /** The request. Instructions alone go into the input, which may not be empty. */
  close(): OpenAIResponsesPayload {
    const items = this.#items;
    const instructions = this.#instructions;
    if (instructions === undefined) return { input: this.#input() };
    if (items.length > 0) return { instructions, input: this.#input() };
    return { input: [{ role: this.#roleOf('system'), content: instructions }] };
  }

  #input(): string | ResponsesItem[] {
    return this.#items.length === 1 ? (this.#onlyText ?? this.#items) : this.#items;
  }
}

/** Whether a message has nothing beside text and calls that it could bring along or lose. */
function isPlain({ name, extra, origin }: Message): boolean {
  return extra === NO_FIELDS && name === '' && keptOf(origin)?.item === undefined;
}
