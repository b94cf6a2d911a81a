import { parseJsonText } from '../internal/json-text.ts';
import { isRecord } from '../schema/json.ts';

/** Text that arrives in pieces. */
export class TextSoFar {
  #text = '';
  /** The first half of a character, whose second half comes with the next piece. */
  #half = '';
  #isBroken = false;
  /** The last piece that is not blank. */
  #last = '';

  /** Takes a piece. Constant time: the pieces are joined when the text is first read as a whole. */
  add(piece: string): void {
    if (piece === '') return;
    if (piece.trim() !== '') this.#last = piece;
    const joined = this.#half + piece;
    this.#half = HIGH_SURROGATE.test(joined.slice(-1)) ? joined.slice(-1) : '';
    const whole = this.#half === '' ? joined : joined.slice(0, -1);
    this.#isBroken ||= !whole.isWellFormed();
    this.#text += whole;
  }

  /** All of it, byte for byte. */
  whole(): string {
    return this.#text + this.#half;
  }

  /** Whether it is a JSON object. Constant time as long as no piece ends as one does. */
  isObject(): boolean {
    if (!this.#last.trimEnd().endsWith('}')) return false;
    try {
      return isRecord(parseJsonText(this.whole()));
    } catch {
      return false;
    }
  }

  /** What can be shown and kept: without half a character at its end, others replaced by U+FFFD. */
  soFar(): string {
    return this.#isBroken ? this.#text.toWellFormed() : this.#text;
  }
}

const HIGH_SURROGATE = /[\uD800-\uDBFF]/;
