/** The messages of a role: against a loop over an array. */
import { filterMessages } from '@langchain/core/messages';
import { compare } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { toLangChain } from '../harness/peers.ts';
import { core } from '../harness/product.ts';
import { conversation } from '../harness/workload.ts';

const { Message, Messages } = core;

for (const size of [1000, 10_000, 100_000]) {
  const json = conversation(size);
  const messages = Messages.from(json.map((one) => Message.fromJSON(one)));
  const peers = toLangChain(json);
  const { forRoles } = await compare(`filter by role, ${size}`, {
    baseline: 'plain loop',
    ops: size,
    unit: 'message',
    cases: {
      'plain loop': () => {
        const out = [];
        for (let at = 0; at < json.length; at++) if (json[at]?.role === 'user') out.push(json[at]);
        return out;
      },
      forRoles: () => messages.forRoles(['user']),
      'LangChain filterMessages': () => filterMessages(peers, { includeTypes: ['human'] }),
    },
  });
  line(`filter ${size} by role, to a loop`, forRoles?.ratio ?? NaN, 2, '×', size);
}
done();
