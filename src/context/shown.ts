import type { Message } from '../model/message.ts';
import { toldContent } from './told.ts';

/** The beginning of what a message says, quoted: `"How cold is it in …"`, `"[image]"`. */
export function shown({ content }: Message, characters: number, written = (text: string): string => text): string {
  const text = written(toldContent(content));
  return JSON.stringify(text.length > characters ? `${[...text].slice(0, characters).join('')}…` : text);
}
