import { lazy } from '../internal/lazy.ts';
import type { Message } from '../model/message.ts';
import type { Messages } from '../model/messages.ts';
import { messageTokens } from './count-tokens.ts';
import type { MessageCounter } from './token-counter.ts';

/** So many messages have one sum. */
const WIDTH = 128;

/** The end of a list that was walked over. */
export interface Walked {
  /** Where it begins. */
  readonly start: number;
  readonly tokens: number;
}

/**
 * The tokens of messages, summed up in blocks: a list that grows keeps the arrays that it is made of, and they keep their
 * sums. So the end of a long list is found in a few steps, and nothing is counted that is not asked for.
 */
export class TokenSums {
  readonly #counter: MessageCounter;
  readonly #blocks = new WeakMap<readonly Message[], number[]>();

  private constructor(counter: MessageCounter) {
    this.#counter = counter;
  }

  /** The sums of a counter, as long as that is there. */
  static of(counter: MessageCounter): TokenSums {
    const known = sums().get(counter);
    if (known !== undefined) return known;
    const made = new TokenSums(counter);
    sums().set(counter, made);
    return made;
  }

  /** The tokens of all messages from `first` on. */
  total(messages: Messages, first = 0): number {
    return this.walk(messages, first, Number.POSITIVE_INFINITY).tokens;
  }

  /** The longest end of a list, from `first` on, that takes no more than `room` tokens: the first that does not fit ends it. */
  walk(messages: Messages, first: number, room: number): Walked {
    let start = messages.size;
    let tokens = 0;
    while (start > first) {
      const { items, from: at } = messages.segment(start - 1);
      const size = sizeBefore(messages, start, first);
      if (size === WIDTH) {
        const sum = this.#block(items, at + 1 - WIDTH);
        if (tokens + sum <= room) {
          tokens += sum;
          start -= WIDTH;
          continue;
        }
      }
      for (let place = at; place > at - size; place--) {
        const own = messageTokens(items[place] as Message, this.#counter);
        if (tokens + own > room) return { start, tokens };
        tokens += own;
        start--;
      }
    }
    return { start, tokens };
  }

  /** The tokens of a block of messages that are all there: they are never replaced. */
  #block(items: readonly Message[], from: number): number {
    const known = this.#blocks.get(items) ?? [];
    if (known.length === 0) this.#blocks.set(items, known);
    return (known[from / WIDTH] ??= this.#sum(items, from));
  }

  #sum(items: readonly Message[], from: number): number {
    let tokens = 0;
    for (let at = from; at < from + WIDTH; at++) tokens += messageTokens(items[at] as Message, this.#counter);
    return tokens;
  }
}

/** How many messages before `end` stand in its array, in one block; 1 where the list leaves some of them out. */
function sizeBefore(messages: Messages, end: number, first: number): number {
  const last = messages.segment(end - 1);
  const size = Math.min((last.from % WIDTH) + 1, end - first);
  const { items, from } = messages.segment(end - size);
  return items === last.items && from === last.from + 1 - size ? size : 1;
}

const sums = /* @__PURE__ */ lazy(() => new WeakMap<MessageCounter, TokenSums>());
