import { parseJsonText } from '../../internal/json-text.ts';
import { ContentPart } from '../../model/content-part.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { copyJsonObject, isRecord } from '../../schema/json.ts';
import { partialCall } from '../partial-call.ts';
import { TextSoFar } from '../text-so-far.ts';
import { wellFormed } from '../well-formed.ts';
import { decodeBlock } from './decode-block.ts';
import { reasoningOf } from './reasoning.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The blocks of deltas that are not called after them. */
const KINDS: Readonly<Record<string, string>> = { citations: 'text', signature: 'thinking', input_json: 'tool_use' };

/** A block of a response while its pieces arrive. */
export class PartialBlock {
  /** What came whole, or is told anew. */
  #fields: Fields;
  /** A text, what was thought, or the JSON of an input. */
  #pieces: TextSoFar | undefined;
  #citations: unknown[] | undefined;
  /** The field that comes in pieces. */
  readonly #key: 'text' | 'thinking' | 'input';
  /** Whether its start came, or only deltas did. */
  isStarted = true;
  #isClosed = false;
  #whole: ContentPart | ToolCall | undefined;

  constructor(start: Fields) {
    const { type } = start;
    this.#key = type === 'text' || type === 'thinking' ? type : 'input';
    this.#fields = start;
    this.#add(start[this.#key]);
  }

  /** A block whose first delta came before its start, of the kind that this delta is for. */
  static begunBy({ type }: Fields): PartialBlock {
    const name = String(type).replace(/_delta$/, '');
    const block = new PartialBlock({ type: KINDS[name] ?? name });
    block.isStarted = false;
    return block;
  }

  /** Takes the start of a block that a delta began. */
  start(start: Fields): void {
    this.#fields = { ...start, ...this.#fields, type: start['type'] };
    this.isStarted = true;
  }

  /** Takes a delta. What is neither a piece nor a citation is the whole value of its field, as a signature is. */
  add(delta: Fields): void {
    const piece = delta[this.#key === 'input' ? 'partial_json' : this.#key];
    if (typeof piece === 'string') return this.#add(piece);
    const { type: _type, text: _text, thinking: _thinking, partial_json: _json, citation, ...others } = delta;
    this.#fields = { ...this.#fields, ...others };
    if (citation !== undefined) this.#cite(citation);
  }

  #cite(citation: unknown): void {
    const { citations } = this.#fields;
    this.#citations ??= Array.isArray(citations) ? [...(citations as readonly unknown[])] : [];
    this.#citations.push(citation);
    this.#fields = { ...this.#fields, citations: this.#citations };
  }

  #add(piece: unknown): void {
    if (typeof piece === 'string') (this.#pieces ??= new TextSoFar()).add(piece);
  }

  /** Notes that nothing more comes. */
  close(): void {
    this.#isClosed = true;
  }

  /** The block as the wire has it without a stream. */
  whole(): Fields {
    const text = this.#pieces?.whole();
    if (text === undefined) return this.#fields;
    return { ...this.#fields, [this.#key]: this.#key === 'input' ? this.#inputIn(text) : text };
  }

  /** The input in its JSON; that of a call which the limit of tokens cut stays text. */
  #inputIn(json: string): unknown {
    try {
      const input = parseJsonText(json);
      if (isRecord(input)) return input;
    } catch {
      // What is no JSON is not an input.
    }
    return this.#fields['type'] === 'tool_use' && json.trim() !== '' ? json : {};
  }

  /**
   * What `decode` gives of it. Before its end: a text, reasoning without proof, or a call, as far as they came;
   * nothing of another block.
   */
  soFar(model: string | undefined): ContentPart | ToolCall | undefined {
    if (!this.#isClosed) return this.#open(model);
    return (this.#whole ??= decodeBlock(copyJsonObject(wellFormed(this.whole(), [], '')), model, 'content'));
  }

  #open(model: string | undefined): ContentPart | ToolCall | undefined {
    const { type, id, name } = this.#fields;
    const text = this.#pieces?.soFar() ?? '';
    if (type === 'tool_use') return partialCall(id, name, text);
    if (text === '') return undefined;
    if (type === 'text') return ContentPart.plain(text);
    return type === 'thinking' ? reasoningOf(text, model) : undefined;
  }
}
