import type { ContentPart } from '../model/content-part.ts';
import type { Message } from '../model/message.ts';

/**
 * How many tokens a model reads. It is asked once for each text and each part, and what it says is remembered as long
 * as the counter itself and the part are there: the same text must always give the same number.
 */
export interface TokenCounter {
  /** The tokens of a text. */
  text(text: string): number;
  /** The tokens of a part that is no text: an image, a file, audio, or of another type. Base64 is not text. */
  media(part: ContentPart): number;
  /** What a message costs beside what it says. */
  readonly perMessage: number;
  /** What a request costs beside its messages. Default: nothing. */
  readonly perRequest?: number | undefined;
}

/** What can count: a {@link TokenCounter}, or a function that counts a whole message. */
export type MessageCounter = TokenCounter | ((message: Message) => number);
