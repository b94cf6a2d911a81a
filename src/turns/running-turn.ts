import type { Message } from '../model/message.ts';
import type { Messages } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { callId } from './call-id.ts';
import { withDistinctIds } from './distinct-ids.ts';
import { type LastTurn, lastTurn } from './open-turn.ts';

/** A call of a turn, and which one it is. */
export interface PlacedCall {
  readonly place: number;
  readonly call: ToolCall;
}

/** The open turn at the end of a list, answered call by call without reading it again. Its calls have distinct ids. */
export class RunningTurn {
  #messages: Messages;
  #turn: LastTurn;

  private constructor(messages: Messages, turn: LastTurn) {
    this.#messages = messages;
    this.#turn = turn;
  }

  /** The turn at the end of a list; undefined where there is none. */
  static at(messages: Messages): RunningTurn | undefined {
    const turn = lastTurn(messages);
    if (turn === undefined) return undefined;
    const ids = new Set(turn.message.toolCalls.map(callId));
    if (ids.size === turn.answers.length && !ids.has('')) return new RunningTurn(messages, turn);
    const distinct = withDistinctIds(messages, turn);
    return new RunningTurn(distinct, lastTurn(distinct) as LastTurn);
  }

  get messages(): Messages {
    return this.#messages;
  }

  /** The message with the calls. */
  get message(): Message {
    return this.#turn.message;
  }

  /** The calls that wait, in call order. */
  waiting(): PlacedCall[] {
    const placed = this.message.toolCalls.map((call, place) => ({ call, place }));
    return placed.filter(({ place }) => this.#turn.answers[place] === undefined);
  }

  /** The answer to a call that has one. */
  answerAt(place: number): Message {
    return this.#messages.at(this.#turn.answers[place] as number) as Message;
  }

  /** Takes the answer to a call that waits: before the answers to later calls. */
  answer(place: number, message: Message): void {
    const { answers } = this.#turn;
    const end = this.#messages.size;
    const at = answers.slice(place + 1).reduce<number>((first, answer = end) => Math.min(first, answer), end);
    const shifted = answers.map((answer) => (answer !== undefined && answer >= at ? answer + 1 : answer));
    this.#messages = this.#messages.slice(0, at).appendMessage(message).appendMessages(this.#messages.slice(at));
    this.#turn = { ...this.#turn, answers: shifted.with(place, at) };
  }
}
