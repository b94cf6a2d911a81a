import { accumulate } from '../accumulator.ts';
import type { Accumulator, DecodeOptions } from '../format.ts';
import { MessageAssembly } from './assembly.ts';
import { decode } from './decode.ts';
import type { AnthropicStreamEvent } from './wire.ts';

/**
 * Takes the events of a stream, as the `@anthropic-ai/sdk` package gives them (its `MessageStream` too) or as another
 * server sends them (the JSON behind `data:`), and gives the message so far, and at the end what `decode` gives.
 *
 * @example
 * const answer = accumulator();
 * answer.push({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
 * answer.push({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } });
 * answer.message().toString() // => 'Hel'
 * answer.push({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } });
 * answer.push({ type: 'content_block_stop', index: 0 });
 * answer.push({ type: 'message_delta', delta: { stop_reason: 'end_turn' } });
 * answer.finish().messages.last()?.toString() // => 'Hello'
 */
export function accumulator(options: DecodeOptions = {}): Accumulator<AnthropicStreamEvent> {
  return accumulate(new MessageAssembly(), decode, options);
}
