import type { ContentPart } from '../../model/content-part.ts';
import { encodeCall } from './encode-call.ts';
import { encodeInput, encodeOutput } from './encode-part.ts';
import { encodeRawItem, encodeReasoning, isRawItem } from './encode-raw.ts';
import { besideItem, takeId } from './item-ids.ts';
import { type Kept, keptOf } from './origin.ts';
import { dropped, loseKeys, made, pathIn, type Source, tell } from './source.ts';
import type { ResponsesInputPart, ResponsesItem, ResponsesMessage, ResponsesOutputPart } from './wire.ts';

type Part = ResponsesInputPart | ResponsesOutputPart;

/** A message of the wire that more may be said in, and what it brought along. */
interface OpenMessage {
  readonly item: { content: string | Part[] };
  readonly parts: Part[];
  readonly kept: Kept | undefined;
}

/** Encodes what a message thinks, says and calls, in true order. */
export class MessageEncoder {
  readonly #source: Source;
  readonly #role: ResponsesMessage['role'];
  readonly #items: ResponsesItem[] = [];
  /** What the first message of the wire brought along. */
  #kept: Kept | undefined;
  #open: OpenMessage | undefined;
  /** The id of the reasoning that went out last. */
  #reasoning: string | undefined;

  constructor(source: Source, role: ResponsesMessage['role']) {
    this.#source = source;
    this.#role = role;
    const kept = keptOf(source.message.origin);
    if (kept?.item) this.#kept = kept;
  }

  /** The items of the message; `callIds`: the ids of its calls on the wire. */
  encode(callIds: readonly string[]): ResponsesItem[] {
    const source = this.#source;
    const { content, name, extra } = source.message;
    const items = this.#items;
    if (name !== '') dropped(source, '.name', 'name', 'the name');
    loseKeys(extra, [], '', source);
    this.#walk(callIds);
    // "Item 'rs_…' of type 'reasoning' was provided without its required following item"
    for (; items.at(-1)?.type === 'reasoning'; items.pop())
      tell(source, '', 'reasoning-alone', 'dropped', 'nothing follows');
    if (items.length === 0 && content.isEmpty()) items.push(made({ role: this.#role, content: '' }, '', source));
    if (items.length === 0) dropped(source, '', 'emptied-message', 'nothing is left');
    return items;
  }

  #walk(callIds: readonly string[]): void {
    const { message } = this.#source;
    const { parts } = message.content;
    const calls = [...message.toolCalls];
    let at = 0;
    for (const block of message.blocks()) {
      if (block.type === 'part') {
        while (parts.at(at) !== block.part) at++;
        this.#add(block.part, at++);
      } else {
        const place = calls.indexOf(block.call);
        this.#push(encodeCall(block.call, place, callIds[place] as string, this.#source, this.#reasoning));
      }
    }
  }

  #add(part: ContentPart, at: number): void {
    const source = this.#source;
    const isAssistant = this.#role === 'assistant';
    if (isAssistant && part.type === 'reasoning') this.#think(part, at);
    else if (isRawItem(part)) this.#pushRaw(part, at);
    // Blank texts beside calls say nothing, unless they were there.
    else if (!part.isEmpty() || this.#kept || !source.message.hasToolCalls())
      this.#say((isAssistant ? encodeOutput : encodeInput)(part, at, source), at, keptOf(part.origin));
  }

  #think(part: ContentPart, at: number): void {
    const source = this.#source;
    const item = encodeReasoning(part);
    const text = part.toString();
    if (item !== undefined) {
      if (!takeId(item.id, 'rs', at, source)) return;
      this.#push(made(item, at, source));
      this.#reasoning = item.id;
    } else if (source.options.foreignReasoning === 'text' && text.trim() !== '') {
      source.report.lose(pathIn(source, at), 'reasoning', 'degraded', 'text goes out');
      this.#say({ type: 'output_text', text, annotations: [] }, at);
    } else dropped(source, at, 'reasoning', 'no proof');
  }

  #pushRaw(part: ContentPart, at: number): void {
    const item = encodeRawItem(part, at, this.#source);
    if (item !== undefined) this.#push(made(item, at, this.#source));
  }

  #push(item: ResponsesItem): void {
    this.#open = undefined;
    this.#items.push(item);
  }

  /** What is said belongs to the message that was begun, save where one of them came as a message of its own. */
  #say(part: Part | undefined, at: number, kept?: Kept): void {
    if (part === undefined) return;
    const isAssistant = this.#role === 'assistant';
    const isApart = kept?.item !== undefined || (kept === undefined && isAssistant && this.#open?.kept !== undefined);
    const last = isApart ? undefined : this.#open;
    const open = last ?? this.#begin(kept?.item ? kept : this.#kept, at);
    open.parts.push(made(part, at, this.#source));
    const text = !open.kept || open.kept.content ? plainText(open.parts) : undefined;
    open.item.content = text ?? open.parts;
    if (text === undefined && !open.kept && isAssistant)
      Object.assign(open.item, { type: 'message', status: 'completed' });
  }

  #begin(kept: Kept | undefined, at: number): OpenMessage {
    const beside = kept && besideItem(kept, 'msg', this.#reasoning, at, this.#source);
    const item = made({ ...beside, role: this.#role, content: '' }, '', this.#source);
    this.#items.push(item);
    this.#kept = undefined;
    return (this.#open = { item, parts: [], kept });
  }
}

/** The text where that is all there is. */
function plainText([first, ...others]: readonly Part[]): string | undefined {
  if (first === undefined || !('text' in first) || others.length > 0) return undefined;
  return Object.values(first).flat().length === 2 ? first.text : undefined;
}
