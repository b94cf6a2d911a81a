import { newId } from '../../internal/ids.ts';
import type { ContentPart } from '../../model/content-part.ts';
import { isRecord } from '../../schema/json.ts';
import type { Assembly } from '../accumulator.ts';
import { failureOf } from '../failure.ts';
import type { Usage } from '../format.ts';
import { TextSoFar } from '../text-so-far.ts';
import { wellFormed } from '../well-formed.ts';
import { decodePart } from './decode-part.ts';
import { seedOf, usageOf } from './decode-response.ts';
import { madeId } from './function-call.ts';
import type { Fields } from './origin.ts';
import { PartialFunctionCall } from './partial-function-call.ts';
import { Turn } from './turn.ts';

/** Puts the first candidate together from the chunks of a stream. Parts come whole, but for text, and calls on Vertex AI. */
export class GeminiAssembly implements Assembly {
  /** The parts that are whole, as the wire has them. */
  readonly #parts: Fields[] = [];
  /** The same parts, each read once. */
  readonly #turn = new Turn();
  /** The part that is coming. */
  #open: PartialText | PartialFunctionCall | undefined;
  #candidates = 1;
  #finishReason: string | undefined;
  /** What is told of the response as a whole. */
  #told: Fields = {};
  #seed: string | undefined;
  failure: string | undefined;

  add({ candidates, promptFeedback, usageMetadata, responseId, error }: Fields): void {
    if (error) this.failure = failureOf(error);
    for (const [key, value] of Object.entries({ promptFeedback, usageMetadata, responseId }))
      if (value !== undefined && value !== this.#told[key]) this.#told = { ...this.#told, [key]: value };
    if (Array.isArray(candidates)) candidates.forEach((candidate: unknown, at) => this.#addCandidate(candidate, at));
  }

  #addCandidate(candidate: unknown, at: number): void {
    if (!isRecord(candidate)) return;
    const { index = at, content, finishReason } = candidate;
    if (typeof index === 'number' && index > 0) {
      this.#candidates = Math.max(this.#candidates, index + 1);
      return;
    }
    if (typeof finishReason === 'string') this.#finishReason = finishReason;
    const parts: unknown = isRecord(content) ? content['parts'] : undefined;
    if (Array.isArray(parts)) for (const part of parts as readonly unknown[]) if (isRecord(part)) this.#addPart(part);
  }

  #addPart(part: Fields): void {
    if (this.#open?.takes(part) === true) return;
    const isText = PartialText.isBegunBy(part);
    const isNothing = isText && part['text'] === '' && (this.#parts.length > 0 || this.#open !== undefined);
    if (isNothing) return;
    this.#close();
    if (isText) {
      this.#turn.mark();
      this.#open = new PartialText(part);
    } else if (PartialFunctionCall.isBegunBy(part)) {
      this.#open = new PartialFunctionCall();
      this.#open.takes(part);
    } else this.#keep(part);
  }

  /** Empty text is a part only where there is no other. */
  #close(): void {
    const whole = this.#open?.whole();
    this.#open = undefined;
    if (whole !== undefined && whole['text'] !== '') this.#keep(whole);
  }

  #keep(part: Fields): void {
    this.#turn.add(wellFormed(part, [], '') as Fields, this.#seedOfNext());
    this.#parts.push(part);
  }

  /** What makes the id of a call that comes next without one; of the id of the response, where that is known. */
  #seedOfNext(): string {
    this.#seed ??= seedOf(this.#told['responseId'] ?? newId(), undefined);
    return `${this.#seed}_${this.#parts.length}`;
  }

  said(): ReturnType<Turn['said']> | undefined {
    const open = this.#open;
    if (open instanceof PartialText) {
      const part = open.soFar();
      return this.#turn.isEmpty && part.isEmpty() ? undefined : this.#turn.said([part]);
    }
    const call = open?.soFar(madeId(this.#seedOfNext()));
    if (call !== undefined) return this.#turn.said([], [call]);
    return this.#turn.isEmpty ? undefined : this.#turn.said();
  }

  usage(): Usage | undefined {
    return usageOf(this.#told['usageMetadata']);
  }

  /** The end is told by the reason, or by why the prompt was blocked. */
  response(): unknown {
    const { promptFeedback } = this.#told;
    const isBlocked = isRecord(promptFeedback) && promptFeedback['blockReason'] !== undefined;
    if (this.#finishReason === undefined && !isBlocked) return undefined;
    const open = this.#open === undefined ? [] : [this.#open.whole()];
    const candidate = { content: { parts: [...this.#parts, ...open] }, finishReason: this.#finishReason };
    const others = Array.from({ length: this.#candidates - 1 }, () => ({}));
    return { ...this.#told, candidates: [candidate, ...others] };
  }
}

/** Text, or a thought, that goes on as long as pieces of its kind come. */
class PartialText {
  readonly #sides: Fields;
  readonly #text = new TextSoFar();

  constructor({ text, ...sides }: Fields) {
    this.#sides = sides;
    this.#text.add(text as string);
  }

  /** Whether a part is a piece of text: one with a signature, or with anything else, stands for itself (ai.google.dev, Thought signatures). */
  static isBegunBy({ text, thought: _thought, ...others }: Fields): boolean {
    return typeof text === 'string' && Object.keys(others).length === 0;
  }

  /** Takes a piece, if it goes on with this text. */
  takes(part: Fields): boolean {
    const goesOn = PartialText.isBegunBy(part) && (part['thought'] === true) === (this.#sides['thought'] === true);
    if (goesOn) this.#text.add(part['text'] as string);
    return goesOn;
  }

  soFar(): ContentPart {
    return decodePart({ ...this.#sides, text: this.#text.soFar() });
  }

  whole(): Fields {
    return { ...this.#sides, text: this.#text.whole() };
  }
}
