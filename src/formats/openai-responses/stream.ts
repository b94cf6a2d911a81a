import { accumulate } from '../accumulator.ts';
import type { Accumulator, DecodeOptions } from '../format.ts';
import { ResponseAssembly } from './assembly.ts';
import { decode } from './decode.ts';
import type { ResponsesStreamEvent } from './wire.ts';

/**
 * Takes the events of a stream, as the `openai` package gives them (its `ResponseStream` too) or as another server sends
 * them (the JSON behind `data:`), and gives the message so far, and at the end what `decode` gives.
 *
 * @example
 * const answer = accumulator();
 * const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
 * answer.push({ type: 'response.output_item.added', output_index: 0, item });
 * answer.push({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hello' });
 * answer.message().toString() // => 'Hello'
 * answer.push({ type: 'response.completed', response: { status: 'completed', output: [] } });
 * answer.finish().messages.last()?.toString() // => 'Hello'
 */
export function accumulator(options: DecodeOptions = {}): Accumulator<ResponsesStreamEvent> {
  return accumulate(new ResponseAssembly(), decode, options);
}
