import { type ErrorCode, MessageStoreError } from '../errors.ts';
import { joinPath } from '../internal/path.ts';

/** What a {@link TurnError} is about. */
export interface TurnErrorDetails {
  /** Undefined where it is about a list of messages. */
  readonly section: string | undefined;
  /** The message that it is about, counted in the section; undefined where it is about none. */
  readonly index?: number | undefined;
  /** The place of a tool call among those of its message, where it has no id to be named by. */
  readonly callIndex?: number | undefined;
  /** The ids of the tool calls that it is about. */
  readonly ids?: readonly string[];
}

/** A tool turn would have been broken: nothing was changed. The sentence says where, which calls, and what to do. */
export class TurnError extends MessageStoreError {
  override readonly name = 'TurnError';
  /** Undefined where it is about a list of messages. */
  readonly section: string | undefined;
  /** The message that it is about, counted in the section; undefined where it is about none. */
  readonly index: number | undefined;
  /** The place of a tool call among those of its message, where it has no id to be named by. */
  readonly callIndex: number | undefined;
  /** The ids of the tool calls that it is about. */
  readonly ids: readonly string[];

  constructor(code: ErrorCode, sentence: string, { section, index, callIndex, ids = [] }: TurnErrorDetails) {
    const path = placePath({ section, index });
    super(code, `${path}: ${sentence}`, { path, value: ids });
    this.section = section;
    this.index = index;
    this.callIndex = callIndex;
    this.ids = Object.freeze([...ids]);
  }
}

/** A section, or a message in it, as a path: `sections.chat.messages[3]`. */
export function placePath({ section, index }: Pick<TurnErrorDetails, 'section' | 'index'>): string {
  const place = section === undefined ? '' : joinPath('sections', section);
  return index === undefined ? place : joinPath(joinPath(place, 'messages'), index);
}

/** Ids as one reads them: `"c1", "c2"`. */
export function listed(ids: readonly string[]): string {
  return ids.map((id) => JSON.stringify(id)).join(', ');
}
