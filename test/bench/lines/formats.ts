/** Every other format, both ways: against the `JSON.stringify` that follows and the `JSON.parse` that comes before. */
import type { MessageFormat } from '../../../src/formats/openai-chat/index.ts';
import { compare, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { built, core } from '../harness/product.ts';
import { conversation, storeJSON } from '../harness/workload.ts';

const SIZE = 1000;
const store = core.MessageStore.parse(JSON.stringify(storeJSON(conversation(SIZE))));

for (const name of ['anthropic', 'bedrock', 'gemini', 'mistral', 'ollama', 'openai-responses']) {
  const exported = (await import(built(`formats/${name}/index.js`).href)) as Record<string, MessageFormat<unknown>>;
  const format = Object.values(exported).find((one) => one.name === name);
  if (format === undefined) continue;
  const { payload } = format.encode(store);
  const text = JSON.stringify(payload);
  const wire: unknown = JSON.parse(text);
  const results = await compare(`${name}, ${SIZE}`, {
    baseline: 'JSON.stringify',
    ops: SIZE,
    unit: 'message',
    rounds: rounds(11),
    minMs: 20,
    cases: {
      'JSON.stringify': () => JSON.stringify(payload),
      encode: () => format.encode(store),
      'JSON.parse': () => JSON.parse(text) as unknown,
      decode: { baseline: 'JSON.parse', run: () => format.decode(wire) },
    },
  });
  line(`encode ${SIZE} to ${name}, to JSON.stringify of the payload`, results['encode']?.ratio ?? NaN, 0.6, '×', SIZE);
  line(`decode ${SIZE} from ${name}, to JSON.parse`, results['decode']?.ratio ?? NaN, 1, '×', SIZE);
}
done();
