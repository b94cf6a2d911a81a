import { reject } from '../../errors.ts';
import { isRecord, type JsonValue, setOwn } from '../../schema/json.ts';
import type { BedrockPayload } from './wire.ts';

/** What is needed of the platform, declared structurally; all of them provide it. */
const platform = globalThis as unknown as { atob(base64: string): string };

/** What the commands of `@aws-sdk/client-bedrock-runtime` take: bytes where the wire has base64. */
export function toSdk<Params extends object>(
  payload: BedrockPayload,
  params: Params,
): Omit<Params, keyof BedrockPayload> & BedrockPayload<Uint8Array> {
  return { ...params, ...(withBytes(payload) as BedrockPayload<Uint8Array>) };
}

/** A copy with bytes; JSON of tools is none of ours. */
function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const isBytes = (key === 'bytes' || key === 'redactedContent') && typeof item === 'string';
    const isJson = key === 'input' || key === 'json';
    setOwn(
      copy as Record<string, JsonValue>,
      key,
      (isBytes ? bytesIn(item) : isJson ? item : withBytes(item)) as JsonValue,
    );
  }
  return copy;
}

function bytesIn(base64: string): Uint8Array {
  try {
    return Uint8Array.from(platform.atob(base64), (byte) => byte.charCodeAt(0));
  } catch {
    return reject('bytes', 'base64', base64);
  }
}
