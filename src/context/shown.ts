import type { Message } from '../model/message.ts';
import { oneLine } from './one-line.ts';
import { toldContent } from './told.ts';

/** The beginning of what a message says, quoted, on one line: `"How cold is it in …"`, `"[image]"`. */
export function shown({ content }: Message, characters: number): string {
  const text = oneLine(toldContent(content));
  return JSON.stringify(text.length > characters ? `${[...text].slice(0, characters).join('')}…` : text);
}
