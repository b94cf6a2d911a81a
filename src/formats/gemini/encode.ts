import { type ErrorCode, reject } from '../../errors.ts';
import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import type { Encoded, EncodeInput } from '../format.ts';
import { encodeWith } from '../encode-with.ts';
import type { OpenReport } from '../open-report.ts';
import { WireNames } from '../wire-names.ts';
import { encodeParts, encodeResponse, loseAt, sign, type Source } from './encode-message.ts';
import { drop } from './encode-part.ts';
import type { GeminiOptions } from './options.ts';
import { type Fields, keptOf } from './origin.ts';
import type { GeminiContent, GeminiPart, GeminiPayload } from './wire.ts';

/** The contents and the system instruction of a request. */
export function encode(input: EncodeInput, options: GeminiOptions = {}): Encoded<GeminiPayload> {
  return encodeWith(input, options, ({ messages, placeOf }, report) => {
    const request = new Request(report, options);
    messages.forEach((message, index) => request.add(message, `messages[${placeOf(index)}]`));
    return request.close();
  });
}

/** Letters, digits and `_.:-`, a letter or `_` first, 64 at the most (`@google/genai`, FunctionDeclaration.name). */
const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;

/** A name that the wire takes, and that one still recognises. */
function madeName(name: string, hash: string): string {
  return `_${name}_`.replaceAll(/[^A-Za-z0-9.:-]+/g, '_').slice(0, 53) + hash;
}

/** A request while it is made. */
class Request {
  readonly #making: Omit<Source, 'message' | 'path'>;
  readonly #contents: GeminiContent[] = [];
  readonly #instructions: GeminiContent = { parts: [] };
  /** The calls of the last turn that are not answered yet. */
  #asked: ToolCall[] = [];
  /** How many are. */
  #answered = 0;
  /** Whether the first turn came as the model's. */
  #mayBeginWithModel = false;

  constructor(report: OpenReport, options: GeminiOptions) {
    this.#making = { report, options, toolNames: new WireNames((name) => TOOL_NAME.test(name), madeName) };
  }

  add(message: Message, path: string): void {
    const source = { ...this.#making, message, path };
    const kept = keptOf(message.origin) ?? {};
    if (message.isTool()) {
      const call = this.#asked.shift();
      if (call !== undefined) this.#addAnswer(encodeResponse(source, call), kept);
      return;
    }
    const isSystem = message.isSystem();
    const parts = encodeParts(source, isSystem ? ['text'] : undefined);
    if (parts.length === 0) drop(loseAt(source), 'emptied-message', 'a message');
    else if (isSystem) this.#addInstructions(parts, source, kept);
    else this.#addTurn(parts, source, kept);
  }

  /** Text only, before all contents (ai.google.dev, System instructions). */
  #addInstructions(parts: readonly GeminiPart[], source: Source, { role }: Fields): void {
    const lose = loseAt(source);
    if (source.message.isDeveloper()) lose('developer', 'degraded', 'instructions go out as others');
    if (this.#contents.length > 0) lose('instruction-place', 'moved', 'instructions go out first');
    if (typeof role === 'string') this.#instructions.role ??= role as 'user';
    this.#instructions.parts.push(...parts);
  }

  /**
   * Calls have to stand right behind words of the user or answers (ai.google.dev, Function calling): what the model
   * says without a word of the user between is one turn, unless it came apart and no calls are in it.
   */
  #addTurn(parts: GeminiPart[], source: Source, kept: Fields): void {
    const { message, path, report } = source;
    const contents = this.#contents;
    const isApart = kept['apart'] === true;
    if (contents.length === 0) this.#mayBeginWithModel = isApart;
    sign(parts, source);
    if (kept['joined'] === true && this.#answered > 0 && message.isUser()) contents.at(-1)?.parts.push(...parts);
    else this.#push(message.isUser() ? 'user' : 'model', parts, kept);
    this.#asked = [...message.toolCalls];
    this.#answered = 0;
    if (isApart && this.#asked.length === 0) return;
    while (contents.at(-1)?.role === 'model' && contents.at(-2)?.role === 'model') {
      const last = contents.pop() as GeminiContent;
      contents.at(-1)?.parts.push(...last.parts);
      report.repair(path, 'merged', 'moved', 'turns of the model go out as one');
    }
    if (contents.length === 1) this.#mayBeginWithModel = false;
  }

  /** All answers of a turn in one content, as many as there were calls, what goes beside them behind (ai.google.dev, Function calling). */
  #addAnswer([answer, ...beside]: readonly GeminiPart[], kept: Fields): void {
    if (this.#answered === 0) this.#push('user', [], kept);
    const { parts } = this.#contents.at(-1) as GeminiContent;
    parts.splice(this.#answered++, 0, answer as GeminiPart);
    parts.push(...beside);
  }

  #push(role: 'user' | 'model', parts: GeminiPart[], kept: Fields): void {
    this.#contents.push({ ...(kept['role'] !== null && { role }), parts });
  }

  /** The request, its first and last turn as the wire wants them. */
  close(): GeminiPayload {
    const contents = this.#contents;
    const systemInstruction = this.#instructions;
    if (contents.length === 0) contents.push(this.#standIn('no_user_message'));
    if (contents[0]?.role === 'model' && !this.#mayBeginWithModel)
      contents.unshift(this.#standIn('starts_with_assistant'));
    return { ...(systemInstruction.parts.length > 0 && { systemInstruction }), contents };
  }

  /**
   * Words of the user where the wire wants some.
   *
   * @throws InvalidInputError with the code, where `invalid` is `'throw'`
   */
  #standIn(code: ErrorCode): GeminiContent {
    const { options, report } = this.#making;
    const path = 'messages[0]';
    const text = '(no message)';
    if (options.invalid === 'throw') reject(path, 'words of the user', undefined, code);
    report.repair(path, 'stand-in', 'added', `"${text}" goes out`);
    return { role: 'user', parts: [{ text }] };
  }
}
