import type { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';

/** The id of a call; `''` where it has none, or a blank one, which binds nothing. */
export function callId(call: ToolCall): string {
  return unlessBlank(call.idString());
}

/** The id of the call that a tool message answers; `''` where it names none. */
export function answeredId({ toolResult }: Message): string {
  return toolResult === undefined ? '' : unlessBlank(toolResult.callIdString());
}

/** An id; `''` where it is blank. */
export function unlessBlank(id: string): string {
  return id.trim() === '' ? '' : id;
}

/** Gives ids that no other call of a turn has. The same ones each time; linear for all of them. */
export class FreeIds {
  readonly #taken: Set<string>;
  /** Where to count on for each id. */
  readonly #counts = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** This id where it is free, else {@link FreeIds.next}. */
  first(id: string): string {
    return this.#taken.has(id) ? this.next(id) : this.#take(id);
  }

  /** `id#2`, `id#3`, … */
  next(id: string): string {
    let count = this.#counts.get(id) ?? 2;
    while (this.#taken.has(`${id}#${count}`)) count++;
    this.#counts.set(id, count + 1);
    return this.#take(`${id}#${count}`);
  }

  #take(id: string): string {
    this.#taken.add(id);
    return id;
  }
}
