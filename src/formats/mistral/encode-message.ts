import type { Message } from '../../model/message.ts';
import { type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Loss } from '../format.ts';
import { encodePart } from './encode-part.ts';
import { isOwn, othersOf, type Shape, shapeOf } from './origin.ts';
import type { Request } from './request.ts';
import type { MistralAssistantMessage, MistralChunk, MistralMessage, MistralToolMessage } from './wire.ts';

type Said = string | MistralChunk[] | null | undefined;

/** Encodes one message, telling what it loses. */
export class MessageEncoder {
  readonly #message: Message;
  readonly #place: number;
  readonly #request: Request;
  readonly #shape: Shape;

  constructor(message: Message, place: number, request: Request) {
    this.#message = message;
    this.#place = place;
    this.#request = request;
    this.#shape = shapeOf(message);
  }

  /** The message as the wire has it; undefined where nothing of it is left. */
  encode(): MistralMessage | undefined {
    const { role, name, content, toolCalls, extra, origin } = this.#message;
    const said = this.#said();
    const isEmptied = !said?.length && role !== 'tool' && toolCalls.size === 0;
    if (isEmptied && (role === 'assistant' || !content.isEmpty()))
      return this.#lose('', 'emptied-message', 'dropped', 'nothing is left: left out');
    if (name !== '' && role !== 'tool') this.#lose('.name', 'name', 'dropped', 'no place for a name: left out');
    const wire = role === 'tool' ? this.#answer(said) : role === 'assistant' ? this.#turn(said) : this.#words(said);
    return extra === NO_FIELDS ? wire : { ...this.#others(extra, isOwn(origin)), ...wire };
  }

  /** Unknown keys of the message, or of its answer. */
  #others(extra: JsonObject, isSent: boolean, at = ''): JsonObject {
    return othersOf(extra, [], isSent, (key, told) => this.#lose(`${at}.${key}`, 'message-key', 'dropped', told));
  }

  /** What is said, in the form in which it came, else in the usual one; undefined where there is nothing at all. */
  #said(): Said {
    const { content, toolCalls } = this.#message;
    const { content: form } = this.#shape;
    if (content.plainText !== undefined && form !== 'list') return content.plainText;
    const chunks = this.#chunks();
    if (chunks.length > 0 || form === 'list') return chunks;
    if (toolCalls.size === 0) return form === 'null' ? null : '';
    return form === 'none' ? undefined : null;
  }

  #words(content: Said): MistralMessage {
    const { role } = this.#message;
    if (role === 'developer') this.#lose('.role', 'developer-role', 'degraded', 'goes out as system');
    return { role: role === 'user' ? role : 'system', content: content as string };
  }

  #turn(content: Said): MistralAssistantMessage {
    const { toolCalls, origin } = this.#message;
    const turn: MistralAssistantMessage =
      content === undefined ? { role: 'assistant' } : { role: 'assistant', content };
    if (toolCalls.size > 0)
      turn.tool_calls = toolCalls.map((call, at) =>
        this.#request.encodeCall(call, `messages[${this.#place}].toolCalls[${at}]`, origin),
      );
    // True is for the last message only: it is set there.
    if (this.#shape.prefix === false) turn.prefix = false;
    return turn;
  }

  #answer(content: Said): MistralToolMessage {
    const { toolResult, name } = this.#message;
    const { ids, toolNames } = this.#request;
    const id = ids.of(toolResult?.callIdString() ?? '');
    const answer: MistralToolMessage = { role: 'tool', content: content as string, tool_call_id: id };
    const given = toolResult?.toolName ?? name;
    if (given !== '') answer.name = this.#request.named(toolNames, given, `messages[${this.#place}].name`);
    if (toolResult?.isError() === true && !toolResult.synthetic)
      this.#lose('.toolResult.status', 'error-flag', 'dropped', `no place for "${toolResult.status}": left out`);
    this.#others(toolResult?.extra ?? NO_FIELDS, false, '.toolResult');
    return answer;
  }

  #chunks(): MistralChunk[] {
    const { content, role, origin, toolCalls } = this.#message;
    const { options, report } = this.#request;
    const chunks: MistralChunk[] = [];
    let isBehindCall = false;
    let isMoved = false;
    content.parts.forEach((part, at) => {
      if (part.isMark()) return void (isBehindCall ||= toolCalls.size > 0);
      const lose = (rule: string, action: Loss['action'], told: string): void =>
        this.#lose(`.content[${at}]`, rule, action, told);
      const chunk = encodePart(part, { role, origin, options, lose });
      if (chunk === undefined) return;
      isMoved ||= isBehindCall && !part.isEmpty();
      if (report.isTracing) report.made(chunk, `messages[${this.#place}].content[${at}]`);
      chunks.push(chunk);
    });
    if (isMoved) this.#lose('.content', 'interleaving', 'moved', 'content goes before the calls');
    return chunks;
  }

  #lose(at: string, rule: string, action: Loss['action'], told: string): undefined {
    this.#request.report.lose(`messages[${this.#place}]${at}`, rule, action, told);
  }
}
