/** Control characters, and what ends a line or a paragraph in Unicode. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Whether text is shown in one line, and holds no control characters. */
export function isOneLine(text: string): boolean {
  return !BREAKS.test(text);
}

/** Text in one line: each run of white space and control characters is one space. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
