import { preview } from './internal/preview.ts';

const MARK = Symbol.for('message-store.error');

/** What can go wrong, as stable words to branch on. */
export type ErrorCode =
  | 'invalid_input'
  | 'invalid_json'
  | 'unsupported_version'
  | 'duplicate_section'
  | 'missing_message'
  | 'no_messages'
  | 'composite_text'
  | 'malformed_arguments'
  | 'tool_result_merge'
  | 'stream_finished'
  | 'provider_error'
  | 'no_user_message'
  | 'starts_with_assistant'
  | 'ends_with_assistant'
  | 'unsupported_media_type'
  | 'missing_thought_signature'
  | 'missing_tools'
  | 'tool_turn_open'
  | 'tool_turn_closed'
  | 'unknown_tool_call'
  | 'tool_call_already_answered'
  | 'would_break_tool_turn'
  | 'invalid_role'
  | 'missing_content'
  | 'invalid_tool_calls'
  | 'empty_tool_calls'
  | 'invalid_tool_call_id'
  | 'empty_tool_call_id'
  | 'missing_tool_call_id'
  | 'duplicate_tool_call_id'
  | 'empty_tool_name'
  | 'tool_calls_on_role'
  | 'tool_call_id_on_role'
  | 'missing_tool_answer'
  | 'orphan_tool_answer'
  | 'duplicate_tool_answer'
  | 'interleaved_message'
  | 'losses'
  | 'missing_variable'
  | 'invalid_template'
  | 'invalid_policy'
  | 'budget_impossible'
  | 'untrusted_input'
  | 'invalid_patch'
  | 'missing_package'
  | 'unreadable_file'
  | StorageErrorCode;

/** What can go wrong in a storage. */
export type StorageErrorCode =
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'CONFLICT'
  | 'ID_CONFLICT'
  | 'PARENT_NOT_FOUND'
  | 'CYCLE'
  | 'TOO_LARGE'
  | 'INVALID_ID'
  | 'INVALID_DATA'
  | 'NO_SPACE'
  | 'PERMISSION'
  | 'READ_ONLY'
  | 'BUSY'
  | 'CLOSED'
  | 'DELETED'
  | 'NEWER_FORMAT'
  | 'DAMAGED'
  | 'OUTCOME_UNKNOWN'
  | 'ABORTED';

/** What an error knows beside its sentence. */
export interface ErrorDetails {
  /** Where: `sections.main.messages[3].role`; `''` where there is no place to name. */
  readonly path?: string;
  /** What came. */
  readonly value?: unknown;
  readonly cause?: unknown;
}

/**
 * The base of every error that this library throws: a sentence that says where, what was expected and
 * what came, with a stable `code` to branch on.
 */
export class MessageStoreError extends Error {
  override readonly name: string = 'MessageStoreError';
  readonly code: ErrorCode;
  readonly path: string;
  /** The offending value, as it came. */
  declare readonly value: unknown;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.path = details.path ?? '';
    Object.defineProperties(this, {
      // So that the JSON of an error, as loggers write it, has its sentence.
      message: { enumerable: true },
      // Not enumerable, so that they are not printed with the error.
      value: { value: details.value },
      [MARK]: { value: true },
    });
  }

  /** Whether `error` comes from this library, also from another copy of it in the same program. */
  static isInstance(error: unknown): error is MessageStoreError {
    return typeof error === 'object' && error !== null && MARK in error;
  }
}

/** Input that is not what it should be: `sections.main.messages[3].role: expected one of …, got "robot"`. */
export class InvalidInputError extends MessageStoreError {
  override readonly name = 'InvalidInputError';
  /** What was expected, in words. */
  readonly expected: string;

  constructor(details: ErrorDetails & { readonly expected: string; readonly code?: ErrorCode | undefined }) {
    const where = details.path ? `${details.path}: ` : '';
    super(
      details.code ?? 'invalid_input',
      `${where}expected ${details.expected}, got ${preview(details.value)}`,
      details,
    );
    this.expected = details.expected;
  }
}

/** Throws an {@link InvalidInputError}: `path: expected <expected>, got <value>`. */
export function reject(path: string, expected: string, value: unknown, code?: ErrorCode): never {
  throw new InvalidInputError({ path, expected, value, code });
}

/** What to throw where foreign code (a getter, a proxy, a `toJSON`) threw while its value was read: an error that says where. */
export function unreadable(path: string, cause: unknown): MessageStoreError {
  return MessageStoreError.isInstance(cause)
    ? cause
    : new InvalidInputError({ path, expected: 'a value that can be read', value: cause, cause });
}
