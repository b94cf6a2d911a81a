import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { copyJsonObject, isRecord } from '../../schema/json.ts';
import { TextSoFar } from '../text-so-far.ts';
import { wellFormed } from '../well-formed.ts';
import { decodeChunk } from './decode-chunk.ts';
import { type Fields, originOf } from './origin.ts';
import { PartialThought } from './partial-thought.ts';
import { fromSdk } from './sdk.ts';

/** The content of a message while it arrives, as text and as lists of chunks: text and thoughts come in pieces. */
export class PartialContent {
  /** The chunks that are whole, as the wire has them. */
  readonly #chunks: Fields[] = [];
  /** The same chunks, each read once. */
  readonly #parts: ContentPart[] = [];
  /** What is coming. */
  #open: TextSoFar | PartialThought | undefined;
  #form: 'none' | 'text' | 'list' = 'none';

  /** Takes what a delta has as its content, of a model where that is known. */
  add(content: unknown, model: string | undefined): void {
    if (typeof content === 'string') {
      if (this.#form === 'none') this.#form = 'text';
      if (content !== '') this.#addText(content, model);
    } else if (Array.isArray(content)) {
      this.#form = 'list';
      for (const chunk of content as readonly unknown[]) if (isRecord(chunk)) this.#addChunk(chunk, model);
    }
  }

  #addChunk(chunk: Fields, model: string | undefined): void {
    const { type, text } = chunk;
    if (typeof type !== 'string') return;
    if (type === 'text' && typeof text === 'string' && Object.keys(chunk).length === 2)
      return this.#addText(text, model);
    if (type === 'thinking') {
      if (!(this.#open instanceof PartialThought) || this.#open.isSigned) this.#begin(new PartialThought(), model);
      return (this.#open as PartialThought).add(chunk);
    }
    this.#begin(undefined, model);
    this.#keep(chunk, model);
  }

  #addText(text: string, model: string | undefined): void {
    if (!(this.#open instanceof TextSoFar)) this.#begin(new TextSoFar(), model);
    (this.#open as TextSoFar).add(text);
  }

  #begin(next: TextSoFar | PartialThought | undefined, model: string | undefined): void {
    if (this.#open !== undefined) this.#keep(wholeOf(this.#open), model);
    this.#open = next;
  }

  #keep(chunk: Fields, model: string | undefined): void {
    const sound = fromSdk(wellFormed(chunk, [], 'content'));
    this.#parts.push(decodeChunk(copyJsonObject(sound, 'content'), 'content', 'assistant', model));
    this.#chunks.push(chunk);
  }

  /** What was said so far. A thought that is coming is not signed. */
  soFar(model: string | undefined): Content {
    const text = this.#open?.soFar() ?? '';
    if (this.#parts.length === 0 && !(this.#open instanceof PartialThought)) return Content.owning(text);
    if (text === '') return Content.owningParts([...this.#parts]);
    const isText = this.#open instanceof TextSoFar;
    const coming = isText ? ContentPart.plain(text) : thought(text, model);
    return Content.owningParts([...this.#parts, coming]);
  }

  /** The content as the wire has it without a stream. */
  whole(): unknown {
    const open = this.#open;
    if (this.#form === 'text') return open instanceof TextSoFar ? open.whole() : '';
    if (this.#form === 'none') return null;
    return open === undefined ? this.#chunks : [...this.#chunks, wholeOf(open)];
  }
}

function wholeOf(open: TextSoFar | PartialThought): Fields {
  return open instanceof TextSoFar ? { type: 'text', text: open.whole() } : open.whole();
}

function thought(text: string, model: string | undefined): ContentPart {
  return ContentPart.owning({ type: 'reasoning', text, _origin: { ...originOf({}, model) } });
}
