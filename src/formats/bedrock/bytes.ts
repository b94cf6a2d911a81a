import { isBytes, toBase64 } from '../../input/bytes.ts';
import { isRecord, type JsonValue, setOwn } from '../../schema/json.ts';

/** What is needed of the platform, declared structurally; all of them provide it. */
const platform = globalThis as unknown as { atob(base64: string): string; btoa(bytes: string): string };

/** A copy with base64 for bytes, as the wire has it. */
export function withBase64(value: unknown): unknown {
  return mapped(value, (item) => (isBytes(item) ? toBase64(item) : undefined));
}

/** A copy with bytes for base64, as the JavaScript client has it. JSON of tools is none of ours. */
export function withBytes(value: unknown): unknown {
  return mapped(value, (item, key) => {
    if (key === 'input' || key === 'json') return item;
    return (key === 'bytes' || key === 'redactedContent') && typeof item === 'string' ? bytesIn(item) : undefined;
  });
}

function mapped(value: unknown, change: (item: unknown, key: string) => unknown, key = ''): unknown {
  const changed = change(value, key);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isRecord(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const [name, item] of Object.entries(value)) setOwn(copy, name, mapped(item, change, name) as JsonValue);
  return copy;
}

function bytesIn(base64: string): Uint8Array {
  return Uint8Array.from(platform.atob(base64), (byte) => byte.charCodeAt(0));
}

/** A piece of bytes as base64, which it may be; `''` for anything else. */
export function base64Of(piece: unknown): string {
  if (isBytes(piece)) return toBase64(piece);
  return typeof piece === 'string' ? piece : '';
}

/** Base64 of bytes that came in pieces, each in base64. */
export function joinedBase64([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : platform.btoa([first, ...more].map((piece) => platform.atob(piece)).join(''));
}
