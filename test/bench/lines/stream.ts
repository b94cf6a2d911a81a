/** A response that comes in 10 000 events, with a look at the message after each: linear, and against joining texts. */
import type { Accumulator } from '../../../src/formats/openai-chat/index.ts';
import { compare, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { built } from '../harness/product.ts';

type Format = { readonly accumulator: () => Accumulator<object> };
const SIZE = 10_000;
const PIECE = 'a few words ';

/** The events of a text in so many pieces, by the format. */
const STREAMS: Readonly<Record<string, (size: number) => object[]>> = {
  'openai-chat': (size) => [
    ...pieces(size, (content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
  anthropic: (size) => [
    { type: 'message_start', message: { role: 'assistant', model: 'm', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces(size, (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
  gemini: (size) => [
    ...pieces(size, (text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })),
    { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] },
  ],
  ollama: (size) => [
    ...pieces(size, (content) => ({ message: { role: 'assistant', content }, done: false })),
    { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
  ],
};

function pieces(size: number, event: (piece: string) => object): object[] {
  return Array.from({ length: size }, () => event(PIECE));
}

function read({ accumulator }: Format, events: readonly object[]): unknown {
  const answer = accumulator();
  for (const event of events) {
    answer.push(event);
    answer.message();
  }
  return answer.finish();
}

for (const [name, eventsOf] of Object.entries(STREAMS)) {
  const format = (await import(built(`formats/${name}/index.js`).href)) as Format;
  const [events, twice] = [eventsOf(SIZE), eventsOf(2 * SIZE)];
  const results = await compare(`${name}, a stream of ${SIZE} events`, {
    baseline: 'joining the texts',
    ops: SIZE,
    unit: 'event',
    rounds: rounds(7),
    cases: {
      'joining the texts': () => {
        let text = '';
        for (let at = 0; at < SIZE; at++) text += PIECE;
        return text.at(-1);
      },
      'push and message': () => read(format, events),
      'push and message, twice as many': { baseline: 'push and message', ops: 2 * SIZE, run: () => read(format, twice) },
    },
  });
  line(`${name}: push and message, of ${SIZE} events`, results['push and message']?.ns ?? NaN, 3000, 'ns', SIZE);
  const growth = results['push and message, twice as many']?.ratio ?? NaN;
  line(`${name}: an event of ${2 * SIZE}, to one of ${SIZE}`, growth, 1.3, '×', SIZE);
}
done();
