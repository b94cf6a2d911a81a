import type { Message } from '../../model/message.ts';
import { isRecord, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';

/** The provider of what was read from this wire. */
export const PROVIDER = 'anthropic';

/** How a message stood on the wire, where that is not how it would go out by itself. It is the data of its origin. */
export interface Shape {
  /** Whether the content was a text or a list, where the other is usual. */
  readonly content?: 'text' | 'list';
  /** A user message right behind another, instead of in it. */
  readonly apart?: true;
  /** Instructions that stood among the messages. */
  readonly place?: 'messages';
  /** The flag of an answer that went well; it is usually left out. */
  readonly is_error?: false;
}

/** How a message stood on this wire; nothing where it is not from there. */
export function shapeOf({ origin }: Message): Shape {
  return isOwn(origin) && isRecord(origin?.data) ? origin.data : NO_FIELDS;
}

/** Whether something was read from this wire. */
export function isOwn(origin: Origin | undefined): boolean {
  return origin?.provider === PROVIDER;
}

/** Whether something was read from another wire. */
export function isForeign(origin: Origin | undefined): boolean {
  return origin !== undefined && !isOwn(origin);
}
