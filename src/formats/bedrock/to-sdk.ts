import { withBytes } from './bytes.ts';
import type { BedrockPayload } from './wire.ts';

/**
 * What `ConverseCommand` and `ConverseStreamCommand` of `@aws-sdk/client-bedrock-runtime` take: bytes stand there where
 * the wire has base64. What the payload has wins over `params`.
 */
export function toSdk<Params extends object>(
  payload: BedrockPayload,
  params: Params,
): Omit<Params, keyof BedrockPayload> & BedrockPayload<Uint8Array> {
  return { ...params, ...(withBytes(payload) as BedrockPayload<Uint8Array>) };
}
