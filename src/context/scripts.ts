/** How characters beyond ASCII are counted: as letters that join to words, one by one, or as signs that stand together. */
export type Kind = 'letter' | 'single' | 'sign';

/** A stretch of UTF-16 code units up to the next one, and what each costs, in hundredths of a token. */
export interface Script {
  readonly from: number;
  readonly kind: Kind;
  readonly cost: number;
}

/**
 * The stretches, ascending. A word costs one token and, for each letter, what its script costs more: little where
 * `o200k_base` knows whole words (Cyrillic, Arabic), more where it joins few letters (Greek, Thai). Letters of Latin with
 * marks say that a word is not English, which costs more than the letter.
 */
const SCRIPTS: readonly Script[] = [
  { from: 0x0080, kind: 'sign', cost: 0 },
  { from: 0x00c0, kind: 'letter', cost: 65 }, // Latin with marks: à é ñ ö
  { from: 0x00d7, kind: 'sign', cost: 0 },
  { from: 0x00d8, kind: 'letter', cost: 65 },
  { from: 0x0100, kind: 'letter', cost: 160 }, // Latin Extended: ą č ł ş
  { from: 0x01a0, kind: 'letter', cost: 25 }, // Vietnamese: ơ ư
  { from: 0x01b1, kind: 'letter', cost: 100 },
  { from: 0x0370, kind: 'letter', cost: 29 }, // Greek
  { from: 0x0400, kind: 'letter', cost: 130 }, // Cyrillic beyond Russian
  { from: 0x0410, kind: 'letter', cost: 15 }, // Cyrillic
  { from: 0x0450, kind: 'letter', cost: 120 },
  { from: 0x0530, kind: 'letter', cost: 30 }, // Armenian
  { from: 0x0590, kind: 'letter', cost: 25 }, // Hebrew
  { from: 0x0600, kind: 'letter', cost: 17 }, // Arabic
  { from: 0x0700, kind: 'letter', cost: 60 },
  { from: 0x0900, kind: 'letter', cost: 17 }, // Devanagari
  { from: 0x0980, kind: 'letter', cost: 24 }, // Bengali, Tamil, Telugu …
  { from: 0x0e00, kind: 'letter', cost: 42 }, // Thai
  { from: 0x0e80, kind: 'letter', cost: 60 },
  { from: 0x10a0, kind: 'letter', cost: 24 }, // Georgian
  { from: 0x1100, kind: 'single', cost: 100 }, // Hangul in pieces
  { from: 0x1200, kind: 'letter', cost: 60 },
  { from: 0x1e00, kind: 'letter', cost: 25 }, // Vietnamese: ạ ế ộ
  { from: 0x1f00, kind: 'letter', cost: 60 },
  { from: 0x2000, kind: 'sign', cost: 0 },
  { from: 0x2070, kind: 'single', cost: 130 }, // arrows, mathematics
  { from: 0x2500, kind: 'single', cost: 80 }, // boxes
  { from: 0x25a0, kind: 'single', cost: 130 },
  { from: 0x2c00, kind: 'letter', cost: 100 },
  { from: 0x2e80, kind: 'single', cost: 100 },
  { from: 0x3000, kind: 'single', cost: 80 }, // marks of Chinese and Japanese
  { from: 0x3040, kind: 'single', cost: 80 }, // Kana
  { from: 0x3100, kind: 'single', cost: 103 }, // Han
  { from: 0xa000, kind: 'single', cost: 100 },
  { from: 0xac00, kind: 'single', cost: 85 }, // Hangul
  { from: 0xd800, kind: 'single', cost: 200 }, // the first half of a pair: emoji, rare Han
  { from: 0xdc00, kind: 'single', cost: 0 }, // its second half
  { from: 0xe000, kind: 'single', cost: 100 }, // private use, joiners of emoji
  { from: 0xff00, kind: 'single', cost: 80 }, // full-width forms
];

/** The stretch that a code unit beyond ASCII lies in. */
export function scriptOf(code: number): Script {
  let low = 0;
  let high = SCRIPTS.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((SCRIPTS[middle] as Script).from <= code) low = middle;
    else high = middle - 1;
  }
  return SCRIPTS[low] as Script;
}
