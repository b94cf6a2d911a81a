import { reject } from '../errors.ts';
import { platform } from '../internal/platform.ts';

/** A multiple of three, so that the pieces join without padding between them. */
const PIECE = 3 * 8192;
const DATA_URI = /^data:([^;,]*)[^,]*,/i;

/** Bytes as base64 text. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(platform.btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  }
  return pieces.join('');
}

/** Bytes as a `data:` URI. */
export function toDataUri(bytes: Uint8Array, mimeType: string): string {
  return `data:${mimeType};base64,${toBase64(bytes)}`;
}

/** Whether text is a `data:` URI. */
export function isDataUri(text: string): boolean {
  return DATA_URI.test(text.slice(0, 256));
}

/** The MIME type that a `data:` URI names; `''` where it names none. */
export function mimeTypeOf(dataUri: string): string {
  return DATA_URI.exec(dataUri.slice(0, 256))?.[1] ?? '';
}

/** Refuses what is no `data:` URI, showing the form that is due. */
export function requireDataUri(text: string, mimeType: string, path: string): string {
  return isDataUri(text) ? text : reject(path, `a data URI (data:${mimeType};base64,…)`, text);
}
