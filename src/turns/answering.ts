import type { Message } from '../model/message.ts';
import type { Messages } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { answerMessage, readAnswer } from './answer-content.ts';
import { isTurnOf, type NamedCall, readHandle, Waiting } from './call-handle.ts';
import { withDistinctIds } from './distinct-ids.ts';
import { type LastTurn, lastTurn, unanswered, withAnswers } from './open-turn.ts';
import type { Answer, CallHandle } from './tool-turns.ts';
import { listed, placePath, TurnError } from './turn-error.ts';

/** The answers to calls of the last turn of a section, or why they are refused. */
export class Answering {
  readonly #messages: Messages;
  readonly #section: string;
  /** The number of the turn that stands at a place; costs a walk. */
  readonly #turnNumber: (index: number) => number;
  readonly #last: LastTurn | undefined;

  constructor(messages: Messages, section: string, turnNumber: (index: number) => number) {
    this.#messages = messages;
    this.#section = section;
    this.#turnNumber = turnNumber;
    this.#last = lastTurn(messages);
  }

  /** The messages with these answers, all or none of them. */
  all(answers: readonly Answer[]): Messages {
    const last = this.#last;
    const waiting = last && new Waiting(last);
    const places = answers.map(({ call }) => this.#placeOf(call, waiting));
    if (last === undefined || answers.length === 0) return this.#messages;
    const messages = waiting?.needsPlaces === true ? withDistinctIds(this.#messages, last) : this.#messages;
    const turn = messages === this.#messages ? last : (lastTurn(messages) as LastTurn);
    const given: Message[] = [];
    answers.forEach((answer, at) => {
      given[places[at] as number] = this.#message(answer, turn, places[at] as number);
    });
    return withAnswers(messages, turn, given);
  }

  #message({ value, status }: Answer, { index, message }: LastTurn, place: number): Message {
    const path = `${placePath({ section: this.#section, index })}.toolCalls[${place}].answer`;
    return answerMessage(message.toolCalls.at(place) as ToolCall, readAnswer(value, status, path));
  }

  /** Which call of the last turn a handle means, taken from those that wait. */
  #placeOf(handle: CallHandle, waiting: Waiting | undefined): number {
    const named = readHandle(handle, placePath({ section: this.#section }));
    const isOfLast = this.#last !== undefined && this.#isOf(this.#last, named);
    const place = isOfLast ? waiting?.take(named) : undefined;
    if (typeof place === 'number') return place;
    if (place === 'answered') throw this.#answered(named);
    throw this.#refusal(named, isOfLast);
  }

  #isOf({ index, message }: LastTurn, named: NamedCall): boolean {
    return isTurnOf(named, message.id, () => this.#turnNumber(index));
  }

  #error(code: TurnError['code'], sentence: string, id: string, index: number | undefined): TurnError {
    return new TurnError(code, sentence, { section: this.#section, index, ids: [id] });
  }

  #answered({ id }: NamedCall): TurnError {
    const why = 'has its answer already, which the model may have read. Nothing was changed: leave this answer out.';
    return this.#error('tool_call_already_answered', `the tool call ${listed([id])} ${why}`, id, this.#last?.index);
  }

  /** Why there is nothing to answer: the handle names another turn, its turn is over, or there never was such a call. */
  #refusal(named: NamedCall, isOfLast: boolean): TurnError {
    const { id, place } = named;
    const waiting = this.#last === undefined ? [] : unanswered(this.#last).map((call) => call.idString());
    if (isOfLast && place !== undefined)
      return this.#unknown(`the tool call ${place} of the turn is not ${listed([id])}`, id, waiting);
    if (waiting.includes(id)) return this.#misplaced(named);
    const index = this.#messages.reduce(
      (found, message, at) => (message.toolCalls.getById(id) === undefined ? found : at),
      -1,
    );
    if (index < 0) return this.#unknown(`there is no tool call ${listed([id])} in this section`, id, waiting);
    const why =
      'is over: this answer comes too late and cannot be kept as one. Leave it out, or say it in a new message.';
    return this.#error('tool_turn_closed', `the turn of the tool call ${listed([id])} ${why}`, id, index);
  }

  /** A call waits with the id of a handle that names another turn. */
  #misplaced(named: NamedCall): TurnError {
    const { id, messageId } = named;
    const other = messageId === undefined ? `turn ${named.turn}` : `message ${JSON.stringify(messageId)}`;
    const sentence = `a tool call ${listed([id])} waits here, but its handle is of another turn (${other}). Take it from pending().`;
    return this.#error('tool_turn_closed', sentence, id, this.#last?.index);
  }

  #unknown(sentence: string, id: string, waiting: readonly string[]): TurnError {
    const isIdle = waiting.length === 0;
    const hint = isIdle
      ? "Append the assistant's turn before its answers."
      : `Waiting: ${listed(waiting)}. Look for a wrong id or section.`;
    return this.#error('unknown_tool_call', `${sentence}. ${hint}`, id, isIdle ? undefined : this.#last?.index);
  }
}
