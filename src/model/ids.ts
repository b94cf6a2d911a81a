import { readCallId, readId } from '../input/ids.ts';
import { reject } from '../errors.ts';
import { newId } from '../internal/ids.ts';
import { CALL_ID_EXPECTED } from '../schema/ids.ts';

declare const brand: unique symbol;

/** The id of a message: opaque text, a UUID v7 where it was made here. */
export type MessageId = string & { readonly [brand]: 'MessageId' };
/** The id of a session: opaque text, a UUID v7 where it was made here. */
export type SessionId = string & { readonly [brand]: 'SessionId' };
/** The id that binds a tool call to its result: opaque text, as the provider gave it. */
export type ToolCallId = string & { readonly [brand]: 'ToolCallId' };

/** Makes message ids. */
export const MessageId = /* @__PURE__ */ Object.freeze({
  /** A new id: a UUID v7, so that ids sort by time. */
  generate: (): MessageId => newId() as MessageId,
  /**
   * Text as a message id: 1 to 255 UTF-8 bytes without control characters; UUIDs are lower-cased.
   *
   * @throws InvalidInputError
   */
  from: (text: string): MessageId => readId(text) as MessageId,
});

/** Makes session ids. */
export const SessionId = /* @__PURE__ */ Object.freeze({
  /** A new id: a UUID v7, so that ids sort by time. */
  generate: (): SessionId => newId() as SessionId,
  /**
   * Text as a session id: 1 to 255 UTF-8 bytes without control characters; UUIDs are lower-cased.
   *
   * @throws InvalidInputError
   */
  from: (text: string): SessionId => readId(text) as SessionId,
});

/** Another name of {@link SessionId}. */
export type MessageSessionId = SessionId;
/** Another name of {@link SessionId}. */
export const MessageSessionId = SessionId;

/** Makes tool call ids. */
export const ToolCallId = /* @__PURE__ */ Object.freeze({
  /** A new id: a UUID v7. */
  generate: (): ToolCallId => newId() as ToolCallId,
  /**
   * Text as a tool call id: any length above 0, no control characters.
   *
   * @throws InvalidInputError
   */
  from: (text: string): ToolCallId => (readCallId(text) ?? reject('id', CALL_ID_EXPECTED, text)) as ToolCallId,
});
