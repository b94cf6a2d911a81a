import { type ErrorCode, reject } from '../../errors.ts';
import type { Message } from '../../model/message.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import type { Encoded, EncodeInput } from '../format.ts';
import { encodeWith } from '../encode-with.ts';
import type { OpenReport } from '../open-report.ts';
import { WireNames } from '../wire-names.ts';
import { encodeParts, encodeResponse, sign } from './encode-message.ts';
import type { GeminiOptions } from './options.ts';
import { type Fields, keptOf } from './origin.ts';
import { type Making, Source } from './source.ts';
import type { GeminiContent, GeminiPart, GeminiPayload } from './wire.ts';

/** The contents and the system instruction of a request. */
export function encode(input: EncodeInput, options: GeminiOptions = {}): Encoded<GeminiPayload> {
  return encodeWith(
    input,
    options,
    ({ messages, placeOf }, report) => {
      const request = new Request(report, options);
      messages.forEach((message, index) => request.add(message, placeOf(index)));
      return request.close();
    },
    undefined,
    camelCased,
  );
}

/** A path of an error, whose words may be spelled with underscores: `contents[0].parts[1].function_response`. */
function camelCased(path: string): string {
  return path.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
}

/** Letters, digits and `_.:-`, a letter or `_` first, 64 at the most (`@google/genai`, FunctionDeclaration.name). */
export const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;

/** A name that the wire takes, and that one still recognises. */
function madeName(name: string, hash: string): string {
  return `_${name}_`.replaceAll(/[^A-Za-z0-9.:-]+/g, '_').slice(0, 53) + hash;
}

/** A request while it is made. */
class Request {
  readonly #making: Making;
  readonly #contents: GeminiContent[] = [];
  readonly #instructions: GeminiContent = { parts: [] };
  /** The calls of the last turn. */
  #asked = ToolCalls.empty();
  /** How many of them are answered. */
  #answered = 0;
  /** Whether the first turn came as the model's. */
  #mayBeginWithModel = false;

  constructor(report: OpenReport, options: GeminiOptions) {
    this.#making = { report, options, toolNames: new WireNames((name) => TOOL_NAME.test(name), madeName) };
  }

  add(message: Message, index: number): void {
    const source = new Source(message, index, this.#making);
    const kept = keptOf(message.origin) ?? NO_FIELDS;
    if (message.isTool()) return this.#addAnswer(source, kept);
    const isSystem = message.isSystem();
    const parts = encodeParts(source, isSystem ? ['text'] : undefined);
    if (parts.length === 0) source.drop('', 'emptied-message', 'a message');
    else if (isSystem) this.#addInstructions(parts, source, kept);
    else this.#addTurn(parts, source, kept);
  }

  /** Text only, before all contents (ai.google.dev, System instructions). */
  #addInstructions(parts: readonly GeminiPart[], source: Source, { role }: Fields): void {
    if (source.message.isDeveloper()) source.lose('', 'developer', 'degraded', 'instructions go out as others');
    if (this.#contents.length > 0) source.lose('', 'instruction-place', 'moved', 'instructions go out first');
    if (typeof role === 'string') this.#instructions.role ??= role as 'user';
    this.#instructions.parts.push(...parts);
  }

  /**
   * Calls have to stand right behind words of the user or answers (ai.google.dev, Function calling): what the model
   * says without a word of the user between is one turn, unless it came apart and no calls are in it.
   */
  #addTurn(parts: GeminiPart[], source: Source, kept: Fields): void {
    const { message } = source;
    const contents = this.#contents;
    const isApart = kept['apart'] === true;
    if (contents.length === 0) this.#mayBeginWithModel = isApart;
    sign(parts, source);
    if (kept['joined'] === true && this.#answered > 0 && message.isUser()) contents.at(-1)?.parts.push(...parts);
    else source.made(this.#push(message.isUser() ? 'user' : 'model', parts, kept), '');
    this.#asked = message.toolCalls;
    this.#answered = 0;
    if (isApart && this.#asked.isEmpty()) return;
    while (contents.at(-1)?.role === 'model' && contents.at(-2)?.role === 'model') this.#merge(source);
    if (contents.length === 1) this.#mayBeginWithModel = false;
  }

  /** The last two contents become one, which comes from no single message. */
  #merge(source: Source): void {
    const contents = this.#contents;
    const [before, last] = contents.splice(-2) as [GeminiContent, GeminiContent];
    before.parts.push(...last.parts);
    contents.push({ ...before });
    this.#making.report.repair(source.path(''), 'merged', 'moved', 'turns of the model go out as one');
  }

  /** All answers of a turn in one content, as many as there were calls, what goes beside them behind (ai.google.dev, Function calling). */
  #addAnswer(source: Source, kept: Fields): void {
    const call = this.#asked.at(this.#answered);
    if (call === undefined) return;
    if (this.#answered === 0) this.#push('user', [], kept);
    const [answer, ...beside] = encodeResponse(source, call);
    const { parts } = this.#contents.at(-1) as GeminiContent;
    parts.splice(this.#answered++, 0, answer as GeminiPart);
    parts.push(...beside);
  }

  #push(role: 'user' | 'model', parts: GeminiPart[], kept: Fields): GeminiContent {
    const content = kept['role'] === null ? { parts } : { role, parts };
    this.#contents.push(content);
    return content;
  }

  /** The request, its first and last turn as the wire wants them. */
  close(): GeminiPayload {
    const contents = this.#contents;
    const systemInstruction = this.#instructions;
    if (contents.length === 0) contents.push(this.#standIn('no_user_message'));
    if (contents[0]?.role === 'model' && !this.#mayBeginWithModel) {
      const first = this.#standIn('starts_with_assistant');
      this.#making.report.made(first, 0);
      contents.unshift(first);
    }
    return systemInstruction.parts.length > 0 ? { systemInstruction, contents } : { contents };
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
