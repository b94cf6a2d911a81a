import { accumulate } from '../accumulator.ts';
import type { Accumulator, DecodeOptions } from '../format.ts';
import { ChatAssembly } from './assembly.ts';
import { decode } from './decode.ts';
import type { MistralStreamEvent } from './wire.ts';

/**
 * Takes the events of `chat.stream` of `@mistralai/mistralai`, or the JSON behind `data:`, and gives the message so far,
 * and at the end what `decode` gives.
 *
 * @example
 * const answer = accumulator();
 * answer.push({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' } }] });
 * answer.message().toString() // => 'Hel'
 * answer.push({ choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] });
 * answer.finish().messages.last()?.toString() // => 'Hello'
 */
export function accumulator(options: DecodeOptions = {}): Accumulator<MistralStreamEvent> {
  return accumulate(new ChatAssembly(), decode, options);
}
