import type { ContentPart } from '../../model/content-part.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { encodeCall } from './encode-call.ts';
import { encodeOutput } from './encode-part.ts';
import { encodeReasoning } from './encode-reasoning.ts';
import { type Kept, keptOf } from './origin.ts';
import { encodeRawItem, isRawItem } from './raw-item.ts';
import { dropped, lose, loseEmptied, loseRest, type Source, tell } from './source.ts';
import type { ResponsesItem, ResponsesOutputPart, ResponsesReasoning } from './wire.ts';

/** A message of the assistant while it is gathered. */
interface Run {
  readonly kept: Kept | undefined;
  /** Where its first part stands. */
  readonly at: number;
  readonly content: ResponsesOutputPart[];
}

/** Encodes what an assistant thinks, says and calls, in true order. */
export class TurnEncoder {
  readonly #source: Source;
  readonly #items: ResponsesItem[] = [];
  /** What the first message brought along. */
  #kept: Kept | undefined;
  #run: Run | undefined;
  /** Reasoning that waits for the item that it belongs to, and where it stands. */
  #thoughts: { readonly item: ResponsesReasoning; readonly at: number }[] = [];
  /** The id of the reasoning that went out last. */
  #reasoning: string | undefined;

  constructor(source: Source) {
    this.#source = source;
    const kept = keptOf(source.message.origin);
    this.#kept = kept?.item === undefined ? undefined : kept;
  }

  /** The items of the message; `callIds`: the ids of its calls on the wire. */
  encode(callIds: readonly string[]): ResponsesItem[] {
    const { message } = this.#source;
    const { parts } = message.content;
    loseRest(this.#source);
    const places = new Map(message.toolCalls.map((call, at): [ToolCall, number] => [call, at]));
    let at = 0;
    for (const block of message.blocks()) {
      if (block.type === 'tool_call') {
        const place = places.get(block.call) as number;
        this.#close();
        this.#items.push(encodeCall(block.call, place, callIds[place] as string, this.#source, this.#reasoning));
        continue;
      }
      while (parts.at(at) !== block.part) at++;
      this.#add(block.part, at++);
    }
    if (this.#run !== undefined) this.#close();
    this.#dropThoughts();
    return this.#items.length > 0 ? this.#items : this.#nothing();
  }

  #nothing(): ResponsesItem[] {
    const { content } = this.#source.message;
    if (content.isEmpty()) return [{ role: 'assistant', content: '' }];
    loseEmptied(this.#source);
    return [];
  }

  #add(part: ContentPart, at: number): void {
    if (part.type === 'reasoning') this.#think(part, at);
    else if (isRawItem(part)) {
      const item = encodeRawItem(part, at, this.#source);
      if (item === undefined) return;
      this.#close();
      this.#items.push(item);
    } else if (!part.isEmpty() || this.#kept !== undefined || !this.#source.message.hasToolCalls()) {
      const said = encodeOutput(part, at, this.#source);
      if (said !== undefined) this.#say(said, at, keptOf(part.origin));
    }
  }

  #think(part: ContentPart, at: number): void {
    const { request } = this.#source;
    const item = encodeReasoning(part, this.#source);
    if (item === undefined) {
      const text = part.toString();
      const what = 'reasoning that the provider cannot prove';
      if (request.options.foreignReasoning !== 'text' || text.trim() === '')
        return dropped(this.#source, at, 'reasoning', what);
      lose(this.#source, at, 'reasoning', 'degraded', `${what}: text goes out`);
      return this.#say({ type: 'output_text', text, annotations: [] }, at);
    }
    if (!request.itemIds.take(item.id, 'rs'))
      return tell(
        this.#source,
        at,
        'item-id',
        'dropped',
        `reasoning ${JSON.stringify(item.id)} is not taken here: left out`,
      );
    if (this.#run !== undefined) this.#close();
    this.#thoughts.push({ item, at });
  }

  /** Text belongs to the message that was begun, save where one of them came as a message of its own. */
  #say(part: ResponsesOutputPart, at: number, kept?: Kept): void {
    const isOwn = kept !== undefined && kept.item === undefined;
    const joins = this.#run !== undefined && (isOwn || (kept === undefined && this.#run.kept?.item === undefined));
    if (!joins) {
      if (this.#run !== undefined) this.#close();
      this.#run = { kept: kept?.item === undefined ? this.#kept : kept, at, content: [] };
      this.#kept = undefined;
    }
    this.#run?.content.push(part);
  }

  /** Lets out what was gathered: something follows, or it is the end. */
  #close(): void {
    for (const { item } of this.#thoughts) {
      this.#items.push(item);
      this.#reasoning = item.id;
    }
    this.#thoughts = [];
    if (this.#run !== undefined) this.#items.push(this.#message(this.#run));
    this.#run = undefined;
  }

  #message({ kept, at, content }: Run): ResponsesItem {
    const { itemIds } = this.#source.request;
    const role = 'assistant' as const;
    const isFramed = kept?.item !== undefined;
    const frame = isFramed ? itemIds.beside(kept, 'msg', this.#reasoning, at, this.#source) : undefined;
    const text = !isFramed || kept.content !== undefined ? plainText(content) : undefined;
    if (text !== undefined) return { ...frame, role, content: text };
    return { ...(frame ?? { type: 'message', status: 'completed' }), role, content } as ResponsesItem;
  }

  /** "Item 'rs_…' of type 'reasoning' was provided without its required following item" */
  #dropThoughts(): void {
    for (const { at } of this.#thoughts)
      tell(this.#source, at, 'reasoning-alone', 'dropped', 'nothing follows the reasoning: left out');
  }
}

/** The text where that is all there is. */
function plainText([first, ...others]: readonly ResponsesOutputPart[]): string | undefined {
  if (first?.type !== 'output_text' || others.length > 0) return undefined;
  return first.annotations.length === 0 && Object.keys(first).length === 3 ? first.text : undefined;
}
