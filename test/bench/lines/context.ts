/** Fitting a history into a budget, and one whole turn: against loops over plain objects, and LangChain. */
import { convertMessagesToCompletionsMessageParams } from '@langchain/openai';
import { mergeMessageRuns, trimMessages } from '@langchain/core/messages';
import type { Message, MessageJSON, Messages } from '../../../src/index.ts';
import { compare, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { toLangChain } from '../harness/peers.ts';
import { core, openaiChat } from '../harness/product.ts';
import { conversation } from '../harness/workload.ts';

const BUDGET = 4000;
/** LangChain counts a message up to 5 000 times: from here on it would take minutes. */
const MOST_FOR_LANGCHAIN = 1000;

const textOf = ({ content }: MessageJSON): string =>
  typeof content === 'string'
    ? content
    : content.reduce((text, part) => text + (typeof part['text'] === 'string' ? part['text'] : ''), '');
const cheapJSON = (message: MessageJSON): number => (textOf(message).length >> 2) + 4;
const cheap = (message: Message): number => (message.toString().length >> 2) + 4;

type Peer = { readonly content: unknown };
const peerText = ({ content }: Peer): string =>
  typeof content === 'string' ? content : (content as { text?: string }[]).map(({ text = '' }) => text).join('');
const cheapPeers = (peers: readonly Peer[]): number => peers.reduce((sum, one) => sum + (peerText(one).length >> 2) + 4, 0);

/** The least that the job takes: from the newest one on, each counted once, until the budget is full. */
function lastWithin(messages: readonly MessageJSON[], budget: number): readonly MessageJSON[] {
  let start = messages.length;
  let used = 0;
  while (start > 0) {
    const tokens = cheapJSON(messages[start - 1] as MessageJSON);
    if (used + tokens > budget) break;
    used += tokens;
    start--;
  }
  return messages.slice(start);
}

function merged(messages: readonly MessageJSON[]): MessageJSON[] {
  const out: MessageJSON[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last === undefined || last.role !== message.role || message.role === 'tool') out.push(message);
    else out[out.length - 1] = { ...last, content: [...partsOf(last), ...partsOf(message)] };
  }
  return out;
}

const partsOf = ({ content }: MessageJSON) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

function wireOf({ role, content, tool_calls, tool_result }: MessageJSON): object {
  if (tool_result !== undefined) return { role, content, tool_call_id: tool_result.call_id };
  const calls = tool_calls?.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return { role, content, ...(calls && { tool_calls: calls }) };
}

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const fresh = conversation(400, 11).filter(({ role }) => role === 'user');
const freshMessages = fresh.map((one) => core.Message.fromJSON(one));
const freshPeers = toLangChain(fresh);

for (const size of [1000, 10_000]) {
  // The instructions at the start would never be left out.
  const json = conversation(size).slice(1);
  const messages = core.Messages.fromJSON(json);
  const store = core.MessageStore.fromMessages(messages, 'chat');
  const peers = toLangChain(json);
  const half = json.reduce((sum, one) => sum + cheapJSON(one), 0) >> 1;
  const trim = (list: typeof peers, maxTokens: number) =>
    trimMessages(list, { maxTokens, strategy: 'last', tokenCounter: cheapPeers });
  const { fit, again, assemble } = await compare(`fit ${size} to half`, {
    baseline: 'backwards scan',
    ops: 1,
    unit: 'call',
    rounds: rounds(11),
    minMs: 20,
    cases: {
      'backwards scan': () => lastWithin(json, half),
      fit: () => core.fit(messages, { budget: half, counter: cheap }).messages,
      assemble: () => core.assemble(store, { budget: half, counter: cheap }).messages,
      again: (_: unknown, call: number) =>
        core.fit(messages.appendMessage(freshMessages[call % fresh.length] as Message), { budget: half, counter: cheap })
          .messages,
      LangChain: size > MOST_FOR_LANGCHAIN ? undefined : { isAsync: true, run: () => trim(peers, half) },
    },
  });
  line(`fit ${size} to half of it, to a backwards scan`, fit?.ratio ?? NaN, 5, '×', size);
  line(`assemble ${size} to half of it, templates looked for, to a backwards scan`, assemble?.ratio ?? NaN, 5, '×', size);
  if (size === 10_000) line('fit 10 000 again after one append', (again?.ns ?? NaN) / 1000, 50, 'µs', size);

  const turn = (list: Messages, call: number) => {
    const grown = list.appendMessage(freshMessages[call % fresh.length] as Message);
    const { messages: kept } = core.fit(grown, { budget: BUDGET, counter: cheap });
    return bytes(openaiChat.encode(kept.toMergedPerRole()).payload.messages);
  };
  const { product } = await compare(`one whole turn on ${size}: append, fit to 4 000 tokens, fold, encode, bytes`, {
    baseline: 'plain arrays and loops',
    ops: 1,
    unit: 'turn',
    rounds: rounds(11),
    minMs: 20,
    cases: {
      'plain arrays and loops': (_: unknown, call: number) =>
        bytes(merged(lastWithin([...json, fresh[call % fresh.length] as MessageJSON], BUDGET)).map(wireOf)),
      product: (_: unknown, call: number) => turn(messages, call),
      LangChain:
        size > MOST_FOR_LANGCHAIN
          ? undefined
          : {
              isAsync: true,
              run: async (_: unknown, call: number) => {
                const kept = await trim([...peers, freshPeers[call % fresh.length] as never], BUDGET);
                return bytes(
                  convertMessagesToCompletionsMessageParams({ messages: mergeMessageRuns(kept), model: 'gpt-x' }),
                );
              },
            },
    },
  });
  line(`one whole turn on ${size}, to plain loops`, product?.ratio ?? NaN, 0.5, '×', size);
}
done();
