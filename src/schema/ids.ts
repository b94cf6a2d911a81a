/** Ids are opaque text, so that every provider's and framework's ids can be kept as they are. */

const MAX_BYTES = 255;
/** A UTF-16 code unit takes three bytes of UTF-8 at the most. */
const SURELY_SHORT = MAX_BYTES / 3;
const CONTROL = /[\u0000-\u001f]/; // oxlint-disable-line no-control-regex -- refusing these is the purpose
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;
const UPPER_HEX = /[A-F]/;

/** What a message or session id must be, in words. */
export const ID_EXPECTED = `an id: text of 1 to ${MAX_BYTES} UTF-8 bytes without control characters`;
/** What a tool call id must be, in words. */
export const CALL_ID_EXPECTED = 'a tool call id: non-empty text without control characters';

/** Whether a value can be a message or session id. */
export function isId(value: unknown): value is string {
  return isCallId(value) && (value.length <= SURELY_SHORT || utf8Length(value) <= MAX_BYTES);
}

/** Whether a value can be a tool call id: any length, since some proxies send 900 characters. */
export function isCallId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !CONTROL.test(value) && value.isWellFormed();
}

/** UUIDs in lower case, since their case means nothing; every other id as it is. */
export function normalizeId(id: string): string {
  return id.length === UUID_LENGTH && UPPER_HEX.test(id) && UUID.test(id) ? id.toLowerCase() : id;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
