/** To the payload of OpenAI Chat: against the `JSON.stringify` of the payload, which must follow anyway. */
import { convertMessagesToCompletionsMessageParams } from '@langchain/openai';
import { convertToModelMessages as convert6 } from 'ai';
import { convertToModelMessages as convert7 } from 'ai-v7';
import type { MessageStore } from '../../../src/index.ts';
import { compare, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { toLangChain, toUI } from '../harness/peers.ts';
import { core, openaiChat } from '../harness/product.ts';
import { conversation, storeJSON } from '../harness/workload.ts';

const { Message } = core;

const STRINGIFY = 'JSON.stringify of the payload';
for (const size of [1000, 10_000]) {
  const json = conversation(size);
  const text = JSON.stringify(storeJSON(json));
  const store = core.MessageStore.parse(text);
  const { payload } = openaiChat.encode(store);
  // Messages are built when one of them is first read; that belongs to loading, not to encoding.
  const readStore = () => {
    const fresh = core.MessageStore.parse(text);
    fresh.sections.forEach(({ messages }) => messages.first());
    return fresh;
  };
  // What is said; a call would have to be answered before it is sent.
  const added = conversation(64, 7)
    .map((one) => Message.fromJSON(one))
    .filter(({ type }) => type === 'text');
  const chat = toLangChain(json);
  const ui = toUI(json);
  const { cold, 'again, after one append': again } = await compare(`encode to OpenAI Chat, ${size}`, {
    baseline: STRINGIFY,
    ops: size,
    unit: 'message',
    rounds: rounds(11),
    minMs: 20,
    cases: {
      [STRINGIFY]: () => JSON.stringify(payload),
      cold: {
        calls: Math.ceil(10_000 / size),
        setup: (calls) => Array.from({ length: calls }, readStore),
        run: (fresh: MessageStore[], call) => openaiChat.encode(fresh[call] as MessageStore),
      },
      'again, after one append': (_: unknown, call: number) =>
        openaiChat.encode(store.section('chat').appendMessages(added[call % added.length] as never)),
      LangChain: () => convertMessagesToCompletionsMessageParams({ messages: chat as never, model: 'gpt-x' }),
      'AI SDK 7': { isAsync: true, run: () => convert7(ui) },
      'AI SDK 6': { isAsync: true, run: () => convert6(ui) },
    },
  });
  line(`encode ${size} for the first time, to JSON.stringify of the payload`, cold?.ratio ?? NaN, 0.6, '×', size);
  line(`encode ${size} again after one append, to JSON.stringify`, again?.ratio ?? NaN, 0.08, '×', size);
}
done();
