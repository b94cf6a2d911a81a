import { reject } from '../errors.ts';
import { platform } from '../internal/platform.ts';

/** A multiple of three, so that the pieces join without padding between them; larger ones are slower. */
const PIECE = 3 * 1024;
const DATA_URI = /^data:([^;,]*)[^,]*,/i;

/** Whether a value is bytes, also those of another realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
}

/** Bytes as base64 text. */
export function toBase64(bytes: Uint8Array): string {
  if (!isBytes(bytes)) reject('bytes', 'a Uint8Array', bytes);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(platform.btoa(binaryText(bytes.subarray(at, at + PIECE))));
  }
  return pieces.join('');
}

/** One character for each byte. Spread would be ten times slower. */
function binaryText(bytes: Uint8Array): string {
  return String.fromCharCode.apply(undefined, bytes as unknown as number[]);
}

/** Bytes as a `data:` URI. */
export function toDataUri(bytes: Uint8Array, mimeType: string): string {
  return `data:${mimeType};base64,${toBase64(bytes)}`;
}

/** Whether text is a `data:` URI. */
export function isDataUri(text: unknown): text is string {
  return typeof text === 'string' && DATA_URI.test(text.slice(0, 256));
}

/** The MIME type that a `data:` URI names; `''` where it names none. */
export function mimeTypeOf(dataUri: string): string {
  return DATA_URI.exec(dataUri.slice(0, 256))?.[1] ?? '';
}

/** Refuses what is no `data:` URI, showing the form that is due. */
export function requireDataUri(text: string, mimeType: string, path: string): string {
  return isDataUri(text) ? text : reject(path, `a data URI (data:${mimeType};base64,…)`, text);
}
