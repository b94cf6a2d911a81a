import type { MessageStore } from '../model/message-store.ts';
import { NO_FIELDS } from '../schema/json.ts';
import { messagesIn } from './save-store.ts';

/** A session, and what it was when a store was read from it or written to it. */
export interface Reading {
  readonly session: string;
  readonly version: number;
  readonly epoch: string | undefined;
  /** Whether there was more of it than was read. */
  readonly isCut: boolean;
}

/**
 * Which sessions stores come from. It is found again in what is made of a store, since that shares messages, or at
 * least the unknown fields, which loading makes anew: a session may have been empty, or all of it replaced.
 */
export class Readings {
  readonly #readings = new WeakMap<object, readonly Reading[]>();

  /** The last reading of each session counts. */
  add(store: MessageStore, reading: Reading): void {
    const only = [reading];
    for (const part of partsOf(store)) {
      const others = this.#readings.get(part)?.filter(({ session }) => session !== reading.session);
      this.#readings.set(part, others === undefined ? only : [...others, reading]);
    }
  }

  /** The oldest reading of a session that anything in a store comes from. */
  oldest(store: MessageStore, id: string): Reading | undefined {
    let oldest: Reading | undefined;
    for (const part of partsOf(store)) {
      const found = this.#readings.get(part)?.find(({ session }) => session === id);
      if (found !== undefined && found.version < (oldest?.version ?? Infinity)) oldest = found;
    }
    return oldest;
  }
}

function* partsOf(store: MessageStore): Generator<object, void, undefined> {
  if (store.extra !== NO_FIELDS) yield store.extra;
  yield* messagesIn(store);
}
