/** From the messages of OpenAI Chat to values: against the `JSON.parse` that comes before. */
import { compare, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core, openaiChat } from '../harness/product.ts';
import { conversation, storeJSON } from '../harness/workload.ts';

for (const size of [1000, 10_000]) {
  const store = core.MessageStore.parse(JSON.stringify(storeJSON(conversation(size))));
  const text = JSON.stringify(openaiChat.encode(store).payload);
  const wire: unknown = JSON.parse(text);
  const { decode } = await compare(`decode from OpenAI Chat, ${size}`, {
    baseline: 'JSON.parse',
    ops: size,
    unit: 'message',
    rounds: rounds(11),
    minMs: 30,
    keep: size < 10_000,
    cases: {
      'JSON.parse': () => JSON.parse(text) as unknown,
      decode: () => openaiChat.decode(wire),
    },
  });
  line(`decode ${size}, to JSON.parse`, decode?.ratio ?? NaN, 1, '×', size);
}
done();
