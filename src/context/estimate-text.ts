import { type Script, scriptOf } from './scripts.ts';

/** All costs are hundredths of a token. */
const TOKEN = 100;
/** What a word costs more for each ASCII letter beyond the first five, and once more beyond the first ten. */
const LONG_WORD = 5;
const VERY_LONG_WORD = 10;
const PER_LONG_LETTER = 12;
/** What a word of more than three letters costs more that ends in such a vowel: it is rarely English. */
const FOREIGN_ENDING = 45;
/** What capitals cost beyond the first two of a word, up to the fifth: codes and abbreviations are rarely one token. */
const PER_CAPITAL = 42;
const COSTLY_CAPITALS = 3;
/** What a sign costs that joins the word behind it: `.map`, `_id`, `(path`. */
const JOINED_SIGN = 30;
/** What signs cost beyond the first three that stand together, and where one repeats the one before. */
const PER_SIGN = 35;
const PER_REPEATED_SIGN = 3;
/** What white space costs beyond its first token. */
const PER_SPACE = 2;

/**
 * About how many tokens a text is, in one pass. The text is cut as `o200k_base` cuts it before it joins bytes to tokens: a
 * word takes the one space or sign in front of it, digits go by threes, signs stand together and take the line breaks
 * behind them. What a piece costs is estimated from its letters.
 */
export function estimateText(text: string): number {
  return text === '' ? 0 : Math.max(1, Math.round(new Scan(text).cost() / TOKEN));
}

class Scan {
  readonly #text: string;
  #at = 0;
  #cost = 0;

  constructor(text: string) {
    this.#text = text;
  }

  cost(): number {
    while (this.#at < this.#text.length) this.#takePiece(this.#text.charCodeAt(this.#at));
    return this.#cost;
  }

  #takePiece(code: number): void {
    if (code >= 0x80) this.#takeForeign(scriptOf(code));
    else if (isLetter(code)) this.#takeWord();
    else if (isSpace(code)) this.#takeSpace();
    else if (isDigit(code)) this.#takeDigits();
    else this.#takeSigns();
  }

  #takeForeign({ kind, cost }: Script): void {
    if (kind === 'letter') this.#takeWord();
    else if (kind === 'sign') this.#takeSigns();
    else {
      this.#cost += cost;
      this.#at += 1;
    }
  }

  /** Letters up to a capital behind a small one: `camelCase` is two words. */
  #takeWord(): void {
    const text = this.#text;
    let at = this.#at;
    let capitals = 0;
    let small = 0;
    let marked = 0;
    for (let code = text.charCodeAt(at); isLetter(code); code = text.charCodeAt((at += 1))) {
      if (isSmall(code)) small += 1;
      else if (code >= 0x80) marked += scriptOf(code).cost;
      else if (small === 0) capitals += 1;
      else break;
    }
    this.#at = at;
    this.#cost += TOKEN + marked + manyCapitals(capitals) + longWord(capitals + small);
    if (small > 3 && isForeignEnding(this.#code(-1))) this.#cost += FOREIGN_ENDING;
    if (this.#code(0) === APOSTROPHE) this.#at += contraction(this.#code(1), this.#code(2), this.#code(3));
  }

  /** Line breaks are one token. Of spaces behind them, the last one joins a word or a sign. */
  #takeSpace(): void {
    let afterBreak = this.#at;
    const start = this.#at;
    for (let code = this.#code(0); isSpace(code); code = this.#code(0)) {
      this.#at += 1;
      if (isBreak(code)) afterBreak = this.#at;
    }
    const spaces = this.#at - afterBreak;
    const next = this.#code(0);
    const joined = Number.isNaN(next) || isDigit(next) ? 0 : 1;
    const tokens = (afterBreak > start ? 1 : 0) + (spaces > joined ? 1 : 0) + (spaces > 1 && isDigit(next) ? 1 : 0);
    this.#cost += TOKEN * tokens + PER_SPACE * Math.max(0, this.#at - start - 2);
  }

  #takeDigits(): void {
    const start = this.#at;
    while (isDigit(this.#code(0))) this.#at += 1;
    this.#cost += TOKEN * Math.ceil((this.#at - start) / 3);
  }

  #takeSigns(): void {
    const start = this.#at;
    let extra = 0;
    for (let code = this.#code(0); isSign(code); code = this.#code(0)) {
      if (this.#at - start >= 3) extra += code === this.#code(-1) ? PER_REPEATED_SIGN : PER_SIGN;
      this.#at += 1;
    }
    const isJoined = this.#at - start === 1 && isLetter(this.#code(0)) && !isBlank(this.#code(-2));
    this.#cost += isJoined ? JOINED_SIGN : TOKEN + extra;
    while (isBreak(this.#code(0))) this.#at += 1;
  }

  /** The code unit so far from here; outside of the text NaN, which is of no kind. */
  #code(offset: number): number {
    return this.#text.charCodeAt(this.#at + offset);
  }
}

function manyCapitals(capitals: number): number {
  return PER_CAPITAL * Math.min(COSTLY_CAPITALS, Math.max(0, capitals - 2));
}

function longWord(letters: number): number {
  return PER_LONG_LETTER * (Math.max(0, letters - LONG_WORD) + Math.max(0, letters - VERY_LONG_WORD));
}

const APOSTROPHE = 0x27;
/** The letters of the endings that are looked at. */
const LETTER = {
  a: 0x61,
  d: 0x64,
  e: 0x65,
  i: 0x69,
  l: 0x6c,
  m: 0x6d,
  o: 0x6f,
  r: 0x72,
  s: 0x73,
  t: 0x74,
  u: 0x75,
  v: 0x76,
} as const;

/** How long the ending of `don't`, `I'll` or `she's` is; 0 where it is none. */
function contraction(first: number, second: number, third: number): number {
  if (!isLetter(second))
    return first === LETTER.s || first === LETTER.t || first === LETTER.m || first === LETTER.d ? 2 : 0;
  if (isLetter(third)) return 0;
  const isEnding =
    second === LETTER.e ? first === LETTER.r || first === LETTER.v : first === LETTER.l && second === LETTER.l;
  return isEnding ? 3 : 0;
}

function isForeignEnding(code: number): boolean {
  return code === LETTER.a || code === LETTER.i || code === LETTER.o || code === LETTER.u;
}

function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isLetter(code: number): boolean {
  return isSmall(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x80 && scriptOf(code).kind === 'letter');
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isSpace(code: number): boolean {
  return isBlank(code) || isBreak(code);
}

/** ASCII that is nothing else, and signs beyond it. */
function isSign(code: number): boolean {
  if (code >= 0x80) return scriptOf(code).kind === 'sign';
  return code >= 0 && !isLetter(code) && !isDigit(code) && !isSpace(code);
}
