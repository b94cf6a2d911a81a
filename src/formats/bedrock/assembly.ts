import type { ContentPart } from '../../model/content-part.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord } from '../../schema/json.ts';
import type { Assembly } from '../accumulator.ts';
import { failureOf } from '../failure.ts';
import type { Usage } from '../format.ts';
import { inOrder } from './decode-block.ts';
import { recordOf } from './origin.ts';
import { PartialBlock } from './partial-block.ts';
import { endOf } from './response.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Puts a response together from the events of its stream (`@aws-sdk/client-bedrock-runtime`, ConverseStreamOutput). */
export class ResponseAssembly implements Assembly {
  readonly #blocks: PartialBlock[] = [];
  /** The blocks at their indexes: where a server uses one again, the last block. */
  readonly #byIndex = new Map<unknown, PartialBlock>();
  /** The reason and the usage. */
  #end: Fields | undefined;
  #usage: unknown;
  failure: string | undefined;

  add(event: Fields): void {
    // Each event has one key.
    for (const key in event) this.#take(key, event[key]);
  }

  #take(key: string, value: unknown): void {
    const { contentBlockIndex: index, start, delta, usage } = isRecord(value) ? value : {};
    if (key === 'contentBlockDelta') this.#addDelta(index, recordOf(delta));
    else if (key === 'contentBlockStart') this.#start(index, recordOf(start));
    else if (key === 'contentBlockStop') this.#byIndex.get(index)?.close();
    else if (key === 'messageStop') this.#end = recordOf(value);
    else if (key === 'metadata') this.#usage = usage;
    else if (key.endsWith('Exception') || key === 'message')
      this.failure = failureOf(value instanceof Error ? value.message : value);
  }

  /** Only calls, answers and images are told to start. */
  #start(index: unknown, start: Fields): void {
    for (const kind in start) this.#open(index, kind, recordOf(start[kind]));
  }

  /** A block of another kind, and one behind a stop, is a new one. */
  #addDelta(index: unknown, delta: Fields): void {
    for (const key in delta) {
      const known = this.#byIndex.get(index);
      const block = known?.takes(key) ? known : this.#open(index, key === 'citation' ? 'text' : key, {});
      block?.add(key, delta[key]);
    }
  }

  #open(index: unknown, kind: string, start: Fields): PartialBlock | undefined {
    if (!PartialBlock.isKind(kind)) return undefined;
    const block = new PartialBlock(kind, start);
    this.#blocks.push(block);
    this.#byIndex.set(index, block);
    return block;
  }

  said(): ReturnType<Assembly['said']> {
    const blocks: (ContentPart | ToolCall)[] = [];
    for (const block of this.#blocks) {
      const one = block.soFar();
      if (one !== undefined) blocks.push(one);
    }
    const said = inOrder(blocks);
    return said.content.isEmpty() && said.toolCalls.isEmpty() ? undefined : said;
  }

  usage(): Usage | undefined {
    return endOf({ usage: this.#usage }).usage;
  }

  response(): unknown {
    if (this.#end === undefined) return undefined;
    const content = this.#blocks.map((block) => block.whole());
    return { output: { message: { role: 'assistant', content } }, ...this.#end, usage: this.#usage };
  }
}
