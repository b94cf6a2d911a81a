import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { isRecord } from '../../schema/json.ts';
import { TextSoFar } from '../text-so-far.ts';
import { wellFormed } from '../well-formed.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The content of a message while it arrives: text, or lists of parts, in which some servers tell what was thought. */
export class PartialContent {
  readonly #parts: (Fields | TextSoFar)[] = [];
  #isText = true;

  /** Takes what a delta has as its content. */
  add(content: unknown): void {
    if (typeof content === 'string') this.#addText(content);
    else for (const part of [content].flat()) this.#addPart(part);
  }

  #addText(text: string): void {
    const last = this.#parts.at(-1);
    const open = last instanceof TextSoFar ? last : new TextSoFar();
    open.add(text);
    if (open !== last) this.#parts.push(open);
  }

  #addPart(part: unknown): void {
    if (!isRecord(part)) return;
    this.#isText = false;
    const { type, text } = part;
    if (type === 'text' && typeof text === 'string' && Object.keys(part).length === 2) this.#addText(text);
    else this.#parts.push(part);
  }

  /** What came so far. */
  soFar(): Content {
    if (this.#isText) return Content.owning((this.#parts[0] as TextSoFar | undefined)?.soFar() ?? '');
    const parts = this.#parts.map((part) =>
      part instanceof TextSoFar ? ContentPart.plain(part.soFar()) : partOf(part),
    );
    return Content.owningParts(parts.filter((part) => !part.isEmpty()));
  }

  /** The content as the wire has it without a stream. */
  whole(): unknown {
    if (this.#isText) return (this.#parts[0] as TextSoFar | undefined)?.whole() ?? null;
    const parts = this.#parts.map((part) => (part instanceof TextSoFar ? { type: 'text', text: part.whole() } : part));
    return parts.filter((part) => part.text !== '');
  }
}

/** A part as it is read without a stream. */
function partOf(part: Fields): ContentPart {
  const sound = wellFormed(part, [], '');
  return Content.from([isRecord(sound) ? sound : part]).parts.first() as ContentPart;
}
