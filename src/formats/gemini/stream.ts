import { accumulate } from '../accumulator.ts';
import type { Accumulator, DecodeOptions } from '../format.ts';
import { GeminiAssembly } from './assembly.ts';
import { decode } from './decode.ts';
import type { GeminiChunk } from './wire.ts';

/**
 * Takes the chunks of `generateContentStream`, as `@google/genai` gives them, or the JSON behind `data:`, and gives the
 * message so far, and at the end what `decode` gives.
 *
 * @example
 * const answer = accumulator();
 * answer.push({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] } }] });
 * answer.message().toString() // => 'Hel'
 * answer.push({ candidates: [{ content: { role: 'model', parts: [{ text: 'lo' }] }, finishReason: 'STOP' }] });
 * answer.finish().messages.last()?.toString() // => 'Hello'
 */
export function accumulator(options: DecodeOptions = {}): Accumulator<GeminiChunk> {
  return accumulate(new GeminiAssembly(), decode, options);
}
