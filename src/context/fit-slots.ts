import { describeChange } from '../turns/describe-change.ts';
import { lastTurn } from '../turns/open-turn.ts';
import { type Change, repair } from '../turns/repair.ts';
import { Messages } from '../model/messages.ts';
import { leadOf, newestOf, nextOfUser, pastAnswers } from './newest-within.ts';
import { BudgetError } from './budget-error.ts';
import { isOrderly } from './orderly.ts';
import { shareRoom } from './share-room.ts';
import { shareOf } from './policy.ts';
import type { Slot } from './slot.ts';
import type { Room } from './room.ts';
import { TokenSums } from './token-sums.ts';

/** What was done to a section so that its calls and answers fit together. */
export interface SectionRepair {
  readonly section: string;
  /** Where the message stands in the section. */
  readonly at: number;
  readonly change: Change['change'];
  /** The same for people. */
  readonly message: string;
}

/** A slot, and what of its messages stays. */
export interface FittedSlot {
  readonly slot: Slot;
  readonly kept: Messages;
  /** What they take, with their headings; undefined where nothing limits them, and so nothing was counted. */
  readonly tokens: number | undefined;
  /** The tokens that there were for it beside what always stays. */
  readonly room: number;
  /** The stretch that is left out: from what always stays at the start, `lead` messages, to what stays of the rest. */
  readonly evicted: Messages;
  readonly lead: number;
}

/** Slots that fit. */
export interface Fitted {
  readonly slots: readonly FittedSlot[];
  readonly repairs: readonly SectionRepair[];
}

/**
 * Leaves out whole exchanges, the oldest first, until all fits. Where calls and answers of what stays do not fit
 * together, the section is repaired first.
 *
 * @throws BudgetError where what must stay does not fit
 */
export function fitSlots(slots: readonly Slot[], room: Room, repairs: readonly SectionRepair[] = []): Fitted {
  const isLimited = room.budget !== undefined || slots.some(({ policy }) => policy.budget !== undefined);
  const fitted = isLimited ? fitOnce(slots, room) : slots.map(unlimited);
  const more: SectionRepair[] = [];
  const sound = fitted.map(({ slot, kept }) => (isSound(kept) ? slot : repaired(slot, more)));
  const all = [...repairs, ...more];
  return more.length === 0 ? { slots: fitted, repairs: all } : fitSlots(sound, room, all);
}

/** Whether a repair would find nothing to do. Calls at the very end may wait for their answers. */
function isSound(messages: Messages): boolean {
  if (isOrderly(messages)) return true;
  const turn = lastTurn(messages);
  if (turn === undefined || !isOrderly(messages.slice(0, turn.index))) return false;
  return repair(messages.slice(turn.index)).changes.length === 0;
}

function repaired(slot: Slot, repairs: SectionRepair[]): Slot {
  const { messages, changes } = repair(slot.messages);
  for (const change of changes)
    repairs.push({ section: slot.name, at: change.at, change: change.change, message: describeChange(change) });
  return { ...slot, messages };
}

function unlimited(slot: Slot): FittedSlot {
  const { messages } = slot;
  return {
    slot,
    kept: messages,
    tokens: undefined,
    room: Number.POSITIVE_INFINITY,
    evicted: Messages.empty(),
    lead: 0,
  };
}

function fitOnce(
  slots: readonly Slot[],
  { budget = Number.POSITIVE_INFINITY, reserved, perRequest, counter, startWith }: Room,
): FittedSlot[] {
  const sums = TokenSums.of(counter);
  const newest = slots.findLastIndex((slot) => leadOfSlot(slot) < slot.messages.size);
  const claims = slots.map((slot, at) => claimOf(slot, at === newest, sums));
  const must = claims.reduce((sum, claim) => sum + claim.must, 0);
  const taken = reserved + (slots.some(({ messages }) => messages.size > 0) ? perRequest : 0);
  if (must + taken > budget) throw impossible(must + taken, budget);
  const rooms = shareRoom(claims, budget - taken - must, budget - taken);
  return claims.map((claim, at) => fitClaim(claim, rooms[at] as number, sums, startWith === 'user'));
}

