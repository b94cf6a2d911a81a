import { isRecord } from '../../schema/json.ts';
import type { Assembly } from '../accumulator.ts';
import { failureOf } from '../failure.ts';
import type { Usage } from '../format.ts';
import { inOrder } from './decode-block.ts';
import { PROVIDER } from './origin.ts';
import { PartialBlock } from './partial-block.ts';
import { endOf } from './response.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Puts a response together from the events of its stream, as the `@anthropic-ai/sdk` package does. */
export class MessageAssembly implements Assembly {
  #message: Fields = {};
  #usage: Fields | undefined;
  readonly #blocks: PartialBlock[] = [];
  /** The blocks at their indexes: where a server uses one again, the last block. */
  readonly #byIndex = new Map<unknown, PartialBlock>();
  #isEnded = false;
  failure: string | undefined;

  add({ type, index, message, content_block: block, delta, usage, error }: Fields): void {
    switch (type) {
      case 'message_start':
        return this.#start(message);
      case 'content_block_start':
        return this.#startBlock(index, block);
      case 'content_block_delta':
        return isRecord(delta) ? this.#addDelta(index, delta) : undefined;
      case 'content_block_stop':
        return this.#byIndex.get(index)?.close();
      case 'message_delta':
        return this.#change(delta, usage);
      case 'message_stop':
        this.#isEnded = true;
        return;
      case 'error':
        this.failure = failureOf(error);
    }
  }

  /** The content of a message that starts is empty; the package's helper fills it while the events go by. */
  #start(message: unknown): void {
    if (!isRecord(message)) return;
    this.#message = { ...message };
    this.#count(message['usage']);
  }

  #startBlock(index: unknown, start: unknown): void {
    if (!isRecord(start)) return;
    const known = this.#byIndex.get(index);
    if (known?.isStarted === false) known.start(start);
    else this.#keep(index, new PartialBlock(start));
  }

  #keep(index: unknown, block: PartialBlock): PartialBlock {
    this.#blocks.push(block);
    this.#byIndex.set(index, block);
    return block;
  }

  /** A delta without a start begins a block. */
  #addDelta(index: unknown, delta: Fields): void {
    const block = this.#byIndex.get(index) ?? this.#keep(index, PartialBlock.begunBy(delta));
    block.add(delta);
  }

  /** The end is told by its reason, whether or not a stop follows. */
  #change(delta: unknown, usage: unknown): void {
    this.#count(usage);
    if (!isRecord(delta)) return;
    this.#message = { ...this.#message, ...delta };
    this.#isEnded ||= typeof delta['stop_reason'] === 'string';
  }

  /** Counts are told for the whole message each time; those that do not apply are missing or null. */
  #count(usage: unknown): void {
    if (!isRecord(usage)) return;
    const told = Object.entries(usage).filter(([, count]) => (count ?? undefined) !== undefined);
    this.#usage = { ...this.#usage, ...(Object.fromEntries(told) as Fields) };
  }

  said(): ReturnType<Assembly['said']> {
    const { model: given } = this.#message;
    const model = typeof given === 'string' ? given.toWellFormed() : undefined;
    const blocks = this.#blocks.map((block) => block.soFar(model)).filter((block) => block !== undefined);
    const { content, toolCalls } = inOrder(blocks);
    if (content.isEmpty() && toolCalls.isEmpty()) return undefined;
    return { content, toolCalls, ...(model !== undefined && { origin: { provider: PROVIDER, model } }) };
  }

  usage(): Usage | undefined {
    return endOf({ usage: this.#usage }).usage;
  }

  response(): unknown {
    if (!this.#isEnded) return undefined;
    const content = this.#blocks.map((block) => block.whole());
    return { ...this.#message, type: 'message', role: 'assistant', content, usage: this.#usage };
  }
}
