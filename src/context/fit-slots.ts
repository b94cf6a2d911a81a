import { describeChange } from '../turns/describe-change.ts';
import { lastTurn } from '../turns/open-turn.ts';
import { type Change, repair } from '../turns/repair.ts';
import { Messages } from '../model/messages.ts';
import { BudgetError } from './budget-error.ts';
import { Claim, type FittedSlot, leadOfSlot, taking } from './claim.ts';
import { isOrderly } from './orderly.ts';
import { shareRoom } from './share-room.ts';
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
export function fitSlots(slots: readonly Slot[], room: Room): Fitted {
  const fitted = tryToFit(slots, room, []);
  if (fitted instanceof BudgetError) throw smallest(slots, room, fitted);
  return fitted;
}

function tryToFit(slots: readonly Slot[], room: Room, repairs: readonly SectionRepair[]): Fitted | BudgetError {
  const isLimited = room.budget !== undefined || slots.some(({ policy }) => policy.budget !== undefined);
  const fitted = isLimited ? fitOnce(slots, room) : slots.map(unlimited);
  if (fitted instanceof BudgetError) return fitted;
  const more: SectionRepair[] = [];
  const sound = fitted.map(({ slot, kept }) => (isSound(kept) ? slot : repaired(slot, more)));
  const all = [...repairs, ...more];
  return more.length === 0 ? { slots: fitted, repairs: all } : tryToFit(sound, room, all);
}

/** The error with a budget that works: what has to be repaired may take more than it did. */
function smallest(slots: readonly Slot[], room: Room, error: BudgetError): BudgetError {
  const { budget, section } = error;
  let last = error;
  for (;;) {
    const { needed, takes } = last;
    const limited = slots.map((slot) => (slot.name === section ? withBudget(slot, needed) : slot));
    const next = tryToFit(limited, section === undefined ? { ...room, budget: needed } : room, []);
    if (!(next instanceof BudgetError) || next.section !== section)
      return new BudgetError({ needed, takes, budget, section });
    last = next;
  }
}

function withBudget(slot: Slot, budget: number): Slot {
  return { ...slot, policy: { ...slot.policy, budget } };
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
    left: Number.POSITIVE_INFINITY,
    evicted: Messages.empty(),
    lead: 0,
    question: undefined,
  };
}

function fitOnce(
  slots: readonly Slot[],
  { budget = Number.POSITIVE_INFINITY, reserved, perRequest, counter, startWith }: Room,
): FittedSlot[] | BudgetError {
  const sums = TokenSums.of(counter);
  const startsWithUser = startWith === 'user';
  const newest = slots.findLastIndex((slot) => leadOfSlot(slot) < slot.messages.size);
  const claims = slots.map((slot, at) => new Claim(slot, { isNewest: at === newest, startsWithUser }, sums));
  const tooLarge = claims.find(({ cap = 0 }) => cap < 0);
  if (tooLarge !== undefined) return tooLarge.tooLarge();
  const must = claims.reduce((sum, claim) => sum + claim.must, 0);
  const taken = reserved + (slots.some(({ messages }) => messages.size > 0) ? perRequest : 0);
  if (must + taken > budget) return impossible(budget, claims, taken);
  const rooms = shareRoom(claims, budget - taken - must, budget - taken);
  return claims.map((claim, at) => claim.fitted(rooms[at] as number));
}

function impossible(budget: number, claims: readonly Claim[], taken: number): BudgetError {
  const takes = claims.filter(({ must }) => must > 0).map(({ slot, must }) => taking(must, slot.name));
  if (taken > 0) takes.push(`${taken} for the request and what is reserved`);
  const needed = claims.reduce((sum, { must }) => sum + must, taken);
  return new BudgetError({ needed, budget, takes });
}
