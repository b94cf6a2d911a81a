import { reject } from '../errors.ts';
import { opensTurn } from '../model/exchange.ts';
import { Message, type MessageInput } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { ToolResult } from '../model/tool-result.ts';
import { oneOf } from '../schema/explain.ts';
import type { ToolResultStatus } from '../schema/tool-result.ts';
import type { AnswerValue } from './answer-content.ts';
import { Answering } from './answering.ts';
import { type AssistantTurn, assistantMessage } from './assistant-turn.ts';
import { exchangeAt, placeOfMessage, placesOfTurns, type Span, withoutExchange } from './find-exchange.ts';
import { type LastTurn, lastTurn, unanswered, withAnswers } from './open-turn.ts';
import { settled } from './settled.ts';
import { syntheticResult } from './synthetic.ts';
import { CLOSED_TEXTS } from './texts.ts';
import { listed, placePath, TurnError } from './turn-error.ts';
import { keepLast } from './trim.ts';
import { validate, type Violation } from './validate.ts';

/** A call that waits for its answer: what {@link ToolTurns.answer} takes in the place of an id. */
export interface PendingCall {
  readonly id: string;
  readonly name: string;
  /** The text of the arguments, byte for byte. */
  readonly arguments: string;
  /** The number of the turn among those of the section with calls, from 1; counted when it is asked for. */
  readonly turn: number;
  /** The message with the call: an answer is taken for this turn only, though ids may repeat in later ones. */
  readonly messageId: string;
  /** Which of its message's calls it is, from 0: in histories from outside, ids may repeat there or be missing. */
  readonly place: number;
  readonly call: ToolCall;
}

/**
 * A call by its id, or by what {@link ToolTurns.pending} gave. An id means the first call that waits with it;
 * `messageId` and `place` name one exactly, also when the messages before it are gone. `turn` counts only where there
 * is no `messageId`.
 */
export type CallHandle =
  | string
  | (Pick<PendingCall, 'id'> & Partial<Pick<PendingCall, 'turn' | 'messageId' | 'place'>>);

/** One answer of {@link ToolTurns.answerAll}. */
export interface Answer {
  readonly call: CallHandle;
  /** Text, content, a tool result, any JSON value (as compact JSON), or nothing (`''`). */
  readonly value?: AnswerValue;
  /** Default: that of a tool result, else `ok`. */
  readonly status?: ToolResultStatus | undefined;
}

/** How an open turn is settled. */
export interface CloseOptions {
  /** `answer` (default): each call gets a made-up answer. `drop`: unanswered calls leave the assistant's message. */
  readonly mode?: 'answer' | 'drop' | undefined;
  /** Default `cancelled`. */
  readonly status?: Exclude<ToolResultStatus, 'ok'> | undefined;
  /** What the made-up answers say. Default: a sentence for the status. */
  readonly content?: string | undefined;
}

/** What happens to an open turn when the user speaks. */
export interface AppendUserOptions {
  /** `cancel` settles it first. Default: an error. */
  readonly ifPending?: 'throw' | 'cancel' | undefined;
}

/**
 * A section of a store whose tool turns cannot go wrong: every call is answered once, right behind it, before
 * anything else is said. What would break a turn is refused, and nothing is changed then.
 *
 * @example
 * import { MessageStore, turns } from 'message-store';
 * let store = turns(MessageStore.empty(), 'chat').appendUser('Weather in Oslo?');
 * store = turns(store, 'chat').appendAssistant({ toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }] });
 * turns(store, 'chat').pending().map(({ id, name }) => [id, name]) // => [['c1', 'weather']]
 * turns(store, 'chat').answer('c1', { celsius: 12 }).toMessages().last()?.toString() // => '{"celsius":12}'
 */
export function turns(store: MessageStore, section: string): ToolTurns {
  return ToolTurns.of(store, section);
}

/** See {@link turns}. */
export class ToolTurns {
  readonly #store: MessageStore;
  readonly #section: string;
  /** The number of a turn, and its place, once it was asked for. */
  #counted: { readonly index: number; readonly number: number } | undefined;

  private constructor(store: MessageStore, section: string) {
    this.#store = store;
    this.#section = section;
  }

  /** @internal See {@link turns}. */
  static of(store: MessageStore, section: string): ToolTurns {
    return new ToolTurns(store, section);
  }

