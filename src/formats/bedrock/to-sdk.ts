import { withBytes } from './bytes.ts';
import type { BedrockPayload } from './wire.ts';

/**
 * What `ConverseCommand` and `ConverseStreamCommand` of `@aws-sdk/client-bedrock-runtime` take: bytes stand there where
 * the wire has base64. What the payload has wins over `params`, save what those say of tools.
 */
export function toSdk<Params extends object>(
  payload: BedrockPayload,
  params: Params,
): Omit<Params, 'system' | 'messages'> & BedrockPayload<Uint8Array> {
  const { toolConfig, ...said } = payload;
  const { toolConfig: own } = params as { readonly toolConfig?: object };
  const tools = (toolConfig ?? own) && { toolConfig: { ...toolConfig, ...own } };
  return { ...params, ...(withBytes(said) as BedrockPayload<Uint8Array>), ...tools } as never;
}
