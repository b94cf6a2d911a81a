import { isRecord } from '../../schema/json.ts';
import { TextSoFar } from '../text-so-far.ts';
import type { Fields } from './origin.ts';

/** A thought while it arrives, chunk by chunk. */
export class PartialThought {
  readonly #text = new TextSoFar();
  /** Its pieces: texts that go on, and references. Undefined where it came as plain text. */
  #pieces: (TextSoFar | Fields)[] | undefined;
  /** What else was told of it. */
  #others: Fields = {};

  /** Takes a chunk. */
  add({ thinking, ...others }: Fields): void {
    for (const [key, value] of Object.entries(others))
      if (value !== this.#others[key] && (value !== null || !Object.hasOwn(this.#others, key)))
        this.#others = { ...this.#others, [key]: value };
    if (typeof thinking === 'string') this.#text.add(thinking);
    if (!Array.isArray(thinking)) return;
    const pieces = (this.#pieces ??= []);
    for (const piece of thinking as readonly unknown[]) if (isRecord(piece)) this.#addPiece(piece, pieces);
  }

  #addPiece(piece: Fields, pieces: (TextSoFar | Fields)[]): void {
    const { type, text } = piece;
    if (typeof text === 'string') this.#text.add(text);
    if (type !== 'text' || typeof text !== 'string' || Object.keys(piece).length > 2) return void pieces.push(piece);
    const last = pieces.at(-1);
    const open = last instanceof TextSoFar ? last : new TextSoFar();
    open.add(text);
    if (open !== last) pieces.push(open);
  }

  /** Whether its proof came, behind which nothing of it does. */
  get isSigned(): boolean {
    return typeof this.#others['signature'] === 'string';
  }

  /** Its text so far. */
  soFar(): string {
    return this.#text.soFar();
  }

  /** The chunk as the wire has it without a stream. */
  whole(): Fields {
    const pieces = this.#pieces?.map((one) => (one instanceof TextSoFar ? { type: 'text', text: one.whole() } : one));
    return { ...this.#others, thinking: pieces ?? this.#text.whole() };
  }
}
