import { exchangesOf } from '../model/exchange.ts';
import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import type { JsonObject } from '../schema/json.ts';
import type { SectionPolicy } from '../schema/section.ts';
import type { FittedSlot } from './claim.ts';
import type { Fitted, SectionRepair } from './fit-slots.ts';
import type { Room } from './room.ts';
import { shown } from './shown.ts';
import { filled } from './slot.ts';
import { TokenSums } from './token-sums.ts';

/** An exchange that did not fit. */
export interface Eviction {
  readonly section: string;
  /** Where it begins in the section, among the messages that say something, as they were repaired. */
  readonly at: number;
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** What the section's policy wants of it: that it is left out, or that it is summarised. */
  readonly evict: 'oldest' | 'summary';
  /** The same for people. */
  readonly message: string;
}

/** What became of a section. */
export class SectionReport {
  readonly name: string;
  readonly policy: SectionPolicy;
  /** What goes out, headings among it. */
  readonly kept: Messages;
  /** What is left out. */
  readonly evicted: Messages;
  readonly #fitted: FittedSlot;
  readonly #sums: TokenSums;

  /** @internal */
  constructor(fitted: FittedSlot, sums: TokenSums) {
    const { slot, kept, evicted } = fitted;
    this.name = slot.name;
    this.policy = slot.policy;
    this.kept = filled(slot, kept);
    this.evicted = evicted;
    this.#fitted = fitted;
    this.#sums = sums;
    Object.freeze(this);
  }

  /** The tokens of what goes out. Counted when it is asked for, where no budget was. */
  get tokens(): number {
    return this.#fitted.tokens ?? this.#sums.total(this.kept);
  }

  /** The tokens of what is left out. Counted when it is asked for. */
  get evictedTokens(): number {
    return this.#sums.total(this.evicted);
  }

  /** Why each exchange is left out, the oldest first. Made when it is asked for. */
  evictions(): Eviction[] {
    const { name: section, policy } = this;
    const { evict = 'oldest' } = policy;
    const { lead, question = Number.POSITIVE_INFINITY } = this.#fitted;
    const fate = evict === 'summary' ? 'waits for a summary' : 'is left out';
    const reasons = this.#reasons();
    return Array.from(exchangesOf(this.evicted), ({ start, messages }) => {
      const tokens = this.#sums.total(Messages.owning(messages));
      const about = `${described(messages)} (${inTokens(tokens)}) ${fate}`;
      const at = lead + start;
      const message = `${section}: ${about}: ${reasons.pop() as string}`;
      return { section, at: at < question ? at : at + 1, messages, tokens, evict, message };
    });
  }

  /** Why each exchange is left out, the newest first: until one does not fit, what stays would not begin well with them. */
  #reasons(): string[] {
    const { room, left } = this.#fitted;
    const reasons: string[] = [];
    let rest = left;
    for (const { messages } of [...exchangesOf(this.evicted)].toReversed()) {
      const tokens = this.#sums.total(Messages.owning(messages));
      if (rest < 0) reasons.push('what came behind it did not fit either');
      else if (tokens <= rest) reasons.push(unfitToBegin(messages));
      else
        reasons.push(
          `the section had ${inTokens(Math.floor(room))} beside what must stay, of which ${Math.floor(rest)} were left`,
        );
      rest = tokens <= rest ? rest - tokens : Number.NEGATIVE_INFINITY;
    }
    return reasons;
  }

  /** The figures, for printing. */
  toJSON(): JsonObject {
    const { name, policy, kept, tokens, evicted, evictedTokens } = this;
    return {
      name,
      messages: kept.size,
      tokens,
      evicted: evicted.size,
      evictedTokens,
      pinned: policy.pin === true,
      cache: policy.cache ?? false,
    };
  }
}

function unfitToBegin([first]: readonly [Message, ...Message[]]): string {
  return first.isTool() ? 'what it answers is left out' : 'what stays is to begin with what the user says';
}

function inTokens(count: number): string {
  return count === 1 ? '1 token' : `${count} tokens`;
}

/** `the user's "What is the …"`, `the call of weather and its answers`. */
function described([first]: readonly [Message, ...Message[]]): string {
  if (first.hasToolCalls()) return `the call of ${first.toolCalls.map(({ name }) => name).join(', ')} with its answer`;
  return `the ${first.role} message ${shown(first, 40)}`;
}

/** Names that came to nothing. */
export type UnusedNames = Pick<AssemblyReport, 'unused' | 'unknown'>;

/** What was done to make a prompt: what each section holds of the budget, and what was left out, and why. */
export class AssemblyReport {
  /** Each section that goes out, in order, those of which nothing is left among them. */
  readonly sections: readonly SectionReport[];
  /** The filled sections of the store that were not asked for. */
  readonly unused: readonly string[];
  /** The names in `policies` and `headings` that no section of the store has: perhaps they are misspelled. */
  readonly unknown: readonly string[];
  /** What was done where calls and answers did not fit together. */
  readonly repairs: readonly SectionRepair[];
  /** The budget; undefined where there was none. */
  readonly budget: number | undefined;
  /** The tokens that are kept for the output and for tools. */
  readonly reserved: number;
  readonly #perRequest: number;

  /** @internal */
  constructor({ slots, repairs }: Fitted, { budget, reserved, perRequest, counter }: Room, names: UnusedNames) {
    const sums = TokenSums.of(counter);
    this.sections = Object.freeze(slots.map((slot) => new SectionReport(slot, sums)));
    this.unused = Object.freeze(names.unused);
    this.unknown = Object.freeze(names.unknown);
    this.repairs = Object.freeze(repairs);
    this.budget = budget;
    this.reserved = reserved;
    this.#perRequest = perRequest;
    Object.freeze(this);
  }

  /** The tokens of the whole prompt, without what is reserved. */
  get tokens(): number {
    const isFilled = this.sections.some(({ kept }) => kept.size > 0);
    return this.sections.reduce((sum, { tokens }) => sum + tokens, isFilled ? this.#perRequest : 0);
  }

  /** Every exchange that is left out, and why. Made when it is asked for: costs their number. */
  get evicted(): readonly Eviction[] {
    return this.sections.flatMap((section) => section.evictions());
  }

  /** The figures, for printing. */
  toJSON(): JsonObject {
    const { tokens, budget, reserved, unused, unknown, repairs } = this;
    return {
      tokens,
      ...(budget !== undefined && { budget }),
      reserved,
      sections: this.sections.map((section) => section.toJSON()),
      unused: [...unused],
      ...(unknown.length > 0 && { unknown: [...unknown] }),
      repairs: repairs.map(({ section, at, message }) => ({ section, at, message })),
    };
  }
}
