import { copyJsonObject, isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { TextSoFar } from '../text-so-far.ts';
import { wellFormed } from '../well-formed.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object of a stream, of which one text comes in pieces. */
export class PartialFields {
  /** All of it but the text. */
  fields: JsonObject = {};
  readonly #key: string;
  #text = new TextSoFar();
  /** What is cited, where some of it came for itself. */
  #annotations: JsonValue[] | undefined;

  constructor(key: string, begun: Fields) {
    this.#key = key;
    this.set(begun);
  }

  /** Takes the whole object, as far as it is known. */
  set(fields: Fields): void {
    const { [this.#key]: text, ...others } = fields;
    this.fields = copyJsonObject(wellFormed(others, [], ''), '');
    this.#annotations = undefined;
    if (typeof text === 'string') this.replace(text);
  }

  /** Takes a piece of the text. */
  add(piece: unknown): void {
    if (typeof piece === 'string') this.#text.add(piece);
  }

  /** Takes the whole text. */
  replace(text: unknown): void {
    this.#text = new TextSoFar();
    this.add(text);
  }

  /** Takes something that is cited. */
  annotate(annotation: unknown): void {
    if (!isRecord(annotation)) return;
    this.#annotations ??= [this.fields['annotations'] ?? []].flat();
    this.#annotations.push(copyJsonObject(wellFormed(annotation, [], ''), ''));
  }

  /** The text, as far as it can be shown. */
  soFar(): string {
    return this.#text.soFar();
  }

  /** The object as the wire has it without a stream. */
  whole(): JsonObject {
    return this.#with(this.#text.whole());
  }

  /** The object with the text as far as it can be shown. */
  shown(): JsonObject {
    return this.#with(this.soFar());
  }

  #with(text: string): JsonObject {
    const cited = this.#annotations && { annotations: [...this.#annotations] };
    return { ...this.fields, ...cited, [this.#key]: text };
  }
}
