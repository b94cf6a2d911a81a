import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import type { CacheLifetime } from '../schema/section.ts';
import { type Holder, holderOf, type MarkStyle, withMark } from './mark-holder.ts';
import { lifetimesOf } from './mark-lifetimes.ts';

/** A place at which the provider's prompt cache may end. */
export interface CacheMark {
  /** The message that it stands behind, by its place among those that go out. */
  readonly at: number;
  /** The section that asks for it. */
  readonly section: string;
  /** How long the cache is to live. Default: as long as the provider keeps it. */
  readonly lifetime?: CacheLifetime;
}

/** How a wire spells cache marks: in a key of parts, calls and answers; of parts of instructions and users; not at all, or not this time. */
export type CacheMarkStyle = MarkStyle | 'none' | undefined;

/** What becomes of a mark that a wire does not take as it is. */
export interface LostMark {
  readonly path: string;
  readonly rule: 'cache-marks' | 'cache-lifetime';
  readonly action: 'dropped' | 'moved' | 'degraded';
  readonly message: string;
}

/** Messages with their marks, as a wire spells them. */
export interface Marked {
  readonly messages: Messages;
  readonly losses: readonly LostMark[];
}

/**
 * Messages with their marks put on the last part, call or answer that can have one: of the message, or of one before it.
 * Costs one copy of the list.
 */
export function placeMarks(messages: Messages, marks: readonly CacheMark[], style: CacheMarkStyle): Marked {
  const placer = new MarkPlacer(messages);
  for (const mark of marks.toReversed()) placer.place(mark, style);
  return placer.marked(style);
}

/** A mark, and what of a message has it. */
export interface PlacedMark {
  readonly mark: CacheMark;
  readonly holder: Holder;
}

class MarkPlacer {
  readonly #messages: Messages;
  /** By the places of their messages. */
  readonly #placed = new Map<number, PlacedMark>();
  readonly #losses: (readonly [at: number, loss: LostMark])[] = [];
  /** Where the mark behind this one stands. */
  #next: number;

  constructor(messages: Messages) {
    this.#messages = messages;
    this.#next = messages.size;
  }

  /** Finds what can have a mark: of the message, or of one before it. The last mark comes first. */
  place(mark: CacheMark, style: CacheMarkStyle): void {
    if (style === undefined) return this.#drop(mark, 'this wire has no cache marks');
    if (style === 'none') return this.#drop(mark, 'the options want none');
    if (mark.at >= this.#next) return this.#drop(mark, 'the mark behind it stands here');
    for (let at = mark.at; at >= 0; at--) {
      const holder = holderOf(this.#messages.at(at) as Message, style);
      if (holder === undefined) continue;
      this.#placed.set(at, { mark, holder });
      this.#next = at;
      if (at < mark.at) this.#tell(mark, 'cache-marks', 'moved', `stands behind messages[${at}], which can have one`);
      return;
    }
    this.#drop(mark, 'nothing up to here can have one');
  }

  #drop(mark: CacheMark, why: string): void {
    this.#tell(mark, 'cache-marks', 'dropped', `${why}: left out`);
  }

  #tell({ at, section }: CacheMark, rule: LostMark['rule'], action: LostMark['action'], about: string): void {
    const message = `the cache mark of the section ${JSON.stringify(section)}: ${about}`;
    this.#losses.push([at, { path: `messages[${at}]`, rule, action, message }]);
  }

  /** The messages with the marks that found a place. */
  marked(style: CacheMarkStyle): Marked {
    if (style === undefined || style === 'none' || this.#placed.size === 0)
      return { messages: this.#messages, losses: this.#told() };
    const lifetimes = lifetimesOf(this.#messages, this.#placed, style);
    const messages = this.#messages.map((message, at) => {
      const placed = this.#placed.get(at);
      return placed === undefined ? message : withMark(message, placed.holder, style, lifetimes.get(at));
    });
    for (const [at, { mark }] of this.#placed) this.#tellLifetime(mark, lifetimes.get(at));
    return { messages: Messages.owning(messages), losses: this.#told() };
  }

  #tellLifetime(mark: CacheMark, lifetime: CacheLifetime | undefined): void {
    if (lifetime === mark.lifetime) return;
    const wanted = mark.lifetime ?? 'the shortest time';
    this.#tell(mark, 'cache-lifetime', 'degraded', `lives ${lifetime} instead of ${wanted}`);
  }

  /** In the order of the messages. */
  #told(): LostMark[] {
    return this.#losses.toSorted(([a], [b]) => a - b).map(([, loss]) => loss);
  }
}
