import { accumulate } from '../accumulator.ts';
import type { Accumulator, DecodeOptions } from '../format.ts';
import { ResponseAssembly } from './assembly.ts';
import { decode } from './decode.ts';
import type { BedrockStreamEvent } from './wire.ts';

/**
 * Takes the events of a stream, as `ConverseStreamCommand` of `@aws-sdk/client-bedrock-runtime` gives them, and gives
 * the message so far, and at the end what `decode` gives.
 *
 * @example
 * const answer = accumulator();
 * answer.push({ contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hel' } } });
 * answer.message().toString() // => 'Hel'
 * answer.push({ contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'lo' } } });
 * answer.push({ messageStop: { stopReason: 'end_turn' } });
 * answer.finish().messages.last()?.toString() // => 'Hello'
 */
export function accumulator(options: DecodeOptions = {}): Accumulator<BedrockStreamEvent> {
  return accumulate(new ResponseAssembly(), decode, options);
}
