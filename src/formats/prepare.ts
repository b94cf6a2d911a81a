import { reject } from '../errors.ts';
import type { Message } from '../model/message.ts';
import { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import { describeChange } from '../turns/describe-change.ts';
import { lastTurn, unanswered } from '../turns/open-turn.ts';
import { type Change, repair } from '../turns/repair.ts';
import { listed, TurnError } from '../turns/turn-error.ts';
import { validate } from '../turns/validate.ts';
import type { Assembly } from '../context/assembly.ts';
import type { CacheMarkStyle } from '../context/cache-marks.ts';
import type { EncodeInput, EncodeOptions, Loss, Repair } from './format.ts';

/** A history in which every call has its answer right behind it, and what was changed to make it one. */
export interface Prepared {
  readonly messages: Messages;
  readonly repairs: Repair[];
  /** The cache marks that the wire does not take as they are. */
  readonly losses: readonly Loss[];
  /** Where a message of it stands in what was given; for a made-up answer: where its call stands. */
  readonly placeOf: (index: number) => number;
  /** What was given. */
  readonly given: Messages;
}

/**
 * What is encoded: the messages of a store without blank ones, a list as it is. Where calls and answers do not fit
 * together, this copy of them is repaired, or all is refused, as the caller says. Linear.
 *
 * @throws TurnError `tool_turn_open` where calls at the very end, or at the end of a section, wait for answers
 * @throws InvalidInputError where a list holds what is no message; with the code of the first violation, where `invalid` is `'throw'`
 */
export function prepare(input: EncodeInput, { invalid, openTurn }: EncodeOptions, style?: CacheMarkStyle): Prepared {
  const assembly = 'marked' in Object(input) ? (input as Assembly) : undefined;
  const store = assembly ?? (input instanceof MessageStore ? input : undefined);
  const sections: readonly Listed[] = store ? [...store.sections] : [{ messages: Messages.from(input) }];
  if (openTurn !== 'cancel') sections.forEach(requireClosed);
  const given = store?.toMessages() ?? (sections[0] as Listed).messages;
  const { messages: marked, losses } = assembly?.marked(style) ?? { messages: given, losses: [] };
  const { messages, changes } = repair(marked, { keepOpenTail: false, joinAsking: true });
  if (invalid === 'throw' && changes.length > 0)
    requireValidLists(sections.map((section) => (store ? section.messages.withoutEmptyMessages() : section.messages)));
  const placeOf = messages === marked ? (index: number) => index : placesIn(marked, messages);
  return { messages, losses, repairs: changes.map(asRepair), placeOf, given };
}

/** The messages of a section, or those that were given without one. */
interface Listed {
  readonly name?: string;
  readonly messages: Messages;
}

function requireClosed({ name: section, messages }: Listed): void {
  const turn = lastTurn(messages);
  if (turn === undefined) return;
  const ids = unanswered(turn).map((call) => call.idString());
  if (ids.length === 0) return;
  const about = `the tool calls ${listed(ids)} have no answer yet, and no provider takes that`;
  const advice = "Answer them, or pass openTurn: 'cancel' to have them answered as cancelled.";
  throw new TurnError('tool_turn_open', `${about}. ${advice}`, { section, index: turn.index, ids });
}

/** Each section is looked at for itself, as it is kept. */
function requireValidLists(lists: readonly Messages[]): void {
  let start = 0;
  lists.forEach((messages) => {
    requireValid(messages, (at) => `messages[${start + at}]`);
    start += messages.size;
  });
}

/**
 * Refuses a history whose calls and answers do not belong together.
 *
 * @throws InvalidInputError with the code of the first violation
 */
export function requireValid(messages: Messages, pathOf: (at: number) => string): void {
  const [violation] = validate(messages);
  if (violation === undefined) return;
  const { code, at, id, message } = violation;
  reject(pathOf(at), `a history that providers take: ${message}`, id, code);
}

const ACTIONS: Readonly<Record<Change['change'], Repair['action']>> = {
  joined: 'moved',
  synthesised: 'added',
  dropped: 'dropped',
  hoisted: 'moved',
  reordered: 'moved',
  renamed: 'rewritten',
  named: 'rewritten',
  recast: 'rewritten',
  stripped: 'dropped',
};

/** A change to a history as a report tells it. */
export function asRepair(change: Change): Repair {
  return {
    path: `messages[${change.at}]`,
    rule: change.change,
    action: ACTIONS[change.change],
    message: describeChange(change),
  };
}

/** Where each message of a repaired list stood: found by itself, by its id where it was changed, else before it. */
function placesIn(given: Messages, repaired: Messages): (index: number) => number {
  const places = new Map<Message | string, number>();
  given.forEach((message, at) => places.set(message, at).set(message.id, at));
  const found: number[] = [];
  repaired.forEach((message) => {
    found.push(places.get(message) ?? places.get(message.id) ?? found.at(-1) ?? 0);
  });
  return (index) => found[index] as number;
}
