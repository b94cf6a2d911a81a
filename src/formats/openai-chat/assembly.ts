import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { isRecord } from '../../schema/json.ts';
import type { Assembly } from '../accumulator.ts';
import { failureOf } from '../failure.ts';
import type { Usage } from '../format.ts';
import { TextSoFar } from '../text-so-far.ts';
import { decodeUsage } from './decode.ts';
import { PartialCalls } from './partial-calls.ts';
import { PartialContent } from './partial-content.ts';
import { REFUSAL_FIELD } from './parts.ts';
import { REASONING_FIELDS, reasoningPart } from './reasoning-field.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Puts the first choice together from the chunks of a stream, as the `openai` package does. */
export class ChatAssembly implements Assembly {
  readonly #calls = new PartialCalls();
  readonly #content = new PartialContent();
  /** The other texts of the message, by their keys. */
  readonly #texts = new Map<string, TextSoFar>();
  /** What else the message has. */
  #others: Fields = {};
  #choices = 1;
  #finish: string | undefined;
  #usage: Fields | undefined;
  failure: string | undefined;

  add({ choices, usage, error }: Fields): void {
    if (isRecord(usage)) this.#usage = usage;
    if (error) this.failure = failureOf(error);
    if (Array.isArray(choices)) for (const choice of choices as readonly unknown[]) this.#addChoice(choice);
  }

  #addChoice(choice: unknown): void {
    if (!isRecord(choice)) return;
    const { index, delta, finish_reason: finish } = choice;
    if (typeof index === 'number' && index > 0) {
      this.#choices = Math.max(this.#choices, index + 1);
      return;
    }
    if (typeof finish === 'string' && finish !== '') this.#finish = finish;
    if (isRecord(delta)) for (const [key, value] of Object.entries(delta)) this.#addField(key, value);
  }

  #addField(key: string, value: unknown): void {
    if (key === 'role') return;
    if (key === 'tool_calls') {
      if (Array.isArray(value)) for (const fragment of value as readonly unknown[]) this.#calls.add(fragment);
    } else if (key === 'content') this.#content.add(value);
    else if (typeof value === 'string') this.#textAt(key).add(value);
    else this.#others = { ...this.#others, [key]: joined(this.#others[key], value) };
  }

  #textAt(key: string): TextSoFar {
    const text = this.#texts.get(key) ?? new TextSoFar();
    this.#texts.set(key, text);
    return text;
  }

  said(): { readonly content: Content; readonly toolCalls: ToolCalls } | undefined {
    const content = this.#contentSoFar();
    const toolCalls = ToolCalls.owning(this.#calls.soFar());
    return content.isEmpty() && toolCalls.isEmpty() ? undefined : { content, toolCalls };
  }

  #contentSoFar(): Content {
    const soFar = (key: string): string => this.#texts.get(key)?.soFar() ?? '';
    const reasoning = REASONING_FIELDS.map((key) => [key, soFar(key)] as const).find(([, text]) => text !== '');
    const refusal = soFar('refusal');
    const content = this.#content.soFar();
    if (reasoning === undefined && refusal === '') return content;
    return Content.owningParts([
      ...(reasoning === undefined ? [] : [reasoningPart(...reasoning)]),
      ...(content.isEmpty() ? [] : content.parts),
      ...(refusal === '' ? [] : [ContentPart.of('refusal', { refusal, _origin: REFUSAL_FIELD })]),
    ]);
  }

  usage(): Usage | undefined {
    return decodeUsage(this.#usage);
  }

  /** The end is told by the reason; of speech that is all a message has, by when it expires. */
  response(): unknown {
    const { audio } = this.#others;
    if (this.#finish === undefined && !(isRecord(audio) && 'expires_at' in audio)) return undefined;
    const calls = this.#calls.whole();
    const texts = Array.from(this.#texts, ([key, text]) => [key, text.whole()] as const);
    const message = {
      role: 'assistant',
      content: this.#content.whole(),
      ...this.#others,
      ...Object.fromEntries(texts),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const others = Array.from({ length: this.#choices - 1 }, () => ({}));
    return { choices: [{ message, finish_reason: this.#finish }, ...others], usage: this.#usage };
  }
}

/** What pieces that are no text become together: lists go on, records are filled, anything else is told anew. */
function joined(before: unknown, piece: unknown): unknown {
  if (piece === null || piece === undefined) return before ?? piece;
  if (Array.isArray(piece)) return Array.isArray(before) ? pushed(before, piece) : [...(piece as readonly unknown[])];
  return isRecord(piece) && isRecord(before) ? filled(before, piece) : piece;
}

function pushed(before: unknown[], piece: readonly unknown[]): unknown[] {
  for (const item of piece) before.push(item);
  return before;
}

/** The keys of records whose text arrives in pieces. */
const PIECES: ReadonlySet<string> = /* @__PURE__ */ new Set(['data', 'transcript', 'arguments']);

function filled(before: Fields, piece: Fields): Fields {
  const joinedTexts = Object.entries(piece).map(([key, value]) => {
    const old = before[key];
    return [key, PIECES.has(key) && typeof old === 'string' && typeof value === 'string' ? old + value : value];
  });
  return { ...before, ...(Object.fromEntries(joinedTexts) as Fields) };
}
