import type { Message } from '../model/message.ts';
import { opensTurn } from '../model/exchange.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { answeredId, callId } from './call-id.ts';

/** One call of a turn, and the tool message that answers it. */
export interface MatchedCall {
  readonly call: ToolCall;
  /** The place of the answer; undefined where there is none. */
  answer?: number;
}

/** An assistant message with calls. */
export interface Turn {
  readonly index: number;
  readonly message: Message;
  readonly calls: readonly MatchedCall[];
}

/** Why a tool message answers nothing. */
export type Stray = 'orphan' | 'duplicate';

/** Which tool message answers which call. */
export interface Matches {
  /** In order. */
  readonly turns: readonly Turn[];
  /** Tool messages that answer nothing, by their place. */
  readonly strays: ReadonlyMap<number, Stray>;
  /** Answers with another message between them and their call, or before their call. */
  readonly displaced: ReadonlySet<number>;
  /** The turn that nothing but answers follows, if the history ends in one. */
  readonly last: Turn | undefined;
}

/**
 * Matches answers to calls in one ordered walk: a tool message answers the latest unanswered call with its id, since
 * ids may repeat from turn to turn. What answers no call before it may answer one behind it. Linear.
 */
export function matchAnswers(messages: Iterable<Message>): Matches {
  const walk = new Walk();
  let index = 0;
  for (const message of messages) walk.step(message, index++);
  return walk.finish();
}

class Walk {
  readonly #turns: Turn[] = [];
  readonly #strays = new Map<number, Stray>();
  readonly #displaced = new Set<number>();
  /** The unanswered calls of each id that a call had: the latest turn last, within a turn the first call last. */
  readonly #open = new Map<string, Unanswered[]>();
  /** Tool messages that came before any call with their id. */
  readonly #early = new Map<string, number[]>();
  #current: Turn | undefined;
  /** Before which place the calls of the current turn are answered. */
  #answered = 0;

  step(message: Message, index: number): void {
    if (message.isTool()) {
      this.#answer(message, index);
    } else if (opensTurn(message)) {
      this.#current = this.#turn(message, index);
    } else {
      this.#current = undefined;
    }
  }

  #turn(message: Message, index: number): Turn {
    const calls = message.toolCalls.map((call): MatchedCall => ({ call }));
    const turn = { index, message, calls };
    this.#turns.push(turn);
    this.#answered = 0;
    for (const matched of calls.toReversed()) {
      const id = callId(matched.call);
      const open = this.#open.get(id);
      if (open === undefined) this.#open.set(id, [{ turn, matched }]);
      else open.push({ turn, matched });
    }
    return turn;
  }

  #answer(message: Message, index: number): void {
    const id = answeredId(message);
    const found = this.#take(id) ?? (id === '' ? this.#firstUnanswered() : undefined);
    if (found === undefined) {
      this.#stray(id, index);
      return;
    }
    found.matched.answer = index;
    if (found.turn !== this.#current) this.#displaced.add(index);
  }

  /** The latest unanswered call with this id. */
  #take(id: string): Unanswered | undefined {
    const open = this.#open.get(id);
    let found = open?.pop();
    while (found?.matched.answer !== undefined) found = open?.pop();
    return found;
  }

  /** What an answer without an id can only mean. */
  #firstUnanswered(): Unanswered | undefined {
    const turn = this.#current;
    if (turn === undefined) return undefined;
    while (turn.calls[this.#answered]?.answer !== undefined) this.#answered++;
    const matched = turn.calls[this.#answered];
    return matched && { turn, matched };
  }

  #stray(id: string, index: number): void {
    if (this.#open.has(id)) {
      this.#strays.set(index, 'duplicate');
      return;
    }
    this.#strays.set(index, 'orphan');
    const early = this.#early.get(id);
    if (early === undefined) this.#early.set(id, [index]);
    else early.push(index);
  }

  finish(): Matches {
    if (this.#early.size > 0) this.#takeEarly();
    return { turns: this.#turns, strays: this.#strays, displaced: this.#displaced, last: this.#current };
  }

  /** Gives what came before any call with its id to the calls that are left, both in order. */
  #takeEarly(): void {
    for (const places of this.#early.values()) places.reverse();
    for (const matched of this.#turns.flatMap(({ calls }) => calls)) {
      const place = matched.answer === undefined ? this.#early.get(callId(matched.call))?.pop() : undefined;
      if (place === undefined) continue;
      matched.answer = place;
      this.#strays.delete(place);
      this.#displaced.add(place);
    }
  }
}

interface Unanswered {
  readonly turn: Turn;
  readonly matched: MatchedCall;
}
