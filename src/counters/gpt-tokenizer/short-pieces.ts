/** The tokenizer takes time with the square of a piece; real words are shorter. */
const LONGEST_RUN = 1024;

/**
 * The text in pieces, each cut only inside a run of more than 1024 characters of one kind: letters, digits, signs or
 * white space. So a text of one endless word takes time with its length, at the cost of about a token a cut.
 */
export function* shortPieces(text: string): Generator<string, void, undefined> {
  let start = 0;
  let run = 0;
  let before = '';
  for (let at = 0; text.length > LONGEST_RUN && at < text.length; at += 1) {
    const kind = kindOf(text.charCodeAt(at));
    run = kind === before ? run + 1 : 1;
    before = kind;
    if (run > LONGEST_RUN && !isLowSurrogate(text.charCodeAt(at))) {
      yield text.slice(start, at);
      start = at;
      run = 1;
    }
  }
  yield start === 0 ? text : text.slice(start);
}

/** What is not ASCII may be letters: their run may be cut, which is better than one that is not. */
function kindOf(code: number): string {
  if (code >= 0x80 || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return 'letter';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) ? 'space' : 'sign';
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
