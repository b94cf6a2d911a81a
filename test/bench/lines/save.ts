/** From values to JSON text: against `JSON.stringify` of plain objects. */
import { mapChatMessagesToStoredMessages } from '@langchain/core/messages';
import { compare } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { toLangChain } from '../harness/peers.ts';
import { core } from '../harness/product.ts';
import { conversation, storeJSON } from '../harness/workload.ts';

for (const size of [1000, 10_000]) {
  const json = conversation(size);
  const plain = storeJSON(json);
  const store = core.MessageStore.parse(JSON.stringify(plain));
  const peers = toLangChain(json);
  if (JSON.stringify(store) !== JSON.stringify(plain)) throw new Error('the store does not print what it has read');
  const results = await compare(`save, ${size}`, {
    baseline: 'plain objects',
    ops: size,
    unit: 'message',
    minMs: 30,
    keep: size < 10_000,
    cases: {
      'plain objects': () => JSON.stringify(plain),
      'JSON.stringify(store)': () => JSON.stringify(store),
      LangChain: () => JSON.stringify(mapChatMessagesToStoredMessages(peers)),
    },
  });
  const ratio = results['JSON.stringify(store)']?.ratio ?? NaN;
  line(`JSON.stringify of a store of ${size}, to plain objects`, ratio, 1.5, '×', size);
}
done();
