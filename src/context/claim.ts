import type { Messages } from '../model/messages.ts';
import { BudgetError } from './budget-error.ts';
import { lastOfUser, leadOf, newestOf, nextOfUser, pastAnswers } from './newest-within.ts';
import { shareOf } from './policy.ts';
import type { Slot } from './slot.ts';
import type { TokenSums, Walked } from './token-sums.ts';

/** A slot, and what of its messages stays. */
export interface FittedSlot {
  readonly slot: Slot;
  readonly kept: Messages;
  /** What they take, with their headings; undefined where nothing limits them, and so nothing was counted. */
  readonly tokens: number | undefined;
  /** The tokens that there were for it beside what always stays. */
  readonly room: number;
  /** The tokens of that room which nothing took. */
  readonly left: number;
  /** What is left out: from what always stays at the start, `lead` messages, to what stays of the rest. */
  readonly evicted: Messages;
  readonly lead: number;
  /** Where a message of the user stands that stays in the midst of what is left out; undefined where none does. */
  readonly question: number | undefined;
}

/** What of a slot is to be kept in any case. */
export interface ClaimOptions {
  /** Whether its newest exchange is. */
  readonly isNewest: boolean;
  /** Whether what stays is to begin with what the user says. */
  readonly startsWithUser: boolean;
}

/** What a slot asks for of the room that there is. */
export class Claim {
  readonly slot: Slot;
  /** The tokens of what stays in any case, headings among them. */
  readonly must: number;
  /** The tokens of headings that only count where something else stays. */
  readonly optional: number;
  readonly #options: ClaimOptions;
  readonly #sums: TokenSums;
  /** How many messages at its start are never left out. */
  readonly #lead: number;
  /** Where the newest exchange begins, where that stays; else the end. */
  readonly #newest: number;
  /** What the newest exchange answers, where that is to stay too. */
  readonly #question: number | undefined;

  constructor(slot: Slot, options: ClaimOptions, sums: TokenSums) {
    const { messages } = slot;
    this.slot = slot;
    this.#options = options;
    this.#sums = sums;
    this.#lead = leadOfSlot(slot);
    this.#newest = options.isNewest ? newestOf(messages, this.#lead) : messages.size;
    this.#question = this.#questionOf();
    const headings = sums.total(slot.before) + sums.total(slot.after);
    const isFilled = this.#lead > 0 || this.#newest < messages.size;
    this.must = isFilled ? this.#staying() + headings : 0;
    this.optional = isFilled ? 0 : headings;
  }

  /** The last message of the user before the newest exchange, where that is not the user's. */
  #questionOf(): number | undefined {
    const { isNewest, startsWithUser } = this.#options;
    const { messages } = this.slot;
    if (!isNewest || !startsWithUser || messages.at(this.#newest)?.isUser() === true) return undefined;
    const at = lastOfUser(messages, this.#newest);
    return at >= this.#lead ? at : undefined;
  }

  #staying(): number {
    const { messages } = this.slot;
    const question = this.#question === undefined ? 0 : this.#between(this.#question, this.#question + 1);
    return this.#between(0, this.#lead) + question + this.#sums.total(messages, this.#newest);
  }

  #between(start: number, end: number): number {
    return this.#sums.total(this.slot.messages.slice(start, end));
  }

  /** The most that the rest may take of the slot's own budget; undefined where it has none. */
  get cap(): number | undefined {
    const { budget } = this.slot.policy;
    return typeof budget === 'number' ? budget - this.must : undefined;
  }

  /** What is wrong where what must stay is more than the slot may take. */
  tooLarge(): BudgetError {
    const { slot, must } = this;
    const { name, policy } = slot;
    return new BudgetError({
      needed: must,
      budget: policy.budget as number,
      section: name,
      takes: [taking(must, name)],
    });
  }

  /** Its share of all there is, from 0 to 1. */
  get share(): number | undefined {
    return shareOf(this.slot.policy);
  }

  /** The tokens of the rest, but no more than `most`. */
  restWithin(most: number): number {
    if (this.#lead === this.#newest) return 0;
    const { start, tokens } = this.#walk(most - this.optional);
    return start > this.#lead ? most : tokens + this.optional;
  }

  /** From the newest exchange on to the oldest that is within some room; the question is paid for already. */
  #walk(room: number): Walked {
    const { messages } = this.slot;
    const question = this.#question;
    const older = messages.slice(0, this.#newest);
    if (question === undefined) return this.#sums.walk(older, this.#lead, room);
    const behind = this.#sums.walk(older, question + 1, room);
    if (behind.start > question + 1) return behind;
    const before = this.#sums.walk(messages.slice(0, question), this.#lead, room - behind.tokens);
    return { start: before.start, tokens: behind.tokens + before.tokens };
  }

  /** What stays of it within some room beside what must. */
  fitted(room: number): FittedSlot {
    const { slot, must, optional } = this;
    const { messages } = slot;
    const lead = this.#lead;
    const walked = room < optional ? { start: this.#newest, tokens: 0 } : this.#walk(room - optional);
    const start = walked.start === lead ? lead : this.#startAfter(walked.start);
    const question = this.#question !== undefined && start > this.#question ? this.#question : undefined;
    const [kept, evicted] = cut(messages, lead, start, question);
    const headings = kept.size > 0 ? optional : 0;
    const tokens = must + walked.tokens - this.#between(walked.start, start) + headings;
    return { slot, kept, tokens, room, left: room + must - tokens, evicted, lead, question };
  }

  /** Answers without their calls are of no use at the start, nor is what answers a question that is gone where that is not wanted. */
  #startAfter(start: number): number {
    const { messages } = this.slot;
    const begun = pastAnswers(messages, start, this.#newest);
    if (!this.#options.startsWithUser) return begun;
    return nextOfUser(messages, begun) ?? (this.#options.isNewest ? begun : messages.size);
  }
}

/** What stays, and what is left out: all from `lead` to `start` but the question. */
function cut(messages: Messages, lead: number, start: number, question: number | undefined): [Messages, Messages] {
  if (start === lead) return [messages, messages.slice(0, 0)];
  const instructions = messages.slice(0, lead);
  const rest = messages.slice(start);
  if (question === undefined) return [instructions.appendMessages(rest), messages.slice(lead, start)];
  const asked = messages.slice(question, question + 1);
  return [
    instructions.appendMessages(asked).appendMessages(rest),
    messages.slice(lead, question).appendMessages(messages.slice(question + 1, start)),
  ];
}

/** How many messages at the start of a slot are never left out: all where it is pinned, else the instructions there. */
export function leadOfSlot({ policy, messages }: Pick<Slot, 'policy' | 'messages'>): number {
  if (policy.pin === undefined) return leadOf(messages);
  return policy.pin ? messages.size : 0;
}

/** What a section takes, in words. */
export function taking(tokens: number, section: string): string {
  return `${tokens} in ${JSON.stringify(section)}`;
}
