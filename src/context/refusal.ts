/** Why a message of a client is not taken, as a stable word. */
export type RejectionCode =
  | 'not_a_list'
  | 'not_a_message'
  | 'too_many_messages'
  | 'role_not_allowed'
  | 'tool_data'
  | 'private_key'
  | 'unknown_key'
  | 'name_not_allowed'
  | 'invalid_name'
  | 'invalid_id'
  | 'known_id'
  | 'duplicate_id'
  | 'invalid_content'
  | 'empty_content'
  | 'too_long'
  | 'too_many_parts'
  | 'invalid_part'
  | 'part_not_allowed'
  | 'part_key'
  | 'url_not_allowed'
  | 'file_id_not_allowed'
  | 'lone_surrogate';

/** Why the reading of one entry ends. It never leaves this folder. */
export class Refusal {
  readonly code: RejectionCode;
  readonly path: string;
  readonly message: string;

  constructor(code: RejectionCode, path: string, message: string) {
    this.code = code;
    this.path = path;
    this.message = message;
    Object.freeze(this);
  }
}

/** Ends the reading of one entry. */
export function refuse(code: RejectionCode, path: string, message: string): never {
  // oxlint-disable-next-line typescript/only-throw-error -- a client says how many there are, and an Error costs a stack trace
  throw new Refusal(code, path, message);
}

/** Text that every receiver can read. */
export function soundText(text: string, path: string): string {
  return text.isWellFormed() ? text : refuse('lone_surrogate', path, 'half a surrogate pair stands alone');
}
