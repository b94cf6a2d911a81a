import { timeText } from '../../internal/ids.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import { type Kept, keptOf, originOf } from './origin.ts';

/** Who made a turn, and whether its calls may have been cut. */
export interface TurnContext {
  readonly time: number;
  readonly model?: string | undefined;
  /** Why the answer was cut. */
  readonly cut?: string | undefined;
}

/** What the assistant thinks, says and calls in a row, while it is gathered. */
export class OpenTurn {
  /** The place of its first item. */
  readonly start: number;
  /** The id of the reasoning that came last. */
  reasoning: string | undefined;
  /** Whether a message came last. */
  endsWithMessage = false;
  #hasSaid = false;
  /** What the first message brought along; those after it keep that on their first parts. */
  #kept: Kept | undefined;
  // Most turns are one text: lists are made where there is something to put in.
  #text: string | undefined;
  #parts: ContentPart[] | undefined;
  #calls: ToolCall[] | undefined;
  #marked = 0;

  constructor(start: number) {
    this.start = start;
  }

  /** Adds a message that is nothing but text, with what it brought along. */
  sayText(text: string, kept?: Kept): void {
    if (this.#hasSaid || this.#parts !== undefined || this.#calls !== undefined) {
      this.say([ContentPart.plain(text)], kept ?? (text === '' ? BLANK : undefined));
      return;
    }
    this.#text = text;
    this.#kept = kept;
    this.#hasSaid = true;
    this.endsWithMessage = true;
  }

  /** Adds a message, with what it brought along. */
  say([first, ...others]: readonly ContentPart[], kept?: Kept): void {
    if (first === undefined) return;
    const isFirst = !this.#hasSaid;
    if (isFirst) this.#kept = kept;
    this.#hasSaid = true;
    this.add(isFirst || kept === undefined ? first : withKept(first, kept));
    for (const part of others) this.add(part);
    this.endsWithMessage = true;
  }

  /** Adds a part; calls before it get marks in their places. */
  add(part: ContentPart): void {
    const parts = (this.#parts ??= []);
    if (this.#text !== undefined) {
      this.#keepBlank();
      parts.push(ContentPart.plain(this.#text));
      this.#text = undefined;
    }
    const calls = this.#calls ?? [];
    for (; this.#marked < calls.length; this.#marked++) {
      const { id } = calls[this.#marked] as ToolCall;
      if (id !== undefined) parts.push(ContentPart.of('tool_call', { id }));
    }
    parts.push(part);
    this.endsWithMessage = false;
  }

  /** Adds a call. */
  call(call: ToolCall): void {
    this.#keepBlank();
    (this.#calls ??= []).push(call);
    this.endsWithMessage = false;
  }

  /** A blank text beside others would not go out: it is told that it was there. */
  #keepBlank(): void {
    if (this.#text === '') this.#kept ??= BLANK;
  }

  /** The turn as a message. */
  close({ time, model, cut }: TurnContext): Message {
    const content = this.#text === undefined ? Content.owningParts(this.#parts ?? []) : Content.owning(this.#text);
    const toolCalls = this.#calls === undefined ? ToolCalls.empty() : ToolCalls.owning(this.#calls);
    const said = { role: 'assistant' as const, content, toolCalls };
    const isCut = cut !== undefined && toolCalls.size > 0;
    if (model === undefined && this.#kept === undefined && !isCut) return Message.saying(said, time);
    return Message.of({
      ...said,
      createdAt: timeText(time),
      ...((model ?? this.#kept) !== undefined && { origin: originOf(this.#kept, model) }),
      ...(isCut && { incomplete: { reason: cut } }),
    });
  }
}

/** What a blank text has, so that it goes out again. */
const BLANK: Kept = /* @__PURE__ */ Object.freeze<Kept>({ item: NO_FIELDS, content: 'text' });

/** A part with what its message brought along. */
function withKept(part: ContentPart, kept: Kept): ContentPart {
  return part.withField('_origin', originOf({ ...keptOf(part.origin), ...kept }));
}
