import type { ContentPart } from '../../model/content-part.ts';
import type { Message } from '../../model/message.ts';
import { isRecord, type JsonObject } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import { textOf } from './kind.ts';

/** The provider of what was read from this wire. */
export const PROVIDER = 'bedrock';

/** How a message stood on the wire, where that is not how it would go out by itself. It is the data of its origin. */
export interface Shape {
  /** Instructions that stood among the messages. */
  readonly place?: 'messages';
  /** The status of an answer that went well; it is usually left out. */
  readonly status?: 'success';
  /** An answer without content. */
  readonly content?: 'none';
}

/** How a message stood on this wire; nothing where it is not from there. */
export function shapeOf({ origin }: Message): Shape {
  return origin !== undefined && isOwn(origin) && isRecord(origin.data) ? origin.data : {};
}

/** Whether something was read from this wire. */
export function isOwn(origin: Origin | undefined): boolean {
  return origin?.provider === PROVIDER;
}

/** The block of the wire that a part was read from, where it still says the same; undefined for any other part. */
export function ownBlock(part: ContentPart): JsonObject | undefined {
  const { origin } = part;
  if (origin === undefined || !isOwn(origin) || part.type === 'reasoning' || !isRecord(origin.data)) return undefined;
  return textOf(origin.data) === part.toString() ? origin.data : undefined;
}
