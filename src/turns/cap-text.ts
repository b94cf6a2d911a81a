import { Content } from '../model/content.ts';
import type { ContentPart } from '../model/content-part.ts';

const MARK = '\n[cut: the rest is left out]';

/** Text of at most so many UTF-8 bytes, cut between characters; what is cut ends in a visible mark, which counts. */
export function capText(text: string, maxBytes: number): string {
  // No character takes more than three bytes a code unit.
  if (text.length * 3 <= maxBytes || endWithin(text, maxBytes) === text.length) return text;
  return text.slice(0, endWithin(text, maxBytes - MARK.length)) + markWithin(maxBytes);
}

/** Content whose texts have at most so many UTF-8 bytes together: see {@link capText}. Other parts stay as they are. */
export function capContent(content: Content, maxBytes: number): Content {
  const text = content.plainText;
  if (text === undefined) return capParts(content, maxBytes);
  const capped = capText(text, maxBytes);
  return capped === text ? content : Content.text(capped);
}

function capParts(content: Content, maxBytes: number): Content {
  const parts = [...content.parts];
  const bytes = parts.reduce((sum, part) => sum + (part.isTextPart() ? byteLength(part.toString()) : 0), 0);
  return bytes <= maxBytes ? content : Content.of(...cutParts(parts, maxBytes));
}

/** The parts up to the text that is too much, which ends in the mark; of what follows, all but the texts. */
function cutParts(parts: readonly ContentPart[], maxBytes: number): ContentPart[] {
  let left = maxBytes - MARK.length;
  let isCut = false;
  return parts.flatMap((part) => {
    if (!part.isTextPart()) return [part];
    if (isCut) return [];
    const text = part.toString();
    const end = endWithin(text, left);
    isCut = end < text.length;
    left -= byteLength(text);
    return isCut ? [part.withField('text', text.slice(0, end) + markWithin(maxBytes))] : [part];
  });
}

/** The mark, or as much of it as there is room for. */
function markWithin(maxBytes: number): string {
  return MARK.slice(0, Math.max(maxBytes, 0));
}

function byteLength(text: string): number {
  let bytes = 0;
  for (const char of text) bytes += bytesOf(char.codePointAt(0) as number);
  return bytes;
}

/** Where the longest beginning of a text ends that has so many UTF-8 bytes at the most. */
function endWithin(text: string, maxBytes: number): number {
  let bytes = 0;
  let end = 0;
  for (const char of text) {
    bytes += bytesOf(char.codePointAt(0) as number);
    if (bytes > maxBytes) break;
    end += char.length;
  }
  return end;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
