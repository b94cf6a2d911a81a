import { accumulate } from '../accumulator.ts';
import type { Accumulator, DecodeOptions } from '../format.ts';
import { ChatAssembly } from './assembly.ts';
import { decode } from './decode.ts';
import type { OllamaChunk } from './wire.ts';

/**
 * Takes the chunks of a stream, as the `ollama` package gives them or as the lines of the server hold them, and gives
 * the message so far, and at the end what `decode` gives. A call without an id gets it at the end.
 *
 * @example
 * const answer = accumulator();
 * answer.push({ message: { role: 'assistant', content: 'Hel' }, done: false });
 * answer.message().toString() // => 'Hel'
 * answer.push({ message: { role: 'assistant', content: 'lo' }, done: true, done_reason: 'stop' });
 * answer.finish().messages.last()?.toString() // => 'Hello'
 */
export function accumulator(options: DecodeOptions = {}): Accumulator<OllamaChunk> {
  return accumulate(new ChatAssembly(), decode, options);
}
