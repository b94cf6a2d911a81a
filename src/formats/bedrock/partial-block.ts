import { parseJsonText } from '../../internal/json-text.ts';
import { ContentPart } from '../../model/content-part.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord } from '../../schema/json.ts';
import { partialCall } from '../partial-call.ts';
import { TextSoFar } from '../text-so-far.ts';
import { base64Of, joinedBase64 } from './bytes.ts';
import { decodeSaid, ownCopy } from './decode-block.ts';
import { originOf, recordOf } from './origin.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The blocks that come in pieces. */
type Kind = 'text' | 'toolUse' | 'reasoningContent' | 'toolResult' | 'image';

/** A block of a response while its pieces arrive. */
export class PartialBlock {
  readonly #kind: Kind;
  /** What came whole. */
  #fields: Fields;
  /** A text, what was thought, or the JSON of an input. */
  readonly #text = new TextSoFar();
  /** Citations, or the blocks of an answer. */
  readonly #items: unknown[] = [];
  /** What was thought, unreadable. */
  readonly #hidden: string[] = [];
  #isClosed = false;
  #whole: ContentPart | ToolCall | undefined;

  constructor(kind: Kind, start: Fields) {
    this.#kind = kind;
    this.#fields = start;
  }

  static isKind(kind: string): kind is Kind {
    return /^(text|toolUse|reasoningContent|toolResult|image)$/.test(kind);
  }

  /** Whether a delta of this key is one of this block; those that are not known are nobody's. */
  takes(key: string): boolean {
    return !this.#isClosed && (key === this.#kind || (key === 'citation' && this.#kind === 'text'));
  }

  /** Takes a delta. */
  add(key: string, value: unknown): void {
    if (key === 'text') this.#addText(value);
    else if (key === 'citation') this.#items.push(value);
    else if (key === 'toolUse') this.#addText(recordOf(value)['input']);
    else if (key === 'reasoningContent') this.#addThought(isRecord(value) ? value : {});
    else if (Array.isArray(value)) for (const item of value as readonly unknown[]) this.#addResult(item);
    else if (isRecord(value)) this.#fields = { ...this.#fields, ...value };
  }

  #addText(piece: unknown): void {
    if (typeof piece === 'string') this.#text.add(piece);
  }

  #addThought({ text, signature, redactedContent }: Fields): void {
    this.#addText(text);
    const { signature: proof = '' } = this.#fields as Readonly<Record<string, string>>;
    if (typeof signature === 'string') this.#fields = { signature: proof + signature };
    if (redactedContent !== undefined) this.#hidden.push(base64Of(redactedContent));
  }

  /** Texts in a row are one. */
  #addResult(item: unknown): void {
    const { text } = recordOf(item);
    const { text: before } = recordOf(this.#items.at(-1));
    if (typeof text !== 'string' || typeof before !== 'string') this.#items.push(item);
    else this.#items[this.#items.length - 1] = { text: before + text };
  }

  /** Notes that nothing more comes. */
  close(): void {
    this.#isClosed = true;
  }

  /** The block as the wire has it without a stream. */
  whole(): Fields {
    const kind = this.#kind;
    const fields = this.#fields;
    const text = this.#text.whole();
    const items = this.#items;
    if (kind === 'text')
      return items.length === 0 ? { text } : { citationsContent: { content: [{ text }], citations: [...items] } };
    if (kind === 'toolUse') return { toolUse: { ...fields, input: this.#inputIn(text) } };
    if (kind === 'toolResult') return { toolResult: { ...fields, content: [...items] } };
    if (kind === 'image') return { image: fields };
    const isHidden = this.#hidden.length > 0;
    return {
      reasoningContent: isHidden
        ? { redactedContent: joinedBase64(this.#hidden) }
        : { reasoningText: { text, ...fields } },
    };
  }

  /** The input in its JSON; that of a call which was cut stays text. */
  #inputIn(json: string): unknown {
    const fallback = this.#fields['type'] === undefined && json.trim() !== '' ? json : {};
    try {
      const input = parseJsonText(json);
      return isRecord(input) ? input : fallback;
    } catch {
      return fallback;
    }
  }

  /**
   * What `decode` gives of it. Before its end: a text, reasoning without proof, or a call, as far as they came;
   * nothing of another block.
   */
  soFar(): ContentPart | ToolCall | undefined {
    if (!this.#isClosed) return this.#open();
    return (this.#whole ??= decodeSaid(ownCopy(this.whole(), [], ''), ''));
  }

  #open(): ContentPart | ToolCall | undefined {
    const { toolUseId: id, name, type } = this.#fields;
    const text = this.#text.soFar();
    if (this.#kind === 'toolUse' && type === undefined) return partialCall(id, name, text);
    if (text === '') return undefined;
    if (this.#kind === 'text') return ContentPart.plain(text);
    return this.#kind === 'reasoningContent'
      ? ContentPart.owning({ type: 'reasoning', text, _origin: originOf() as never })
      : undefined;
  }
}
