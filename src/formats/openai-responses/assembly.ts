import { now } from '../../internal/ids.ts';
import { foldBlocks } from '../../model/message-blocks.ts';
import { isRecord } from '../../schema/json.ts';
import type { Assembly, Said } from '../accumulator.ts';
import { failureOf } from '../failure.ts';
import type { Usage } from '../format.ts';
import { ItemReader } from './item-reader.ts';
import { originOf } from './origin.ts';
import { PartialItem } from './partial-item.ts';
import { usageOf } from './response.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The events that end a stream: they have the whole response. */
const ENDS: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** Puts a response together from the events of its stream, as the `openai` package does. */
export class ResponseAssembly implements Assembly {
  readonly #items: PartialItem[] = [];
  readonly #byId = new Map<unknown, PartialItem>();
  /** The items at their indexes: where a server uses one again, the last item. */
  readonly #byIndex = new Map<unknown, PartialItem>();
  /** Reads the items up to the first that is open. */
  #reader: ItemReader | undefined;
  #read = 0;
  #model: string | undefined;
  #end: Fields | undefined;
  #usage: Usage | undefined;
  failure: string | undefined;

  add(event: Fields): void {
    const { type, response, error, message, code } = event;
    if (type === 'error' || error) this.failure = failureOf(error ?? { message, code });
    else if (isRecord(response)) this.#respond(type, response);
    else if (typeof type === 'string') {
      const [, subject = '', step = ''] = type.split('.');
      this.#itemOf(subject, step, event)?.add(subject, step, event);
    }
  }

  #respond(type: unknown, response: Fields): void {
    const { model, error, output, usage } = response;
    this.#usage = usageOf(usage) ?? this.#usage;
    if (typeof model === 'string') this.#model = model.toWellFormed();
    if (!ENDS.has(type)) return;
    this.#end = response;
    const isLeftOut = this.#items.length > 0 && !isFilled(output);
    if (type === 'response.failed' && isLeftOut) this.failure = failureOf(error ?? 'failed');
  }

  /**
   * The item that an event belongs to, which it begins where no start came: by its id, and by its index where a server
   * gives each event another id.
   */
  #itemOf(subject: string, step: string, { item, item_id, output_index }: Fields): PartialItem | undefined {
    const id = isRecord(item) ? item['id'] : item_id;
    const atIndex = this.#byIndex.get(output_index);
    const known = this.#byId.get(id) ?? (atIndex?.isClosed ? undefined : atIndex);
    const isStart = subject === 'output_item' && isRecord(item);
    if (known !== undefined && (!isStart || step === 'done' || known.start(item))) return known;
    const begun = isStart ? new PartialItem(item) : atIndex ? undefined : PartialItem.begunBy(subject);
    if (begun === undefined) return undefined;
    this.#items.push(begun);
    if (typeof id === 'string') this.#byId.set(id, begun);
    this.#byIndex.set(output_index, begun);
    return begun;
  }

  said(): Said | undefined {
    this.#readClosed();
    const { run, kept } = this.#reader?.soFar() ?? { run: [] };
    const all = [...run];
    for (let at = this.#read; at < this.#items.length; at++) {
      const said = this.#items[at]?.soFar(this.#model);
      if (said !== undefined) all.push(said);
    }
    const [first] = all;
    if (first === undefined) return undefined;
    const { content, toolCalls } = all.length === 1 ? first : foldBlocks(all);
    const hasOrigin = (this.#model ?? kept) !== undefined;
    return { content, toolCalls, ...(hasOrigin && { origin: originOf(kept, this.#model) }) };
  }

  #readClosed(): void {
    for (let item = this.#items[this.#read]; item?.isClosed; item = this.#items[this.#read]) {
      const model = this.#model === undefined ? {} : { model: this.#model };
      this.#reader ??= new ItemReader({ time: now(), repairs: [], list: 'output', ...model });
      this.#reader.add(item.whole(), this.#read++);
    }
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  /** The response, with the items that came where a server leaves them out of its end. */
  response(): unknown {
    const end = this.#end;
    if (end === undefined || isFilled(end['output'])) return end;
    return { ...end, output: this.#items.map((item) => item.whole()) };
  }
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
