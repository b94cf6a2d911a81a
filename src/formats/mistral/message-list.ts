import type { ErrorCode } from '../../errors.ts';
import type { Message } from '../../model/message.ts';
import { refuse } from '../open-report.ts';
import { shapeOf } from './origin.ts';
import type { Request } from './request.ts';
import type { MistralMessage } from './wire.ts';

/**
 * The messages of a request in an order that the server takes: "Unexpected role '…' after role '…'" is what it answers
 * to any other.
 */
export class MessageList {
  readonly #request: Request;
  /** What stands before all else. */
  readonly #instructions: MistralMessage[] = [];
  readonly #said: MistralMessage[] = [];
  /** Instructions behind the user, and their places, as long as nothing is said behind them. */
  readonly #late: (readonly [MistralMessage, number])[] = [];
  /** The message that was said last, and its place. */
  #last: Message | undefined;
  #place: number | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Puts a message, which stands at `place` of what was given, behind the others. */
  add(wire: MistralMessage, message: Message, place: number): void {
    const said = this.#said;
    const before = said[said.length - 1]?.role;
    if (wire.role === 'system') {
      if (before === undefined) this.#instructions.push(wire);
      else if (before === 'user') this.#late.push([wire, place]);
      else this.#hoist(wire, place);
      return;
    }
    this.#place = place;
    for (const [late] of this.#late.splice(0)) said.push(late);
    if (before === undefined && wire.role === 'assistant') this.#begin('tool_calls' in wire, message);
    if (before === 'tool' && wire.role === 'user') this.#bridge(message);
    said.push(wire);
    this.#last = message;
  }

  /** Instructions stay at the beginning, behind the user, and behind such; elsewhere, and at the end, they are refused. */
  #hoist(wire: MistralMessage, place: number): void {
    this.#instructions.push(wire);
    this.#request.report.lose(`messages[${place}]`, 'system-place', 'moved', 'goes first');
  }

  /**
   * An assistant does not begin, unless it came so: with calls it never does, since the first message is not looked at
   * where calls are matched with answers (mistral-common, MistralRequestValidator).
   */
  #begin(hasCalls: boolean, message: Message): void {
    if (this.#instructions.length === 0 && (hasCalls || !shapeOf(message).apart))
      this.#standIn('user', '(no message)', 'starts_with_assistant');
  }

  /** The user does not speak right behind an answer, unless they did so, or the model takes it. */
  #bridge(message: Message): void {
    if (!this.#request.options.userAfterTool && !shapeOf(message).apart)
      this.#standIn('assistant', '(no answer)', 'invalid_role');
  }

  /** All messages. "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant". */
  close(): MistralMessage[] {
    const said = this.#said;
    for (const [wire, place] of this.#late) this.#hoist(wire, place);
    if (said.length === 0 && this.#instructions.length !== 1) this.#standIn('user', '(no message)', 'no_user_message');
    const last = said.at(-1);
    if (last?.role === 'assistant') {
      last.prefix = true;
      if (!shapeOf(this.#last as Message).prefix)
        this.#request.report.repair(`messages[${this.#place}]`, 'prefix', 'added', 'to be continued');
    }
    return this.#instructions.length === 0 ? said : [...this.#instructions, ...said];
  }

  /**
   * Words where the wire wants some.
   *
   * @throws MessageStoreError with the code, where `invalid` is `'throw'`
   */
  #standIn(role: 'user' | 'assistant', content: string, code: ErrorCode): void {
    const { report } = this.#request;
    const path = `messages[${this.#place ?? 0}]`;
    const told = `${content} goes out for the ${role}`;
    refuse(report, path, code, told);
    report.repair(path, 'stand-in', 'added', told);
    const words = { role, content };
    if (this.#place !== undefined) report.made(words, path);
    this.#said.push(words);
  }
}
