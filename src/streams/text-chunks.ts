import { platform } from '../internal/platform.ts';

/** The bytes of a body as texts: a character whose bytes come in two chunks stands whole in the second. */
export async function* textChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new platform.TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