function impossible(needed: number, budget: number): BudgetError {
  const about = `the budget of ${budget} tokens is too small: what must go out, and what is reserved, takes ${needed}`;
  return new BudgetError(`${about}. Raise it, reserve less, or pin fewer sections.`, { needed, budget });
}

/** What a slot asks for. */
export interface Claim {
  readonly slot: Slot;
  /** How many messages at its start are never left out. */
  readonly lead: number;
  /** Where the newest exchange begins, where that stays; else the end. */
  readonly newest: number;
  /** The tokens of what stays in any case, headings among them. */
  readonly must: number;
  /** The tokens of headings that only count where something else stays. */
  readonly optional: number;
  /** The most that the rest may take of its own budget; undefined where it has none. */
  readonly cap: number | undefined;
  /** Its share of all there is, from 0 to 1. */
  readonly share: number | undefined;
  /** The tokens of the rest, but no more than `most`. */
  restWithin(most: number): number;
}

/** How many messages at the start of a slot are never left out: all where it is pinned, else the instructions there. */
function leadOfSlot({ policy, messages }: Slot): number {
  if (policy.pin === undefined) return leadOf(messages);
  return policy.pin ? messages.size : 0;
}

function claimOf(slot: Slot, isNewest: boolean, sums: TokenSums): Claim {
  const { messages, policy } = slot;
  const lead = leadOfSlot(slot);
  const end = messages.size;
  const newest = isNewest ? newestOf(messages, lead) : end;
  const headings = sums.total(slot.before) + sums.total(slot.after);
  const staying = sums.total(messages.slice(0, lead)) + sums.total(messages, newest);
  const isFilled = lead > 0 || newest < end;
  const must = isFilled ? staying + headings : 0;
  const optional = isFilled ? 0 : headings;
  const { budget } = policy;
  if (typeof budget === 'number' && must > budget) throw tooSmall(slot.name, must, budget);
  const older = messages.slice(0, newest);
  return {
    slot,
    lead,
    newest,
    must,
    optional,
    cap: typeof budget === 'number' ? budget - must : undefined,
    share: shareOf(policy),
    restWithin(most) {
      if (lead === newest) return 0;
      const { start, tokens } = sums.walk(older, lead, most - optional);
      return start > lead ? most : tokens + optional;
    },
  };
}

function tooSmall(section: string, needed: number, budget: number): BudgetError {
  const about = `the section ${JSON.stringify(section)} may take ${budget} tokens, and what must go out of it takes ${needed}`;
  return new BudgetError(`${about}. Give it a larger budget.`, { needed, budget, section });
}

function fitClaim(claim: Claim, room: number, sums: TokenSums, startsWithUser: boolean): FittedSlot {
  const { slot, lead, newest, must, optional } = claim;
  const { messages } = slot;
  const older = messages.slice(0, newest);
  const walked = room < optional ? { start: newest, tokens: 0 } : sums.walk(older, lead, room - optional);
  const start = walked.start === lead ? lead : startAfter(claim, walked.start, startsWithUser);
  const tokens = walked.tokens - sums.total(messages.slice(walked.start, start));
  const kept = start === lead ? messages : messages.slice(0, lead).appendMessages(messages.slice(start));
  const headings = kept.size > 0 ? optional : 0;
  return { slot, kept, tokens: must + tokens + headings, room, evicted: messages.slice(lead, start), lead };
}

/** Answers without their calls are of no use at the start. */
function startAfter({ slot: { messages }, newest }: Claim, start: number, startsWithUser: boolean): number {
  const begun = pastAnswers(messages, start, newest);
  return startsWithUser ? nextOfUser(messages, begun) : begun;
}
