import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { isRecord } from '../../schema/json.ts';
import { decodePart } from './decode-part.ts';
import { decodeCall } from './function-call.ts';
import type { Fields } from './origin.ts';

/** What is said and called in one content, read part by part. */
export class Turn {
  readonly #parts: ContentPart[] = [];
  readonly #calls: ToolCall[] = [];
  /** How many calls have their place among the parts. */
  #marked = 0;

  /** Takes a part that is no answer, its characters whole. `seed` makes the id of a call that has none. */
  add(wire: Fields, seed: string): void {
    if (isRecord(wire['functionCall'])) this.#calls.push(decodeCall(wire, seed));
    else {
      this.mark();
      this.#parts.push(decodePart(wire));
    }
  }

  /** Gives the calls so far their place: before what is said next. */
  mark(): void {
    for (; this.#marked < this.#calls.length; this.#marked++)
      this.#parts.push(ContentPart.of('tool_call', { id: this.#calls[this.#marked]?.id }));
  }

  get isEmpty(): boolean {
    return this.#parts.length + this.#calls.length === 0;
  }

  /** All that was taken, and what is still coming. */
  said(
    coming: readonly ContentPart[] = [],
    calling: readonly ToolCall[] = [],
  ): { readonly content: Content; readonly toolCalls: ToolCalls } {
    return {
      content: Content.owningParts([...this.#parts, ...coming]),
      toolCalls: ToolCalls.owning([...this.#calls, ...calling]),
    };
  }
}
