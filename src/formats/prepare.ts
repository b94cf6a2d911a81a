import { MessageStoreError } from '../errors.ts';
import type { Message } from '../model/message.ts';
import { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import type { Section } from '../model/section.ts';
import { describeChange } from '../turns/describe-change.ts';
import { lastTurn, unanswered } from '../turns/open-turn.ts';
import { type Change, repair } from '../turns/repair.ts';
import { listed, TurnError } from '../turns/turn-error.ts';
import { validate } from '../turns/validate.ts';
import type { EncodeInput, EncodeOptions, Repair } from './format.ts';

/** A history in which every call has its answer right behind it, and what was changed to make it one. */
export interface Prepared {
  readonly messages: Messages;
  readonly repairs: Repair[];
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
 * @throws MessageStoreError with the code of the first violation, where `invalid` is `'throw'`
 * @throws InvalidInputError where a list holds what is no message
 */
export function prepare(given: EncodeInput, { invalid = 'repair', openTurn = 'throw' }: EncodeOptions): Prepared {
  const input = given instanceof MessageStore ? given : Messages.from(given);
  const messages = input instanceof MessageStore ? input.toMessages() : input;
  if (openTurn === 'throw') requireClosed(input);
  const repaired = repair(messages, { keepOpenTail: false });
  if (repaired.changes.length === 0) return { messages, repairs: [], placeOf: (index) => index, given: messages };
  if (invalid === 'throw') requireValid(input);
  return {
    messages: repaired.messages,
    repairs: repaired.changes.map(asRepair),
    placeOf: placesIn(messages, repaired.messages),
    given: messages,
  };
}

function requireClosed(input: MessageStore | Messages): void {
  if (input instanceof MessageStore) for (const section of input.sections) refuseOpen(section.messages, section);
  else refuseOpen(input);
}

function refuseOpen(messages: Messages, section?: Section): void {
  const turn = lastTurn(messages);
  const ids = turn === undefined ? [] : unanswered(turn).map((call) => call.idString());
  if (turn === undefined || ids.length === 0) return;
  throw new TurnError(
    'tool_turn_open',
    `the tool calls ${listed(ids)} have no answer yet, and no provider takes that. Answer them, or pass openTurn: 'cancel' to have them answered as cancelled.`,
    { section: section?.name, index: turn.index, ids },
  );
}

/** Each section is looked at for itself, as it is kept. */
function requireValid(input: MessageStore | Messages): void {
  const lists =
    input instanceof MessageStore ? input.sections.map(({ messages }) => messages.withoutEmptyMessages()) : [input];
  let start = 0;
  for (const messages of lists) {
    const [violation] = validate(messages);
    if (violation !== undefined) {
      const { code, at, id, message } = violation;
      const path = `messages[${start + at}]`;
      const advice = "Providers would refuse it; without invalid: 'throw' it is repaired.";
      throw new MessageStoreError(code, `${path}: ${message}. ${advice}`, { path, value: id });
    }
    start += messages.size;
  }
}

const ACTIONS: Readonly<Record<Change['change'], Repair['action']>> = /* @__PURE__ */ Object.freeze({
  synthesised: 'added',
  dropped: 'dropped',
  hoisted: 'moved',
  reordered: 'moved',
  renamed: 'rewritten',
  named: 'rewritten',
  recast: 'rewritten',
  stripped: 'dropped',
});

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
