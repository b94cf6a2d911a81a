/** Folding neighbours of one role: against a loop over plain objects. */
import { mergeMessageRuns } from '@langchain/core/messages';
import type { ContentPartJSON, MessageJSON } from '../../../src/index.ts';
import { compare } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { toLangChain } from '../harness/peers.ts';
import { core } from '../harness/product.ts';
import { conversation, random, text } from '../harness/workload.ts';

const { Message, Messages } = core;

/** The least that the job takes: one pass, parts joined, tool messages left alone, nothing checked or kept. */
function mergeRuns(messages: readonly MessageJSON[]): unknown[] {
  const out: unknown[] = [];
  for (let at = 0; at < messages.length;) {
    const first = messages[at] as MessageJSON;
    let end = at + 1;
    if (first.tool_result === undefined)
      while (end < messages.length && messages[end]?.role === first.role && !messages[end]?.tool_result) end++;
    out.push(end === at + 1 ? first : mergeRun(first, messages, at, end));
    at = end;
  }
  return out;
}

function mergeRun(first: MessageJSON, messages: readonly MessageJSON[], from: number, to: number): unknown {
  const content: ContentPartJSON[] = [];
  const tool_calls: unknown[] = [];
  for (let at = from; at < to; at++) {
    const { content: own, tool_calls: calls } = messages[at] as MessageJSON;
    if (typeof own === 'string') content.push({ type: 'text', text: own });
    else content.push(...own);
    if (calls !== undefined) tool_calls.push(...calls);
  }
  return { ...first, content, tool_calls };
}

const results = new Map<string, number>();
for (const size of [1000, 10_000]) {
  const next = random(size);
  const mixed = conversation(size);
  const oneRun = mixed.map(
    ({ id, createdAt }) => ({ id, createdAt, role: 'user', content: text(next) }) as MessageJSON,
  );
  for (const [name, json] of [['mixed roles', mixed] as const, ['one run', oneRun] as const]) {
    const messages = Messages.of(...json.map((one) => Message.fromJSON(one)));
    const peers = toLangChain(json);
    const { toMergedPerRole } = await compare(`fold neighbours of one role, ${name}, ${size}`, {
      baseline: 'plain loop',
      ops: size,
      unit: 'message',
      minMs: 20,
      cases: {
        'plain loop': () => mergeRuns(json),
        toMergedPerRole: () => messages.toMergedPerRole(),
        // Grows with the square of a run.
        LangChain: name === 'one run' && size > 1000 ? undefined : () => mergeMessageRuns(peers),
      },
    });
    results.set(`${name} ${size}`, toMergedPerRole?.ns ?? NaN);
    if (name === 'mixed roles')
      line(`toMergedPerRole, ${size} mixed, to a loop`, toMergedPerRole?.ratio ?? NaN, 4, '×', size);
  }
}
const growth = (results.get('one run 10000') ?? NaN) / (results.get('one run 1000') ?? NaN);
line('toMergedPerRole of one run is linear: time per message at 10 000 to that at 1 000', growth, 2, '×', 10_000);
done();
