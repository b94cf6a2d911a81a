import { reject } from '../../errors.ts';
import { parseJsonText } from '../../internal/json-text.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { isRecord } from '../../schema/json.ts';
import type { Assembly } from '../accumulator.ts';
import { failureOf } from '../failure.ts';
import type { Usage } from '../format.ts';
import { TextSoFar } from '../text-so-far.ts';
import { wellFormed } from '../well-formed.ts';
import { decodeUsage } from './decode.ts';
import { decodeCall } from './decode-call.ts';
import { type Fields, isMissing } from './fields.ts';
import { linkedCall } from './link-answers.ts';
import { thought } from './origin.ts';

/** Puts a response together from the lines of a stream, as the server does where none is asked for. */
export class ChatAssembly implements Assembly {
  readonly #content = new TextSoFar();
  readonly #thinking = new TextSoFar();
  /** What was thought so far, as it was last shown. */
  #thought: ContentPart | undefined;
  /** The calls as they came, and as far as they are read: their ids are made when the response is whole. */
  readonly #calls: unknown[] = [];
  readonly #read: ToolCall[] = [];
  #shown: ToolCalls | undefined;
  /** What else the message has. */
  #others: Fields = {};
  /** The last line. */
  #end: Fields | undefined;
  #usage: Usage | undefined;
  failure: string | undefined;

  add(line: Fields): void {
    const { message, error, done } = line;
    if (error) this.failure = failureOf(error);
    if (isRecord(message)) this.#addMessage(message);
    this.#usage = decodeUsage(line) ?? this.#usage;
    if (done === true) this.#end = line;
  }

  #addMessage(message: Fields): void {
    for (const key of Object.keys(message)) this.#addField(key, message[key]);
  }

  #addField(key: string, value: unknown): void {
    if (key === 'role') return;
    if (key === 'content') this.#content.add(textOf(value, 'message.content'));
    else if (key === 'thinking') this.#addThinking(textOf(value, 'message.thinking'));
    else if (key === 'tool_calls') this.#addCalls(value ?? []);
    else this.#others = { ...this.#others, [key]: value };
  }

  #addThinking(piece: string): void {
    this.#thinking.add(piece);
    if (piece !== '') this.#thought = undefined;
  }

  #addCalls(calls: unknown): void {
    if (!Array.isArray(calls)) reject('message.tool_calls', 'a list of tool calls', calls);
    for (const call of calls as readonly unknown[]) this.#addCall(call);
  }

  #addCall(given: unknown): void {
    const path = `message.tool_calls[${this.#calls.length}]`;
    this.#read.push(decodeCall(linkedCall(wellFormed(given, [], path)), () => path));
    this.#shown = undefined;
    this.#calls.push(parseJsonText(JSON.stringify(given)));
  }

  said(): { readonly content: Content; readonly toolCalls: ToolCalls } | undefined {
    const content = this.#contentSoFar();
    const toolCalls = (this.#shown ??= ToolCalls.owning([...this.#read]));
    return content.isEmpty() && toolCalls.isEmpty() ? undefined : { content, toolCalls };
  }

  #contentSoFar(): Content {
    const [thinking, text] = [this.#thinking.soFar(), this.#content.soFar()];
    if (thinking === '') return Content.owning(text);
    this.#thought ??= thought(thinking);
    return Content.owningParts(text === '' ? [this.#thought] : [this.#thought, ContentPart.plain(text)]);
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  response(): unknown {
    const thinking = this.#thinking.whole();
    const message = {
      ...this.#others,
      role: 'assistant',
      content: this.#content.whole(),
      ...(thinking !== '' && { thinking }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
    };
    return this.#end && { ...this.#end, message };
  }
}

function textOf(value: unknown, path: string): string {
  if (isMissing(value)) return '';
  return typeof value === 'string' ? value : reject(path, 'text', value);
}