  #messages(): Messages {
    return this.#store.section(this.#section).messages();
  }

  #with(messages: Messages): MessageStore {
    return this.#store.setSection(this.#store.section(this.#section).get().withMessages(messages));
  }

  /** With a message that is whole by itself, or opens a turn. */
  #append(message: Message): MessageStore {
    const hasToolData = message.hasToolCalls() || message.hasToolResult();
    const [violation] = hasToolData ? validate(message) : [];
    if (violation !== undefined)
      throw this.#violated(
        violation,
        this.#messages().size,
        'append calls with appendAssistant(), and their answers with answer()',
      );
    return this.#store.section(this.#section).appendMessages(message);
  }

  #violated({ code, at, id, message }: Violation, start: number, advice: string): TurnError {
    const sentence = `${message}. Nothing was appended; ${advice}.`;
    return this.#error(code, sentence, start + at, id === undefined ? [] : [id]);
  }

  #open(): LastTurn | undefined {
    const turn = lastTurn(this.#messages());
    return turn !== undefined && unanswered(turn).length > 0 ? turn : undefined;
  }

  #requireIdle(): void {
    const turn = this.#open();
    if (turn === undefined) return;
    const ids = unanswered(turn).map((call) => call.idString());
    throw this.#error(
      'tool_turn_open',
      `the tool calls ${listed(ids)} have no answer yet. Answer them with answer(), or settle them with close().`,
      turn.index,
      ids,
    );
  }

  #error(code: TurnError['code'], sentence: string, index?: number, ids?: readonly string[]): TurnError {
    return new TurnError(code, sentence, { section: this.#section, index, ...(ids && { ids }) });
  }

  /**
   * With a message of the user at the end.
   *
   * @throws TurnError `tool_turn_open` while calls wait for their answers, unless `ifPending: 'cancel'` settles them;
   * `tool_calls_on_role` or `tool_call_id_on_role` where the message carries what the user cannot say
   */
  appendUser(content: MessageInput, { ifPending = 'throw' }: AppendUserOptions = {}): MessageStore {
    if (ifPending === 'cancel') return turns(this.close(), this.#section).appendUser(content);
    this.#requireIdle();
    return this.#append(Message.asUser(content));
  }

  /**
   * With instructions at the end, in the role of the system; a message of a developer stays one.
   *
   * @throws TurnError `tool_turn_open` while calls wait for their answers; `tool_calls_on_role` or
   * `tool_call_id_on_role` where the message carries calls or an answer
   */
  appendSystem(content: MessageInput): MessageStore {
    this.#requireIdle();
    const message = Message.from(content);
    return this.#append(message.isDeveloper() ? message : message.withRole('system'));
  }

  /**
   * With one model turn at the end: its text and all its calls in one message. Calls without an id get one.
   *
   * @throws TurnError `tool_turn_open` while calls wait for their answers; `empty_tool_call_id`,
   * `duplicate_tool_call_id` or `empty_tool_name` where a call cannot be answered
   */
  appendAssistant(turn: AssistantTurn): MessageStore {
    this.#requireIdle();
    const index = this.#messages().size;
    const place = { section: this.#section, index, turn: () => this.#turnNumber(index) };
    return this.#append(assistantMessage(turn, place));
  }

  /** The number of the turn at this place, or to be put there, among those with calls. Costs one walk. */
  #turnNumber(index: number): number {
    if (this.#counted?.index !== index) {
      const before = this.#messages().slice(0, index);
      this.#counted = { index, number: placesOfTurns(before).length + 1 };
    }
    return this.#counted.number;
  }

  /**
   * With messages at the end, all or none. Calls at their very end may wait for their answers; answers at their
   * beginning go to the open turn. Answers stand in the order of their calls, and get the name of their tool where
   * they have none.
   *
   * @throws TurnError with the code of the first thing that providers would refuse
   */
  appendMessages(messages: MessagesInput): MessageStore {
    const added = Messages.from(messages);
    if (added.size === 0) return this.#store;
    const own = this.#messages();
    const isAnswer = added.first()?.isTool() === true;
    if (!isAnswer) this.#requireIdle();
    const start = (isAnswer ? lastTurn(own)?.index : undefined) ?? own.size;
    const changed = own.slice(start).appendMessages(added);
    const [violation] = validate(changed);
    if (violation !== undefined)
      throw this.#violated(violation, start, 'repair() makes a history from outside fit to be appended');
    return this.#with(own.slice(0, start).appendMessages(settled(changed)));
  }

  /** The calls that wait for their answers, in call order. */
  pending(): PendingCall[] {
    const open = this.#open();
    if (open === undefined) return [];
    const number = (): number => this.#turnNumber(open.index);
    const calls = open.message.toolCalls.map((call, place) => ({
      id: call.idString(),
      name: call.name,
      arguments: call.argsText,
      get turn() {
        return number();
      },
      messageId: open.message.id,
      place,
      call,
    }));
    return calls.filter(({ place }) => open.answers[place] === undefined);
  }

  /**
   * With the answer to a call. Answers stand in the order of their calls, in whatever order they come. Where calls of
   * a turn from outside share an id, and this is not the answer to the first of them, each gets its own, as by `repair`.
   *
   * @throws TurnError `tool_call_already_answered`, `tool_turn_closed` when the conversation has gone on,
   * `unknown_tool_call`
   * @throws InvalidInputError where there is no handle, or a value that JSON cannot hold
   */
  answer(call: CallHandle, value?: AnswerValue, { status }: Pick<Answer, 'status'> = {}): MessageStore {
    return this.answerAll([{ call, value, status }]);
  }

  /** With the answers to several calls, all or none: see {@link ToolTurns.answer}. */
  answerAll(answers: readonly Answer[]): MessageStore {
    const messages = this.#messages();
    const answering = new Answering(messages, this.#section, (index) => this.#turnNumber(index));
    const answered = answering.all(answers);
    return answered === messages ? this.#store : this.#with(answered);
  }

  /**
   * With the open turn settled; the same store where none is open.
   *
   * @throws InvalidInputError when there is no such mode or status
   */
  close(options: CloseOptions = {}): MessageStore {
    const { mode = 'answer', status = 'cancelled' } = options;
    this.#requireOneOf(['answer', 'drop'], mode, 'mode');
    this.#requireOneOf(Object.keys(CLOSED_TEXTS), status, 'status');
    const open = this.#open();
    if (open === undefined) return this.#store;
    return mode === 'drop' ? this.#drop(open) : this.#settle(open, options);
  }

  #requireOneOf(values: readonly string[], value: string, option: string): void {
    if (values.includes(value)) return;
    reject(`${placePath({ section: this.#section })}.close.${option}`, oneOf(values), value);
  }

  #settle(open: LastTurn, { status = 'cancelled', content = CLOSED_TEXTS[status] }: CloseOptions): MessageStore {
    const given = open.message.toolCalls.map((call, place) =>
      open.answers[place] === undefined ? asMessage(syntheticResult(call, content, status)) : undefined,
    );
    return this.#with(withAnswers(this.#messages(), open, given));
  }

  #drop({ index, message, answers }: LastTurn): MessageStore {
    const messages = this.#messages();
    const kept = [...message.toolCalls].filter((_, place) => answers[place] !== undefined);
    const asking = withCallsOnly(message, kept);
    const before = messages.slice(0, index);
    const saysNothing = kept.length === 0 && asking.content.isEmpty();
    return this.#with(saysNothing ? before : before.appendMessage(asking).appendMessages(messages.slice(index + 1)));
  }

  /**
   * The store, where every call has its answer.
   *
   * @throws TurnError `tool_turn_open`
   */
  assertComplete(): MessageStore {
    this.#requireIdle();
    return this.#store;
  }

  /**
   * Without one message, by its id or its place.
   *
   * @throws TurnError `would_break_tool_turn` when it is a call whose answers are there, or an answer
   * @throws TurnError `missing_message`
   */
  removeMessage(which: string | number): MessageStore {
    const messages = this.#messages();
    const index = this.#placeOfMessage(which);
    const span = exchangeAt(messages, index);
    if (span.size > 1)
      throw this.#error(
        'would_break_tool_turn',
        'the message belongs to a tool turn: calls and answers go together. Remove the turn with removeToolTurn().',
        index,
        messages.at(span.start)?.toolCalls.map((call) => call.idString()),
      );
    return this.#with(withoutExchange(messages, span));
  }

  /**
   * Without a whole tool turn: the assistant's message and all its answers, by its number (from 1), by the id of one
   * of its messages, or by what {@link ToolTurns.pending} gave.
   *
   * @throws TurnError `missing_message` when there is no such message, or it belongs to no turn
   */
  removeToolTurn(which: number | string | Pick<PendingCall, 'messageId'>): MessageStore {
    const span =
      typeof which === 'number'
        ? this.#turnByNumber(which)
        : this.#turnWith(typeof which === 'string' ? which : which.messageId);
    return this.#with(withoutExchange(this.#messages(), span));
  }

  #turnByNumber(number: number): Span {
    const places = placesOfTurns(this.#messages());
    const place = places[number - 1];
    if (place !== undefined) return exchangeAt(this.#messages(), place);
    throw this.#error('missing_message', `there is no tool turn number ${number}: there are ${places.length}.`);
  }

  #turnWith(messageId: string): Span {
    const messages = this.#messages();
    const index = this.#placeOfMessage(messageId);
    const span = exchangeAt(messages, index);
    if (opensTurn(messages.at(span.start) as Message)) return span;
    throw this.#error(
      'missing_message',
      `the message ${JSON.stringify(messageId)} belongs to no tool turn. Remove it with removeMessage().`,
      index,
    );
  }

  #placeOfMessage(which: string | number): number {
    const messages = this.#messages();
    const index = typeof which === 'number' ? which : placeOfMessage(messages, which);
    if (Number.isInteger(index) && index >= 0 && index < messages.size) return index;
    throw this.#error(
      'missing_message',
      `there is no message ${JSON.stringify(which)} in this section: there are ${messages.size}.`,
    );
  }

  /**
   * With the last messages only: so many, or fewer where the first of them would be answers without their calls.
   *
   * @throws InvalidInputError when the count is no whole number from 0 on
   */
  keepLast(count: number): MessageStore {
    return this.#with(keepLast(this.#messages(), count));
  }
}

function asMessage(toolResult: ToolResult): Message {
  return Message.of({ role: 'tool', toolResult });
}

/** With these of its calls, and without the marks of the places of the others. */
function withCallsOnly(message: Message, kept: readonly ToolCall[]): Message {
  const ids = new Set<unknown>(kept.map((call) => call.id));
  const parts = message.contentParts().filter((part) => !part.isMark() || ids.has(part.get('id')));
  const asking = message.withToolCalls(kept);
  return parts.size === message.contentParts().size ? asking : asking.withContent(parts);
}
