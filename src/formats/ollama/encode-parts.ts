import type { ContentPart } from '../../model/content-part.ts';
import type { Message } from '../../model/message.ts';
import { isRecord, type JsonObject } from '../../schema/json.ts';
import type { Loss } from '../format.ts';
import type { OllamaOptions } from './encode.ts';
import { base64In, isBase64 } from './images.ts';
import { isFromHere } from './origin.ts';

/** The part types that a message of each role may carry. Images stand on messages of the user, thinking on those of the model. */
export const PARTS_BY_ROLE = {
  system: ['text'],
  user: ['text', 'image_url'],
  assistant: ['text', 'reasoning'],
  tool: ['text'],
} as const;

/** Tells a loss of a message: where in it, the rule, what became of it, and a sentence. */
export type Tell = (at: string, rule: string, action: Loss['action'], message: string) => void;

/** What a message says on this wire. */
export interface Spoken {
  readonly content: string;
  readonly thinking?: string;
  readonly images?: string[];
}

/** The places on a message, in the order in which they are read back. */
const [THINKING, CONTENT, IMAGES] = [0, 1, 2] as const;

/** Sorts the parts of a message into the three places that this wire has for them, telling what is lost. */
export class PartsEncoder {
  readonly #message: Message;
  readonly #options: OllamaOptions;
  readonly #tell: Tell;
  readonly #said: readonly [string[], string[], string[]] = [[], [], []];
  /** The last place that something was put, to see whether all stands in order. */
  #latest = 0;
  #isMoved = false;
  #isBehindCall = false;
  #isInterleaved = false;

  constructor(message: Message, options: OllamaOptions, tell: Tell) {
    this.#message = message;
    this.#options = options;
    this.#tell = tell;
  }

  /** What goes out of the parts. */
  encode(): Spoken {
    this.#message.content.parts.forEach((part, at) => this.#part(part, `.content[${at}]`));
    if (this.#isMoved) this.#tell('.content', 'part-order', 'moved', 'thinking goes before text, images behind');
    if (this.#isInterleaved) this.#tell('.content', 'interleaving', 'moved', 'content goes before tool calls');
    const [thinking, content, images] = this.#said;
    return {
      content: this.#joined(content),
      ...(thinking.length > 0 && { thinking: this.#joined(thinking) }),
      ...(images.length > 0 && { images }),
    };
  }

  #joined(said: readonly string[]): string {
    const texts = said.filter((text) => text !== '');
    if (texts.length > 1) this.#tell('.content', 'text-boundaries', 'degraded', 'texts are joined on this wire');
    return texts.join('\n');
  }

  #part(part: ContentPart, at: string): void {
    switch (part.type) {
      case 'tool_call':
        this.#isBehindCall = this.#message.toolCalls.size > 0;
        return;
      case 'text':
      case 'refusal':
      case 'reasoning':
        return this.#text(part, at);
      case 'image_url':
        return this.#image(part, at);
      default:
        this.#drop(at, 'part-type', `messages carry no ${part.type} parts on this wire`);
    }
  }

  #text(part: ContentPart, at: string): void {
    const { type } = part;
    const isThought = type === 'reasoning';
    if (isThought && this.#options.reasoning !== 'all' && !isFromHere(part.origin))
      return this.#drop(at, type, 'reasoning from elsewhere');
    const key = type === 'refusal' ? type : 'text';
    const text = part.get(key);
    if (typeof text !== 'string') return this.#drop(at, 'part-shape', `a ${type} part without its text`);
    if (isThought && !this.#takes(type, at)) return;
    this.#put(isThought ? THINKING : CONTENT, text);
    if (type === 'refusal') this.#tell(at, type, 'degraded', 'a refusal goes out as text');
    this.#tellUnknown(part.fields, at, type, [key]);
  }

  /** An image goes out where its role has images, and back where it stood on this wire. */
  #image(part: ContentPart, at: string): void {
    const { type } = part;
    const payload = part.get(type);
    const url = isRecord(payload) ? payload['url'] : undefined;
    if (typeof url !== 'string') return this.#drop(at, 'part-shape', `a ${type} part without its URL`);
    const data = base64In(url);
    if (data === undefined) return this.#drop(at, 'image-url', 'an image by URL');
    if (!isBase64(data)) return this.#drop(at, 'image-data', 'an image that is no base64');
    if (!isFromHere(part.origin) && !this.#takes(type, at)) return;
    this.#put(IMAGES, data);
    this.#tellUnknown(part.fields, at, type, [type]);
    this.#tellUnknown(payload as JsonObject, at, type, ['url', 'mime_type']);
  }

  #takes(type: string, at: string): boolean {
    const { role } = this.#message;
    const known: readonly string[] = PARTS_BY_ROLE[role === 'developer' ? 'system' : role];
    if (known.includes(type)) return true;
    this.#drop(at, 'part-role', `${role} messages carry no ${type} parts on this wire`);
    return false;
  }

  #put(place: 0 | 1 | 2, text: string): void {
    this.#said[place].push(text);
    if (text === '') return;
    this.#isMoved ||= place < this.#latest;
    this.#isInterleaved ||= this.#isBehindCall;
    this.#latest = Math.max(this.#latest, place);
  }

  #drop(at: string, rule: string, message: string): void {
    this.#tell(at, rule, 'dropped', `${message}: left out`);
  }

  /** Keys that the wire has no place for; private ones (`_origin`) are nobody's business. */
  #tellUnknown(fields: JsonObject, at: string, type: string, known: readonly string[]): void {
    for (const key of Object.keys(fields)) {
      if (key.startsWith('_') || known.includes(key)) continue;
      this.#drop(at, 'part-key', `${type} parts have no key ${JSON.stringify(key)} on this wire`);
    }
  }
}
